import { business, type FieldsOf } from '../platform/fields';
import type { dayTotals, deliveryTotals, productTotals } from './tables';

/** Numbers of a shop and a part of a day. */
export const dayTotalsFields = {
  ...business('orgId', 'startsAt', 'shopId', 'orders', 'approved', 'rejected', 'deleted', 'reviewSeconds', 'sources'),
} satisfies FieldsOf<typeof dayTotals>;

export const productTotalsFields = {
  ...business('orgId', 'span', 'startsAt', 'p1Id', 'shopId', 'lines', 'quantity', 'millicents'),
  name: { class: 'health', erased: 'the words of lines without a product become empty' },
} as const satisfies FieldsOf<typeof productTotals>;

export const deliveryTotalsFields = {
  ...business('orgId', 'startsAt', 'summedUntil', 'delivered', 'exhausted'),
} satisfies FieldsOf<typeof deliveryTotals>;
