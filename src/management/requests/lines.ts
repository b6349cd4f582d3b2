import type { Review } from '../../order-requests/service';
import { LINES_MAX, QUANTITY_MAX, TEXT_MAX } from '../../orders/limits';
import { faultOfExpected, type Later } from '../../orders/service';
import type { Form } from '../http/form-data';
import type { Language, Reader } from '../http/language';
import type { FieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { parsePrice, priceText } from '../ui/price';

/** The empty one at the end. */
const SPARE_ROWS = 1;

/** Typed values of one line in the approval's form. */
export interface TypedLine {
  productId: string;
  quantity: string;
  price: string;
  isCoPayment: boolean;
  /** How many packs come later, and on which day; empty for none. */
  later: string;
  expectedOn: string;
}

export const EMPTY_LINE: TypedLine = {
  ...{ productId: '', quantity: '', price: '', isCoPayment: false },
  ...{ later: '', expectedOn: '' },
};

/** The form's initial lines: the matched products, or the submitted values where nothing matches. */
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

/** The lines and an empty one behind them, for another item. */
export function withSpare(lines: readonly TypedLine[]): TypedLine[] {
  const last = lines.at(-1);
  return last !== undefined && !isFilled(last) ? [...lines] : [...lines, EMPTY_LINE];
}

/** The lines of the form as it was sent. */
export function typedLines(form: Form): TypedLine[] {
  const count = Math.min(Number(form.text('lines')) || 0, LINES_MAX + SPARE_ROWS);
  return Array.from({ length: count }, (_, row) => ({
    productId: form.text(`product-${row}`),
    quantity: form.text(`quantity-${row}`),
    price: form.text(`price-${row}`),
    isCoPayment: form.text(`co_payment-${row}`) === 'on',
    later: form.text(`later-${row}`),
    expectedOn: form.text(`expected-${row}`),
  }));
}

/**
 * Reads the typed lines, each with its row in `rows`. Empty rows and rows with quantity 0 are left out. A product without
 * a quantity is an error: otherwise a product that was scanned into a spare row would be lost.
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
    // The rows of the submitted items come first, in their order.
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

/** What comes later of a line; null for nothing, undefined for what is no part of it. */
function laterOf({ later, expectedOn }: TypedLine, quantity: number): Later | null | undefined {
  if (later === '' || later === '0') return null;
  const count = /^\d{1,4}$/.test(later) ? Number(later) : 0;
  return count >= 1 && count <= quantity ? { quantity: count, expectedOn } : undefined;
}

/** The sum of the lines in cents; invalid lines are not counted. */
export function totalOf(typed: readonly TypedLine[]): number {
  return typed.reduce((sum, { quantity, price }) => {
    const count = /^\d{1,4}$/.test(quantity) ? Number(quantity) : 0;
    return sum + count * (parsePrice(price) ?? 0);
  }, 0);
}

function isFilled({ productId, quantity, price }: TypedLine): boolean {
  return quantity !== '0' && [productId, quantity, price].some((text) => text !== '');
}
