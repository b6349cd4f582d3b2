import type * as z from 'zod';
import type { WrittenField } from '../catalog/fields';
import {
  type InventoryItem,
  type Offer,
  type Product,
  type Source,
  type StockState,
  writtenValues,
} from '../inventory/service';
import type { inventoryItemSchema, offerSchema, productSchema } from './product-schemas';
import { wireAmount, wireTime } from './values';

export function wireProduct(product: Product): z.input<typeof productSchema> {
  return {
    p1_id: product.p1Id,
    name: product.name,
    slug: product.slug,
    description: product.description,
    category: product.category,
    price: wireAmount(product.priceCents),
    available: product.available,
    thc_percent: product.thcPercent,
    cbd_percent: product.cbdPercent,
    available_for_pickup: product.availableForPickup,
    available_for_shipping: product.availableForShipping,
    prescription_required: product.prescriptionRequired,
    stock_quantity: product.stockQuantity,
    shop_id: product.shopId,
    sources: wireSources(product.sources),
  };
}

function wireSources(sources: Product['sources']): Record<WrittenField, Source> {
  return {
    name: sources.name,
    slug: sources.slug,
    description: sources.description,
    category: sources.category,
    price: sources.priceCents,
    available: sources.available,
    thc_percent: sources.thcPercent,
    cbd_percent: sources.cbdPercent,
    available_for_pickup: sources.availableForPickup,
    available_for_shipping: sources.availableForShipping,
    prescription_required: sources.prescriptionRequired,
  };
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

/** The stock of a product, as every answer says it. */
export function wireStock(state: StockState) {
  return {
    stock_quantity: state.stockQuantity,
    on_hand: state.onHand,
    committed_quantity: state.committedQuantity,
    shortage: state.shortage,
    stock_version: state.stockVersion,
  };
}

export function wireInventoryItem(item: InventoryItem): z.input<typeof inventoryItemSchema> {
  return {
    p1_id: item.p1Id,
    name: item.name,
    slug: item.slug,
    category: item.category,
    price: wireAmount(item.priceCents),
    ...wireStock(item),
    low_stock_threshold: item.lowStockThreshold,
    created_at: wireTime(item.createdAt),
    updated_at: wireTime(item.updatedAt),
  };
}
