import { SEARCH_MAX } from '../../platform/limits';
import { SEARCH, withQuery } from '../http/paths';
import { Icon } from './icons';
import { sharedMessages } from './messages';
import type { View } from './view';

/** On every page: finds requests, orders and products by what a customer can name on the telephone. */
export function GlobalSearch({ view }: { view: View }) {
  const { search: t } = sharedMessages(view);
  return (
    <search class="find">
      <form method="get" action={SEARCH}>
        <Icon name="search" />
        <input
          name="q"
          type="search"
          value={searchedIn(view)}
          aria-label={t.label}
          aria-keyshortcuts={view.hasShortcuts ? '/' : undefined}
          placeholder={t.hint}
          maxlength={SEARCH_MAX}
          autocomplete="off"
          autofocus={view.path === SEARCH}
          data-search="codes"
        />
        {view.hasShortcuts && (
          <span class="kbd" aria-hidden="true">
            /
          </span>
        )}
      </form>
    </search>
  );
}

/** From a list in which a text was not found to the search in everything; nothing where nothing was typed. */
export function SearchEverywhere({ view, typed }: { view: View; typed: string | undefined }) {
  if (!typed) return null;
  return <a href={withQuery(SEARCH, { q: typed })}>{sharedMessages(view).search.everywhere(typed)}</a>;
}

function searchedIn({ path }: View): string | undefined {
  const [page, query] = path.split('?');
  return page === SEARCH ? (new URLSearchParams(query).get('q') ?? undefined) : undefined;
}
