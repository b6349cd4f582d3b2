import { Hono } from 'hono';
import {
  BULK_MAX,
  BULK_STEPS,
  type BulkStep,
  exportDesk,
  readBulk,
  readDesk,
  readPapers,
  stepOrders,
} from '../../orders/desk/desk';
import { packCount } from '../../orders/rules';
import type { Order } from '../../orders/store';
import { respondCsv } from '../http/csv';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { DESK, localPath, ORDERS, withQuery } from '../http/paths';
import { batchText, birthDateOf, formatTime } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { customerOf, shippingWord } from '../ui/order-summary';
import { hasFieldErrors, respondPage } from '../ui/view';
import { deskMessages } from './desk-messages';
import { deskFilterOf, listPath, listSeen, OrdersPage, readListFilter, rememberList } from './list-page';
import { PapersPage } from './packing/papers';

const PAGE_SIZE = 40;

/** Routes for several orders at once: CSV file, papers to print, bulk steps. */
export const deskRoutes = new Hono<ManageEnv>()
  .get('/orders.csv', async (c) => {
    const filter = readListFilter(c);
    const t = deskMessages(c.var);
    if (hasFieldErrors(filter.days.fieldErrors)) return c.redirect(listPath(filter), 303);
    const rows = await exportDesk(c.var.ctx, deskFilterOf(filter), (order, shop) => fileRow(c, order, shop));
    if (!rows) return redirectWithFlash(c, 'file_too_long', listPath(filter));
    return respondCsv(c, t.fileName, [t.fileColumns, ...rows]);
  })
  .get('/papers', async (c) => {
    const numbers = numbersIn((c.req.query('orders') ?? '').split(','));
    if (numbers.length === 0) return c.redirect(ORDERS, 303);
    const kind = c.req.query('print') === 'labels' ? 'labels' : 'slips';
    const papers = await readPapers(c.var.ctx, numbers);
    return respondPage(c, <PapersPage {...{ papers, kind, back: listSeen(c) }} />);
  })
  .post('/bulk', async (c) => {
    const { form, ctx } = c.var;
    const asked = form.text('do');
    const back = localPath(c, form.text('to') || ORDERS);
    const picked = form.entries().flatMap(([name, value]) => (name === 'order' ? [value] : []));
    const numbers = numbersIn(picked);
    if (numbers.length === 0) return redirectWithFlash(c, 'none_picked', back);
    if (picked.length > BULK_MAX) return redirectWithFlash(c, 'too_many_picked', back);
    const orders = numbers.join(',');
    const step = BULK_STEPS.find((known) => known === asked);
    if (!step) return c.redirect(withQuery(`${DESK}/papers`, { print: asked, orders }), 303);
    await stepOrders(ctx, numbers, step);
    const [path = ORDERS, query = ''] = back.split('?');
    const kept = Object.fromEntries(new URLSearchParams(query));
    return c.redirect(withQuery(path, { ...kept, did: step, orders }), 303);
  });

/** The list of orders. */
export async function respondList(c: ManageContext): Promise<Response> {
  const { ctx } = c.var;
  const filter = readListFilter(c);
  const step = BULK_STEPS.find((known) => known === c.req.query('did'));
  const numbers = step ? numbersIn((c.req.query('orders') ?? '').split(',')) : [];
  const isWrong = hasFieldErrors(filter.days.fieldErrors) || filter.refused !== undefined;
  const desk = await readDesk(ctx, { ...deskFilterOf(filter), limit: PAGE_SIZE, before: filter.cursor ?? null });
  const result = await resultOf(c, step, numbers);
  if (!isWrong) rememberList(c, filter);
  return respondPage(c, <OrdersPage {...{ desk, filter, result }} />, isWrong ? 400 : 200, listPath(filter));
}

async function resultOf(c: ManageContext, step: BulkStep | undefined, numbers: readonly number[]) {
  if (!step || numbers.length === 0) return undefined;
  return { step, bulk: await readBulk(c.var.ctx, numbers, step) };
}

const NUMBER = /^\d{1,9}$/;

/** Distinct order numbers, at most `BULK_MAX`. */
function numbersIn(texts: readonly string[]): number[] {
  const numbers = texts.filter((text) => NUMBER.test(text)).map(Number);
  return [...new Set(numbers)].slice(0, BULK_MAX);
}

/** A CSV row. Contains no names of medicines because anyone may find the file; a batch says which only to whoever knows it. */
function fileRow(c: ManageContext, order: Order, shop: string | null) {
  const { orders } = sharedMessages(c.var);
  return [
    order.number,
    formatTime(c.var.language, order.createdAt),
    customerOf(c.var, order),
    orders.statuses[order.status],
    orders.payments[order.paymentStatus],
    shippingWord(c.var, order.shippingOption),
    packCount(order),
    order.totalCents / 100,
    order.feeCents / 100,
    order.discountCents / 100,
    order.addressPostalCode,
    order.addressCity,
    shop,
    order.trackingNumber,
    birthDateOf(c.var, order)?.text ?? null,
    order.prescriberName,
    order.items.flatMap(({ batches = [], unit }) => batches.map((each) => batchText(each, unit))).join('; '),
  ];
}
