import { Hono } from 'hono';
import { PRODUCT_FIELDS, type ProductField, productFields, productRules } from '../../catalog/fields';
import { UNITS } from '../../catalog/tables';
import { pznOf, readCode } from '../../codes/read';
import { browseInventory, exportInventory, searchCatalog } from '../../inventory/browse';
import { INVENTORY_FILE_MAX } from '../../inventory/limits';
import { attachProduct, detachProduct, setOverrides } from '../../inventory/offers';
import { joinProducts } from '../../inventory/own';
import { addToInventory, recountInUnit, updateProduct } from '../../inventory/products';
import { changeStock, removeFromInventory } from '../../inventory/stock';
import { AppError, notFound } from '../../platform/errors/errors';
import { toEur } from '../../platform/money';
import { exportMovements, readProduct } from '../../reports/figures';
import { type Cell, respondCsv } from '../http/csv';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import { once } from '../http/once';
import { CATALOG, PRODUCTS, productPath, SEARCH, withQuery } from '../http/paths';
import { respondConfirm } from '../ui/confirm';
import { formatSecond, parsePrice } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { actorText } from '../ui/order-summary';
import { hasFieldErrors, respondForm, respondPage, tryForm } from '../ui/view';
import { DetachPage, LayerPage, type LayerState, RemovePage, readFields, SHOP_FIELDS } from './edit-page';
import { AddProductsPage, ProductsPage, type TypedAddition } from './list-page';
import { exportMessages, messages } from './messages';
import { respondNew, saveNew, UnitPage, type UnitState } from './new-page';
import { changeOf, ProductPage, type ProductState } from './product-page';
import {
  changeStockAsTyped,
  mayEditProducts,
  ofStocked,
  p1IdOf,
  parseCount,
  readFilter,
  type TypedStock,
  withFilter,
} from './product-table';

/** Routes of the shared catalog, from which products are added to the inventory. */
export const catalogRoutes = new Hono<ManageEnv>()
  .get('/', (c) => respondCatalog(c))
  .get('/new', (c) => respondNew(c))
  .post('/new', once(CATALOG, saveNew))
  .post('/', async (c) => {
    const { form, ctx } = c.var;
    const t = messages(c.var);
    const typed = form.texts('p1_id', 'initial_stock', 'price');
    const initialStock = parseCount(typed.initial_stock || '0');
    const priceCents = typed.price === '' ? null : parsePrice(typed.price);
    const fieldErrors = {
      ...(initialStock === null && { initial_stock: t.initialStockFault }),
      ...(typed.price !== '' && priceCents === null && { price: t.fieldErrors.money }),
    };
    const refuse = mayEditProducts(c) && hasFieldErrors(fieldErrors);
    if (refuse) return respondCatalog(c, { ...typed, fieldErrors });
    const added = { p1Id: typed.p1_id, initialStock: initialStock ?? 0, priceCents };
    const { isNew } = await addToInventory(ctx, added);
    const { filter } = readFilter(c);
    // A scanned code came from the inventory list, so the next scan goes there again.
    const list = filter.q !== undefined && pznOf(filter.q) !== null ? PRODUCTS : CATALOG;
    return redirectWithFlash(c, isNew ? 'product_added' : 'product_held', withFilter(list, filter));
  });

async function respondCatalog(c: ManageContext, typed?: TypedAddition): Promise<Response> {
  const { filter, refused } = readFilter(c);
  const catalog = await searchCatalog(c.var.ctx, { q: filter.q, after: filter.after });
  const page = <AddProductsPage {...{ catalog, filter, refused, typed }} mayAdd={mayEditProducts(c)} />;
  return respondPage(c, page, typed || refused !== undefined ? 400 : 200, withFilter(CATALOG, filter));
}

/** Responds with the inventory as CSV. It has the headings that the import knows, so the file can be imported again. */
export function respondExport(c: ManageContext): Promise<Response> {
  const t = exportMessages(c.var);
  return respondCsv(c, t.exportFile, inventoryRows(c));
}

