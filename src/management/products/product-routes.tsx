import { Hono } from 'hono';
import { PRODUCT_FIELDS, type ProductField, productFields } from '../../catalog/fields';
import {
  attachProduct,
  changeStock,
  detachProduct,
  removeFromInventory,
  setOverrides,
  updateProduct,
} from '../../inventory/service';
import { AppError, notFound } from '../../platform/errors';
import { readProduct } from '../../reports/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import { once } from '../http/once';
import { PRODUCTS, productPath } from '../http/paths';
import { hasFieldErrors, tryForm } from '../ui/form-errors';
import { respondForm, respondPage, viewOf } from '../ui/view';
import { DetachPage, RemovePage } from './confirm-page';
import { mayEditProducts, ofStocked, p1IdOf } from './context';
import { LayerPage, type LayerState } from './edit-page';
import { respondMovements } from './export';
import { readFields, SHOP_FIELDS } from './fields';
import { readFilter, withFilter } from './list-filter';
import { messages } from './messages';
import { ProductPage, type ProductState } from './product-page';
import { changeStockAsTyped, parseCount } from './stock';

/** Routes of one product: its values, its stock and its shops. */
export const oneProductRoutes = new Hono<ManageEnv>()
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
    return respondPage(c, <DetachPage {...{ view: await viewOf(c), product, filter, shop }} />);
  })
  .post('/shops/:shopId/detach', async (c) => {
    await detachProduct(c.var.ctx, { shopId: c.req.param('shopId'), p1Id: p1IdOf(c) });
    return back(c, 'product_detached');
  })
  .get('/remove', async (c) => {
    const { product } = await readProduct(c.var.ctx, p1IdOf(c), 'products.write');
    const { filter } = readFilter(c);
    return respondPage(c, <RemovePage {...{ view: await viewOf(c), product, filter }} />);
  })
  .post('/remove', async (c) => {
    await ofStocked(() => removeFromInventory(c.var.ctx, p1IdOf(c)));
    return redirectWithFlash(c, 'product_removed', withFilter(PRODUCTS, readFilter(c).filter));
  });

async function respondProduct(c: ManageContext, state: ProductState = {}): Promise<Response> {
  const { filter } = readFilter(c);
  const p1Id = p1IdOf(c);
  const { product, names } = await readProduct(c.var.ctx, p1Id);
  const view = await viewOf(c, withFilter(productPath(p1Id), filter));
  const page = <ProductPage {...{ view, product, names, filter, state }} mayEdit={mayEditProducts(c)} />;
  return respondPage(c, page, Object.keys(state).length > 0 ? 400 : 200);
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
  const page = <LayerPage {...{ view: await viewOf(c), product, shop, filter, state }} />;
  return respondForm(c, page, state.fieldErrors);
}

/** Saves the form of a layer, which is shown again with what was refused. */
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

/** The product's page, with the list's filter for the way back. */
function shownPath(c: ManageContext): string {
  return withFilter(productPath(p1IdOf(c)), readFilter(c).filter);
}

/** After success: redirects to the product. */
function back(c: ManageContext, flash: Flash): Response {
  return redirectWithFlash(c, flash, shownPath(c));
}

/** Answers a form that changes nothing. It still requires the permission, as a change would. */
async function unchanged(c: ManageContext): Promise<Response> {
  await readProduct(c.var.ctx, p1IdOf(c), 'products.write');
  return back(c, 'product_same');
}

/** The field named by the pressed button. */
function fieldOf<T extends ProductField>(c: ManageContext, fields: readonly T[]): T {
  const field = fields.find((each) => productFields[each].wire === c.var.form.text('field'));
  if (!field) throw notFound();
  return field;
}
