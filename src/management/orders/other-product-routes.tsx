import { Hono } from 'hono';
import { pznOf } from '../../codes/service';
import type { OrderableProduct } from '../../inventory/service';
import { exchangeProduct, previewExchange } from '../../order-requests/service';
import { QUANTITY_MAX } from '../../orders/limits';
import {
  DifferencesOpen,
  findProductsForOrder,
  getOrder,
  isBeingPacked,
  SUBSTITUTION_REASONS,
  supplyKey,
} from '../../orders/service';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { idOf, orderPath } from '../http/paths';
import { plainLine } from '../http/search';
import { submitDecision } from '../ui/decision';
import { type FieldErrors, hasFieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondPage, viewOf } from '../ui/view';
import type { TypedExchange } from './order-props';
import { OtherProductPage } from './other-product-page';
import { REFUSALS, refuseWithOrder, respondOrder } from './responses';

/** Another product for a line while it is packed. The line's product is in no address: with the order, it tells of a person. */
export const otherProductRoutes = new Hono<ManageEnv>()
  .get('/:id/other-product', async (c) => {
    const place = Number(c.req.query('line') ?? '');
    const order = await getOrder(c.var.ctx, idOf(c));
    if (!order.items[place] || !isBeingPacked(order)) return c.redirect(orderPath(order.id), 303);
    return respond(c, { line: supplyKey(order, place) }, []);
  })
  .post('/:id/products', (c) => respond(c, typedIn(c), acknowledgedIn(c)))
  .post('/:id/other-product', exchange);

function typedIn(c: ManageContext): TypedExchange {
  const { form } = c.var;
  const scanned = form.secret('q');
  const q = pznOf(scanned) ?? plainLine(scanned).slice(0, SEARCH_MAX);
  return { ...form.texts('line', 'p1_id', 'quantity', 'reason'), q };
}

function acknowledgedIn(c: ManageContext): string[] {
  return c.var.form.entries().flatMap(([name, value]) => (name === 'acknowledged' ? [value] : []));
}

/** Null unless it is a number of packs. */
function quantityOf({ quantity = '' }: TypedExchange): number | null {
  const count = /^\d{1,4}$/.test(quantity) ? Number(quantity) : 0;
  return count >= 1 && count <= QUANTITY_MAX ? count : null;
}

function exchange(c: ManageContext): Promise<Response> {
  const { ctx } = c.var;
  const typed = typedIn(c);
  const { fieldErrors: texts } = sharedMessages(c.var);
  const quantity = quantityOf(typed);
  const reason = SUBSTITUTION_REASONS.find((known) => known === typed.reason);
  const fieldErrors: FieldErrors = {
    ...(quantity === null && { quantity: texts.quantity }),
    ...(!reason && { reason: texts.reason_required }),
  };
  const acknowledged = acknowledgedIn(c);
  if (quantity === null || !reason) return respond(c, { ...typed, fieldErrors }, acknowledged);
  const substitution = { line: typed.line ?? '', p1Id: typed.p1_id ?? '', quantity, reason, acknowledged };
  return submitDecision(
    () => exchangeProduct(ctx, idOf(c), substitution),
    (error) => {
      if (!(error instanceof DifferencesOpen)) return refuseWithOrder(c)(error);
      return respond(c, { ...typed, fieldErrors: { acknowledged: texts.differences_open } }, acknowledged, 409);
    },
    () => redirectWithFlash(c, 'order_substituted', `${orderPath(idOf(c))}#packs`),
  );
}

/** The page as the form stands: with what was found, or with what the exchange for the chosen product comes to. */
async function respond(
  c: ManageContext,
  typed: TypedExchange,
  acknowledged: readonly string[],
  refusal: 400 | 409 = 400,
): Promise<Response> {
  const { ctx } = c.var;
  const chosen = { line: typed.line ?? '', p1Id: typed.p1_id ?? '', quantity: quantityOf(typed) };
  let found: OrderableProduct[] = [];
  if (!chosen.p1Id && typed.q) {
    found = await findProductsForOrder(ctx, { id: idOf(c), text: typed.q });
    const [only, ...others] = found.filter(({ p1Id }) => !chosen.line.endsWith(`:${p1Id}`));
    if (only && others.length === 0 && found.length === 1) chosen.p1Id = only.p1Id;
  }
  const { planned, fieldErrors } = await plannedOf(c, chosen);
  if (fieldErrors) return respondOrder(c, { fieldErrors }, 409);
  const order = planned?.order ?? (await getOrder(ctx, idOf(c)));
  const place = order.items.findIndex((_, index) => supplyKey(order, index) === typed.line);
  if (place < 0) {
    return respondOrder(c, { fieldErrors: { packs: sharedMessages(c.var).fieldErrors.changed_meanwhile } }, 409);
  }
  const view = await viewOf(c, orderPath(idOf(c)));
  const props = { view, order, place, typed, found, planned, acknowledged };
  return respondPage(c, <OtherProductPage {...props} />, hasFieldErrors(typed.fieldErrors ?? {}) ? refusal : 200);
}

/** Null until a product is chosen. */
async function plannedOf(c: ManageContext, chosen: Parameters<typeof previewExchange>[2]) {
  if (!chosen.p1Id) return { planned: null };
  const { value, fieldErrors } = await tryForm(c.var, REFUSALS, () => previewExchange(c.var.ctx, idOf(c), chosen));
  return { planned: value ?? null, fieldErrors };
}
