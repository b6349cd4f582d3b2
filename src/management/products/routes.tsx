import { Hono } from 'hono';
import { readCode } from '../../codes/service';
import { browseInventory } from '../../inventory/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once } from '../http/once';
import { PRODUCTS, SEARCH, withQuery } from '../http/paths';
import { respondPage, viewOf } from '../ui/view';
import { mayEditProducts } from './context';
import { readFilter, withFilter } from './list-filter';
import { ProductsPage } from './list-page';
import { oneProductRoutes } from './product-routes';
import { changeStockAsTyped, type TypedStock } from './stock';

/** Every role sees products and changes stock; the use cases let only owners and pharmacists change product data. */
export const productRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const { q } = readFilter(c).filter;
    // A label of a bag is no product: the search knows its order.
    return q && readCode(q)?.kind === 'label' ? c.redirect(withQuery(SEARCH, { q }), 302) : respondProducts(c);
  })
  // The form of a row.
  .post(
    '/',
    once(listPath, async (c) => {
      const { flash, refused } = await changeStockAsTyped(c, c.var.form.text('p1_id'));
      if (refused) return respondProducts(c, refused);
      // The form's URL mostly ends with the row's fragment, which browsers keep over the redirect.
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
  const view = await viewOf(c, withFilter(PRODUCTS, filter));
  const page = <ProductsPage {...{ view, inventory, filter, refused, typed }} mayAdd={mayEditProducts(c)} />;
  return respondPage(c, page, typed || refused !== undefined ? 400 : 200);
}
