import type { Child } from '../../platform/markup/markup';

interface PanelProps {
  title: string;
  isWide?: boolean;
  children: Child;
}

/** A framed part of a page. */
export function Panel({ title, isWide = false, children }: PanelProps) {
  return (
    <section class={isWide ? 'panel wide' : 'panel'}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Names and their values; nothing is shown of an entry whose value is null. */
export function Facts({ entries }: { entries: readonly (readonly [name: Child, value: Child])[] }) {
  return (
    <dl>
      {entries.map(
        ([name, value]) =>
          value !== null && (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ),
      )}
    </dl>
  );
}

/** The text of a link or button in a list, which says for screen readers what it is about. */
export function labelFor(text: string, of: string) {
  return (
    <>
      {text}
      <span class="unseen">: {of}</span>
    </>
  );
}
