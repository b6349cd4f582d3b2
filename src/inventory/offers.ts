import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { utf8 } from '../platform/crypto';
import { mustChangeOne } from '../platform/db';
import { AppError, notFound } from '../platform/errors';
import { fold } from '../platform/fold';
import { againOnRace } from '../platform/race';
import type { Overrides } from './fields';
import { requireHeld } from './products';
import { applyOverrides } from './resolution';
import { type ListedRow, selectProductInShop, selectShop } from './store';
import { deleteListing, insertListing, updateOverrides } from './store-listings';
import { overridesOf, type ProductView, productView, requireCatalogProduct, requireShopRow } from './view';

/** The overrides of one shop and product, as UTF-8 JSON. */
const OVERRIDES_BYTES_MAX = 8 * 1024;

export type OverrideMode = 'merge' | 'replace';

export interface Offer {
  shop_id: string;
  p1_id: string;
  attached: boolean;
  overrides: Overrides;
  /** What the shop shows; null when it does not offer the product. */
  effective: ProductView | null;
  changed: boolean;
}

interface OfferInput {
  shopId: string;
  p1Id: string;
}

/**
 * SPEC, Endpoints 6: offers a product in a shop. Safe to repeat: what is attached stays, at stock 0 too, and overrides
 * are applied by `mode`.
 * @throws AppError `shop_not_found`, `catalog_product_not_found`, `product_not_in_inventory`, `out_of_stock`,
 *   `overrides_too_large`
 */
export function attachProduct(
  ctx: Context,
  input: OfferInput & { overrides?: Overrides; mode: OverrideMode },
): Promise<Offer> {
  return changeOffer(ctx, input, async (row, orgId) => {
    requireHeld(row);
    if (row.overrides !== null) {
      return input.overrides === undefined ? unchanged(row, input) : writeOverrides(ctx, row, input, input.overrides);
    }
    if (row.stockQuantity === 0) {
      throw new AppError('conflict', 'out_of_stock', 'A product can be attached when its stock is above 0.', {
        extensions: { stock_quantity: 0 },
      });
    }
    const overrides = applyOverrides({}, input.overrides ?? {}, 'replace');
    const now = ctx.now();
    await ctx.db.run({
      listing: insertListing(ctx.db, {
        ...input,
        orgId,
        overrides: fitting(overrides),
        nameFolded: foldedName(overrides),
        attachedAt: now,
        updatedAt: now,
      }),
      guard: mustChangeOne(ctx.db),
    });
    return offer(row, input, overrides, true);
  });
}

/** SPEC, Endpoints 7. Its overrides go with it; what is not attached stays so. @throws AppError as `attachProduct` */
export function detachProduct(ctx: Context, input: OfferInput): Promise<Offer> {
  return changeOffer(ctx, input, async (row) => {
    const isAttached = row.overrides !== null;
    if (isAttached) await ctx.db.run({ listing: deleteListing(ctx.db, input.shopId, input.p1Id) });
    return {
      shop_id: input.shopId,
      p1_id: input.p1Id,
      attached: false,
      overrides: {},
      effective: null,
      changed: isAttached,
    };
  });
}

/** SPEC, Endpoints 8. @throws AppError as `attachProduct`, and `product_not_attached` */
export function setOverrides(
  ctx: Context,
  input: OfferInput & { overrides: Overrides; mode: OverrideMode },
): Promise<Offer> {
  return changeOffer(ctx, input, async (row) => {
    if (row.overrides === null) {
      throw notFound('product_not_attached', 'This shop does not offer this product. Attach it first.');
    }
    return writeOverrides(ctx, row, input, input.overrides);
  });
}

/** Loads the product as the shop has it, decides, writes; again when another write came in between. */
function changeOffer(
  ctx: Context,
  input: OfferInput,
  decide: (row: ListedRow, orgId: string) => Promise<Offer>,
): Promise<Offer> {
  const { orgId } = requireScope(ctx, 'products.write');
  return againOnRace(async () => {
    const { shop, rows } = await ctx.db.run({
      shop: selectShop(ctx.db, orgId, input.shopId),
      rows: selectProductInShop(ctx.db, orgId, input.shopId, input.p1Id),
    });
    requireShopRow(shop);
    return decide(requireCatalogProduct(rows[0]), orgId);
  });
}

async function writeOverrides(
  ctx: Context,
  row: ListedRow,
  input: OfferInput & { mode: OverrideMode },
  change: Overrides,
): Promise<Offer> {
  const overrides = fitting(applyOverrides(overridesOf(row), change, input.mode));
  if (isSame(overridesOf(row), overrides)) return unchanged(row, input);
  const isMerge = input.mode === 'merge';
  const { listing } = await ctx.db.run({
    listing: updateOverrides(ctx.db, input, {
      change: isMerge ? change : overrides,
      isMerge,
      bytesMax: OVERRIDES_BYTES_MAX,
      nameFolded: isMerge && change.name === undefined ? undefined : foldedName(overrides),
      updatedAt: ctx.now(),
    }),
    guard: mustChangeOne(ctx.db),
  });
  // Another merge may have come in between: the answer shows what is there now.
  return offer(row, input, overridesOf({ ...row, overrides: listing[0]?.overrides ?? null }), true);
}

function offer(row: ListedRow, { shopId, p1Id }: OfferInput, overrides: Overrides, changed: boolean): Offer {
  return {
    shop_id: shopId,
    p1_id: p1Id,
    attached: true,
    overrides,
    effective: productView(row, shopId, overrides),
    changed,
  };
}

function unchanged(row: ListedRow, input: OfferInput): Offer {
  return offer(row, input, overridesOf(row), false);
}

function foldedName(overrides: Overrides): string | null {
  return overrides.name ? fold(overrides.name) : null;
}

function isSame(left: Overrides, right: Overrides): boolean {
  const sorted = (overrides: Overrides) =>
    JSON.stringify(Object.entries(overrides).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(left) === sorted(right);
}

function fitting(overrides: Overrides): Overrides {
  if (utf8(JSON.stringify(overrides)).length <= OVERRIDES_BYTES_MAX) return overrides;
  const message = `Overrides may hold ${OVERRIDES_BYTES_MAX} bytes of JSON at most.`;
  throw new AppError('invalid', 'overrides_too_large', message, {
    errors: [{ pointer: '/overrides', code: 'overrides_too_large', message }],
  });
}
