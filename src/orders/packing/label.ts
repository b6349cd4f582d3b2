import { type Code, labelText, shopMark } from '../../codes/service';
import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import type { OrderRow } from '../store';
import { selectOrderByNumber } from './store';

export type Label = Extract<Code, { kind: 'label' }>;

/** The text of the code on an order's labels. */
export function labelOf({ shopId, number }: Pick<OrderRow, 'shopId' | 'number'>): string {
  return labelText({ shop: shopMark(shopId), number });
}

/** The order that a label belongs to; null for that of another pharmacy, or of an order that is gone. */
export async function orderOfLabel(ctx: Context, label: Label) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows } = await ctx.db.run({ rows: selectOrderByNumber(orgId, label.number) });
  const [order] = rows;
  return order && shopMark(order.shopId) === label.shop ? order : null;
}

export type LabelledOrder = NonNullable<Awaited<ReturnType<typeof orderOfLabel>>>;
