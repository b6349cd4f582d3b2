import type { OrderableProduct } from '../../inventory/browse';
import type { RequestItem } from '../envelope';
import { unitsMeant } from './differences';
import { readName } from './read';

/** The product fields that determine how its quantities are counted. */
export type Counted = Pick<OrderableProduct, 'unit' | 'unitStep' | 'priceCents'>;

interface InUnits {
  quantity: number;
  priceCents: number;
  /** Another quantity that may be meant. Missing if the price shows which quantity is meant. */
  orQuantity?: number;
}

/**
 * Returns the quantity and price of a submitted item in the units of its product. If the platform counted packs and
 * sent the price of a pack, both are converted.
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
 * Returns the number of units in the only pack that a name states ("Pink Kush 5 g"). Returns 1 if the name states no
 * pack, or several. The number is never taken as the quantity. It only makes staff check the quantity.
 */
function packNamed(name: string | null, unit: 'g' | 'ml'): number {
  const [pack, ...others] = readName(name ?? '').packs.filter((each) => each.unit === unit);
  const size = pack && others.length === 0 ? pack.count * pack.size : 1;
  return Number.isInteger(size) ? size : 1;
}
