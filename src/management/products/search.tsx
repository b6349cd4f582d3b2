import { SEARCH_MAX } from '../../platform/limits';
import { Labeled } from '../ui/fields';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import type { ListFilter } from './list-filter';
import { messages } from './messages';

interface SearchProps {
  view: View;
  action: string;
  label: string;
  filter: ListFilter;
  /** The typed search, when it cannot be searched. */
  refused?: string;
}

/** The search is sent by GET, so the URL holds it. */
export function ProductSearch({ view, action, label, filter, refused }: SearchProps) {
  const t = messages(view);
  return (
    <form method="get" action={action} class="filters">
      {filter.stock && <input type="hidden" name="stock" value={filter.stock} />}
      <Labeled
        name="q"
        label={label}
        error={refused === undefined ? undefined : t.searchTooLong(SEARCH_MAX)}
        control={(attributes) => (
          <input
            {...attributes}
            type="search"
            value={refused ?? filter.q}
            placeholder={t.searchHint}
            maxlength={SEARCH_MAX}
            data-search
          />
        )}
      />
      <button type="submit">{sharedMessages(view).common.show}</button>
    </form>
  );
}
