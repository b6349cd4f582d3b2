import type { AuditAction } from '../audit/service';
import type { Context } from '../platform/context';
import { notFound } from '../platform/errors';
import { catalogLayer, organizationLayer, overridesOf, resolveRow } from './product';
import { resolveProduct } from './resolution';
import { selectProduct } from './store';
import { actorsOf, selectActs, selectDefaultThreshold, selectMovements, selectShopsOffering } from './store-detail';

/** The acts that move stock beside orders, which the ledger names itself. */
const MOVING_ACTS = new Set<AuditAction>(['product.added', 'product.removed', 'stock.changed']);

/** The statements that read everything about one product of an organization, for the caller's own batch. */
export function productDetail(ctx: Context, orgId: string, p1Id: string) {
  return {
    rows: selectProduct(ctx.db, orgId, p1Id),
    shops: selectShopsOffering(ctx.db, orgId, p1Id),
    defaults: selectDefaultThreshold(ctx.db, orgId),
    movements: selectMovements(ctx.db, orgId, p1Id),
    acts: selectActs(ctx.db, orgId, p1Id),
  };
}

/** The people and keys behind `acts` of `productDetail`, as a subquery. */
export const productActors = actorsOf;

type Loaded = { [K in keyof ReturnType<typeof productDetail>]: Awaited<ReturnType<typeof productDetail>[K]> };

/**
 * A product in all its layers: the catalog's, the organization's, and in every shop what counts there and from where.
 * @throws AppError `not_found` when the organization does not hold it
 */
export function productDetailOf({ rows, shops, defaults, movements, acts }: Loaded) {
  const [row] = rows;
  if (!row || row.stockQuantity === null) throw notFound();
  const moving = acts.filter(({ action }) => MOVING_ACTS.has(action));
  const own = resolveRow(row, {});
  const catalog = catalogLayer(row);
  return {
    p1Id: row.p1Id,
    name: own.values.name,
    stockQuantity: row.stockQuantity,
    /** The product's own; null where the organization's holds. */
    lowStockThreshold: row.lowStockThreshold,
    defaultThreshold: defaults[0]?.threshold ?? 0,
    catalog,
    organization: organizationLayer(row),
    /** What would hold if the organization said nothing. */
    base: resolveProduct({ catalog, organization: {}, shop: {} }),
    /** What holds where a shop says nothing. */
    own,
    shops: shops.map(({ id, name, isActive, overrides }) => {
      const said = overridesOf({ overrides });
      return {
        id,
        name,
        isActive: isActive === 1,
        isAttached: overrides !== null,
        overrides: said,
        resolved: resolveRow(row, said),
      };
    }),
    movements: movements.map((movement) => {
      // One batch wrote both, at one time.
      const act = movement.orderId === null ? moving.find(({ at }) => at === movement.createdAt) : undefined;
      return { ...movement, actorKind: act?.actorKind ?? null, actorId: act?.actorId ?? null };
    }),
  };
}

export type ProductDetail = ReturnType<typeof productDetailOf>;
export type ShopOffer = ProductDetail['shops'][number];
export type Movement = ProductDetail['movements'][number];
