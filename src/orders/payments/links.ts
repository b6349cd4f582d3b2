import { noteDone } from '../../audit/journal';
import { recordAudit } from '../../audit/record';
import { requireOperator, requireScope } from '../../platform/access';
import { type BatchEntry, commit, type OutboxEntry, outboxEntry } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError, notFound } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { idOfToken, idToken } from '../../platform/mac';
import { toEur } from '../../platform/money';
import { DAY_MS } from '../../platform/time';
import { RECIPIENT_LENGTH_MAX } from '../../tenants/limits';
import { addressOf } from '../../tenants/shops';
import { outboxEvent } from '../../webhooks/outbox';
import { PAYMENT_LINK_DAYS, TRANSFER_TEXT_MAX } from '../limits';
import { orderStatusUpdated, orderUpdated } from '../news';
import { loadOrder, requireOrder } from '../read';
import { underpaidOf } from '../rules';
import { type OrderRow, selectOrder, updateOrderRow, type VersionedOrder } from '../store';
import { paymentLinks } from '../tables';
import { DIFFERENCE_FIELDS, differenceColumns } from './refund';
import {
  closePaymentLinks,
  insertPaymentLink,
  type PaymentLinkRow,
  type PaymentPageRow,
  selectLatestLink,
  selectPayee,
  selectPaymentPage,
  voidPaymentLink,
} from './store';

/**
 * Marks an order as paid and ends its open payment links. Safe to repeat. If the order was paid without a reference, a
 * later call can add the reference.
 * @param of the paid amount: the whole total, or only the amount that was underpaid (`difference`)
 * @throws AppError `order_not_found`, `order_not_payable` (also: paid under another reference)
 */
export function markOrderPaid(
  ctx: Context,
  orderId: string,
  reference: string | null,
  of: 'total' | 'difference' = 'total',
): Promise<VersionedOrder> {
  const { orgId } = requireScope(ctx, 'orders.write');
  return retryOnConflict(ctx, async () => {
    const order = await loadOrder(ctx, orgId, orderId);
    if (of === 'difference') return settleDifference(ctx, order);
    if (order.paymentStatus === 'paid') return repeatPayment(ctx, order, reference);
    const payment = paymentOf(ctx, order, reference);
    const columns = { ...payment.columns, updatedAt: ctx.now() };
    await commit(ctx, { order: updateOrderRow(order, columns), paid: payment.entries });
    return { ...order, ...columns, version: order.version + 1 };
  });
}

/**
 * Adds the reference to an order that was paid without one. Otherwise changes nothing.
 * @throws AppError `order_not_payable` if the order was paid under another reference
 */
async function repeatPayment(ctx: Context, order: OrderRow, reference: string | null): Promise<VersionedOrder> {
  if (reference === null || reference === order.paymentReference) return order;
  if (order.paymentReference !== null) {
    throw notPayable('It is paid under another payment_reference. Send that one, or none.');
  }
  return write(ctx, order, { paymentReference: reference }, ['payment_reference']);
}

/** Clears the payment difference. The order keeps the reference of its first payment. */
async function settleDifference(ctx: Context, order: OrderRow): Promise<VersionedOrder> {
  if (order.paymentStatus !== 'paid' || underpaidOf(order) === 0) return order;
  return write(ctx, order, differenceColumns(order, null), [...DIFFERENCE_FIELDS]);
}

async function write(ctx: Context, order: OrderRow, changes: Partial<OrderRow>, fields: string[]) {
  const { orgId, id } = order;
  const columns = { ...changes, updatedAt: ctx.now() };
  await commit(ctx, {
    order: updateOrderRow(order, columns),
    event: orderUpdated(ctx, order, fields),
    audit: recordAudit(ctx, { orgId, action: 'order.updated', entityId: id, fields }),
  });
  return { ...order, ...columns, version: order.version + 1 };
}

/**
 * Returns the columns and the batch entries that mark an unpaid order as paid. The columns also turn `awaiting_payment`
 * into `awaiting_packing`. The entries end the order's links, and write the events and the audit row.
 * @throws AppError `order_not_payable`
 */
export function paymentOf(ctx: Context, order: OrderRow, reference: string | null) {
  assertPayable(order);
  const { orgId, id } = order;
  const step = order.status === 'awaiting_payment' ? { status: 'awaiting_packing' as const } : null;
  const columns = {
    paymentStatus: 'paid' as const,
    paidAt: ctx.now(),
    paymentReference: reference ?? order.paymentReference,
    ...step,
  };
  const entries: BatchEntry[] = [
    endPaymentLinks(id, 'paid'),
    outboxEvent(ctx, {
      type: 'order_marked_paid',
      orgId,
      about: order,
      metadata: {
        order_id: id,
        payment_reference: columns.paymentReference ?? '',
        total_amount: toEur(order.totalCents),
      },
    }),
    ...(step ? [orderStatusUpdated(ctx, order, step)] : []),
    recordAudit(ctx, {
      orgId,
      action: 'order.marked_paid',
      entityId: id,
      fields: step ? [`status:${step.status}`] : undefined,
    }),
  ];
  return { columns, entries };
}

