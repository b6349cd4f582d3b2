import { differencesOf } from '../../order-requests/service';
import type { Child } from '../../platform/markup/markup';

interface Span {
  start: number;
  end: number;
  /** What it is, for the pointer. */
  title?: string;
}

/** A name of which some parts are underlined, whatever their order; where two overlap, the first one is. */
export function MarkedName({ name, spans }: { name: string; spans: readonly Span[] }) {
  const parts: Child[] = [];
  let from = 0;
  for (const { start, end, title } of spans.toSorted((one, other) => one.start - other.start)) {
    if (start < from) continue;
    parts.push(name.slice(from, start), <mark title={title}>{name.slice(start, end)}</mark>);
    from = end;
  }
  return (
    <bdi>
      {parts}
      {name.slice(from)}
    </bdi>
  );
}

/** Where two names of one pack each differ: in medicine, strength, form, size, manufacturer. */
export function differingSpans(askedName: string, suppliedName: string): Record<'asked' | 'supplied', Span[]> {
  const asked = { name: askedName, quantity: 1, priceCents: null };
  const pack = { quantity: 1, priceCents: 0, productPriceCents: 0, prescriptionRequired: false, content: null };
  const found = differencesOf(asked, { ...pack, name: suppliedName });
  return {
    asked: found.flatMap(({ spans }) => spans.asked),
    supplied: found.flatMap(({ spans }) => spans.supplied),
  };
}
