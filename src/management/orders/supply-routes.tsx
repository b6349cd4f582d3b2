import { Hono } from 'hono';
import {
  arrive,
  cancelRest,
  expectOn,
  faultOfExpected,
  getOrder,
  getOrderDetail,
  listExpected,
  type Order,
  owedCount,
  REASON_CODES,
  scanArrival,
  splitLine,
  suppliedCount,
  supplyKey,
  supplyOf,
} from '../../orders/service';
import type { AppError } from '../../platform/errors';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once } from '../http/once';
import { EXPECTED, idOf, labelledPath, orderPath } from '../http/paths';
import { submitDecision } from '../ui/decision';
import { type FieldErrors, hasFieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondForm, respondPage, viewOf } from '../ui/view';
import { CancelRestPage } from './cancel-rest-page';
import { ExpectedPage } from './expected-page';
import type { ScanRefusal } from './refused-scan';
import { decideOrder } from './responses';
import { RestSlipPage } from './rest-slip-page';
import { scanRefusal } from './scan-refusal';
import { supplyMessages } from './supply-messages';
import { SupplyPage, type SupplyProps, splittableOf } from './supply-page';

const ID_MAX = 64;

/** Routes of supply in parts: what comes later of an order, what has come, what does not come any more. */
export const supplyRoutes = new Hono<ManageEnv>()
  .get('/:id/later', async (c) => {
    const order = await getOrder(c.var.ctx, idOf(c));
    return respondSupply(c, order, Number(c.req.query('line')), {});
  })
  .post('/:id/later', supplyLater)
  .get('/:id/rest-slip', async (c) => {
    const detail = await getOrderDetail(c.var.ctx, idOf(c));
    if (owedCount(detail.order) === 0) return c.redirect(orderPath(idOf(c)), 303);
    return respondPage(c, <RestSlipPage view={await viewOf(c)} detail={detail} />);
  })
  .get('/:id/cancel-rest', (c) => respondCancel(c))
  .post('/:id/cancel-rest', (c) => {
    const { form, ctx } = c.var;
    const reasonCode = REASON_CODES.find((known) => known === form.text('reason_code'));
    if (!reasonCode) return respondCancel(c, { reason_code: sharedMessages(c.var).fieldErrors.reason_required });
    const seen = form.text('seen');
    return decideOrder(c, () => cancelRest(ctx, idOf(c), { line: null, seen, reasonCode }), 'rest_cancelled');
  });

/** The list of what is to come. */
export const expectedRoutes = new Hono<ManageEnv>()
  .get('/', (c) => respondExpected(c))
  .post('/here', (c) => {
    const { form, ctx } = c.var;
    const [id = '', quantity, ...line] = form.text('line').split(' ');
    return submitDecision(
      () => arrive(ctx, id.slice(0, ID_MAX), { line: line.join(' '), quantity: Number(quantity) }),
      (error) => refuseHere(c, error),
      () => redirectWithFlash(c, 'rest_arrived', form.text('list') === 'later' ? `${EXPECTED}?later=1` : EXPECTED),
    );
  })
  .post('/scan', once(EXPECTED, scan));

function scan(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const last = form.text('last').slice(0, ID_MAX) || null;
  return submitDecision(
    () => scanArrival(ctx, { text: form.secret('code'), last }),
    (error) => refuseHere(c, error),
    async (scanned) => {
      const { order } = scanned;
      return c.redirect(
        scanned.did === 'label' ? labelledPath(scanned.order) : `${EXPECTED}?last=${order.id}#code`,
        303,
      );
    },
  );
}

function refuseHere(c: ManageContext, error: AppError): Promise<Response> | null {
  const refused = scanRefusal(c.var, error);
  return refused && respondExpected(c, refused);
}

async function respondExpected(c: ManageContext, refused?: ScanRefusal): Promise<Response> {
  const { ctx } = c.var;
  const isLater = c.req.query('later') !== undefined || c.var.form?.text('list') === 'later';
  const lastId = c.req.query('last')?.slice(0, ID_MAX);
  const shown = c.req.query('from') ?? '';
  const from = /^\d{1,5}$/.test(shown) ? Number(shown) : 0;
  const { last, ...expected } = await listExpected(ctx, { isLater, lastId, from });
  const view = await viewOf(c, EXPECTED);
  return respondPage(c, <ExpectedPage {...{ view, ...expected, isLater, last, refused }} />, refused ? 409 : 200);
}

async function supplyLater(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const { language } = c.var;
  const t = supplyMessages({ language });
  const typed = form.texts('later', 'expected_on', 'arrived');
  const [line, act] = [form.text('line'), form.text('act')];
  const order = await getOrder(ctx, idOf(c));
  const place = order.items.findIndex((_, index) => supplyKey(order, index) === line);
  const open = place < 0 ? 0 : act === 'arrived' ? supplyOf(order, place).owed : splittableOf(order, place);
  const field = act === 'arrived' ? 'arrived' : 'later';
  const count = /^\d{1,4}$/.test(typed[field]) ? Number(typed[field]) : 0;
  const isCounted = act !== 'day';
  // Where the line is another by now, the command says so.
  const fieldErrors: FieldErrors =
    place < 0
      ? {}
      : {
          ...(isCounted && !(count >= 1 && count <= open) && { [field]: t.range(open) }),
          ...(act !== 'arrived' &&
            faultOfExpected(typed.expected_on, ctx.now()) !== null && {
              expected_on: sharedMessages(c.var).fieldErrors.expected_on,
            }),
        };
  if (hasFieldErrors(fieldErrors)) return respondSupply(c, order, place, typed, fieldErrors);
  const expectedOn = typed.expected_on;
  switch (act) {
    case 'arrived':
      return decideOrder(c, () => arrive(ctx, order.id, { line, quantity: count }), 'rest_arrived', '#packs');
    case 'day':
      return decideOrder(c, () => expectOn(ctx, order.id, { line, expectedOn }), 'expected_changed', '#packs');
    default:
      return decideOrder(
        c,
        () => splitLine(ctx, order.id, { line, quantity: count, expectedOn }),
        'line_split',
        '#packs',
      );
  }
}

async function respondSupply(
  c: ManageContext,
  order: Order,
  place: number,
  typed: SupplyProps['typed'],
  fieldErrors: FieldErrors = {},
): Promise<Response> {
  if (!order.items[place]) return c.redirect(orderPath(order.id), 303);
  return respondForm(c, <SupplyPage {...{ view: await viewOf(c), order, place, typed, fieldErrors }} />, fieldErrors);
}

/** Of an order of which nothing is there and nothing has left, all would go: that is a cancellation. */
async function respondCancel(c: ManageContext, fieldErrors?: FieldErrors): Promise<Response> {
  const order = await getOrder(c.var.ctx, idOf(c));
  if (owedCount(order) === 0) return c.redirect(orderPath(order.id), 303);
  const isAll =
    suppliedCount(order) === 0 && order.items.every(({ quantity }, place) => supplyOf(order, place).owed === quantity);
  if (isAll) return c.redirect(`${orderPath(order.id)}/cancel`, 303);
  return respondForm(c, <CancelRestPage {...{ view: await viewOf(c), order, fieldErrors }} />, fieldErrors);
}