export interface PaymentLink {
  id: string;
  url: string;
  amountCents: number;
  /** Epoch ms. */
  expiresAt: number;
}

/**
 * Creates a page on the shop's own host where the customer can pay. The order's earlier open links end.
 * @throws AppError `order_not_found`, `order_not_payable`, `iban_missing`, `shop_host_missing`
 */
export function createPaymentLink(ctx: Context, orderId: string): Promise<PaymentLink> {
  const { orgId } = requireScope(ctx, 'orders.write');
  return retryOnConflict(ctx, async () => {
    const { rows, payee } = await ctx.db.run({
      rows: selectOrder({ orgId, id: orderId }),
      payee: selectPayee(orgId, orderId),
    });
    const order = requireOrder(rows[0]);
    assertPayable(order);
    if (order.paymentStatus === 'paid') throw notPayable('It is paid already.');
    if (order.totalCents === 0) throw notPayable('There is nothing to pay.');
    if (!payee[0]?.iban) throw new AppError('iban_missing', 'The organization has no IBAN to pay to.');
    const now = ctx.now();
    const id = newId();
    const stored = { id, amountCents: order.totalCents, expiresAt: now + PAYMENT_LINK_DAYS * DAY_MS };
    const link = { ...stored, url: await pageOf(ctx, payee[0].host, id) };
    const event = outboxEvent(ctx, {
      type: 'payment_link_created',
      orgId,
      about: order,
      metadata: {
        order_id: orderId,
        payment_link_id: id,
        url: link.url,
        amount: toEur(link.amountCents),
        expires_at: new Date(link.expiresAt).toISOString(),
      },
    });
    await commit(ctx, {
      // Guards against a simultaneous payment or cancellation: only one of the two succeeds.
      order: updateOrderRow(order, { updatedAt: now }),
      earlier: endPaymentLinks(orderId, 'voided'),
      link: insertPaymentLink({
        ...stored,
        orgId,
        orderId,
        status: 'open',
        createdAt: now,
        rootId: ctx.config.roots.currentId,
      }),
      event,
      audit: recordAudit(ctx, { orgId, action: 'payment_link.created', entityId: id }),
    });
    return link;
  });
}

/** Returns the latest payment link of an order. @throws AppError `order_not_found`, `shop_host_missing` */
export async function getPaymentLink(ctx: Context, orderId: string): Promise<PaymentLink> {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { links, payee } = await ctx.db.run({
    links: selectLatestLink(orgId, orderId),
    payee: selectPayee(orgId, orderId),
  });
  const [link] = links;
  if (!link) throw notFound('order_not_found', 'There is no such order with a payment link.');
  const { id, amountCents, expiresAt } = link;
  return { id, amountCents, expiresAt, url: await pageOf(ctx, payee[0]?.host, id) };
}

/** Returns an order and its open payment link. The link is null if none is open. @throws AppError `order_not_found` */
export async function getOpenPaymentLink(
  ctx: Context,
  orderId: string,
): Promise<{ order: VersionedOrder; link: PaymentLink | null }> {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows, links, payee } = await ctx.db.run({
    rows: selectOrder({ orgId, id: orderId }),
    links: selectLatestLink(orgId, orderId),
    payee: selectPayee(orgId, orderId),
  });
  const order = requireOrder(rows[0]);
  const [link] = links;
  const host = payee[0]?.host;
  if (!link || !host || !isLinkOpen(order, link, ctx.now())) return { order, link: null };
  const { id, amountCents, expiresAt } = link;
  return { order, link: { id, amountCents, expiresAt, url: await pageOf(ctx, host, id) } };
}

/**
 * Whether the order can be paid with this link. The link must be open and not expired, and its amount must be the
 * amount due.
 */
export function isLinkOpen(
  order: Pick<OrderRow, 'status' | 'paymentStatus' | 'totalCents'>,
  { status, amountCents, expiresAt }: Pick<PaymentLinkRow, 'status' | 'amountCents' | 'expiresAt'>,
  now: number,
): boolean {
  const isDue = order.paymentStatus !== 'paid' && whyNotPayable(order) === null;
  return isDue && status === 'open' && expiresAt > now && amountCents === order.totalCents;
}

async function pageOf(ctx: Context, host: string | null | undefined, linkId: string): Promise<string> {
  if (!host) throw new AppError('shop_host_missing', 'The shop has no active host for the page.');
  return `${addressOf(ctx, host)}/pay/${await idToken(ctx, 'payment link', linkId)}`;
}

