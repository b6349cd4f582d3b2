import { IsolateCache } from '../../platform/isolate-cache';
import {
  type AskedItem,
  acknowledgementKey,
  type Difference,
  differencesOf,
  type SuppliedLine,
} from '../names/differences';
import type { AcknowledgedDifference } from '../tables';
import type { PlannedLine } from './lines';

/** How a line differs from what was asked for. */
export interface LineDifference {
  /** Where in the lines, counted from 0. */
  line: number;
  /** What acknowledges it. */
  key: string;
  difference: Difference;
}

/** The differences of lines as they will be approved, from what was asked for. */
export function lineDifferences(lines: readonly PlannedLine[]): LineDifference[] {
  return lines.flatMap(({ line, product, asked, id }, place) =>
    knownDifferences(asked, {
      name: product?.name ?? line.name,
      quantity: line.quantity,
      priceCents: line.priceCents,
      // Without a product there is no other price than the one that was sent.
      productPriceCents: product?.priceCents ?? asked.priceCents ?? line.priceCents,
      prescriptionRequired: line.prescriptionRequired,
      content: null,
    })
      // A co-payment is another price by its nature.
      .filter(({ code }) => !(code === 'price' && line.isCoPayment))
      .map((difference) => ({ line: place, key: acknowledgementKey(id, difference), difference })),
  );
}

/** Lists show the same lines again and again, and to read names takes longer than all else of a row. */
const KNOWN_MAX = 2000;
const known = new IsolateCache<readonly Difference[]>(KNOWN_MAX);

function knownDifferences({ name, quantity, priceCents }: AskedItem, supplied: SuppliedLine): readonly Difference[] {
  const key = JSON.stringify([name, quantity, priceCents, ...Object.values(supplied)]);
  const kept = known.last(key);
  if (kept) return kept;
  const found = differencesOf({ name, quantity, priceCents }, supplied);
  known.set(key, found);
  return found;
}

/** Those that staff have to acknowledge. */
export function toAcknowledge(differences: readonly LineDifference[]): LineDifference[] {
  return differences.filter(({ difference }) => difference.severity === 'acknowledge');
}

/** As they are kept with the request. */
export function acknowledgedOf(differences: readonly LineDifference[]): AcknowledgedDifference[] {
  return toAcknowledge(differences).map(({ line, difference: { code, values } }) => ({ line, code, values }));
}
