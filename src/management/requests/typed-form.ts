import type { EditedLine } from '../../order-requests/service';
import { NOTE_MAX } from '../../orders/limits';
import { PAYMENT_ACTIONS, type PaymentAction } from '../../orders/service';
import { type Day, dayOf, readDay } from '../../platform/pharmacy-time';
import type { Check } from '../../prescriptions/service';
import { CHECKED_AS, type CheckedAs } from '../../prescriptions/tables';
import type { Form } from '../http/form-data';
import type { FieldErrors } from '../ui/form-errors';
import { type TypedLine, typedLines } from './lines';

/** What is typed about a prescription. */
export interface TypedCheck {
  id: string;
  /** Of the file whose tick was set; empty without it. */
  sha256: string;
  as: CheckedAs;
  issuedOn: string;
  asideReason: string;
}

/** What is typed into the form of a request: its lines, its prescriptions, and what staff answer. */
export interface TypedForm {
  lines: TypedLine[];
  checks: TypedCheck[];
  /** What the page was made from. */
  prescriptions: string;
  /** The version of what was prepared, which the page was made from; empty where there was nothing. */
  draft: string;
  acknowledged: string[];
  payment: PaymentAction | '';
  override_reason: string;
  reason_code: string;
  reject_note: string;
  info_code: string;
  info_note: string;
  note: string;
  /** By the id of the question. */
  answers: Record<string, string>;
}

/** Texts of the form, beside those of lines, prescriptions and questions. */
const TEXTS = ['override_reason', 'reason_code', 'reject_note', 'info_code', 'info_note', 'note'] as const;

const CHECK = /^as-([\w-]{1,64})$/;
const ANSWER = 'answer-';
/** As many as a form can hold of lines, each with a few differences. */
const ACKNOWLEDGED_MAX = 400;

/** The form as it was sent. */
export function typedForm({ form: sent }: { form: Form }): TypedForm {
  // A button of a line sets fields of it: `quantity-3=1`.
  const form = sent.with(new URLSearchParams(sent.text('set')));
  const names = form.entries().map(([name]) => name);
  const ids = names.flatMap((name) => CHECK.exec(name)?.[1] ?? []);
  return {
    lines: typedLines(form),
    checks: ids.map((id) => ({
      id,
      sha256: form.text(`checked-${id}`),
      as: CHECKED_AS.find((each) => each === form.text(`as-${id}`)) ?? CHECKED_AS[0],
      issuedOn: form.text(`issued-${id}`),
      asideReason: form.text(`aside-${id}`).slice(0, NOTE_MAX),
    })),
    prescriptions: form.text('seenPrescriptions'),
    draft: form.text('draft'),
    acknowledged: form
      .entries()
      .flatMap(([name, value]) => (name === 'acknowledged' ? value : []))
      .slice(0, ACKNOWLEDGED_MAX),
    payment: PAYMENT_ACTIONS.find((each) => each === form.text('payment')) ?? '',
    ...form.texts(...TEXTS),
    answers: Object.fromEntries(
      form.entries().flatMap(([name, value]) => (name.startsWith(ANSWER) ? [[name.slice(ANSWER.length), value]] : [])),
    ),
  };
}

/** The form of a request that nobody has touched. */
export function untouchedForm(lines: TypedLine[], prescriptions: string): TypedForm {
  const texts = { override_reason: '', reason_code: '', reject_note: '', info_code: '', info_note: '', note: '' };
  return { lines, checks: [], prescriptions, draft: '', acknowledged: [], payment: '', ...texts, answers: {} };
}

/** Whether a form says nothing that its page did not say before. */
export function isUntouched(typed: TypedForm, untouched: TypedForm): boolean {
  const checks = typed.checks.filter(
    ({ sha256, as, issuedOn, asideReason }) => as !== CHECKED_AS[0] || `${sha256}${issuedOn}${asideReason}` !== '',
  );
  const answers = Object.fromEntries(Object.entries(typed.answers).filter(([, text]) => text !== ''));
  // What a question is about has no empty choice.
  return JSON.stringify({ ...typed, checks, draft: '', answers, info_code: '' }) === JSON.stringify(untouched);
}

/** The prescriptions whose tick is set. A date that is none is an error of its field. */
export function readChecks(
  checks: readonly TypedCheck[],
  now: number,
  wrongDate: string,
): { checked: Check[]; fieldErrors: FieldErrors } {
  const fieldErrors: FieldErrors = {};
  const checked = checks.flatMap(({ id, sha256, as, issuedOn }): Check[] => {
    const day = typedDay(issuedOn);
    const isFine = issuedOn === '' || (day !== null && day <= dayOf(now));
    if (!isFine) fieldErrors[`issued-${id}`] = wrongDate;
    if (sha256 === '') return [];
    return [{ prescriptionId: id, sha256, as, issuedOn: isFine ? day : null }];
  });
  return { checked, fieldErrors };
}

/** A day as people write it, `20.11.2026` or `20/11/2026`, or as `2026-11-20`; null for any other text. */
function typedDay(text: string): Day | null {
  const [day = '', month = '', year] = text.replaceAll('/', '.').split('.');
  return readDay(year === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}

/** What stands in the way is computed for. */
export function draftOf(typed: TypedForm, lines: readonly EditedLine[], checked: readonly Check[]) {
  return {
    lines,
    p1Ids: typed.lines.map(({ productId }) => productId).filter((id) => id !== ''),
    checked,
    acknowledged: typed.acknowledged,
    payment: typed.payment || null,
  };
}

/** What the form says, with the ticks of prescriptions cleared: they are others by now. */
export function withoutTicks(typed: TypedForm): TypedForm {
  return { ...typed, checks: typed.checks.map((check) => ({ ...check, sha256: '' })) };
}
