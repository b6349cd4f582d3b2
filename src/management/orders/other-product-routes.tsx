import { Hono } from 'hono';
import { pznOf } from '../../codes/service';
import { exchangeProduct } from '../../order-requests/service';
import { QUANTITY_MAX } from '../../orders/limits';
import {
  DifferencesOpen,
  findProductsForOrder,
  getOrder,
  isBeingPacked,
  lineKey,
  SUBSTITUTION_REASONS,
} from '../../orders/service';
import { roleHolds } from '../../platform/access';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { idOf, orderPath } from '../http/paths';
import { plainLine } from '../http/search';
import { submitDecision } from '../ui/decision';
import { type FieldErrors, hasFieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondPage, viewOf } from '../ui/view';
import { otherProductMessages } from './other-product-messages';
import { type ExchangeProps, OtherProductPage, type TypedExchange } from './other-product-page';
import { refuseWithOrder, respondOrder } from './responses';

/** Another product for a line while it is packed. The line's product is in no address: with the order, it tells of a person. */
export const otherProductRoutes = new Hono<ManageEnv>()
  .get('/:id/other-product', async (c) => {
    const place = Number(c.req.query('line') ?? '');
    const order = await getOrder(c.var.ctx, idOf(c));
    const line = order.items[place];
    if (!line || !isBeingPacked(order)) return c.redirect(orderPath(order.id), 303);
    return respond(c, { line: lineKey(line, place) });
  })
  .post('/:id/products', (c) => respond(c, typedIn(c)))
  .post('/:id/other-product', exchange);

function typedIn(c: ManageContext): TypedExchange {
  const { form } = c.var;
  const scanned = form.secret('q');
  const q = pznOf(scanned) ?? plainLine(scanned).slice(0, SEARCH_MAX);
  return { ...form.texts('line', 'p1_id', 'quantity', 'reason'), q };
}

function exchange(c: ManageContext): Promise<Response> {
  const { ctx, form } = c.var;
  const typed = typedIn(c);
  const t = otherProductMessages(c.var);
  const quantity = /^\d{1,4}$/.test(typed.quantity ?? '') ? Number(typed.quantity) : 0;
  const reason = SUBSTITUTION_REASONS.find((known) => known === typed.reason);
  const acknowledged = form.entries().flatMap(([name, value]) => (name === 'acknowledged' ? [value] : []));
  const fieldErrors: FieldErrors = {
    ...(!typed.p1_id && { p1_id: t.chooseProduct }),
    ...((quantity < 1 || quantity > QUANTITY_MAX) && { quantity: sharedMessages(c.var).fieldErrors.quantity }),
    ...(!reason && { reason: sharedMessages(c.var).fieldErrors.reason_required }),
  };
  if (hasFieldErrors(fieldErrors) || !reason) return respond(c, { ...typed, fieldErrors }, { acknowledged });
  const substitution = { line: typed.line ?? '', p1Id: typed.p1_id ?? '', quantity, reason, acknowledged };
  return submitDecision(
    () => exchangeProduct(ctx, idOf(c), substitution),
    (error) => {
      if (!(error instanceof DifferencesOpen)) return refuseWithOrder(c)(error);
      const message = sharedMessages(c.var).fieldErrors.differences_open;
      const { differences } = error;
      return respond(c, { ...typed, fieldErrors: { acknowledged: message } }, { acknowledged, differences }, 409);
    },
    () => redirectWithFlash(c, 'order_substituted', `${orderPath(idOf(c))}#packs`),
  );
}

async function respond(
  c: ManageContext,
  typed: TypedExchange,
  { acknowledged = [], differences = [] }: Partial<Pick<ExchangeProps, 'acknowledged' | 'differences'>> = {},
  refusal: 400 | 409 = 400,
): Promise<Response> {
  const { ctx } = c.var;
  const [order, found] = await Promise.all([
    getOrder(ctx, idOf(c)),
    typed.q ? findProductsForOrder(ctx, { id: idOf(c), text: typed.q }) : [],
  ]);
  const place = order.items.findIndex((item, index) => lineKey(item, index) === typed.line);
  if (place < 0) {
    return respondOrder(c, { fieldErrors: { packs: sharedMessages(c.var).fieldErrors.changed_meanwhile } }, 409);
  }
  const view = await viewOf(c, orderPath(idOf(c)));
  const mayCheck = view.session !== undefined && roleHolds(view.session.role, 'prescriptions.write');
  const props = { view, order, place, typed, found, differences, acknowledged, mayCheck };
  return respondPage(c, <OtherProductPage {...props} />, hasFieldErrors(typed.fieldErrors ?? {}) ? refusal : 200);
}
