import { Hono } from 'hono';
import type { OrderableProduct } from '../../inventory/service';
import { findProductsFor } from '../../order-requests/service';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageContext, ManageEnv } from '../http/env';
import { plainLine } from '../http/search';
import { priceText } from '../ui/price';
import { type TypedLine, typedLines } from './lines';
import { ChoiceList } from './product-choices';
import { respondReview } from './responses';

/** The search for a line's product, with the script and without it. */
export const pickerRoutes = new Hono<ManageEnv>()
  .get('/:id/products', (c) => respondChoices(c, c.req.param('id')))
  .post('/:id/products', (c) => respondPicking(c, c.req.param('id')));

/** Only the choices; the script shows them as a list box (client/picker.js). */
async function respondChoices(c: ManageContext, id: string): Promise<Response> {
  const text = textOf(c.req.query('q') ?? '');
  const found = text === '' ? [] : await findProductsFor(c.var.ctx, { id, text });
  return c.html(String(<ChoiceList view={c.var} found={found} />));
}

/** The same page with all that was typed, and beside one line what was found or chosen. */
async function respondPicking(c: ManageContext, id: string): Promise<Response> {
  const { form, ctx, language } = c.var;
  const lines = typedLines(form);
  const [chosenRow = '', ...chosen] = form.text('pick').split(':');
  const row = Number(chosenRow || form.text('search'));
  const line = lines[row];
  const state = { lines, overrideReason: form.text('override_reason') };
  const text = textOf(chosen.join(':') || line?.productId || line?.name || '');
  if (!line || text === '') return respondReview(c, id, { ...state, picking: { row, found: [] } });
  const found = await findProductsFor(ctx, { id, text });
  const picked = chosen.length > 0 ? found.find(({ p1Id }) => p1Id === text) : undefined;
  if (!picked) return respondReview(c, id, { ...state, picking: { row, found } });
  lines[row] = filledIn(line, picked, priceText(picked.priceCents, language));
  return respondReview(c, id, { ...state, picking: { row, picked } });
}

/** Fills in the chosen product's id, and price and quantity where they are empty. */
function filledIn(line: TypedLine, { p1Id }: OrderableProduct, price: string): TypedLine {
  return { ...line, productId: p1Id, quantity: line.quantity || '1', price: line.price || price };
}

function textOf(typed: string): string {
  return [...plainLine(typed)].slice(0, SEARCH_MAX).join('');
}
