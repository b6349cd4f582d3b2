import { Hono } from 'hono';
import type { OrderableProduct } from '../../inventory/service';
import { findProductsFor } from '../../order-requests/service';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageContext, ManageEnv } from '../http/env';
import { idOf } from '../http/paths';
import { plainLine } from '../http/search';
import { priceText } from '../ui/price';
import type { TypedLine } from './lines';
import { ChoiceList } from './product-choices';
import { respondReview } from './responses';
import { typedForm } from './typed-form';

/** The search for a line's product, with the script and without it. */
export const pickerRoutes = new Hono<ManageEnv>()
  .get('/:id/products', respondChoices)
  .post('/:id/products', respondPicking);

/** Only the choices; the script shows them as a list box (client/picker.js). */
async function respondChoices(c: ManageContext): Promise<Response> {
  const text = textOf(c.req.query('q') ?? '');
  const found = text === '' ? [] : await findProductsFor(c.var.ctx, { id: idOf(c), text });
  return c.html(String(<ChoiceList view={c.var} found={found} />));
}

/** The same page with all that was typed, and beside one line what was found or chosen. */
async function respondPicking(c: ManageContext): Promise<Response> {
  const { form, ctx, language } = c.var;
  const state = typedForm(c.var);
  const { lines } = state;
  const [chosenRow = '', ...chosen] = form.text('pick').split(':');
  const row = Number(chosenRow || form.text('search'));
  const line = lines[row];
  const text = textOf(chosen.join(':') || line?.productId || line?.name || '');
  if (!line || text === '') return respondReview(c, { ...state, picking: { row, found: [] } });
  const found = await findProductsFor(ctx, { id: idOf(c), text });
  const picked = chosen.length > 0 ? found.find(({ p1Id }) => p1Id === text) : undefined;
  if (!picked) return respondReview(c, { ...state, picking: { row, found } });
  lines[row] = filledIn(line, picked, priceText(picked.priceCents, language));
  return respondReview(c, { ...state, picking: { row, picked } });
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