async function* inventoryRows(c: ManageContext): AsyncIterable<Cell[]> {
  const t = exportMessages(c.var);
  yield [...t.exportColumns];
  let count = 0;
  for await (const row of exportInventory(c.var.ctx)) {
    // The file itself says that it is incomplete, because people pass it on without the page.
    if (count === INVENTORY_FILE_MAX) return yield [t.exportCut(count)];
    count += 1;
    yield [
      row.p1Id,
      row.pzn,
      row.name,
      row.category,
      row.unit,
      row.unitStep,
      row.priceCents === null ? null : toEur(row.priceCents),
      toEur(row.catalogPriceCents),
      row.onHand,
      row.committedQuantity,
      row.reservedQuantity,
      row.stockQuantity,
      row.shortage,
      row.lowStockThreshold,
      row.shopCount,
    ];
  }
}

/** Responds with the latest movements of a product as CSV. */
async function respondMovements(c: ManageContext): Promise<Response> {
  const { rows, names, isCut } = await exportMovements(c.var.ctx, p1IdOf(c));
  const t = exportMessages(c.var);
  const { change, after, onHand } = messages(c.var);
  const { common, orders, requests } = sharedMessages(c.var);
  const table: Cell[][] = rows.map((movement) => [
    formatSecond(movement.createdAt, c.var),
    sharedMessages(c.var).stockReasons[movement.reason],
    movement.reference,
    movement.orderId && (names.get(movement.orderId) ?? movement.orderId),
    changeOf(movement),
    movement.after,
    movement.onHandAfter,
    actorText(c.var, movement, names),
  ]);
  if (isCut) table.push([t.exportCut(rows.length)]);
  const head = [common.time, common.reason, requests.reference, orders.id, change, after, onHand, common.who];
  return respondCsv(c, t.movementsFile, [head, ...table]);
}

