import { isSetAside, type PrescriptionRow, REPLACED } from '../../prescriptions/service';
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
  /** Path of the order. */
  path: string;
  prescriptions: readonly PrescriptionRow[];
  /** Names of the products that need a prescription, by id. */
  names: ReadonlyMap<string, string>;
  /** The lines of the order need more than the approved prescriptions cover;  */
  isUncovered: boolean;
  /** Whether a file may be added if there is none and none is being fetched. */
  isOpen: boolean;
  fieldErrors?: FieldErrors;
}

/** Why a prescription was set aside: in the words of staff, or that its platform replaced it. */
export function whyAside(view: View, { setAsideReason }: PrescriptionRow): string | null {
  return setAsideReason === REPLACED ? sharedMessages(view).prescriptions.replaced : setAsideReason;
}

/** The prescriptions of an order; a file needs a click, because every access is recorded. Only some roles see it. */
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
  const { view, path, prescription, names } = props;
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
        {isStored && isSeen && <Approve {...props} action={`${act}/approve`} />}
        {status === 'fetch_failed' && isSeen && (
          <Act {...props} action={`${act}/fetch`}>
            {t.fetchAgain}
          </Act>
        )}
      </div>
      {prescription.fileFault && <p class="fault">{t.fileFaults[prescription.fileFault]}</p>}
      {isStored && approvedAt !== null && <Covered {...{ view, prescription, names }} />}
      {isStored && !isSeen && <p class="quiet">{t.hidden}</p>}
      {prescription.setAsideReason !== null && (
        <p class="quiet">
          {t.setAsideReason}: <bdi>{whyAside(view, prescription)}</bdi>
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

function Act({ view, action, children }: OneProps & { action: string; children: string }) {
  return (
    <Form view={view} action={action}>
      <button type="submit">{children}</button>
    </Form>
  );
}

function Covered({ view, prescription, names }: Pick<OneProps, 'view' | 'prescription' | 'names'>) {
  const { prescriptions: t } = sharedMessages(view);
  const lines = (prescription.approvedLines ?? []).filter(({ p1Id }) => names.has(p1Id));
  if (lines.length === 0) return <p class="quiet">{t.coversNothing}</p>;
  return (
    <>
      {/* Nobody here has said how it was checked: a program reported it. */}
      <p class="quiet">{prescription.checkedAs === null ? t.coversReported : t.covers}:</p>
      <ul class="quiet">
        {lines.map(({ p1Id, quantity }) => (
          <li>
            {quantity} × <bdi>{names.get(p1Id)}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
