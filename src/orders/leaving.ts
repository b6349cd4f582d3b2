import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { expiredOf, isApproved, isSetAside, selectPrescriptionsOf } from '../prescriptions/service';
import { selectPrescriptionValidDays } from '../tenants/service';
import { requireOrder } from './require';
import { type Order, requestIdOf, selectOrder } from './store';
import { selectQuestions } from './timeline/store';

/** An order with what whoever hands it over has to know. @throws AppError `order_not_found` */
export async function getLeavingOrder(ctx: Context, orderId: string) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows, prescriptions, questions, settings } = await ctx.db.run({
    rows: selectOrder({ orgId, id: orderId }),
    prescriptions: selectPrescriptionsOf(orgId, { orderId, orderRequestId: requestIdOf(orgId, orderId) }),
    questions: selectQuestions(orgId, requestIdOf(orgId, orderId)),
    settings: selectPrescriptionValidDays({ orgId }),
  });
  const order: Order = requireOrder(rows[0]);
  return {
    order,
    /** Nobody has answered them. */
    questions: questions.filter(({ answeredAt }) => answeredAt === null),
    /** Too old by now. */
    expired: expiredOf(prescriptions, ctx.now(), settings[0]?.validDays ?? 0),
    /** Approved from a copy. */
    copies: prescriptions.filter((row) => row.checkedAs === 'original_follows' && isApproved(row) && !isSetAside(row)),
  };
}

export type LeavingOrder = Awaited<ReturnType<typeof getLeavingOrder>>;
