import type { InferInsertModel, SQL } from 'drizzle-orm';
import { deliveries } from '../tables';

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

/** Returns the row of a delivery that has not been tried yet. */
export function deliveryRow<T extends NewDelivery>(delivery: T) {
  return { ...delivery, attemptCount: 0, nextAttemptAt: 0, leaseUntil: 0, finishedAt: null };
}

/** As `nextAttemptAt`, this sorts before all deliveries that wait for their first attempt. */
export const BEFORE_OTHERS = -1;

/** The columns of a delivery that `dueDeliveries` needs from the statement that writes it. */
export const DUE = {
  id: deliveries.id,
  subscriptionId: deliveries.subscriptionId,
  nextAttemptAt: deliveries.nextAttemptAt,
};
