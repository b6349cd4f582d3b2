import { Hono } from 'hono';
import { browseInventory, changeStock } from '../../inventory/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { PRODUCTS } from '../http/paths';
import { tryForm } from '../ui/form-errors';
import { respondPage, viewOf } from '../ui/view';
import { mayEditProducts, ofStocked } from './context';
import { readFilter, withFilter } from './list-filter';
import { ProductsPage } from './list-page';
import { oneProductRoutes } from './product-routes';
import { readStock, type TypedStock } from './stock';

/** Every role sees products and changes stock; the use cases let only owners and pharmacists change product data. */
export const productRoutes = new Hono<ManageEnv>()
  .get('/', (c) => respondProducts(c))
  // The form of a row.
  .post('/', async (c) => {
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
  .route('/:p1Id', oneProductRoutes);

async function respondProducts(c: ManageContext, typed?: TypedStock): Promise<Response> {
  const { filter, refused } = readFilter(c);
  const inventory = await browseInventory(c.var.ctx, filter);
  const view = await viewOf(c, withFilter(PRODUCTS, filter));
  const page = <ProductsPage {...{ view, inventory, filter, refused, typed }} mayAdd={mayEditProducts(c)} />;
  return respondPage(c, page, typed || refused !== undefined ? 400 : 200);
}
