import type { EditedLine } from '../../order-requests/service';
import { NOTE_MAX } from '../../orders/limits';
import { PAYMENT_ACTIONS, type PaymentAction } from '../../orders/service';
import { dayOf, readDay } from '../../platform/pharmacy-time';
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
  acknowledged: string[];
  payment: PaymentAction | '';
  override_reason: string;
}

const CHECK = /^as-([\w-]{1,64})$/;
/** As many as a form can hold of lines, each with a few differences. */
const ACKNOWLEDGED_MAX = 400;

/** The form as it was sent. */
export function typedForm({ form }: { form: Form }): TypedForm {
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
    acknowledged: form
      .entries()
      .flatMap(([name, value]) => (name === 'acknowledged' ? value : []))
      .slice(0, ACKNOWLEDGED_MAX),
    payment: PAYMENT_ACTIONS.find((each) => each === form.text('payment')) ?? '',
    override_reason: form.text('override_reason'),
  };
}

/** The form of a request that nobody has touched. */
export function untouchedForm(lines: TypedLine[], prescriptions: string): TypedForm {
  return { lines, checks: [], prescriptions, acknowledged: [], payment: '', override_reason: '' };
}

/** The prescriptions whose tick is set. A date that is none is an error of its field. */
export function readChecks(
  checks: readonly TypedCheck[],
  now: number,
  wrongDate: string,
): { checked: Check[]; fieldErrors: FieldErrors } {
  const fieldErrors: FieldErrors = {};
  const checked = checks.flatMap(({ id, sha256, as, issuedOn }): Check[] => {
    const isDay = issuedOn === '' || (readDay(issuedOn) !== null && issuedOn <= dayOf(now));
    if (!isDay) fieldErrors[`issued-${id}`] = wrongDate;
    if (sha256 === '') return [];
    return [{ prescriptionId: id, sha256, as, issuedOn: isDay && issuedOn !== '' ? issuedOn : null }];
  });
  return { checked, fieldErrors };
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
