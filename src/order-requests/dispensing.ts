import { orderableById } from '../inventory/browse';
import { selectOrderable } from '../inventory/store-listings';
import { selectMessageSettings } from '../messages/store';
import { requireOrder } from '../orders/read';
import { isPacked } from '../orders/rules';
import { productsOf, requestIdOf, selectNames, selectOrder, shopIdOf } from '../orders/store';
import type { OrderLine } from '../orders/tables';
import { readsPrescriptionsOf, requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { isApproved, isSetAside } from '../prescriptions/coverage';
import { selectPrescriptionsOf } from '../prescriptions/store';
import { selectOrganization } from '../tenants/store';
import { selectAskedFor } from './store';

/** A product that was supplied on prescription. */
interface DispensedLine extends Pick<OrderLine, 'name' | 'quantity' | 'priceCents' | 'unit'> {
  pzn: string | null;
  /** The batch numbers, separated by commas; null if none is known. The page then leaves a blank for it. */
  batch: string | null;
  /** Whether the supplied product differs from the requested products. */
  isOther: boolean;
}

/**
 * Returns the record of a dispensing on prescription (§ 17 Abs. 6 ApBetrO): pharmacy, time, person and supplied lines.
 * It is separate from the prescription PDFs, which are never changed. One round trip.
 * @throws AppError `order_not_found`
 */
export async function readDispensing(ctx: Context, orderId: string) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows, organization, shop, names, prescriptions, products, asked } = await ctx.db.run({
    rows: selectOrder({ orgId, id: orderId }),
    organization: selectOrganization(orgId),
    shop: selectMessageSettings(orgId, shopIdOf(orgId, orderId)),
    names: selectNames(orgId, orderId),
    prescriptions: selectPrescriptionsOf(orgId, { orderId, orderRequestId: requestIdOf(orgId, orderId) }),
    products: selectOrderable(orgId, shopIdOf(orgId, orderId), productsOf(orgId, orderId)),
    asked: selectAskedFor(orgId, requestIdOf(orgId, orderId)),
  });
  const order = requireOrder(rows[0]);
  const known = orderableById(products);
  const wanted = asked[0] && new Set(asked[0].items.map(({ p1Id, productId }) => p1Id ?? productId));
  const packed = (order.packing ?? []).flatMap(({ by, at }) => (at === null ? [] : [{ by, at }]));
  const last = isPacked(order) ? packed.toSorted((one, other) => other.at - one.at)[0] : undefined;
  return {
    order,
    pharmacy: { name: organization[0]?.name ?? '', shop: shop[0] ?? null },
    /**
     * When the order's last pack was packed (epoch ms), and by which member. Null while packs are missing, or if a
     * program packs.
     */
    dispensedAt: last?.at ?? null,
    dispensedBy: names.find(({ id }) => id === last?.by)?.name ?? null,
    lines: order.items
      .filter(({ prescriptionRequired, quantity }) => prescriptionRequired && quantity > 0)
      .map(({ name, productName, p1Id, quantity, priceCents, unit, batches }): DispensedLine => {
        const isOther = wanted !== undefined && wanted.size > 0 && !wanted.has(p1Id);
        const pzn = known.get(p1Id ?? '')?.pzn ?? null;
        return {
          name: productName ?? name,
          pzn,
          quantity,
          priceCents,
          unit,
          batch: batches?.map(({ batch }) => batch).join(', ') ?? null,
          isOther,
        };
      }),
    /** The approved prescriptions; empty if the caller may not read prescriptions of this shop. */
    prescriptions: prescriptions.filter(
      (row) => isApproved(row) && !isSetAside(row) && readsPrescriptionsOf(ctx, order.shopId),
    ),
  };
}

export type Dispensing = Awaited<ReturnType<typeof readDispensing>>;
