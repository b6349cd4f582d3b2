import * as z from 'zod';
import { findInCatalog } from '../inventory/browse';
import { attachProduct, detachProduct, getOffer, setOverrides } from '../inventory/offers';
import { createProduct } from '../inventory/own';
import {
  addToInventory,
  getProduct,
  listProducts,
  readOverrides,
  readValues,
  updateProduct,
  writtenOverrides,
} from '../inventory/products';
import type { Context } from '../platform/context';
import { textOf } from '../platform/http/validation';
import { SEARCH_MAX } from '../platform/limits';
import { listShops } from '../tenants/shops';
import { catalogCursor, catalogCursorSchema } from '../wire/cursors';
import {
  catalogEntrySchema,
  initialStockSchema,
  offerSchema,
  overridesModeSchema,
  overridesSchema,
  ownProductSchema,
  paginationSchema,
  productSchema,
  productUpdateSchema,
  shopProductSchema,
  shopSchema,
  updatedProductSchema,
  wireCatalogEntry,
  wireOffer,
  wireProduct,
} from '../wire/products';
import { centsOf, dataOf, momentSchema, p1IdSchema, priceSchema, pznSchema, shopIdSchema } from '../wire/schemas';
import { endpointsOf } from './endpoint/endpoint';
import { limitSchema, pageAnswer, pageBody, pageSchema } from './endpoint/paging';

const shopApi = endpointsOf({ tag: 'Shops', scopes: 'products' });
const productApi = endpointsOf({ tag: 'Products', scopes: 'products' });

const mode = overridesModeSchema;
const shop = shopIdSchema.meta({ ...shopIdSchema.meta(), param: { id: 'shopOfProducts' } });
const category = textOf(100)
  .optional()
  .meta({ description: 'Exactly this category.', param: { id: 'category' } });

const offerAgain = async (ctx: Context, { body }: { body: { shop_id: string; p1_id: string } }) => ({
  body: wireOffer(await getOffer(ctx, { shopId: body.shop_id, p1Id: body.p1_id })),
});

