import type { Child } from '../../platform/markup/markup';

interface Span {
  start: number;
  end: number;
}

/** A name of which some parts are underlined, whatever their order; where two overlap, the first one is. */
export function MarkedName({ name, spans }: { name: string; spans: readonly Span[] }) {
  const parts: Child[] = [];
  let from = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (start < from) continue;
    parts.push(name.slice(from, start), <mark>{name.slice(start, end)}</mark>);
    from = end;
  }
  return (
    <bdi>
      {parts}
      {name.slice(from)}
    </bdi>
  );
}
