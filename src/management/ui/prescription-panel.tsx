import { isSetAside, type PrescriptionRow } from '../../prescriptions/service';
import { Form } from './fields';
import type { FieldErrors } from './form-errors';
import { formatTime } from './format';
import { Chip } from './layout';
import { sharedMessages } from './messages';
import { Panel } from './parts';
import { UploadForm } from './upload';
import type { View } from './view';

interface PanelProps {
  view: View;
  /** Path of the request or order. */
  path: string;
  prescriptions: readonly PrescriptionRow[];
  /** Names of products, by id. */
  names: ReadonlyMap<string, string>;
  /** The id of the form that the buttons send, so that nothing typed there is lost. There prescriptions are checked, too. */
  linesForm?: string;
  /** The lines of the order need more than the approved prescriptions cover; undefined where nothing is approved here. */
  isUncovered?: boolean;
  /** Whether a file may be added if there is none and none is being fetched. */
  isOpen: boolean;
  /** Whether the page shows the file at once. Elsewhere it needs a click, because every access is recorded. */
  isShown: boolean;
  fieldErrors?: FieldErrors;
}

/** The prescriptions of a request or an order. Only some roles see the file; the others see that there is one. */
export function PrescriptionPanel(props: PanelProps) {
  const { view, path, prescriptions, isOpen, fieldErrors } = props;
  const { prescriptions: t } = sharedMessages(view);
  const isMissing = !prescriptions.some(
    (each) => !isSetAside(each) && (each.status === 'stored' || each.status === 'fetching'),
  );
  return (
    <Panel title={t.title}>
      {prescriptions.length === 0 && <p class="quiet">{t.none}</p>}
      {prescriptions.map((prescription) => (
        <OnePrescription {...props} prescription={prescription} />
      ))}
      {isOpen && isMissing && maySee(view) && <UploadForm view={view} path={path} fieldErrors={fieldErrors} />}
    </Panel>
  );
}

function maySee({ session }: View): boolean {
  return session !== undefined && session.role !== 'staff';
}

type OneProps = PanelProps & { prescription: PrescriptionRow };

function OnePrescription(props: OneProps) {
  const { view, path, prescription, isShown, names } = props;
  const { prescriptions: t } = sharedMessages(view);
  const { id, status, approvedAt, signedAt } = prescription;
  const isStored = status === 'stored';
  const isSeen = maySee(view);
  const file = `/manage/prescriptions/${id}/pdf`;
  const act = `${path}/prescriptions/${id}`;
  const tone = { stored: 'off', fetching: 'off', fetch_failed: 'bad', erased: 'off' } as const;
  return (
    <div>
      <div class="facts">
        {isSetAside(prescription) ? (
          <Chip tone="off" mark="aside">
            {t.setAside}
          </Chip>
        ) : isStored && approvedAt !== null ? (
          <Chip tone="good">{t.approved(formatTime(view.language, approvedAt))}</Chip>
        ) : (
          <Chip tone={tone[status]} mark={status === 'fetching' ? 'half' : undefined}>
            {isStored ? t.toReview : t.states[status]}
          </Chip>
        )}
        {signedAt !== null && <Chip tone="good">{t.signatureChecked}</Chip>}
        {isStored && isSeen && (
          <a href={file} target="_blank" rel="noopener">
            {t.newTab}
          </a>
        )}
        {isStored && isSeen && props.isUncovered !== undefined && <Approve {...props} action={`${act}/approve`} />}
        {status === 'fetch_failed' && isSeen && (
          <Act {...props} action={`${act}/fetch`}>
            {t.fetchAgain}
          </Act>
        )}
      </div>
      {isStored && approvedAt !== null && <Covered {...{ view, prescription, names }} />}
      {isStored && isSeen && isShown && <iframe class="pdf" src={file} title={t.title} loading="lazy"></iframe>}
      {isStored && !isSeen && <p class="quiet">{t.hidden}</p>}
      {prescription.setAsideReason !== null && (
        <p class="quiet">
          {t.setAsideReason}: <bdi>{prescription.setAsideReason}</bdi>
        </p>
      )}
    </div>
  );
}

/** The button that approves a prescription; of an approved one, where it may have to cover other lines. */
function Approve(props: OneProps & { action: string }) {
  const { view, prescription, isOpen, isUncovered } = props;
  const { prescriptions: t } = sharedMessages(view);
  const isAgain = prescription.approvedAt !== null;
  if (isAgain && !(isOpen && isUncovered)) return null;
  return <Act {...props}>{isAgain ? t.approveAgain : t.approve}</Act>;
}

/** A button that sends the form of the lines, or one of its own. */
function Act({ view, linesForm, action, children }: OneProps & { action: string; children: string }) {
  if (linesForm !== undefined) {
    return (
      <button type="submit" form={linesForm} formaction={action}>
        {children}
      </button>
    );
  }
  return (
    <Form view={view} action={action}>
      <button type="submit">{children}</button>
    </Form>
  );
}

function Covered({ view, prescription, names }: Pick<OneProps, 'view' | 'prescription' | 'names'>) {
  const { prescriptions: t } = sharedMessages(view);
  const lines = prescription.approvedLines ?? [];
  if (lines.length === 0) return <p class="quiet">{t.coversNothing}</p>;
  return (
    <p class="quiet">
      {t.covers}:{' '}
      {lines.map(({ p1Id, quantity }, index) => (
        <>
          {index > 0 && ', '}
          {quantity} × <bdi>{names.get(p1Id) ?? p1Id}</bdi>
        </>
      ))}
    </p>
  );
}
