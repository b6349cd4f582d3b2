import { listAudit } from '../audit/record';
import { holdingProducts, orderableById } from '../inventory/browse';
import { stockedNames } from '../inventory/store';
import { selectOrderable } from '../inventory/store-listings';
import { selectEmails, selectMessageSettings, selectOptOut } from '../messages/store';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { dayOf } from '../platform/pharmacy-time';
import { expiredOf, isApproved, isSetAside, isUncovered } from '../prescriptions/coverage';
import { selectPrescriptionsOf } from '../prescriptions/store';
import { shippableById } from '../tenants/shipping';
import { selectPrescriptionValidDays } from '../tenants/store';
import { isLinkOpen } from './payments/links';
import { requireOrder } from './read';
import { prescribedOf } from './rules';
import { isBlocking, shippingNotices } from './shipping';
import * as store from './store';
import { selectNotes, selectQuestions } from './timeline/store';

/** Returns an order with everything known about it. @throws AppError `order_not_found` */
export async function getOrderDetail(ctx: Context, orderId: string) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows, shop, emails, optOuts, links, names, prescriptions, products, notes, questions } = await ctx.db.run({
    rows: store.selectOrder({ orgId, id: orderId }),
    shop: selectMessageSettings(orgId, store.shopIdOf(orgId, orderId)),
    emails: selectEmails(orgId, orderId),
    optOuts: selectOptOut(orgId, store.customerIdOf(orgId, orderId)),
    links: store.selectLinks(orgId, orderId),
    names: store.selectNames(orgId, orderId),
    prescriptions: selectPrescriptionsOf(orgId, { orderId, orderRequestId: store.requestIdOf(orgId, orderId) }),
    products: selectOrderable(orgId, store.shopIdOf(orgId, orderId), store.productsOf(orgId, orderId)),
    notes: selectNotes(orgId, { orderId, orderRequestId: store.requestIdOf(orgId, orderId) }),
    questions: selectQuestions(orgId, store.requestIdOf(orgId, orderId)),
  });
  const order: store.Order = requireOrder(rows[0]);
  const requestId = order.orderRequestId === null ? [] : [order.orderRequestId];
  return {
    order,
    shopName: shop[0]?.name ?? null,
    /** The shop's data for messages; null if the shop no longer exists. */
    shop: shop[0] ?? null,
    /** E-mails about the order. `hasOptedOut` says whether its customer wants no e-mails. */
    emails,
    hasOptedOut: optOuts.length > 0,
    /** The audit rows about the order, its request and its payment links, newest first. */
    history: await listAudit(ctx, orderId, ...requestId, ...links.map(({ id }) => id)),
    /** Prescriptions of the order and of its request. */
    prescriptions,
    /** Notes and questions of staff about the order and its request, newest first. */
    notes,
    questions,
    /** Whether the lines need more than the approved prescriptions cover. */
    isUncovered: isUncovered(prescriptions, order.items, prescribedOf(order.items)),
    /** Whether a payment link for the amount due is open. */
    hasOpenLink: links.some((link) => isLinkOpen(order, link, ctx.now())),
    /** Names of the people and keys in the history, by id. */
    names: new Map(names.map(({ id, name }) => [id, name])),
    /** The products of the order's lines, as the shop sells them now. */
    products: orderableById(products),
  };
}

/** Finds products that the order's shop sells, by a part of the name or id, or by PZN (the number of a pack). */
export async function findProductsForOrder(ctx: Context, { id, text }: { id: string; text: string }) {
  const { orgId } = requireScope(ctx, 'orders.read');
  requireScope(ctx, 'inventory.read');
  const products = await ctx.db.rows(holdingProducts(orgId, store.shopIdOf(orgId, id), text));
  return [...orderableById(products).values()];
}

export type OrderDetail = Awaited<ReturnType<typeof getOrderDetail>>;

/** Returns an order with the facts that staff need before they hand it over. @throws AppError `order_not_found` */
export async function getLeavingOrder(ctx: Context, orderId: string) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows, shop, prescriptions, questions, settings, products } = await ctx.db.run({
    rows: store.selectOrder({ orgId, id: orderId }),
    shop: store.selectShopOfOrder(orgId, orderId),
    prescriptions: selectPrescriptionsOf(orgId, { orderId, orderRequestId: store.requestIdOf(orgId, orderId) }),
    questions: selectQuestions(orgId, store.requestIdOf(orgId, orderId)),
    settings: selectPrescriptionValidDays({ orgId }),
    products: stockedNames(orgId, store.shopIdOf(orgId, orderId), store.productsOf(orgId, orderId)),
  });
  const order: store.Order = requireOrder(rows[0]);
  const sent = { shopId: order.shopId, option: order.shippingOption, today: dayOf(ctx.now()) };
  const ruled = shippingNotices(order.items, shippableById(products), sent, 'rules').filter(isBlocking);
  return {
    order,
    shop: shop[0],
    /** The messages of the shipping rules that block the order, each once. */
    ruled: [...new Set(ruled.map(({ message }) => message))],
    /** The open questions. */
    questions: questions.filter(({ answeredAt }) => answeredAt === null),
    /** The prescriptions that are too old by now. */
    expired: expiredOf(prescriptions, ctx.now(), settings[0]?.validDays ?? 0),
    /** The prescriptions that were approved from a copy, before the original came. */
    copies: prescriptions.filter((row) => row.checkedAs === 'original_follows' && isApproved(row) && !isSetAside(row)),
  };
}

export type LeavingOrder = Awaited<ReturnType<typeof getLeavingOrder>>;
