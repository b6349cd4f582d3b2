import { moveOrderStock } from '../inventory/service';
import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { unset } from '../platform/data/columns';
import type { Statement } from '../platform/data/db';
import { foldPersonName } from '../platform/fold';
import { newId } from '../platform/ids';
import { outboxEvent } from '../webhooks/outbox';
import type { UpsertedField } from './fields';
import { inHouseLines, supplyColumns } from './parts';
import { initialStatus, promiseMoves, quantitiesOf, totalOf } from './rules';
import { type CustomerKey, insertCustomer, insertOrder, type NewOrder } from './store';
import { orders, type SupplyLine } from './tables';

type Given =
  | 'id'
  | 'orgId'
  | 'shopId'
  | 'source'
  | 'externalId'
  | 'externalReference'
  | 'orderRequestId'
  | 'integrationId';

/** An order that is to be made, with its lines linked to products. */
export interface OrderDraft extends Pick<NewOrder, Given | 'paymentStatus' | UpsertedField> {
  /** What the request's approval said besides. */
  platformDetails?: NewOrder['platformDetails'];
  originalMissing?: boolean;
  paymentAction?: NewOrder['paymentAction'];
  paymentDifferenceCents?: number | null;
  /** Of a line that comes in parts. */
  supply?: readonly SupplyLine[];
  /** Approved ones cover the lines that require one. */
  hasApprovedPrescription: boolean;
}

/**
 * What makes an order: its customer, its row, its stock, `order_created`. For the batch of whatever brings the order
 * about.
 */
export function createOrder(ctx: Context, draft: OrderDraft, foundCustomer: readonly { id: string }[]): BatchEntry[] {
  const { hasApprovedPrescription: _, supply: lines = [], ...fields } = draft;
  const { supply, expectedOn } = supplyColumns(lines);
  const status = initialStatus(draft);
  const now = ctx.now();
  const customer = customerFor(ctx, draft.orgId, draft, foundCustomer);
  const stock = moveOrderStock(ctx, {
    orgId: draft.orgId,
    orderId: draft.id,
    reason: 'order',
    // What is still to come is promised once it is there.
    moves: promiseMoves(new Map(), quantitiesOf(inHouseLines({ items: draft.items, supply }))),
  });
  const event = outboxEvent(ctx, {
    type: 'order_created',
    orgId: draft.orgId,
    about: draft,
    metadata: {
      order_id: draft.id,
      shop_id: draft.shopId,
      source: draft.source,
      external_reference: draft.externalReference ?? '',
      status,
      payment_status: draft.paymentStatus,
      ...(draft.orderRequestId !== null && { order_request_id: draft.orderRequestId }),
    },
  });
  const row = {
    ...unset(orders),
    ...fields,
    status,
    supply,
    expectedOn,
    paidAt: draft.paymentStatus === 'paid' ? now : null,
    onHold: false,
    express: draft.shippingOption === 'Express',
    archived: false,
    totalCents: totalOf(draft.items),
    holdsStock: true,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  return [...customer.statements, insertOrder({ ...row, ...customer.key }), ...stock, event];
}

/**
 * The customer of an order: the one that was found, else a new one. Two simultaneous orders of one new person share one
 * row, because the e-mail is unique.
 */
export function customerFor(
  ctx: Context,
  orgId: string,
  person: { customerName: string | null; customerEmail: string | null },
  found: readonly { id: string }[],
): { key: CustomerKey; statements: Statement[] } {
  const key: CustomerKey = {
    knownCustomerId: found[0]?.id ?? null,
    newCustomerId: newId(),
    foldedEmail: person.customerEmail?.toLowerCase() ?? null,
  };
  if (key.knownCustomerId !== null) return { key, statements: [] };
  const now = ctx.now();
  const row = {
    id: key.newCustomerId,
    orgId,
    name: person.customerName,
    nameFolded: foldPersonName(person.customerName),
    email: key.foldedEmail,
    legalHold: false,
    createdAt: now,
    updatedAt: now,
    erasedAt: null,
  };
  return { key, statements: [insertCustomer(row)] };
}
