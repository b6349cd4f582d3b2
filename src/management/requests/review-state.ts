import type { Review } from '../../order-requests/inbox/inbox';
import type { EditedLine } from '../../order-requests/review/lines';
import { REMAINDER_CHOICES, type RemainderChoice } from '../../order-requests/tables';
import { LINES_MAX, NOTE_MAX, QUANTITY_MAX, TEXT_MAX } from '../../orders/limits';
import { faultOfExpected, type Later } from '../../orders/supply/supply';
import { PAYMENT_ACTIONS, type PaymentAction } from '../../orders/tables';
import { type Day, dayOf, readDay } from '../../platform/pharmacy-time';
import type { Check } from '../../prescriptions/check';
import { VERIFICATIONS, type Verification } from '../../prescriptions/tables';
import type { Form } from '../http/form-data';
import type { Language, Reader } from '../http/language';
import { parsePrice, priceText } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import type { FieldErrors } from '../ui/view';

/** The typed values of a refused form and the reasons for the refusal. */
export interface ReviewState extends Partial<TypedForm> {
  fieldErrors?: FieldErrors;
  /** For each line of the review, the row of the form that it comes from. Empty or removed rows have no line. */
  rows?: readonly number[];
  /** The row of a product that was just added. */
  added?: number;
  /** Whether the form was only checked and not decided. The focus then goes to the result. */
  isChecked?: boolean;
  /** Whether the prescription pane is the wider one. */
  isWide?: boolean;
  /** The text of a conflict: somebody else changed the request meanwhile. */
  conflict?: string;
}

export interface ReviewProps {
  review: Review;
  state: ReviewState;
}

/** Typed values about a prescription. */
export interface TypedCheck {
  id: string;
  /** The SHA-256 of the checked file; empty if the person did not tick the file's checkbox. */
  sha256: string;
  /** The chosen verification; empty if none was chosen. */
  as: Verification | '';
  /** For `verified_elsewhere`: the program that verified the signature, and its result. */
  verifiedWith: string;
  issuedOn: string;
  asideReason: string;
}

/** Typed values of a request's form: lines, prescriptions, and answers. */
export interface TypedForm {
  lines: TypedLine[];
  checks: TypedCheck[];
  /** The version of the prescriptions that the page was made from. */
  prescriptions: string;
  /** The version of the draft that the page was made from; empty if there was none. */
  draft: string;
  acknowledged: string[];
  payment: PaymentAction | '';
  remainder: RemainderChoice | '';
  override_reason: string;
  reason_code: string;
  reject_note: string;
  info_code: string;
  info_note: string;
  note: string;
  /** Typed answers by question id. */
  answers: Record<string, string>;
}

/** Text fields outside lines, prescriptions, and questions. */
const TEXTS = ['override_reason', 'reason_code', 'reject_note', 'info_code', 'info_note', 'note'] as const;

const CHECK = /^as-([\w-]{1,64})$/;
const ANSWER = 'answer-';
/** Maximum number of acknowledgements that are read from the form. */
const ACKNOWLEDGED_MAX = 400;

