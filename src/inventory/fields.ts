import { PRODUCT_FIELDS, type ProductField, type ValueOf } from '../catalog/fields';
import { business, type FieldsOf } from '../platform/fields';
import type { JsonObject } from '../platform/http/json';
import type {
  inventory,
  inventoryImportParts,
  inventoryImports,
  listings,
  productBlocks,
  reservations,
  stockMovements,
} from './tables';

/** A product's values in one layer; null or missing means that the value is inherited. */
export type ProductValues = { [K in ProductField]?: ValueOf<K> | null };

/** The values that a shop overrides, and the shop's free metadata. A shop cannot override slug, unit and step. */
export type Overrides = Omit<ProductValues, 'slug'> & { metadata?: JsonObject | null };

/** The columns of the inventory that are not fields of a product (catalog/fields.ts). */
export const inventoryFields = {
  ...business(
    'orgId',
    'p1Id',
    'committedQuantity',
    'shortage',
    'reservedQuantity',
    'stockVersion',
    'countedAt',
    'isShort',
    'nameFolded',
    'metadata',
    'createdAt',
    'updatedAt',
  ),
  ...business(...PRODUCT_FIELDS),
  stockQuantity: { class: 'business', wire: 'stock_quantity', changedBy: ['stock'] },
  lowStockThreshold: { class: 'business', wire: 'low_stock_threshold', changedBy: ['stock'] },
} as const satisfies FieldsOf<typeof inventory>;

export const listingsFields = {
  ...business('shopId', 'p1Id', 'orgId', 'overrides', 'nameFolded', 'attachedAt', 'updatedAt'),
} satisfies FieldsOf<typeof listings>;

export const stockMovementsFields = {
  ...business('id', 'orgId', 'p1Id', 'delta', 'before', 'after', 'committedDelta', 'onHandDelta', 'onHandAfter'),
  ...business('countedAt', 'reason', 'reference', 'orderId', 'actorKind', 'actorId', 'createdAt'),
  ...business('reservedDelta', 'reservedUntil', 'orderRequestId'),
} satisfies FieldsOf<typeof stockMovements>;

export const reservationsFields = business('orderRequestId', 'p1Id', 'orgId', 'quantity', 'until') satisfies FieldsOf<
  typeof reservations
>;

export const productBlocksFields = business('listId', 'firstP1Id', 'productCount', 'entries') satisfies FieldsOf<
  typeof productBlocks
>;

export const inventoryImportsFields = business(
  ...(['id', 'orgId', 'header', 'ignored', 'lineCount', 'createdAt', 'expiresAt'] as const),
) satisfies FieldsOf<typeof inventoryImports>;

export const inventoryImportPartsFields = business(
  'importId',
  'place',
  'lines',
  'preview',
  'outcome',
) satisfies FieldsOf<typeof inventoryImportParts>;