/** The endpoints in rows 1 to 8 of the list of endpoints in the contract. */
export const productEndpoints = [
  shopApi.get('/shops', {
    id: 'listShops',
    summary: 'List shops',
    description: 'Where each shop_id of other calls comes from.',
    answers: { 200: { description: 'All shops, inactive ones included.', schema: dataOf(shopSchema) } },
    handle: async (ctx) => {
      const shops = await listShops(ctx);
      return {
        body: {
          data: shops.map(({ id, name, isActive, url, shippingOptions }) => ({
            shop_id: id,
            name,
            is_active: isActive,
            url,
            shipping_options: shippingOptions,
          })),
        },
      };
    },
  }),
  productApi.get('/products', {
    id: 'listProducts',
    summary: 'List shop products',
    description: 'The products that a shop offers, ordered by p1_id.',
    query: z.object({
      shop_id: shop,
      limit: limitSchema,
      page: pageSchema,
      q: textOf(SEARCH_MAX).optional().describe('Part of the name or of the p1_id; case and accents do not matter.'),
      category,
      available: z
        .enum(['true', 'false'])
        .transform((value) => value === 'true')
        .optional()
        .describe('Only what is on offer, or only what is not.'),
    }),
    answers: {
      200: { description: 'One page.', schema: dataOf(productSchema).extend({ pagination: paginationSchema }) },
    },
    errors: ['shop_not_found'],
    handle: async (ctx, { query }) => {
      const { shop_id: shopId, ...rest } = query;
      const { products, total } = await listProducts(ctx, { shopId, ...rest });
      const { page, limit } = query;
      const pagination = { page, limit, total, total_pages: Math.ceil(total / limit) };
      return { body: { data: products.map(wireProduct), pagination } };
    },
  }),
  productApi.get('/products/:p1Id', {
    id: 'getProduct',
    summary: 'Get single product',
    description:
      'A product as one shop shows it: the catalog, the values of the organization and the overrides of the shop combined; `sources` says which of them each value comes from.',
    query: z.object({ shop_id: shop }),
    answers: { 200: { description: 'The product as the shop offers it.', schema: shopProductSchema } },
    errors: ['shop_not_found', 'catalog_product_not_found', 'product_not_attached'],
    handle: async (ctx, { params: { p1Id }, query }) => {
      const { product, overrides } = await getProduct(ctx, { shopId: query.shop_id, p1Id });
      return { body: { ...wireProduct(product), overrides: writtenOverrides(overrides) } };
    },
  }),
  productApi.get('/catalog/products', {
    id: 'listCatalog',
    summary: 'List the catalog',
    description:
      'What can be added to the inventory, ordered by p1_id. With `updated_after` alone, what the catalog has changed since, in the order of the changes; together with a filter, a page may have fewer products than `limit` and yet a next_cursor. Start one minute before your last call; late changes appear.',
    query: z.object({
      q: textOf(SEARCH_MAX).optional().describe('Part of the name or of the p1_id; case and accents do not matter.'),
      pzn: pznSchema.optional(),
      category,
      updated_after: momentSchema.optional().describe('Only what the catalog has changed since then.'),
      limit: limitSchema,
      cursor: catalogCursorSchema,
    }),
    answers: pageAnswer(catalogEntrySchema),
    handle: async (ctx, { query: { updated_after: updatedAfter, cursor, ...query } }) => {
      const { products, nextCursor } = await findInCatalog(ctx, { ...query, updatedAfter, after: cursor ?? null });
      return { body: pageBody(products, wireCatalogEntry, catalogCursor(nextCursor), catalogCursor) };
    },
  }),
  productApi.post('/products/add-to-inventory', {
    id: 'addProductToInventory',
    summary: 'Add product to organization inventory',
    description:
      'Adds a catalog product to the inventory. Safe to repeat: a product that is already there is not changed.',
    body: z.strictObject({
      p1_id: p1IdSchema,
      initial_stock: initialStockSchema,
      price: priceSchema.optional().describe("The organization's own price."),
    }),
    answers: {
      201: { description: 'Added.', schema: productSchema },
      200: { description: 'Was held already; unchanged.', schema: productSchema },
    },
    // Only a repeated command gets `product_not_in_inventory`: the product was removed since.
    errors: ['catalog_product_not_found', 'product_not_in_inventory'],
    handle: async (ctx, { body }) => {
      const added = await addToInventory(ctx, {
        p1Id: body.p1_id,
        initialStock: body.initial_stock,
        priceCents: body.price === undefined ? null : centsOf(body.price),
      });
      return { status: added.isNew ? 201 : 200, body: wireProduct(added.product) };
    },
    again: async (ctx, { body }) => ({
      status: 201,
      body: wireProduct((await updateProduct(ctx, body.p1_id, {})).product),
    }),
  }),
  productApi.post('/products', {
    id: 'createProduct',
    summary: 'Create own product',
    description:
      'Adds what the catalog lacks to the inventory; no other organization sees it. `p1_id` begins with `own-`. Its PZN leads to it, even if the catalog has it too, until staff join the two.',
    body: ownProductSchema,
    answers: { 201: { description: 'Created.', schema: productSchema } },
    // Only a repeated command gets the last two errors: the product was removed since.
    errors: ['slug_taken', 'pzn_taken', 'catalog_product_not_found', 'product_not_in_inventory'],
    handle: async (ctx, { body: { pzn = null, initial_stock: initialStock, ...said } }) => {
      const values = { ...readValues(said), name: said.name, priceCents: centsOf(said.price) };
      return { status: 201, body: wireProduct(await createProduct(ctx, { values, pzn, initialStock })) };
    },
    again: async (ctx, { about }) => ({
      status: 201,
      body: wireProduct((await updateProduct(ctx, about, {})).product),
    }),
  }),
  productApi.put('/products/:p1Id', {
    id: 'updateProduct',
    summary: 'Update product',
    description:
      "Changes the organization's values of the fields that are sent; null clears a value, so that the catalog's value applies again.",
    body: productUpdateSchema,
    answers: { 200: { description: 'The product after the change.', schema: updatedProductSchema } },
    errors: ['catalog_product_not_found', 'product_not_in_inventory', 'slug_taken', 'unit_fixed'],
    handle: async (ctx, { params: { p1Id }, body }) => {
      const { product, changed } = await updateProduct(ctx, p1Id, readValues(body));
      return { body: { ...wireProduct(product), changed } };
    },
    again: async (ctx, { params: { p1Id } }) => {
      const { product, changed } = await updateProduct(ctx, p1Id, {});
      return { body: { ...wireProduct(product), changed } };
    },
  }),
  shopApi.post('/shops/attach-product', {
    id: 'attachProduct',
    summary: 'Attach product to shop',
    description:
      'From then on the shop offers the product, whose stock must be above 0. Safe to repeat: what is offered already is not changed, unless overrides are sent with it.',
    body: z.strictObject({ shop_id: shopIdSchema, p1_id: p1IdSchema, overrides: overridesSchema.optional(), mode }),
    answers: { 200: { description: 'The product in the shop.', schema: offerSchema } },
    errors: [
      'shop_not_found',
      'catalog_product_not_found',
      'product_not_in_inventory',
      'out_of_stock',
      'overrides_too_large',
    ],
    handle: async (ctx, { body: { shop_id: shopId, p1_id: p1Id, overrides, mode } }) => {
      const offer = { shopId, p1Id, overrides: overrides && readOverrides(overrides), mode };
      return { body: wireOffer(await attachProduct(ctx, offer)) };
    },
    again: offerAgain,
  }),
  shopApi.post('/shops/detach-product', {
    id: 'detachProduct',
    summary: 'Detach product from shop',
    description: 'Its overrides are deleted. Safe to repeat.',
    body: z.strictObject({ shop_id: shopIdSchema, p1_id: p1IdSchema }),
    answers: { 200: { description: 'The product is not in the shop.', schema: offerSchema } },
    errors: ['shop_not_found', 'catalog_product_not_found'],
    handle: async (ctx, { body }) => ({
      body: wireOffer(await detachProduct(ctx, { shopId: body.shop_id, p1Id: body.p1_id })),
    }),
    again: offerAgain,
  }),
  shopApi.post('/shops/product-overrides', {
    id: 'setProductOverrides',
    summary: 'Set shop product overrides',
    description:
      'What the shop says differently from the organization: `merge` adds to it, `replace` replaces all of it. What is not overridden is inherited. Safe to repeat.',
    body: z.strictObject({ shop_id: shopIdSchema, p1_id: p1IdSchema, overrides: overridesSchema, mode }),
    answers: { 200: { description: 'The product in the shop.', schema: offerSchema } },
    errors: ['shop_not_found', 'catalog_product_not_found', 'product_not_attached', 'overrides_too_large'],
    handle: async (ctx, { body: { shop_id: shopId, p1_id: p1Id, overrides, mode } }) => {
      const offer = { shopId, p1Id, overrides: readOverrides(overrides), mode };
      return { body: wireOffer(await setOverrides(ctx, offer)) };
    },
    again: offerAgain,
  }),
];
