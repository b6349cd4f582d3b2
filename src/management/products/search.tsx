import { SEARCH_MAX } from '../../platform/limits';
import { Labeled } from '../ui/fields';
import { Hidden } from '../ui/hidden';
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
  /** Ready for the next pack: empty, with the focus. */
  isReady?: boolean;
}

/** The search is sent by GET, so the URL holds it. A scanned pack is searched, too. */
export function ProductSearch({ view, action, label, filter, refused, isReady }: SearchProps) {
  const t = messages(view);
  return (
    <form method="get" action={action} class="filters">
      {filter.stock && <Hidden name="stock" value={filter.stock} />}
      <Labeled
        name="q"
        label={label}
        error={refused === undefined ? undefined : t.searchTooLong(SEARCH_MAX)}
        control={(attributes) => (
          <input
            {...attributes}
            type="search"
            value={isReady ? '' : (refused ?? filter.q)}
            placeholder={t.searchHint}
            maxlength={SEARCH_MAX}
            data-search
            data-scan
            autofocus={isReady || undefined}
            data-focus={isReady || undefined}
          />
        )}
      />
      <button type="submit">{sharedMessages(view).common.show}</button>
    </form>
  );
}