/** The values of the submitted form. */
export function typedForm({ form: sent }: { form: Form }): TypedForm {
  // The button of a line sets fields of that line: `quantity-3=1`.
  const form = sent.with(new URLSearchParams(sent.text('set')));
  const names = form.entries().map(([name]) => name);
  const ids = names.flatMap((name) => CHECK.exec(name)?.[1] ?? []);
  return {
    lines: typedLines(form),
    checks: ids.map((id) => ({
      id,
      sha256: form.text(`checked-${id}`),
      as: VERIFICATIONS.find((each) => each === form.text(`as-${id}`)) ?? '',
      verifiedWith: form.text(`with-${id}`).slice(0, TEXT_MAX),
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
    remainder: REMAINDER_CHOICES.find((each) => each === form.text('remainder')) ?? '',
    ...form.texts(...TEXTS),
    answers: Object.fromEntries(
      form.entries().flatMap(([name, value]) => (name.startsWith(ANSWER) ? [[name.slice(ANSWER.length), value]] : [])),
    ),
  };
}

/**
 * The values of a form in which nothing was edited.
 * @param lines the form's initial lines
 * @param prescriptions the version of the prescriptions
 */
export function untouchedForm(lines: TypedLine[], prescriptions: string): TypedForm {
  const texts = { override_reason: '', reason_code: '', reject_note: '', info_code: '', info_note: '', note: '' };
  const choices = { acknowledged: [], payment: '', remainder: '' } as const;
  return { lines, checks: [], prescriptions, draft: '', ...choices, acknowledged: [], ...texts, answers: {} };
}

/**
 * Whether nothing in the submitted form was changed.
 * @param untouched the form's initial values
 * @param presets the values that the form's checks can have without an edit
 */
export function isUntouched(typed: TypedForm, untouched: TypedForm, presets: readonly TypedCheck[]): boolean {
  const known = presets.map((preset) => JSON.stringify(preset));
  const checks = typed.checks.filter((check) => !known.includes(JSON.stringify(check)));
  const answers = Object.fromEntries(Object.entries(typed.answers).filter(([, text]) => text !== ''));
  // The select for the question's subject always has a value, so this value is no change.
  return JSON.stringify({ ...typed, checks, draft: '', answers, info_code: '' }) === JSON.stringify(untouched);
}

/**
 * Reads the checks of the ticked prescriptions. A ticked prescription without a choice is a field error, and so is an
 * invalid or future date of issue.
 */
export function readChecks(
  checks: readonly TypedCheck[],
  now: number,
  texts: { issuedOnWrong: string; checkedAsMissing: string },
): { checked: Check[]; fieldErrors: FieldErrors } {
  const fieldErrors: FieldErrors = {};
  const checked = checks.flatMap(({ id, sha256, as, verifiedWith, issuedOn }): Check[] => {
    const day = typedDay(issuedOn);
    const isFine = issuedOn === '' || (day !== null && day <= dayOf(now));
    if (!isFine) fieldErrors[`issued-${id}`] = texts.issuedOnWrong;
    if (sha256 !== '' && as === '') fieldErrors[`as-${id}`] = texts.checkedAsMissing;
    if (sha256 === '' || as === '') return [];
    const check = { prescriptionId: id, sha256, issuedOn: isFine ? day : null };
    return [as === 'verified_elsewhere' ? { ...check, as: 'signed_file', verifiedWith } : { ...check, as }];
  });
  return { checked, fieldErrors };
}

/** Reads `20.11.2026` or `2026-11-20`; null for any other text. Slashes are refused: `11/12/2026` has two meanings. */
function typedDay(text: string): Day | null {
  const [day = '', month = '', year] = text.split('.');
  return readDay(year === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}

/** Turns the typed form values into the draft for which `readReview` computes the obstacles. */
export function draftOf(typed: TypedForm, lines: readonly EditedLine[], checked: readonly Check[]) {
  return {
    lines,
    p1Ids: typed.lines.map(({ productId }) => productId).filter((id) => id !== ''),
    checked,
    acknowledged: typed.acknowledged,
    payment: typed.payment || null,
    remainder: typed.remainder || null,
  };
}

/** The number of empty rows at the end of the form. */
const SPARE_ROWS = 1;

/** Typed values of a line. */
export interface TypedLine {
  productId: string;
  quantity: string;
  price: string;
  isCoPayment: boolean;
  /** The number of packs that come later; empty for none. `expectedOn` is the day on which they come. */
  later: string;
  expectedOn: string;
}

export const EMPTY_LINE: TypedLine = {
  ...{ productId: '', quantity: '', price: '', isCoPayment: false },
  ...{ later: '', expectedOn: '' },
};

/** The initial lines of the form. A line that matches no product has the id that was submitted. */
export function linesOf({ request, lines }: Pick<Review, 'request' | 'lines'>, language: Language): TypedLine[] {
  const rows = lines.map((line, index) => {
    const item = request.items[index];
    const productId = line.p1Id ?? item?.p1Id ?? item?.productId ?? '';
    return {
      ...EMPTY_LINE,
      productId,
      quantity: String(line.quantity),
      price: priceText(line.priceCents, language),
      isCoPayment: line.isCoPayment === true,
    };
  });
  return withSpare(rows);
}

/** The lines, with an empty one at the end for another item. */
export function withSpare(lines: readonly TypedLine[]): TypedLine[] {
  const last = lines.at(-1);
  return last !== undefined && !isFilled(last) ? [...lines] : [...lines, EMPTY_LINE];
}

/** The lines of the submitted form. */
function typedLines(form: Form): TypedLine[] {
  const count = Math.min(Number(form.text('lines')) || 0, LINES_MAX + SPARE_ROWS);
  return Array.from({ length: count }, (_, row) => ({
    productId: productIn(form, row),
    quantity: form.text(`quantity-${row}`),
    price: form.text(`price-${row}`),
    isCoPayment: form.text(`co_payment-${row}`) === 'on',
    later: form.text(`later-${row}`),
    expectedOn: form.text(`expected-${row}`),
  }));
}

/** The id of a line's product. It is returned even if the field still shows the product's PZN. */
function productIn(form: Form, row: number): string {
  const text = form.text(`product-${row}`);
  const [pzn, id] = form.text(`pzn-${row}`).split(' ');
  return text === pzn && id ? id : text;
}

/**
 * Reads the typed lines. Empty rows and rows with quantity 0 are skipped. A row with a product but without a quantity
 * is an error. Otherwise a product scanned into the spare row would be lost.
 * @returns `lines`; `rows`: the row of the form that each line comes from; `fieldErrors` by field name
 */
export function readLines(typed: readonly TypedLine[], reader: Reader, now: number) {
  const texts = sharedMessages(reader).fieldErrors;
  const fieldErrors: FieldErrors = {};
  const filled = typed.map((line, row) => ({ ...line, row })).filter(isFilled);
  const lines = filled.map(({ row, ...line }) => {
    const quantity = /^\d{1,4}$/.test(line.quantity) ? Number(line.quantity) : 0;
    const priceCents = parsePrice(line.price);
    if (quantity < 1 || quantity > QUANTITY_MAX) {
      fieldErrors[`quantity-${row}`] = line.quantity === '' ? texts.quantity_missing : texts.quantity;
    }
    if (priceCents === null) fieldErrors[`price-${row}`] = texts.price;
    if (line.productId.length > TEXT_MAX) {
      fieldErrors[`product-${row}`] = texts.product;
    }
    const { isCoPayment, expectedOn } = line;
    const later = laterOf(line, quantity);
    if (later === undefined) fieldErrors[`later-${row}`] = texts.later;
    else if (later && faultOfExpected(expectedOn, now) !== null) fieldErrors[`expected-${row}`] = texts.expected_on;
    const p1Id = line.productId || null;
    // The first rows are the submitted items, in order.
    return {
      name: null,
      quantity,
      priceCents: priceCents ?? 0,
      p1Id,
      productId: null,
      isCoPayment,
      item: row,
      later: later ?? null,
    };
  });
  return { fieldErrors, lines, rows: filled.map(({ row }) => row) };
}

/** The part of a line that comes later; null for none, undefined if the number is invalid. */
function laterOf({ later, expectedOn }: TypedLine, quantity: number): Later | null | undefined {
  if (later === '' || later === '0') return null;
  const count = /^\d{1,4}$/.test(later) ? Number(later) : 0;
  return count >= 1 && count <= quantity ? { quantity: count, expectedOn } : undefined;
}

/** The total of the lines in cents. Invalid lines count as 0. */
export function totalOf(typed: readonly TypedLine[]): number {
  return typed.reduce((sum, { quantity, price }) => {
    const count = /^\d{1,4}$/.test(quantity) ? Number(quantity) : 0;
    return sum + count * (parsePrice(price) ?? 0);
  }, 0);
}

function isFilled({ productId, quantity, price }: TypedLine): boolean {
  return quantity !== '0' && [productId, quantity, price].some((text) => text !== '');
}