/** Routes of one product: its values, stock, and shops. */
const oneProductRoutes = new Hono<ManageEnv>()
  .get('/', (c) => respondProduct(c))
  .get('/movements.csv', respondMovements)
  .post(
    '/stock',
    once(shownPath, async (c) => {
      const { flash, refused } = await changeStockAsTyped(c, p1IdOf(c));
      return refused ? respondProduct(c, { stock: refused }) : back(c, flash);
    }),
  )
  .post('/threshold', async (c) => {
    const { form, ctx } = c.var;
    const value = form.text('threshold');
    const lowStockThreshold = value === '' ? null : parseCount(value);
    if (value !== '' && lowStockThreshold === null) {
      return respondProduct(c, { threshold: { value, fieldErrors: { threshold: messages(c.var).thresholdFault } } });
    }
    const change = { p1Id: p1IdOf(c), reason: 'other', lowStockThreshold } as const;
    const { changed } = await ofStocked(() => changeStock(ctx, change));
    return back(c, changed.length > 0 ? 'threshold_changed' : 'product_same');
  })
  .get('/unit', (c) => respondUnit(c))
  .post('/unit', async (c) => {
    const { form, ctx } = c.var;
    const typed = form.texts('unit', 'unit_step', 'price', 'on_hand');
    const t = messages(c.var);
    const unit = UNITS.find((each) => each === typed.unit);
    const [unitStep, priceCents, onHand] = [
      Number(typed.unit_step),
      parsePrice(typed.price),
      parseCount(typed.on_hand),
    ];
    const isStep = productRules.unitStep.safeParse(unitStep).success;
    if (!unit || !isStep || priceCents === null || onHand === null) {
      const fieldErrors = {
        ...(!unit && { unit: t.fieldErrors.unit }),
        ...(!isStep && { unit_step: t.fieldErrors.step }),
        ...(priceCents === null && { price: t.fieldErrors.money }),
        ...(onHand === null && { on_hand: t.initialStockFault }),
      };
      return respondUnit(c, { typed, fieldErrors });
    }
    const { fieldErrors } = await tryForm(c.var, { unit_fixed: 'unit' }, () =>
      ofStocked(() => recountInUnit(ctx, p1IdOf(c), { unit, unitStep, priceCents, onHand })),
    );
    return fieldErrors ? respondUnit(c, { typed, fieldErrors }) : back(c, 'product_updated');
  })
  .get('/edit', (c) => respondLayer(c))
  .post('/edit', (c) => saveLayer(c))
  .post('/reset', async (c) => {
    const change = { [fieldOf(c, PRODUCT_FIELDS)]: null };
    await ofStocked(() => updateProduct(c.var.ctx, p1IdOf(c), change));
    return back(c, 'product_reset');
  })
  .get('/shops/:shopId', (c) => respondLayer(c, {}, c.req.param('shopId')))
  .post('/shops/:shopId', (c) => saveLayer(c, c.req.param('shopId')))
  .post('/shops/:shopId/reset', async (c) => {
    const overrides = { [fieldOf(c, SHOP_FIELDS)]: null };
    await setOverrides(c.var.ctx, { shopId: c.req.param('shopId'), p1Id: p1IdOf(c), overrides, mode: 'merge' });
    return back(c, 'product_reset');
  })
  .post('/shops/:shopId/attach', async (c) => {
    const input = { shopId: c.req.param('shopId'), p1Id: p1IdOf(c), mode: 'merge' } as const;
    try {
      await ofStocked(() => attachProduct(c.var.ctx, input));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'out_of_stock') throw error;
      return respondProduct(c, { refused: messages(c.var).attachNeedsStock });
    }
    return back(c, 'product_attached');
  })
  .get('/shops/:shopId/detach', async (c) => {
    const { product } = await readProduct(c.var.ctx, p1IdOf(c), 'products.write');
    const shop = product.shops.find(({ id }) => id === c.req.param('shopId'));
    if (!shop?.isAttached) throw notFound();
    const { filter } = readFilter(c);
    return respondPage(c, <DetachPage {...{ product, filter, shop }} />);
  })
  .post('/shops/:shopId/detach', async (c) => {
    await detachProduct(c.var.ctx, { shopId: c.req.param('shopId'), p1Id: p1IdOf(c) });
    return back(c, 'product_detached');
  })
  .get('/join', async (c) => {
    const { product } = await readProduct(c.var.ctx, p1IdOf(c), 'products.write');
    const t = messages(c.var);
    if (!product.twin) throw notFound();
    return respondConfirm(c, {
      title: t.joinTitle(product.name),
      lead: t.joinTexts(product.twin.name),
      action: `${productPath(product.p1Id)}/join`,
      act: t.join,
      back: shownPath(c),
    });
  })
  .post('/join', async (c) => {
    const joined = await ofStocked(() => joinProducts(c.var.ctx, p1IdOf(c)));
    return redirectWithFlash(c, 'product_joined', productPath(joined));
  })
  .get('/remove', async (c) => {
    const { product } = await readProduct(c.var.ctx, p1IdOf(c), 'products.write');
    const { filter } = readFilter(c);
    return respondPage(c, <RemovePage {...{ product, filter }} />);
  })
  .post('/remove', async (c) => {
    await ofStocked(() => removeFromInventory(c.var.ctx, p1IdOf(c)));
    return redirectWithFlash(c, 'product_removed', withFilter(PRODUCTS, readFilter(c).filter));
  });

async function respondProduct(c: ManageContext, state: ProductState = {}): Promise<Response> {
  const { filter } = readFilter(c);
  const p1Id = p1IdOf(c);
  const { product, names } = await readProduct(c.var.ctx, p1Id);
  const page = <ProductPage {...{ product, names, filter, state }} mayEdit={mayEditProducts(c)} />;
  return respondPage(c, page, Object.keys(state).length > 0 ? 400 : 200, withFilter(productPath(p1Id), filter));
}

async function respondUnit(c: ManageContext, state: UnitState = {}): Promise<Response> {
  const { product } = await readProduct(c.var.ctx, p1IdOf(c), 'products.write');
  return respondForm(c, <UnitPage {...{ product, state }} back={shownPath(c)} />, state.fieldErrors);
}

/**
 * The form for one layer of a product's values: the organization's, or those of a shop that offers it.
 * @throws AppError `not_found`, `insufficient_scope`
 */
