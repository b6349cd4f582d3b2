import type { Child } from '../../platform/markup/markup';

export interface Tab {
  path: string;
  label: string;
  isCurrent: boolean;
  /** How many entries it has, as text: `8`, `99+`. */
  count?: string;
  /** HTML id of the count, which is kept up to date while the page is open (client/refresh.js). */
  countId?: string;
}

/** Parts of a list, each with how many entries it has; what there is to do comes first. @param label names them for screen readers */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ path, label, isCurrent, count, countId }) => (
        <a href={path} aria-current={isCurrent ? 'page' : undefined}>
          {label}
          {count !== undefined && ' '}
          {count !== undefined && (
            <span class="count" id={countId} data-live={countId !== undefined || undefined}>
              {count}
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}

/** What was counted up to a limit. */
export function countText(count: number, isMore: boolean): string {
  return isMore ? `${count}+` : String(count);
}

/** Tabs with the filters of the list at their end, where there is room for both. @param isMany so many tabs that they need a row of their own sooner */
export function Bench({ isMany = false, children }: { isMany?: boolean; children: Child }) {
  return <div class={isMany ? 'bench many' : 'bench'}>{children}</div>;
}
