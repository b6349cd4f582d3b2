import { Hono } from 'hono';
import { addToInventory, browseInventory, changeStock, searchCatalog } from '../../inventory/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { PRODUCTS } from '../http/paths';
import { hasFieldErrors, tryForm } from '../ui/form-errors';
import { parsePrice } from '../ui/price';
import { respondPage, viewOf } from '../ui/view';
import { AddProductsPage, type TypedAddition } from './add-page';
import { mayEditProducts, ofStocked } from './context';
import { PRODUCTS_ADD, readFilter, withFilter } from './list-filter';
import { ProductsPage } from './list-page';
import { messages } from './messages';
import { oneProductRoutes } from './product-routes';
import { parseCount, readStock, type TypedStock } from './stock';

/** Every role sees products and changes stock; the use cases let only owners and pharmacists change product data. */
export const productRoutes = new Hono<ManageEnv>()
  .get('/', (c) => respondProducts(c))
  .post('/stock', async (c) => {
    const { form, ctx } = c.var;
    const p1Id = form.text('p1_id');
    const { typed, fieldErrors, asked } = readStock(form, c.var);
    if (!asked) return respondProducts(c, { p1Id, ...typed, fieldErrors });
    const result = await tryForm(c.var, { insufficient_stock: 'change' }, () =>
      ofStocked(() => changeStock(ctx, { p1Id, ...asked })),
    );
    if (result.fieldErrors) return respondProducts(c, { p1Id, ...typed, fieldErrors: result.fieldErrors });
    const isMoved = result.value.changed.length > 0;
    // The form's URL ends with the row's fragment, which browsers keep over the redirect.
    return redirectWithFlash(c, isMoved ? 'stock_changed' : 'stock_same', withFilter(PRODUCTS, readFilter(c).filter));
  })
  .get('/add', (c) => respondCatalog(c))
  .post('/add', async (c) => {
    const { form, ctx } = c.var;
    const t = messages(c.var);
    const typed = { p1Id: form.text('p1_id'), initialStock: form.text('initial_stock'), price: form.text('price') };
    const initialStock = parseCount(typed.initialStock || '0');
    const priceCents = typed.price === '' ? null : parsePrice(typed.price);
    const fieldErrors = {
      ...(initialStock === null && { initial_stock: t.initialStockFault }),
      ...(typed.price !== '' && priceCents === null && { price: t.fieldErrors.price }),
    };
    const refuse = mayEditProducts(c) && hasFieldErrors(fieldErrors);
    if (refuse) return respondCatalog(c, { ...typed, fieldErrors });
    const { isNew } = await addToInventory(ctx, {
      p1Id: typed.p1Id,
      initialStock: initialStock ?? 0,
      priceCents,
    });
    return redirectWithFlash(
      c,
      isNew ? 'product_added' : 'product_held',
      withFilter(PRODUCTS_ADD, readFilter(c).filter),
    );
  })
  .route('/:p1Id', oneProductRoutes);

async function respondProducts(c: ManageContext, typed?: TypedStock): Promise<Response> {
  const { filter, refused } = readFilter(c);
  const inventory = await browseInventory(c.var.ctx, filter);
  const view = await viewOf(c, withFilter(PRODUCTS, filter));
  const page = <ProductsPage {...{ view, inventory, filter, refused, typed }} mayAdd={mayEditProducts(c)} />;
  return respondPage(c, page, typed || refused !== undefined ? 400 : 200);
}

async function respondCatalog(c: ManageContext, typed?: TypedAddition): Promise<Response> {
  const { filter, refused } = readFilter(c);
  const catalog = await searchCatalog(c.var.ctx, { q: filter.q, after: filter.after });
  const view = await viewOf(c, withFilter(PRODUCTS_ADD, filter));
  const page = <AddProductsPage {...{ view, catalog, filter, refused, typed }} mayAdd={mayEditProducts(c)} />;
  return respondPage(c, page, typed || refused !== undefined ? 400 : 200);
}
