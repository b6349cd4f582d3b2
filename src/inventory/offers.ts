import type { AuditAction } from '../audit/actions';
import { recordAudit } from '../audit/record';
import { requireScope } from '../platform/access';
import { commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { utf8 } from '../platform/crypto/crypto';
import { AppError, notFound } from '../platform/errors/errors';
import { foldText } from '../platform/fold';
import type { Overrides, ProductValues } from './fields';
import { OutOfStock, productEvents } from './ledger';
import { METADATA_BYTES_MAX, OVERRIDES_BYTES_MAX } from './limits';
import {
  overridesOf,
  type Product,
  productOf,
  readInShop,
  requireAsSeen,
  requireStocked,
  writtenOverrides,
} from './products';
import { applyOverrides, changedFields, changedOverrides } from './resolution';
import type { ListedRow } from './store';
import { deleteListing, insertListing, updateOverrides } from './store-listings';

export type OverrideMode = 'merge' | 'replace';

interface OfferInput {
  shopId: string;
  p1Id: string;
}

export interface Offer extends OfferInput {
  isAttached: boolean;
  overrides: Overrides;
  /** The effective product in the shop; null if the shop does not offer it. */
  effective: Product | null;
  /** False if nothing had to change. */
  isChanged: boolean;
}

/**
 * Contract 4.6: offers a product in a shop. Safe to repeat: a product that the shop offers stays there, even without
 * stock. The overrides are then applied according to `mode`.
 * @throws AppError `shop_not_found`, `catalog_product_not_found`, `product_not_in_inventory`, `out_of_stock`,
 *   `overrides_too_large`
 */
export function attachProduct(
  ctx: Context,
  input: OfferInput & { overrides?: Overrides; mode: OverrideMode },
): Promise<Offer> {
  return changeOffer(ctx, input, async (row, orgId) => {
    requireStocked(row);
    if (row.overrides !== null) {
      return input.overrides === undefined
        ? unchanged(row, input)
        : writeOverrides(ctx, orgId, row, { ...input, overrides: input.overrides });
    }
    if (row.stockQuantity === 0) throw new OutOfStock();
    const overrides = applyOverrides({}, input.overrides ?? {}, 'replace');
    const now = ctx.now();
    await commit(ctx, {
      listing: insertListing({
        ...input,
        orgId,
        overrides: writtenOverrides(fitting(overrides)),
        nameFolded: foldedName(overrides),
        attachedAt: now,
        updatedAt: now,
      }),
      ...toldAs(ctx, orgId, 'product.attached', input, changedOverrides({}, overrides)),
    });
    return offer(row, input, overrides, true);
  });
}

/**
 * Contract 4.7: stops offering a product in a shop and deletes its overrides. Safe to repeat.
 * @throws AppError `shop_not_found`, `catalog_product_not_found`
 */
export function detachProduct(ctx: Context, input: OfferInput): Promise<Offer> {
  return changeOffer(ctx, input, async (row, orgId) => {
    const isAttached = row.overrides !== null;
    if (isAttached) {
      await commit(ctx, {
        listing: deleteListing(input.shopId, input.p1Id),
        ...toldAs(ctx, orgId, 'product.detached', input),
      });
    }
    return detached(input, isAttached);
  });
}

/**
 * Contract 4.8: sets a shop's overrides of a product, according to `mode`.
 * @param input.seen the values that the form showed. A value that somebody has changed since is not overwritten
 * @throws AppError `shop_not_found`, `catalog_product_not_found`, `product_not_attached`, `overrides_too_large`,
 *   `changed_meanwhile`
 */
export function setOverrides(
  ctx: Context,
  input: OfferInput & { overrides: Overrides; mode: OverrideMode; seen?: ProductValues },
): Promise<Offer> {
  return changeOffer(ctx, input, async (row, orgId) => {
    if (row.overrides === null) {
      throw notFound('product_not_attached', 'This shop does not offer this product. Attach it first.');
    }
    return writeOverrides(ctx, orgId, row, input);
  });
}

/**
 * Returns the offer of a product in a shop. `isAttached` is false if the shop does not offer the product.
 * @throws AppError `shop_not_found`, `catalog_product_not_found`
 */
export async function getOffer(ctx: Context, { shopId, p1Id }: OfferInput): Promise<Offer> {
  const { orgId } = requireScope(ctx, 'products.read');
  const row = await readInShop(ctx, orgId, { shopId, p1Id });
  return row.overrides === null ? detached({ shopId, p1Id }, false) : unchanged(row, { shopId, p1Id });
}

/** Reads the product in the shop, and lets `decide` write the change. Starts over after a concurrent write. */
function changeOffer(
  ctx: Context,
  input: OfferInput,
  decide: (row: ListedRow, orgId: string) => Promise<Offer>,
): Promise<Offer> {
  const { orgId } = requireScope(ctx, 'products.write');
  return retryOnConflict(ctx, async () => decide(await readInShop(ctx, orgId, input), orgId));
}

async function writeOverrides(
  ctx: Context,
  orgId: string,
  row: ListedRow,
  input: OfferInput & { mode: OverrideMode; overrides: Overrides; seen?: ProductValues },
): Promise<Offer> {
  const { overrides: change, mode, seen } = input;
  const before = overridesOf(row);
  const overrides = fitting(applyOverrides(before, change, mode));
  const changed = changedOverrides(before, overrides);
  if (changed.length === 0) return unchanged(row, input);
  if (seen) requireAsSeen(before, seen, changedFields(before, change));
  const isMerge = mode === 'merge';
  const { listing } = await commit(ctx, {
    listing: updateOverrides(input, {
      change: writtenOverrides(isMerge ? change : overrides),
      isMerge,
      bytesMax: OVERRIDES_BYTES_MAX,
      metadataBytesMax: METADATA_BYTES_MAX,
      still: seen && (row.overrides ?? undefined),
      nameFolded: isMerge && change.name === undefined ? undefined : foldedName(overrides),
      updatedAt: ctx.now(),
    }),
    ...toldAs(ctx, orgId, 'product.overridden', input, changed),
  });
  // Another merge may have been committed just before this one, so the response uses the overrides that were written.
  return offer(row, input, overridesOf({ ...row, overrides: listing[0]?.overrides ?? null }), true);
}

function offer(row: ListedRow, { shopId, p1Id }: OfferInput, overrides: Overrides, isChanged: boolean): Offer {
  return { shopId, p1Id, isAttached: true, overrides, effective: productOf(row, shopId, overrides), isChanged };
}

function detached(input: OfferInput, isChanged: boolean): Offer {
  return { ...input, isAttached: false, overrides: {}, effective: null, isChanged };
}

function unchanged(row: ListedRow, input: OfferInput): Offer {
  return offer(row, input, overridesOf(row), false);
}

/**
 * Returns the entries that record a change of an offer: the product's audit row, and the event. The first field of the
 * audit row is `shop:` and the shop's id.
 */
function toldAs(
  ctx: Context,
  orgId: string,
  action: Extract<AuditAction, 'product.attached' | 'product.detached' | 'product.overridden'>,
  { shopId, p1Id }: OfferInput,
  names: readonly string[] = [],
) {
  const told = action === 'product.overridden' ? names : ['shop_ids', ...names];
  return {
    audit: recordAudit(ctx, { orgId, action, entityId: p1Id, fields: [`shop:${shopId}`, ...names] }),
    event: productEvents(ctx, orgId, [{ p1Id, fields: told }]),
  };
}

/** Returns the overridden name as search compares it; null if it is inherited. */
export function foldedName(overrides: Overrides): string | null {
  return overrides.name ? foldText(overrides.name) : null;
}

function fitting(overrides: Overrides): Overrides {
  const fault = tooLargeIn(overrides);
  if (fault === 'metadata') throw tooLarge('/overrides/metadata', 'The metadata', METADATA_BYTES_MAX);
  if (fault === 'overrides') throw tooLarge('/overrides', 'Overrides', OVERRIDES_BYTES_MAX);
  return overrides;
}

/** @returns which part of the overrides is too large; null for none */
export function tooLargeIn(overrides: Overrides): 'metadata' | 'overrides' | null {
  if (bytesOf(overrides.metadata ?? {}) > METADATA_BYTES_MAX) return 'metadata';
  return bytesOf(writtenOverrides(overrides)) > OVERRIDES_BYTES_MAX ? 'overrides' : null;
}

function bytesOf(value: unknown): number {
  return utf8(JSON.stringify(value)).length;
}

function tooLarge(pointer: string, what: string, bytesMax: number): AppError {
  const message = `${what} may hold ${bytesMax} bytes of JSON at most.`;
  return new AppError('overrides_too_large', message, { errors: [{ pointer, code: 'overrides_too_large', message }] });
}
