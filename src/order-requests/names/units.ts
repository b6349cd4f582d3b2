import type { OrderableProduct } from '../../inventory/browse';
import type { RequestItem } from '../envelope';
import { unitsMeant } from './differences';
import { readName } from './read';

/** The product fields that determine how its quantities are counted. */
export type Counted = Pick<OrderableProduct, 'unit' | 'unitStep' | 'priceCents'>;

interface InUnits {
  quantity: number;
  priceCents: number;
  /** The other quantity that may be meant; missing if the price shows which one is. */
  orQuantity?: number;
}

/**
 * Converts a submitted item to the units of its product. A platform may count packs, and then sends the price of a
 * pack.
 */
export function inUnits(asked: RequestItem, product: Counted | undefined): InUnits {
  const { quantity, priceCents } = asked;
  if (!product || product.unit === 'piece') return { quantity, priceCents };
  const { unitStep } = product;
  const named = unitStep === 1 ? packNamed(asked.name, product.unit) : 1;
  if (named > 1 && named !== quantity && unitsMeant(asked, { ...product, unitStep: named }) !== quantity) {
    return { quantity, priceCents, orQuantity: quantity * named };
  }
  const meant = unitsMeant(asked, product);
  if (meant === null) return { quantity, priceCents, orQuantity: quantity * unitStep };
  return meant === quantity
    ? { quantity, priceCents }
    : { quantity: meant, priceCents: Math.round(priceCents / unitStep) };
}

/**
 * The number of units in the only pack that a name states ("Pink Kush 5 g"); 1 if there is none, or several. It leads
 * to a question to staff and is never taken for the quantity.
 */
function packNamed(name: string | null, unit: 'g' | 'ml'): number {
  const [pack, ...others] = readName(name ?? '').packs.filter((each) => each.unit === unit);
  const size = pack && others.length === 0 ? pack.count * pack.size : 1;
  return Number.isInteger(size) ? size : 1;
}