async function respondLayer(c: ManageContext, state: LayerState = {}, shopId?: string): Promise<Response> {
  const { product } = await readProduct(c.var.ctx, p1IdOf(c), 'products.write');
  const shop = shopId === undefined ? undefined : product.shops.find(({ id }) => id === shopId);
  if (shopId !== undefined && !shop?.isAttached) throw notFound();
  const { filter } = readFilter(c);
  const page = <LayerPage {...{ product, shop, filter, state }} />;
  return respondForm(c, page, state.fieldErrors);
}

/** Saves the form of a layer. If it is refused, shows it again with the errors. */
async function saveLayer(c: ManageContext, shopId?: string): Promise<Response> {
  const { form, ctx } = c.var;
  const p1Id = p1IdOf(c);
  const fields = shopId === undefined ? PRODUCT_FIELDS : SHOP_FIELDS;
  const { typed, change, seen, fieldErrors } = readFields(form, fields, c.var);
  if (hasFieldErrors(fieldErrors)) return respondLayer(c, { typed, seen, fieldErrors }, shopId);
  if (Object.keys(change).length === 0) return unchanged(c);
  const { slug: _, ...overrides } = change;
  const result = await tryForm(c.var, { overrides_too_large: 'description' }, async () => {
    if (shopId !== undefined) return setOverrides(ctx, { shopId, p1Id, overrides, mode: 'merge', seen });
    const { changed } = await ofStocked(() => updateProduct(ctx, p1Id, change, seen));
    return { isChanged: changed.length > 0 };
  });
  if (result.fieldErrors) return respondLayer(c, { typed, seen, fieldErrors: result.fieldErrors }, shopId);
  return back(c, result.value.isChanged ? 'product_updated' : 'product_same');
}

/** The path of the product's page, with the list's filter for the link back. */
function shownPath(c: ManageContext): string {
  return withFilter(productPath(p1IdOf(c)), readFilter(c).filter);
}

/** Redirects to the product after success. */
function back(c: ManageContext, flash: Flash): Response {
  return redirectWithFlash(c, flash, shownPath(c));
}

/** Redirects to the product after a form without changes. The person needs the same permission as for a change. */
async function unchanged(c: ManageContext): Promise<Response> {
  await readProduct(c.var.ctx, p1IdOf(c), 'products.write');
  return back(c, 'product_same');
}

/**
 * The product field that the pressed button names.
 * @throws AppError `not_found` if `fields` does not contain it
 */
function fieldOf<T extends ProductField>(c: ManageContext, fields: readonly T[]): T {
  const field = fields.find((each) => productFields[each].wire === c.var.form.text('field'));
  if (!field) throw notFound();
  return field;
}

/** Every role may see products and change stock. The use cases let only owners and pharmacists change product data. */
export const productRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const { q } = readFilter(c).filter;
    // The label of a bag belongs to an order, which the search finds.
    return q && readCode(q)?.kind === 'label' ? c.redirect(withQuery(SEARCH, { q }), 302) : respondProducts(c);
  })
  // The form of a row of the list.
  .post(
    '/',
    once(listPath, async (c) => {
      const { flash, refused } = await changeStockAsTyped(c, c.var.form.text('p1_id'));
      if (refused) return respondProducts(c, refused);
      // The form's URL usually has the row's fragment, and browsers keep it across the redirect.
      return redirectWithFlash(c, flash, listPath(c));
    }),
  )
  .route('/:p1Id', oneProductRoutes);

function listPath(c: ManageContext): string {
  return withFilter(PRODUCTS, readFilter(c).filter);
}

async function respondProducts(c: ManageContext, typed?: TypedStock): Promise<Response> {
  const { filter, refused } = readFilter(c);
  const inventory = await browseInventory(c.var.ctx, filter);
  const page = <ProductsPage {...{ inventory, filter, refused, typed }} mayAdd={mayEditProducts(c)} />;
  return respondPage(c, page, typed || refused !== undefined ? 400 : 200, withFilter(PRODUCTS, filter));
}
