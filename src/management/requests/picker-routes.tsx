import { Hono } from 'hono';
import type { OrderableProduct } from '../../inventory/service';
import { askedNameOf, findProductsFor } from '../../order-requests/service';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageContext, ManageEnv } from '../http/env';
import type { Form } from '../http/form-data';
import { idOf } from '../http/paths';
import { plainLine } from '../http/search';
import { priceText } from '../ui/price';
import type { TypedLine } from './lines';
import { ChoiceList } from './product-choices';
import { readTyped, respondReview } from './responses';
import { typedForm } from './typed-form';

/** The search for a line's product, with the script and without it. */
export const pickerRoutes = new Hono<ManageEnv>()
  .get('/:id/products', respondChoices)
  .post('/:id/products', respondLook);

/** Buttons of lines: they set fields, look for a product, or take one that was found. None of them decides. */
const LOOKS = ['set', 'search', 'asked', 'pick'];

export function isLook(form: Form): boolean {
  return LOOKS.some((name) => form.text(name) !== '');
}

/** Only the choices; the script shows them as a list box (client/picker.js). */
async function respondChoices(c: ManageContext): Promise<Response> {
  const text = textOf(c.req.query('q') ?? '');
  const found = text === '' ? [] : await findProductsFor(c.var.ctx, { id: idOf(c), text });
  return c.html(String(<ChoiceList view={c.var} found={found} />));
}

/** The same page with all that is typed, checked, and with the product that is looked for or added. */
export async function respondLook(c: ManageContext): Promise<Response> {
  const { form, ctx, language } = c.var;
  const typed = typedForm(c.var);
  const { lines } = typed;
  const wanted = (await askedIn(c)) ?? wantedIn(form, lines);
  const line = wanted && lines[wanted.row];
  if (!line) return respondReview(c, { ...typed, isChecked: true, fieldErrors: readTyped(c, typed).fieldErrors });
  const { row, text, take } = wanted;
  const found = text === '' ? [] : await findProductsFor(ctx, { id: idOf(c), text });
  const picked = take(found);
  if (!picked) return respondReview(c, { ...typed, picking: { row, found } });
  lines[row] = filledIn(line, picked, priceText(picked.priceCents, language));
  return respondReview(c, { ...typed, picking: { row, picked } });
}

interface Wanted {
  row: number;
  text: string;
  /** Which of the products that were found is taken at once. */
  take: (found: OrderableProduct[]) => OrderableProduct | undefined;
}

/** What was asked for in a line, looked for by its name. */
async function askedIn(c: ManageContext): Promise<Wanted | null> {
  const row = c.var.form.text('asked');
  if (row === '') return null;
  const name = await askedNameOf(c.var.ctx, { id: idOf(c), item: Number(row) });
  return { row: Number(row), text: textOf(name), take: () => undefined };
}

/** The product that a form looks for: one that was found, one for a line, or one to be added. */
function wantedIn(form: Form, lines: readonly TypedLine[]): Wanted | null {
  const [chosenRow, ...chosen] = form.text('pick').split(':');
  const id = chosen.join(':');
  if (id !== '') return { row: Number(chosenRow), text: textOf(id), take: withId(id) };
  if (form.text('search') !== '') {
    const row = Number(form.text('search'));
    return { row, text: textOf(lines[row]?.productId ?? ''), take: () => undefined };
  }
  const row = lines.length - 1;
  const added = lines[row];
  if (!added || added.productId === '' || `${added.quantity}${added.price}` !== '') return null;
  const text = textOf(added.productId);
  return { row, text, take: (found) => withId(text)(found) ?? (found.length === 1 ? found[0] : undefined) };
}

function withId(id: string) {
  return (found: OrderableProduct[]) => found.find(({ p1Id }) => p1Id === id);
}

/**
 * Fills in the chosen product's id, and price and quantity where they are empty; of what requires a prescription its price in any
 * case, since that of another product is none of it.
 */
function filledIn(line: TypedLine, { p1Id, prescriptionRequired }: OrderableProduct, price: string): TypedLine {
  const isTyped = line.price !== '' && !prescriptionRequired;
  return { ...line, productId: p1Id, quantity: line.quantity || '1', price: isTyped ? line.price : price };
}

function textOf(typed: string): string {
  return [...plainLine(typed)].slice(0, SEARCH_MAX).join('');
}
