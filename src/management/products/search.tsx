import type { Child } from 'hono/jsx';
import { SEARCH_MAX } from '../../platform/limits';
import type { View } from '../ui/view';
import type { ListFilter } from './list-filter';
import { messages } from './messages';

interface SearchProps {
  view: View;
  action: string;
  label: string;
  filter: ListFilter;
  /** What was typed when it cannot be searched. */
  refused?: string;
  /** What stands at the end of the line. */
  children?: Child;
}

/** A plain GET: what is searched stands in the address. */
export function ProductSearch({ view, action, label, filter, refused, children }: SearchProps) {
  const t = messages(view);
  const isRefused = refused !== undefined;
  return (
    <form method="get" action={action} class="filters">
      {filter.stock && <input type="hidden" name="stock" value={filter.stock} />}
      <div class={isRefused ? 'field wrong' : 'field'}>
        <label for="q">{label}</label>
        {isRefused && (
          <p class="fault" id="q-fault">
            {t.searchTooLong(SEARCH_MAX)}
          </p>
        )}
        <input
          id="q"
          name="q"
          type="search"
          value={refused ?? filter.q}
          placeholder={t.searchHint}
          maxlength={SEARCH_MAX}
          aria-invalid={isRefused ? 'true' : undefined}
          aria-describedby={isRefused ? 'q-fault' : undefined}
          data-search
        />
      </div>
      <button type="submit">{t.show}</button>
      {children}
    </form>
  );
}
