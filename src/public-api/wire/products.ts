import type * as z from 'zod';
import { PRODUCT_FIELDS, type ProductField, productFields, type WrittenField } from '../../catalog/fields';
import { type InventoryItem, type Offer, type Product, writtenValues } from '../../inventory/service';
import type { inventoryItemSchema, offerSchema, productSchema } from './product-schemas';
import { wireAmount, wireTime } from './values';

type WireProduct = z.input<typeof productSchema>;

export function wireProduct(product: Product): WireProduct {
  return {
    p1_id: product.p1Id,
    // SAFETY: the values of all fields; amounts follow.
    ...(wireFields((field) => product[field]) as Pick<WireProduct, WrittenField>),
    price: wireAmount(product.priceCents),
    stock_quantity: product.stockQuantity,
    shop_id: product.shopId,
    sources: wireFields((field) => product.sources[field]),
  };
}

/** Something of each field, under the field's name on the wire. */
function wireFields<T>(of: (field: ProductField) => T): Record<WrittenField, T> {
  const body: Partial<Record<WrittenField, T>> = {};
  for (const field of PRODUCT_FIELDS) body[productFields[field].wire] = of(field);
  // SAFETY: one for each field.
  return body as Record<WrittenField, T>;
}

export function wireOffer(offer: Offer): z.input<typeof offerSchema> {
  return {
    shop_id: offer.shopId,
    p1_id: offer.p1Id,
    attached: offer.isAttached,
    // Stored overrides are written with the names and units of the API.
    overrides: writtenValues(offer.overrides),
    effective: offer.effective && wireProduct(offer.effective),
    changed: offer.isChanged,
  };
}

export function wireInventoryItem(item: InventoryItem): z.input<typeof inventoryItemSchema> {
  return {
    p1_id: item.p1Id,
    name: item.name,
    slug: item.slug,
    category: item.category,
    price: wireAmount(item.priceCents),
    stock_quantity: item.stockQuantity,
    low_stock_threshold: item.lowStockThreshold,
    created_at: wireTime(item.createdAt),
    updated_at: wireTime(item.updatedAt),
  };
}
