import { recordAudit } from '../audit/record';
import { CATALOG_FIELDS, type ImportedProduct, OWN_PREFIX, type ValueOf } from '../catalog/fields';
import { upsertProducts } from '../catalog/store';
import { requireScope } from '../platform/access';
import { commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { sha256, toHex, utf8 } from '../platform/crypto/crypto';
import { AppError } from '../platform/errors/errors';
import { foldText } from '../platform/fold';
import { newId } from '../platform/ids';
import { outboxEvent } from '../webhooks/outbox';
import type { ProductValues } from './fields';
import { createdEvents, ledgerWriter, productEvents } from './ledger';
import { type Product, productOf, requireCatalogProduct, requireStocked, resolveRow, slugTaken } from './products';
import * as store from './store';
import { copyListings, deleteListingsOf } from './store-listings';
import { insertMovements, whileStocked } from './store-stock';

/** The values that an organization gives for a product that the catalog lacks. */
export interface NewOwnProduct {
  values: ProductValues & { name: ValueOf<'name'>; priceCents: number };
  /** Eight digits. */
  pzn: string | null;
}

/** The category of an own product for which no category is given. */
export const OWN_CATEGORY = 'Eigene Produkte';

/** Returns the catalog row of an organization's own product. No other organization sees it. */
export function ownProduct(p1Id: string, { values, pzn }: NewOwnProduct): ImportedProduct {
  const said = Object.fromEntries(CATALOG_FIELDS.map((field) => [field, values[field] ?? null]));
  return {
    // SAFETY: `said` has each field of the catalog; the fields that may not be null follow.
    ...(said as unknown as ImportedProduct),
    ...{ p1Id, pzn, nameFolded: foldText(values.name), slug: p1Id },
    category: values.category ?? OWN_CATEGORY,
    prescriptionRequired: values.prescriptionRequired ?? false,
  };
}

/**
 * Returns the id of an own product from a file. The same name and PZN give the same id, so that a repeated file changes
 * the product.
 */
export async function ownIdOf(orgId: string, { values, pzn }: NewOwnProduct): Promise<string> {
  const words = foldText(values.name).split(' ').filter(Boolean);
  const of = [orgId, words.join(' '), pzn ?? ''].join('\n');
  return OWN_PREFIX + toHex(await sha256(utf8(of))).slice(0, 32);
}

/**
 * Adds an own product of the organization to its inventory.
 * @throws AppError `slug_taken`, `pzn_taken`
 */
export async function createProduct(ctx: Context, input: NewOwnProduct & { initialStock: number }): Promise<Product> {
  const { orgId } = requireScope(ctx, 'products.write');
  const { initialStock, values } = input;
  const { slug, available, availableForPickup, availableForShipping } = values;
  const [p1Id, now] = [OWN_PREFIX + newId(), ctx.now()];
  const stocked = { p1Id, initialStock, priceCents: null, orgId, now };
  const { after } = await commit(
    ctx,
    {
      own: upsertProducts([ownProduct(p1Id, input)], now, orgId),
      stocked: store.insertStocked(stocked, { slug, available, availableForPickup, availableForShipping }),
      stock: insertMovements({ ...ledgerWriter(ctx, orgId), now }, [
        { id: newId(), p1Id, change: { to: initialStock }, reason: 'initial' },
      ]),
      audit: recordAudit({ ...ctx, now: () => now }, { orgId, action: 'product.created', entityId: p1Id }),
      event: createdEvents(ctx, orgId, [p1Id]),
      after: store.selectProduct({ orgId, p1Id }),
    },
    { refused: slugTaken, constraints: { 'catalog_products.org_id, catalog_products.pzn': pznTaken }, about: p1Id },
  );
  // SAFETY: the batch that wrote the row also read it.
  return productOf(after[0] as store.ProductRow, null, {});
}

/**
 * Joins an own product with the catalog's product of the same PZN. The stock that can be promised and the listings of
 * shops move to the catalog's product, and the PZN then finds that product. Lines of orders, and stock that is promised
 * or reserved, stay with the own product. If nothing is promised or reserved, the own product leaves the inventory.
 * @returns the id of the catalog's product
 * @throws AppError `catalog_product_not_found` when there is nothing to join, `product_not_in_inventory`, `unit_fixed`
 *   when the two have different units
 */
export function joinProducts(ctx: Context, p1Id: string): Promise<string> {
  const { orgId } = requireScope(ctx, 'products.write');
  return retryOnConflict(ctx, async () => {
    const { own, twin } = await ctx.db.run({
      own: store.selectProductStock(orgId, p1Id),
      twin: store.selectTwin(orgId, p1Id),
    });
    const from = requireStocked(requireCatalogProduct(own[0]));
    const to = requireCatalogProduct(twin[0]);
    const { unit, priceCents } = resolveRow(from, {}).values;
    if (unit !== resolveRow(to, {}).values.unit) {
      throw new AppError('unit_fixed', 'The two products have different units.');
    }
    const now = ctx.now();
    const isNew = to.stockQuantity === null;
    const stays = from.committedQuantity + from.reservedQuantity > 0;
    const stocked = { p1Id: to.p1Id, initialStock: from.stockQuantity, priceCents, orgId, now };
    const moved = [
      {
        ...{ id: newId(), p1Id, reference: to.p1Id, reason: stays ? ('correction' as const) : ('removed' as const) },
        change: stays ? { to: 0 } : { onHand: 0 },
      },
      {
        ...{ id: newId(), p1Id: to.p1Id, reference: p1Id, reason: 'correction' as const },
        change: { delta: from.stockQuantity },
      },
    ];
    const seen = [from, ...(isNew ? [] : [to])].map((row) => ({
      ...{ p1Id: row.p1Id, stockVersion: row.stockVersion },
      id: moved.find((each) => each.p1Id === row.p1Id)?.id ?? null,
    }));
    await commit(ctx, {
      joined: store.markJoined({ orgId, p1Id }, to.p1Id, now),
      seen: whileStocked({ orgId, products: seen }),
      stocked: isNew ? store.insertStocked(stocked) : undefined,
      stock: insertMovements({ ...ledgerWriter(ctx, orgId), now }, moved),
      offered: copyListings(orgId, p1Id, to.p1Id, now),
      ended: deleteListingsOf(orgId, p1Id),
      removed: stays ? undefined : store.deleteStocked(orgId, p1Id),
      audit: recordAudit({ ...ctx, now: () => now }, { orgId, action: 'product.joined', entityId: p1Id }),
      created: isNew ? createdEvents(ctx, orgId, [to.p1Id]) : undefined,
      updated: productEvents(
        ctx,
        orgId,
        moved
          .filter((each) => !(isNew && each.p1Id === to.p1Id))
          .map(({ id, p1Id: changed }) => ({ p1Id: changed, movementId: id, fields: ['shop_ids'] })),
      ),
      event: stays ? undefined : outboxEvent(ctx, { type: 'product_deleted', orgId, metadata: { p1_id: p1Id } }),
    });
    return to.p1Id;
  });
}

function pznTaken(): AppError {
  const message = 'An own product of this organization has this PZN.';
  return new AppError('pzn_taken', message, { errors: [{ pointer: '/pzn', code: 'pzn_taken', message }] });
}
