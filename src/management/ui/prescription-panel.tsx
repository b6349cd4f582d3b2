import type { PrescriptionRow } from '../../prescriptions/service';
import { Form } from './fields';
import type { FieldErrors } from './form-errors';
import { formatTime } from './format';
import { Chip } from './layout';
import { sharedMessages } from './messages';
import { UploadForm } from './upload';
import type { View } from './view';

interface PanelProps {
  view: View;
  /** Path of the request or order. */
  path: string;
  prescriptions: readonly PrescriptionRow[];
  /** Whether a file may be added if there is none and none is being fetched. */
  isOpen: boolean;
  /** Whether the page shows the file at once. Elsewhere it needs a click, because every access is recorded. */
  isShown: boolean;
  fieldErrors?: FieldErrors;
}

/** The prescriptions of a request or an order. Only some roles see the file; the others see that there is one. */
export function PrescriptionPanel({ view, path, prescriptions, isOpen, isShown, fieldErrors }: PanelProps) {
  const shared = sharedMessages(view);
  const isMissing = !prescriptions.some(({ status }) => status === 'stored' || status === 'fetching');
  return (
    <section class="panel">
      <h2>{shared.prescriptions.title}</h2>
      {prescriptions.length === 0 && <p class="quiet">{shared.prescriptions.none}</p>}
      {prescriptions.map((prescription) => (
        <OnePrescription view={view} path={path} prescription={prescription} isShown={isShown} />
      ))}
      {isOpen && isMissing && maySee(view) && <UploadForm view={view} path={path} fieldErrors={fieldErrors} />}
    </section>
  );
}

function maySee({ session }: View): boolean {
  return session !== undefined && session.role !== 'staff';
}

interface OneProps extends Pick<PanelProps, 'view' | 'path' | 'isShown'> {
  prescription: PrescriptionRow;
}

function OnePrescription({ view, path, prescription, isShown }: OneProps) {
  const shared = sharedMessages(view);
  const { id, status, approvedAt, signedAt } = prescription;
  const isStored = status === 'stored';
  const isSeen = maySee(view);
  const file = `/manage/prescriptions/${id}/pdf`;
  const act = `${path}/prescriptions/${id}`;
  const tone = { stored: 'wait', fetching: 'wait', fetch_failed: 'bad', erased: 'quiet' } as const;
  return (
    <div class="prescription">
      <div class="facts">
        {isStored && approvedAt !== null ? (
          <Chip tone="good">{shared.prescriptions.approved(formatTime(view.language, approvedAt))}</Chip>
        ) : (
          <Chip tone={tone[status]}>
            {isStored ? shared.prescriptions.toReview : shared.prescriptions.states[status]}
          </Chip>
        )}
        {signedAt !== null && <Chip tone="good">{shared.prescriptions.signatureChecked}</Chip>}
        {isStored && isSeen && (
          <a href={file} target="_blank" rel="noopener">
            {shared.prescriptions.newTab}
          </a>
        )}
        {isStored && isSeen && approvedAt === null && (
          <Form view={view} action={`${act}/approve`}>
            <button type="submit">{shared.prescriptions.approve}</button>
          </Form>
        )}
        {status === 'fetch_failed' && isSeen && (
          <Form view={view} action={`${act}/fetch`}>
            <button type="submit">{shared.prescriptions.fetchAgain}</button>
          </Form>
        )}
      </div>
      {isStored && isSeen && isShown && (
        <iframe class="pdf" src={file} title={shared.prescriptions.title} loading="lazy"></iframe>
      )}
      {isStored && !isSeen && <p class="quiet">{shared.prescriptions.hidden}</p>}
    </div>
  );
}
