import { notFound } from '../platform/errors';
import { catalogLayer, organizationLayer, overridesOf, resolveRow } from './product';
import { resolveProduct } from './resolution';
import { stockOf } from './state';
import { selectProductStock } from './store';
import { selectDefaultThreshold, selectMovements, selectShopsOffering } from './store-detail';

/** The statements that read everything about one product of an organization, for the caller's own batch. */
export function productDetail(orgId: string, p1Id: string) {
  return {
    rows: selectProductStock(orgId, p1Id),
    shops: selectShopsOffering(orgId, p1Id),
    defaults: selectDefaultThreshold(orgId),
    movements: selectMovements(orgId, p1Id),
  };
}

type Loaded = { [K in keyof ReturnType<typeof productDetail>]: Awaited<ReturnType<typeof productDetail>[K]> };

/**
 * A product with all its layers: the values of the catalog and of the organization, and for every shop the effective
 * values and their sources.
 * @throws AppError `not_found` when the organization does not hold it
 */
export function productDetailOf({ rows, shops, defaults, movements }: Loaded) {
  const [row] = rows;
  if (!row || row.stockQuantity === null) throw notFound();
  const own = resolveRow(row, {});
  const catalog = catalogLayer(row);
  return {
    p1Id: row.p1Id,
    pzn: row.pzn,
    name: own.values.name,
    ...stockOf(row),
    /** The product's own threshold; null when the organization's applies. */
    lowStockThreshold: row.lowStockThreshold,
    defaultThreshold: defaults[0]?.threshold ?? 0,
    catalog,
    organization: organizationLayer(row),
    /** The values that would apply if the organization overrode nothing. */
    base: resolveProduct({ catalog, organization: {}, shop: {} }),
    /** The values that apply where a shop overrides nothing. */
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
    movements,
  };
}

export type ProductDetail = ReturnType<typeof productDetailOf>;
export type ShopOffer = ProductDetail['shops'][number];
export type Movement = ProductDetail['movements'][number];
