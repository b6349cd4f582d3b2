import type { InferInsertModel, SQL } from 'drizzle-orm';
import { deliveries } from '../tables';

/** A subscription of an organization. */
export interface SubscriptionRef {
  orgId: string;
  subscriptionId: string;
}

type DeliveryRow = InferInsertModel<typeof deliveries>;
type NewDelivery = {
  [K in 'id' | 'orgId' | 'eventId' | 'subscriptionId' | 'priority' | 'eventType' | 'status']:
    | NonNullable<DeliveryRow[K]>
    | SQL;
} & {
  trigger: DeliveryRow['trigger'];
  createdAt: number | SQL;
};

/** The row of a delivery without attempts. */
export function deliveryRow<T extends NewDelivery>(delivery: T) {
  return { ...delivery, attemptCount: 0, nextAttemptAt: 0, leaseUntil: 0, finishedAt: null };
}

/** A `nextAttemptAt` that sorts before deliveries that wait for their first attempt. */
export const BEFORE_OTHERS = -1;

/** The columns that a write returns for `dueDeliveries`. */
export const DUE = {
  id: deliveries.id,
  subscriptionId: deliveries.subscriptionId,
  nextAttemptAt: deliveries.nextAttemptAt,
};
