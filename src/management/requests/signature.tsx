import type { Review } from '../../order-requests/inbox/inbox';
import { choicesOf } from '../../prescriptions/check';
import { isSetAside } from '../../prescriptions/coverage';
import type { PrescriptionRow } from '../../prescriptions/store';
import type { CheckedSignature, SignatureReportRow } from '../../signatures/result';
import { Button } from '../ui/fields';
import { formatTime } from '../ui/format';
import { Facts, MARK_OF_TONE, Mark, type Tone } from '../ui/parts';
import { signatureMessages } from './messages';

type Report = SignatureReportRow;
type Word = keyof ReturnType<typeof signatureMessages>['words'];

/** The decisive signature of the file (see `anchorOf` in src/signatures/check.ts); undefined if there is none. */
function anchorOf({ anchor, signatures }: Report): CheckedSignature | undefined {
  return anchor === null ? undefined : signatures[anchor];
}

/**
 * The number of bytes to show from the start of the file. If content was added after the signature, only the signed
 * part is shown. Undefined if the whole file is shown.
 */
export function shownLength({ signatureReport: report }: PrescriptionRow): number | undefined {
  if (report?.laterChanges !== 'other') return undefined;
  return anchorOf(report)?.signedBytes ?? undefined;
}

/**
 * The signing time in epoch ms, from which the form presets the date of issue. Null if the signature has no time, or if
 * `signed_file` is not among the verifications that an approval may state (`choicesOf`).
 */
export function signedAtOf(row: PrescriptionRow): number | null {
  const { signatureReport: report } = row;
  const at = report && choicesOf(row).includes('signed_file') && anchorOf(report)?.signedAt;
  return at ? Date.parse(at) : null;
}

/** The text and tone for a file's signature. No text says that the signature is valid (see messages.ts). */
function wordOf(report: Report | null): { word: Word; tone: Tone } {
  if (report === null) return { word: 'pending', tone: 'off' };
  const { status, subIndication, laterChanges } = report;
  if (status === 'none') return { word: 'none', tone: 'wait' };
  if (status === 'failed') return { word: 'failed', tone: 'bad' };
  const anchor = anchorOf(report);
  if (!anchor) return { word: 'unchecked', tone: 'wait' };
  if (laterChanges === 'other') return { word: 'added', tone: status === 'passed' ? 'wait' : 'bad' };
  if (status === 'passed') return { word: 'passed', tone: 'good' };
  if (anchor.kind === 'seal' || anchor.qualification === 'seal') return { word: 'seal', tone: 'wait' };
  if (subIndication === 'TRY_LATER' && anchor.qualification === 'qualified') return { word: 'later', tone: 'wait' };
  if (anchor.qualification === 'not_listed') return { word: 'notListed', tone: 'wait' };
  return { word: 'notQualified', tone: 'bad' };
}

/** The result of the signature check: one sentence, with details to unfold. */
export function Signature({ review, row, number }: { review: Review; row: PrescriptionRow; number: number }) {
  const t = signatureMessages();
  if (row.status !== 'stored' || isSetAside(row)) return null;
  const report = row.signatureReport;
  const { word, tone } = wordOf(report);
  const anchor = report ? anchorOf(report) : undefined;
  const by = anchor && [anchor.signer, anchor.signedAt && formatTime(Date.parse(anchor.signedAt))];
  const reported = row.signatureProvider !== null && report?.status !== 'passed' ? row.signatureProvider : null;
  return (
    <details
      class={`signature ${tone} of-${number}`}
      id={`signature-${row.id}`}
      data-unchecked
      data-checked=""
      data-pending={report === null}
      data-frame={`pdf-${row.id}`}
      data-length={shownLength(row)}
    >
      <summary>
        <Mark name={word === 'pending' ? 'half' : MARK_OF_TONE[tone]} />
        <span>
          <b>{word === 'seal' ? t.sealOf(anchor?.signer ?? t.unknown) : t.words[word]}</b>
          <small>
            {word === 'added' ? t.shown : (by?.filter(Boolean).join(', ') ?? '')}
            {reported !== null && ` ${t.reported(reported)}`}
          </small>
        </span>
      </summary>
      <div class="about-signature">
        {report && anchor && (
          <Facts
            entries={[
              [t.facts.signer, anchor.signer ?? t.unknown],
              [t.facts.prescriber, review.request.prescriberName],
              [t.facts.profession, anchor.profession ?? t.noProfession],
              [t.facts.issuer, anchor.issuer],
              [t.facts.signedAt, anchor.signedAt && formatTime(Date.parse(anchor.signedAt))],
              [t.facts.qualification, t.qualifications[anchor.qualification]],
              [t.facts.revocation, t.revocations[anchor.revocation]],
              [t.facts.later, t.changes[report.laterChanges]],
              [t.facts.algorithm, [anchor.algorithm, ...anchor.weaknesses.map((each) => t.weak[each])].join(', ')],
              [t.facts.code, report.subIndication],
              [t.facts.checkedAt, formatTime(report.checkedAt)],
            ]}
          />
        )}
        {word === 'none' && review.request.status === 'pending' && (
          <Button name="set" value="info_code=signed_file_needed" label={t.askSigned} />
        )}
        <p class="hint">{report === null ? t.pendingHint : t.notChecked}</p>
      </div>
    </details>
  );
}
