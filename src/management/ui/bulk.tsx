import type { Child } from '../../platform/markup/markup';

interface BulkProps {
  /** Names the bar for screen readers. */
  label: string;
  /** Behind the number of picked rows. */
  picked: string;
  unpick: string;
  /** Before the picked rows that will be refused, as their boxes say in `data-why`. */
  why: string;
  children: Child;
}

/**
 * What can be done to the picked rows of a list: it shows once a box is set. Rows have a cell `pick` with a checkbox, the heading
 * `PickAll`; the buttons are those of the form around both.
 */
export function BulkBar({ label, picked, unpick, why, children }: BulkProps) {
  return (
    <section class="bulk" aria-label={label}>
      <b>{picked}</b>
      {children}
      <button type="reset" class="plain">
        {unpick}
      </button>
      <p class="refused" aria-live="polite" hidden data-bulk-why>
        <b>{why}:</b> <span></span>
      </p>
    </section>
  );
}

/** Picks every row of the page; only the script can. */
export function PickAll({ label }: { label: string }) {
  return <input type="checkbox" aria-label={label} hidden data-pick-all />;
}