export interface PaymentPage extends PaymentDue {
  state: 'open' | 'paid' | 'voided' | 'expired';
  /** Epoch ms. */
  expiresAt: number;
  /** The text of the QR code; null unless the link is open. */
  qrText: string | null;
  /** Whether the organization is a test organization. If so, nobody should pay. */
  isTest: boolean;
  /** The shop to contact. A member is null if it is not set. */
  shop: Pick<PaymentPageRow, 'shopName' | 'street' | 'postalCode' | 'city' | 'phone'>;
  orderNumber: number;
}

/**
 * Returns the content of a payment page. Anybody who has its link may read it.
 * @throws AppError 404 for an unknown token, or a token of another host
 */
export async function getPaymentPage(ctx: Context, input: { token: string; host: string }): Promise<PaymentPage> {
  const linkId = await idOfToken(ctx, 'payment link', input.token);
  if (linkId === null) throw notFound();
  const [row] = await ctx.db.rows(selectPaymentPage(linkId, input.host));
  if (!row || row.iban === null) throw notFound();
  const state = stateOf(row, ctx.now());
  const due = {
    recipient: row.recipient,
    iban: row.iban,
    amountCents: row.amountCents,
    // The reference is short enough to type and unique within an organization.
    reference: `BESTELLUNG ${row.orderNumber}`,
  };
  return {
    ...due,
    state,
    expiresAt: row.expiresAt,
    qrText: state === 'open' ? giroCode(due) : null,
    isTest: row.isTest === 1,
    shop: row,
    orderNumber: row.orderNumber,
  };
}

/** Returns the state that a payment page shows. An open link counts as voided if its amount is no longer due. */
function stateOf(row: PaymentPageRow, now: number) {
  if (row.linkStatus !== 'open') return row.linkStatus;
  const isDue = whyNotPayable({ status: row.orderStatus, paymentStatus: row.paymentStatus }) === null;
  if (!isDue || row.totalCents !== row.amountCents) return 'voided';
  return row.expiresAt <= now ? 'expired' : 'open';
}

function assertPayable(order: OrderRow): void {
  const why = whyNotPayable(order);
  if (why !== null) throw notPayable(why);
}

/** Returns why an order cannot be paid; null if it can be paid. */
export function whyNotPayable({ status, paymentStatus }: Pick<OrderRow, 'status' | 'paymentStatus'>): string | null {
  if (status === 'cancelled' || status === 'returned') return `It is ${status}.`;
  return paymentStatus === 'refunded' ? 'It was refunded.' : null;
}

function notPayable(why: string): AppError {
  return new AppError('order_not_payable', `This order cannot be paid. ${why}`);
}

/** The amount that a customer has to pay, and the payee. */
interface PaymentDue {
  recipient: string;
  iban: string;
  amountCents: number;
  /** The text of the transfer. The pharmacy recognizes the payment by it. */
  reference: string;
}

/**
 * Returns the text of a GiroCode: a SEPA transfer as a QR code (European Payments Council, EPC069-12 version 2.1).
 * The lines are: service tag, version 002, UTF-8, SEPA credit transfer, no BIC, recipient, IBAN, amount, no purpose
 * code, no structured reference, text.
 */
export function giroCode({ recipient, iban, amountCents, reference }: PaymentDue): string {
  return [
    'BCD',
    '002',
    '1',
    'SCT',
    '',
    oneLine(recipient, RECIPIENT_LENGTH_MAX),
    iban.replaceAll(' ', ''),
    `EUR${(amountCents / 100).toFixed(2)}`,
    '',
    '',
    oneLine(reference, TRANSFER_TEXT_MAX),
  ].join('\n');
}

/**
 * Returns a text on one line, because a line break would start another field. The text is cut to `charactersMax`
 * characters, never within a surrogate pair.
 */
function oneLine(text: string, charactersMax: number): string {
  return [...text.replace(/\s+/g, ' ')].slice(0, charactersMax).join('');
}

/**
 * Returns a batch entry that ends the open payment links of an order. After the commit, each ended link is written to
 * the journal. Most orders have no open link, so that most commits write nothing to the journal.
 */
export function endPaymentLinks(orderId: string, status: 'paid' | 'voided'): OutboxEntry {
  const ended = closePaymentLinks(orderId, status).returning({ id: paymentLinks.id, orgId: paymentLinks.orgId });
  return outboxEntry([ended], { afterCommit: noteEnded });
}

async function noteEnded(ctx: Context, links: readonly { id: string; orgId: string }[]): Promise<void> {
  for (const { id, orgId } of links) await noteDone(ctx, { orgId, kind: 'payment_link', id, at: ctx.now() });
}

/**
 * Ends a payment link again after the database was restored. The link stays closed even if the restored order is
 * unpaid.
 */
export async function endPaymentLinkAgain(ctx: Context, link: { orgId: string; id: string }): Promise<void> {
  requireOperator(ctx);
  await commit(ctx, { link: voidPaymentLink(link) });
}
