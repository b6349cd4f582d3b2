import type { OrderableProduct, OrderableProducts } from '../../inventory/browse';
import { matchLines, unitOf } from '../../orders/create';
import { totalOf } from '../../orders/rules';
import type { Later } from '../../orders/supply/supply';
import type { OrderLine } from '../../orders/tables';
import { IsolateCache } from '../../platform/isolate-cache';
import type { RequestItem } from '../envelope';
import {
  type AskedItem,
  acknowledgementKey,
  type Difference,
  differencesOf,
  type SuppliedLine,
} from '../names/differences';
import { inUnits } from '../names/units';
import type { AcknowledgedDifference } from '../tables';

/** A line as staff edited it. */
export interface EditedLine extends RequestItem {
  /**
   * Index of the submitted item that the line replaces; null if the line is additional. If the index is missing, the
   * line replaces the item with the same product, or else the item at the same place.
   */
  item?: number | null;
  /** The packs that come later, and when. */
  later?: Later | null;
}

/** A line as it will be approved. */
export interface PlannedLine {
  line: OrderLine;
  /** Undefined if the line matches no product. */
  product: OrderableProduct | undefined;
  /** The submitted item. All members are null if the pharmacy added the line. */
  asked: AskedItem;
  /** Index of the prescription to which the platform assigned the line; null if it assigned none. */
  prescription: number | null;
  /** The packs that come later, and on which day; null if all packs are supplied now. */
  later: Later | null;
  /** Identifies the line within the request. It stays the same when other lines are edited. */
  id: string | number;
  /**
   * Cents that were lost by rounding when packs were converted to units: the total of the sent line minus that of this
   * line.
   */
  roundedCents: number;
}

const NOTHING_ASKED: AskedItem = { name: null, quantity: null, priceCents: null };

/**
 * Returns the lines as they will be approved. A submitted line that requires a prescription gets the product's price,
 * because the price that a platform sends may be a co-payment.
 * @param edited the lines that staff edited. If missing, the submitted items are planned
 */
export function planLines(
  items: readonly RequestItem[],
  edited: readonly EditedLine[] | undefined,
  products: OrderableProducts,
): PlannedLine[] {
  const given = (edited ?? items.map((item, index): EditedLine => ({ ...item, item: index }))).map((line) => ({
    ...line,
    name: line.name ?? keptName(items, line),
  }));
  const named = given.map((line, place) => askedProduct(items[itemOf(items, line, place) ?? -1], line, products));
  return matchLines(named, products).map((line, place) => {
    const product = line.p1Id === null ? undefined : products.get(line.p1Id);
    const index = itemOf(items, given[place] as EditedLine, place);
    const asked = index === null ? undefined : items[index];
    const isSentPrice = edited === undefined && line.prescriptionRequired && product !== undefined;
    const read = asked && inUnits(asked, product);
    const planned = {
      ...line,
      ...(edited === undefined && read && { quantity: read.quantity, priceCents: read.priceCents }),
      ...(isSentPrice && { priceCents: product.priceCents }),
    };
    const isAsRead = read?.quantity === planned.quantity && read.priceCents === planned.priceCents;
    return {
      line: planned,
      product,
      prescription: asked?.prescription ?? null,
      later: given[place]?.later ?? null,
      asked: asked ? { ...asked, ...read, name: asked.name ?? namedBy(asked, products) } : NOTHING_ASKED,
      id: index ?? `+${line.p1Id ?? line.name}`,
      roundedCents: isAsRead ? totalOf([asked as RequestItem]) - totalOf([planned]) : 0,
    };
  });
}

/**
 * Returns the submitted name for an edited line. Null if the line replaces no item, or if it has another product than
 * the item.
 */
function keptName(items: readonly RequestItem[], { item, p1Id }: EditedLine): string | null {
  const asked = typeof item === 'number' ? items[item] : undefined;
  if (!asked) return null;
  return p1Id === null || p1Id === asked.p1Id || p1Id === asked.productId ? asked.name : null;
}

/**
 * Returns an edited line, with the submitted item's product id added in one case: the line names no product, its name
 * is missing or the same as the item's, and the pharmacy does not have the item's product. The catalog then says
 * whether the line requires a prescription.
 */
function askedProduct(asked: RequestItem | undefined, line: EditedLine, products: OrderableProducts): EditedLine {
  const id = asked?.p1Id ?? asked?.productId;
  if (!id || line.p1Id !== null || line.productId !== null || (line.name ?? id) !== (asked?.name ?? id)) return line;
  return products.has(id) ? line : { ...line, productId: id };
}

/** Returns the name of the product that an item names by its id; null if the pharmacy does not have it. */
function namedBy({ p1Id, productId }: RequestItem, products: OrderableProducts): string | null {
  return (products.get(p1Id ?? '') ?? products.get(productId ?? ''))?.name ?? null;
}

/**
 * Returns the index of the submitted item that a line replaces; null if it replaces none. A program does not say which
 * item a line replaces. Its line replaces the item with the same product, or else the item at the same place.
 */
function itemOf(items: readonly RequestItem[], line: EditedLine, place: number): number | null {
  if (line.item !== undefined) return line.item;
  const ids = [line.p1Id, line.productId].filter((id) => id !== null);
  const same = items.findIndex((item) => ids.some((id) => id === item.p1Id || id === item.productId));
  return same >= 0 ? same : place < items.length ? place : null;
}

/** A difference between a line and the submitted item. */
export interface LineDifference {
  /** Index of the line. */
  line: number;
  /** The key that acknowledges the difference. */
  key: string;
  difference: Difference;
}

/** Returns the differences between the lines as they will be approved and the submitted items. */
export function lineDifferences(lines: readonly PlannedLine[]): LineDifference[] {
  return lines.flatMap(({ line, product, asked, id }, place) =>
    knownDifferences(asked, {
      name: product?.name ?? line.name,
      quantity: line.quantity,
      priceCents: line.priceCents,
      // Without a product, the sent price is the only one.
      productPriceCents: product?.priceCents ?? asked.priceCents ?? line.priceCents,
      prescriptionRequired: line.prescriptionRequired,
      content: null,
      ...unitOf(product),
    })
      // A co-payment always differs from the product's price.
      .filter(({ code }) => !(code === 'price' && line.isCoPayment))
      .map((difference) => ({ line: place, key: acknowledgementKey(id, difference), difference })),
  );
}

/**
 * The most comparisons that are cached. There is a cache because lists show the same lines repeatedly, and comparing
 * names takes longer than everything else in a row.
 */
const KNOWN_MAX = 2000;
const known = new IsolateCache<readonly Difference[]>(KNOWN_MAX);

function knownDifferences(
  { name, quantity, priceCents, orQuantity }: AskedItem,
  supplied: SuppliedLine,
): readonly Difference[] {
  const key = JSON.stringify([name, quantity, priceCents, orQuantity, ...Object.values(supplied)]);
  return known.made(key, () => differencesOf({ name, quantity, priceCents, orQuantity }, supplied));
}

/** The differences that staff have to acknowledge. */
export function toAcknowledge(differences: readonly LineDifference[]): LineDifference[] {
  return differences.filter(({ difference }) => difference.severity === 'acknowledge');
}

/** The acknowledged differences, as they are stored with the request. */
export function acknowledgedOf(differences: readonly LineDifference[]): AcknowledgedDifference[] {
  return toAcknowledge(differences).map(({ line, difference: { code, values } }) => ({ line, code, values }));
}
