import { SEARCH_MAX } from '../../platform/limits';
import type { Child } from '../../platform/markup/markup';
import { Labeled } from './fields';
import { Hidden } from './hidden';
import { Icon } from './icons';
import { sharedMessages } from './messages';
import type { View } from './view';

interface ListFiltersProps {
  view: View;
  /** Path of the list. */
  action: string;
  /** What the address of the list says beside the filters, such as its tab. */
  hidden?: Record<string, string | undefined>;
  /** Label, placeholder and value of the search; `refused` is what was typed and is too long. */
  search: { label: string; placeholder: string; value?: string; refused?: string };
  /** Some filter is set: a phone shows all of them at first. */
  isFiltered: boolean;
  /** The filters behind the search; on a phone they show once one asks for them. */
  children?: Child;
}

/** Search and filters of a list. They are sent by GET, so the address holds them. */
export function ListFilters({ view, action, hidden = {}, search, isFiltered, children }: ListFiltersProps) {
  const shared = sharedMessages(view);
  const { refused, value, label, placeholder } = search;
  return (
    <form method="get" action={action} class="filters">
      {Object.entries(hidden).map(([name, text]) => text && <Hidden name={name} value={text} />)}
      <Labeled
        name="q"
        label={label}
        error={refused === undefined ? undefined : shared.search.tooLong(SEARCH_MAX)}
        control={(attributes) => (
          <div class="find">
            <Icon name="search" />
            <input
              {...attributes}
              type="search"
              value={refused ?? value}
              placeholder={placeholder}
              data-search
              maxlength={SEARCH_MAX}
            />
          </div>
        )}
      />
      {children && (
        <label class="button toggle">
          <input class="unseen" type="checkbox" checked={isFiltered} />
          <Icon name="sliders" />
          {shared.common.filter}
        </label>
      )}
      {children}
      <button type="submit">{shared.common.show}</button>
    </form>
  );
}
