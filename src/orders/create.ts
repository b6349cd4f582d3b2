import { moveOrderStock } from '../inventory/service';
import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { outboxEvent } from '../webhooks/outbox';
import { customerFor } from './customers';
import { initialStatus, stockDeltas, totalOf } from './rules';
import { insertOrder } from './store';
import type { OrderLine, OrderPaymentStatus, OrderStatus } from './tables';

export interface OrderDraft {
  id: string;
  orgId: string;
  shopId: string;
  externalId: string | null;
  orderRequestId: string | null;
  source: string;
  externalReference: string | null;
  paymentStatus: OrderPaymentStatus;
  paymentReference: string | null;
  shippingOption: string | null;
  customerName: string | null;
  customerEmail: string | null;
  addressStreet: string | null;
  addressCity: string | null;
  addressPostalCode: string | null;
  addressPhone: string | null;
  items: OrderLine[];
  /** Approved ones cover the lines that require one. */
  hasApprovedPrescription: boolean;
}

/**
 * What makes an order: its customer, its row, its stock, `order_created`. For the batch of whatever brings the order
 * about.
 */
export function createOrder(ctx: Context, draft: OrderDraft, foundCustomer: readonly { id: string }[]): BatchEntry[] {
  const { hasApprovedPrescription: _, ...fields } = draft;
  const status: OrderStatus = initialStatus(draft);
  const now = ctx.now();
  const customer = customerFor(ctx, draft.orgId, draft, foundCustomer);
  const stock = moveOrderStock(ctx, {
    orgId: draft.orgId,
    orderId: draft.id,
    reason: 'order',
    deltas: stockDeltas([], draft.items),
  });
  const event = outboxEvent(ctx, {
    type: 'order_created',
    orgId: draft.orgId,
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
    ...fields,
    status,
    paidAt: draft.paymentStatus === 'paid' ? now : null,
    refundedCents: 0,
    refundNote: null,
    onHold: false,
    holdReason: null,
    express: draft.shippingOption === 'Express',
    archived: false,
    cancelReasonCode: null,
    note: null,
    totalCents: totalOf(draft.items),
    holdsStock: true,
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    erasedAt: null,
  };
  return [...customer.statements, insertOrder({ ...row, ...customer.key }), ...stock, event];
}
