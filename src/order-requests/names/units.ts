import type { OrderableProduct } from '../../inventory/browse';
import type { RequestItem } from '../envelope';
import { unitsMeant } from './differences';
import { readName } from './read';

/** What says how quantities of a product are counted. */
export type Counted = Pick<OrderableProduct, 'unit' | 'unitStep' | 'priceCents'>;

interface InUnits {
  quantity: number;
  priceCents: number;
  /** What the quantity may mean instead; missing where its price says what it means. */
  orQuantity?: number;
}

/** A submitted item in units of its product: a platform may count packs, whose price it then sends. */
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

/** How many units the one pack of a name holds ("Pink Kush 5 g"): it is only asked about, never taken for the quantity. */
function packNamed(name: string | null, unit: 'g' | 'ml'): number {
  const [pack, ...others] = readName(name ?? '').packs.filter((each) => each.unit === unit);
  const size = pack && others.length === 0 ? pack.count * pack.size : 1;
  return Number.isInteger(size) ? size : 1;
}
