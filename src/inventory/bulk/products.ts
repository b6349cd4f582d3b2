import { recordAudit } from '../../audit/record';
import { productFields } from '../../catalog/fields';
import type { Unit } from '../../catalog/tables';
import { requireScope } from '../../platform/access';
import { type BatchEntry, commit } from '../../platform/commit';
import { conflict, retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { pick } from '../../platform/data/columns';
import { foldText } from '../../platform/fold';
import { newId } from '../../platform/ids';
import type { TestOrganization } from '../../tenants/shops';
import type { Overrides, ProductValues } from '../fields';
import { bulkProductEvents, createdEvents, ledgerWriter } from '../ledger';
import { TEST_PRODUCTS_MAX, TEST_STOCK } from '../limits';
import { foldedName, type OverrideMode, tooLargeIn } from '../offers';
import { organizationLayer, readOverrides, writtenOverrides } from '../products';
import { applyOverrides, changedFields, changedOverrides } from '../resolution';
import { selectFirstHeld, selectFirstInCatalog } from '../store';
import { insertMovements } from '../store-stock';
import type { WrittenOverrides } from '../tables';
import { failed, type ItemFault, type ItemResult, type NamedProduct, ProductResolver, summaryOf } from './items';
import * as store from './store';

/**
 * A requested change of one product: values of the organization's layer, and overrides of its shops, each shop once.
 */
export interface ProductChange extends NamedProduct {
  /** Null clears a value, a missing field is not changed. */
  values: ProductValues;
  overrides: readonly ShopOverrides[];
}

interface ShopOverrides {
  shopId: string;
  overrides: Overrides;
  mode: OverrideMode;
}

interface ProductFacts {
  p1Id: string;
  /** The unit of the product unless the organization sets one. */
  catalogUnit: Unit;
  /** Whether some of the product is in stock, promised or reserved. */
  isCounted: boolean;
  layer: ProductValues;
  /** Overrides by shop. */
  listed: Readonly<Record<string, WrittenOverrides>>;
}

interface Plan {
  p1Id: string;
  values: ProductValues;
  writes: readonly store.OverridesWrite[];
  /** Wire names of the changed fields. */
  names: readonly string[];
}

/**
 * Changes many products by one command, like `changeInventory`.
 * @param items at most 500
 */
export async function changeProducts(ctx: Context, items: readonly ProductChange[]) {
  const { orgId } = requireScope(ctx, 'products.write');
  const results = await retryOnConflict(ctx, () => changeOnce(ctx, orgId, items));
  return { results, summary: summaryOf(results) };
}

async function changeOnce(ctx: Context, orgId: string, items: readonly ProductChange[]): Promise<ItemResult[]> {
  const { rows, known, slugs } = await ctx.db.run({
    rows: store.selectProductItems(
      orgId,
      items.map(({ p1Id, pzn, overrides }) => ({ p1Id, pzn, asksShops: overrides.length > 0 })),
    ),
    known: store.selectKnownShops(orgId, [
      ...new Set(items.flatMap(({ overrides }) => overrides.map(({ shopId }) => shopId))),
    ]),
    slugs: store.selectSlugs(
      orgId,
      items.flatMap(({ values }) => values.slug ?? []),
    ),
  });
  const shops = new Set(known.map(({ id }) => id));
  const owners = new Map(slugs.map(({ slug, p1Id }) => [slug, p1Id]));
  const resolver = new ProductResolver();
  const planned: Plan[] = [];
  const results = items.map((item, place): ItemResult => {
    const row = rows[place] as (typeof rows)[number];
    const { p1Id, fault } = resolver.take(item, row);
    if (fault !== undefined) return failed(p1Id, fault);
    if (row.isHeld !== 1) return failed(p1Id, 'product_not_in_inventory');
    const facts = {
      ...{ p1Id, layer: organizationLayer(row), listed: JSON.parse(row.listed) },
      ...{ catalogUnit: row.catalogUnit, isCounted: row.isCounted === 1 },
    };
    const plan = decide(item, facts, shops, owners);
    if (typeof plan === 'string') return failed(p1Id, plan);
    if (plan.names.length === 0) return { p1Id, status: 'unchanged' };
    planned.push(plan);
    return { p1Id, status: 'updated' };
  });
  if (planned.length > 0) await write(ctx, orgId, planned);
  return results;
}

/**
 * Returns the writes of one item, or its fault.
 * @param owners product ids by slug; updated if the item changes the slug of its product
 */
function decide(
  { values, overrides }: ProductChange,
  { p1Id, layer, listed, catalogUnit, isCounted }: ProductFacts,
  shops: ReadonlySet<string>,
  owners: Map<string | null, string>,
): Plan | ItemFault {
  const changed = changedFields(layer, values);
  const { slug } = values;
  if (changed.includes('slug') && slug && (owners.get(slug) ?? p1Id) !== p1Id) return 'slug_taken';
  const isOtherUnit = changed.includes('unit') && (values.unit ?? catalogUnit) !== (layer.unit ?? catalogUnit);
  if (isOtherUnit && isCounted) return 'unit_fixed';
  const writes: store.OverridesWrite[] = [];
  const names = changed.map((field): string => productFields[field].wire);
  for (const { shopId, overrides: change, mode } of overrides) {
    if (!shops.has(shopId)) return 'shop_not_found';
    const stored = listed[shopId];
    if (stored === undefined) return 'product_not_attached';
    const before = readOverrides(stored);
    const after = applyOverrides(before, change, mode);
    const differs = changedOverrides(before, after);
    if (differs.length === 0) continue;
    if (tooLargeIn(after) !== null) return 'overrides_too_large';
    const isMerge = mode === 'merge';
    const nameFolded = isMerge && change.name === undefined ? undefined : foldedName(after);
    writes.push({ shopId, p1Id, change: writtenOverrides(isMerge ? change : after), isMerge, nameFolded });
    names.push(...differs);
  }
  if (changed.includes('slug')) {
    if (layer.slug) owners.delete(layer.slug);
    if (slug) owners.set(slug, p1Id);
  }
  return { p1Id, values: pick(values, changed), writes, names: [...new Set(names)] };
}

async function write(ctx: Context, orgId: string, planned: readonly Plan[]): Promise<void> {
  const now = ctx.now();
  const auditId = newId();
  const changes = planned
    .filter(({ values }) => Object.keys(values).length > 0)
    .map(({ p1Id, values }) => ({
      p1Id,
      ...values,
      ...(values.name !== undefined && { nameFolded: values.name && foldText(values.name) }),
    }));
  const writes = planned.flatMap((plan) => plan.writes);
  const entries: BatchEntry[] = [
    store.whileAsRead(orgId, auditId, {
      products: planned.map(({ p1Id }) => ({ p1Id, isHeld: true })),
      shopIds: [],
    }),
    ...store.updateStockedEach(orgId, changes, now),
    ...store.updateOverridesEach(writes, now),
    ...bulkProductEvents(
      ctx,
      orgId,
      planned.map(({ p1Id, names }) => ({ p1Id, fields: names })),
    ),
    recordAudit(ctx, {
      id: auditId,
      orgId,
      action: 'inventory.changed',
      entityId: orgId,
      fields: [`products:${planned.length}`, ...new Set(planned.flatMap(({ names }) => names))],
    }),
  ];
  // If stock arrived after the read, the unit stays.
  await commit(ctx, { entries }, { constraints: { unit_fixed: conflict } });
}

/**
 * Returns the batch entries that add the first products to a new test organization: products of the live organization,
 * at its prices, then other products of the catalog. Together they are at most `TEST_PRODUCTS_MAX`, each with a stock of
 * `TEST_STOCK`.
 * @returns entries for the batch that makes the organization; put them after the entries of the organization and its
 *   shop
 */
export async function testAssortment(
  ctx: Context,
  { orgId, shopId }: TestOrganization,
  liveId: string,
): Promise<BatchEntry[]> {
  const { held, others } = await ctx.db.run({
    held: selectFirstHeld(liveId, TEST_PRODUCTS_MAX),
    others: selectFirstInCatalog(TEST_PRODUCTS_MAX),
  });
  const isHeld = new Set(held.map(({ p1Id }) => p1Id));
  const further = others.filter(({ p1Id }) => !isHeld.has(p1Id)).map(({ p1Id }) => ({ p1Id, priceCents: null }));
  const products = [...held, ...further].slice(0, TEST_PRODUCTS_MAX);
  if (products.length === 0) return [];
  const [p1Ids, now] = [products.map(({ p1Id }) => p1Id), ctx.now()];
  const added = products.map((product) => ({ ...product, lowStockThreshold: null, stock: TEST_STOCK }));
  const first = p1Ids.map((p1Id) => ({ id: newId(), p1Id, change: { to: TEST_STOCK }, reason: 'initial' as const }));
  return [
    store.insertStockedEach(orgId, added, now),
    store.insertListingsEach(
      orgId,
      p1Ids.map((p1Id) => ({ shopId, p1Id })),
      now,
    ),
    insertMovements(ledgerWriter(ctx, orgId), first),
    ...createdEvents(ctx, orgId, p1Ids),
  ];
}
