import { Hono } from 'hono';
import { pznOf } from '../../codes/service';
import { addToInventory, searchCatalog } from '../../inventory/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { CATALOG, PRODUCTS } from '../http/paths';
import { hasFieldErrors } from '../ui/form-errors';
import { parsePrice } from '../ui/price';
import { respondPage, viewOf } from '../ui/view';
import { AddProductsPage, type TypedAddition } from './add-page';
import { mayEditProducts } from './context';
import { readFilter, withFilter } from './list-filter';
import { messages } from './messages';
import { parseCount } from './stock';

/** The catalog of all pharmacies, from which products are added to the own ones. */
export const catalogRoutes = new Hono<ManageEnv>()
  .get('/', (c) => respondCatalog(c))
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
    // What was scanned came from the list, which is ready for the next pack.
    const list = filter.q !== undefined && pznOf(filter.q) !== null ? PRODUCTS : CATALOG;
    return redirectWithFlash(c, isNew ? 'product_added' : 'product_held', withFilter(list, filter));
  });

async function respondCatalog(c: ManageContext, typed?: TypedAddition): Promise<Response> {
  const { filter, refused } = readFilter(c);
  const catalog = await searchCatalog(c.var.ctx, { q: filter.q, after: filter.after });
  const view = await viewOf(c, withFilter(CATALOG, filter));
  const page = <AddProductsPage {...{ view, catalog, filter, refused, typed }} mayAdd={mayEditProducts(c)} />;
  return respondPage(c, page, typed || refused !== undefined ? 400 : 200);
}
