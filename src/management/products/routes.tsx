import { Hono } from 'hono';
import { addToInventory, browseInventory, changeStock, searchCatalog } from '../../inventory/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { done } from '../http/flash';
import { PRODUCTS } from '../http/paths';
import { hasFaults, tryForm } from '../ui/form-errors';
import { parsePrice } from '../ui/price';
import { answerPage, viewOf } from '../ui/view';
import { AddProductsPage, type TypedAddition } from './add-page';
import { mayEditProducts, ofStocked } from './context';
import { PRODUCTS_ADD, readFilter, withFilter } from './list-filter';
import { ProductsPage } from './list-page';
import { messages } from './messages';
import { oneProductRoutes } from './product-routes';
import { parseCount, readStock, type TypedStock } from './stock';

/** Everybody sees products and moves stock; what products say is for owners and pharmacists. The use cases know. */
export const productRoutes = new Hono<ManageEnv>()
  .get('/', (c) => answerProducts(c))
  .post('/stock', async (c) => {
    const { form, ctx } = c.var;
    const p1Id = form.text('p1_id');
    const { typed, faults, asked } = readStock(form, c.var);
    if (!asked) return answerProducts(c, { p1Id, ...typed, faults });
    const result = await tryForm(c.var, { insufficient_stock: 'change' }, () =>
      ofStocked(() => changeStock(ctx, { p1Id, ...asked })),
    );
    if (result.faults) return answerProducts(c, { p1Id, ...typed, faults: result.faults });
    const isMoved = result.value.changed.length > 0;
    // The form's own address ends with the row's anchor, which browsers keep over the redirect.
    return done(c, isMoved ? 'stock_changed' : 'stock_same', withFilter(PRODUCTS, readFilter(c).filter));
  })
  .get('/add', (c) => answerCatalog(c))
  .post('/add', async (c) => {
    const { form, ctx } = c.var;
    const t = messages(c.var);
    const typed = { p1Id: form.text('p1_id'), initialStock: form.text('initial_stock'), price: form.text('price') };
    const initialStock = parseCount(typed.initialStock || '0');
    const priceCents = typed.price === '' ? null : parsePrice(typed.price);
    const faults = {
      ...(initialStock === null && { initial_stock: t.initialStockFault }),
      ...(typed.price !== '' && priceCents === null && { price: t.fieldErrors.price }),
    };
    const refuse = mayEditProducts(c) && hasFaults(faults);
    if (refuse) return answerCatalog(c, { ...typed, faults });
    const { isNew } = await addToInventory(ctx, {
      p1Id: typed.p1Id,
      initialStock: initialStock ?? 0,
      priceCents,
    });
    return done(c, isNew ? 'product_added' : 'product_held', withFilter(PRODUCTS_ADD, readFilter(c).filter));
  })
  .route('/:p1Id', oneProductRoutes);

async function answerProducts(c: ManageContext, typed?: TypedStock): Promise<Response> {
  const { filter, refused } = readFilter(c);
  const inventory = await browseInventory(c.var.ctx, filter);
  const view = await viewOf(c, withFilter(PRODUCTS, filter));
  const page = <ProductsPage {...{ view, inventory, filter, refused, typed }} mayAdd={mayEditProducts(c)} />;
  return answerPage(c, page, typed || refused !== undefined ? 400 : 200);
}

async function answerCatalog(c: ManageContext, typed?: TypedAddition): Promise<Response> {
  const { filter, refused } = readFilter(c);
  const catalog = await searchCatalog(c.var.ctx, { q: filter.q, after: filter.after });
  const view = await viewOf(c, withFilter(PRODUCTS_ADD, filter));
  const page = <AddProductsPage {...{ view, catalog, filter, refused, typed }} mayAdd={mayEditProducts(c)} />;
  return answerPage(c, page, typed || refused !== undefined ? 400 : 200);
}
