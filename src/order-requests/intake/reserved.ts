import type { Reservation } from '../../inventory/store-reservations';
import { MINUTE_MS } from '../../platform/time';
import type { ShopAtHost } from '../../tenants/store';
import { unitsMeant } from '../names/differences';
import type { Submission } from './rules';
import type { NotReserved } from './warnings';

/** How a key's submissions reserve stock. */
export interface Reserving {
  reserves: boolean;
  /** The share of a product's free stock, in percent, that may be reserved; null if all of it may be. */
  reserveShare: number | null;
}

/** How long stock is reserved for a submission, in ms; null if its key or its shop does not reserve. */
export function reservedMs(
  shop: ShopAtHost,
  { reserves }: Pick<Reserving, 'reserves'>,
  { paymentStatus }: Pick<Submission, 'paymentStatus'>,
): number | null {
  const minutes = paymentStatus === 'paid' ? shop.reservePaidMinutes : shop.reservePendingMinutes;
  return reserves && minutes > 0 ? minutes * MINUTE_MS : null;
}

/** The stock that is reserved for a request. */
export interface ReservedItems {
  /** When the first reservation ends, in epoch ms; null if nothing is reserved. */
  until: number | null;
  /**
   * The items in the sequence in which they were sent. `reserved` is in the unit of the sent `quantity`. `p1Id` is null
   * if the item names no product of the pharmacy.
   */
  items: { p1Id: string | null; name: string | null; quantity: number; reserved: number }[];
}

/** A quantity of a product, and until when it is reserved, in epoch ms. */
type Held = Pick<Reservation, 'p1Id' | 'quantity' | 'until'>;

/**
 * Parses the reservations of a request.
 * @param json the JSON that `reservedOf` selects; null if there are no reservations
 */
export function heldIn(json: string | null): Held[] {
  const byProduct: Record<string, readonly [number, number]> = JSON.parse(json ?? '{}');
  return Object.entries(byProduct).map(([p1Id, [quantity, until]]) => ({ p1Id, quantity, until }));
}

/**
 * Divides each product's reserved quantity among the items, from the first item to the last.
 * @param products the pharmacy's products that the items name, by id
 */
export function reservedItems(
  items: Submission['items'],
  products: ReadonlyMap<string, { name: string; priceCents: number; unitStep: number }>,
  held: readonly Held[],
): ReservedItems {
  const left = new Map(held.map(({ p1Id, quantity }) => [p1Id, quantity]));
  const times = held.map(({ until }) => until);
  return {
    until: times.length > 0 ? Math.min(...times) : null,
    items: items.map((item) => {
      const { quantity } = item;
      const p1Id = [item.p1Id, item.productId].find((id) => products.has(id ?? '')) ?? null;
      const product = products.get(p1Id ?? '');
      if (!product) return { p1Id: null, name: null, quantity, reserved: 0 };
      const units = unitsMeant(item, product) ?? quantity;
      const ofIt = left.get(p1Id ?? '') ?? 0;
      const reserved = Math.floor((Math.min(ofIt, units) * quantity) / units);
      left.set(p1Id ?? '', ofIt - (reserved * units) / quantity);
      return { p1Id, name: product.name, quantity, reserved };
    }),
  };
}

/** Returns a notice for each item with less reserved stock than was ordered. Items without a product are left out. */
export function notReserved({ items }: ReservedItems): NotReserved[] {
  return items.flatMap(({ p1Id, name, quantity, reserved }, index) => {
    if (p1Id === null || reserved === quantity) return [];
    const message = 'The pharmacy has less of this product than was ordered; the rest is not reserved.';
    const pointer = `/payload/items/${index}`;
    return [
      {
        ...{ code: 'insufficient_stock' as const, message, pointer, p1Id, productName: name },
        ...{ requested: quantity, reservedQuantity: reserved },
      },
    ];
  });
}
