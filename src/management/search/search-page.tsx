import { type DeskFindings, SEARCH_TABS, type SearchTab } from '../../order-requests/service';
import { SEARCH_MAX } from '../../platform/limits';
import { HITS_COUNTED_MAX } from '../../search/limits';
import { ORDERS, PRODUCTS, REQUESTS, SEARCH, withQuery } from '../http/paths';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Say } from '../ui/parts';
import { countText, Tabs } from '../ui/tabs';
import type { View } from '../ui/view';
import { FoundOrders, FoundProducts, FoundRequests } from './hits';
import { messages } from './messages';

interface SearchProps {
  view: View;
  typed: string;
  tab: SearchTab;
  /** Null when nothing was searched. */
  found: DeskFindings | null;
  isTooLong: boolean;
  /** The PZN that was typed, if it is one. */
  pzn: string | null;
}

export function SearchPage({ view, typed, tab, found, isTooLong, pzn }: SearchProps) {
  const t = messages(view);
  const count = (kind: SearchTab) =>
    countText(found?.counts[kind] ?? 0, (found?.counts[kind] ?? 0) >= HITS_COUNTED_MAX);
  const counts = { requests: count('requests'), orders: count('orders'), products: count('products') };
  return (
    <Page
      view={view}
      title={found ? t.foundTitle(typed) : t.title}
      lead={found && found.counts.all > 0 ? t.found(counts) : undefined}
    >
      {isTooLong && <p class="fault">{sharedMessages(view).search.tooLong(SEARCH_MAX)}</p>}
      {found?.isBehind && <Say tone="note">{t.isBehind}</Say>}
      {found && found.counts.all > 0 && (
        <Tabs
          label={t.narrow}
          tabs={SEARCH_TABS.map((each) => ({
            path: pathOfTab(typed, each),
            label: labelOf(view, each),
            isCurrent: each === tab,
            count: count(each),
          }))}
        />
      )}
      {found?.counts[tab] === 0 && <Nothing view={view} />}
      {pzn && found?.counts.products === 0 && (
        <p>
          <a href={withQuery(PRODUCTS, { q: pzn })}>{t.productWith(pzn)}</a>
        </p>
      )}
      {found && <Found {...{ view, typed, tab, found, count }} />}
      <p class="quiet found-how">{t.how}</p>
    </Page>
  );
}

/** Leads on where nothing was found. */
function Nothing({ view }: { view: View }) {
  const t = messages(view);
  const { nav } = sharedMessages(view);
  return (
    <section class="panel empty">
      <h2>{t.nothing}</h2>
      <p class="quiet">{t.nothingLead}</p>
      <div class="acts">
        <a class="button" href={REQUESTS}>
          {nav.orderRequests}
        </a>
        <a class="button" href={`${ORDERS}?tab=all`}>
          {nav.orders}
        </a>
      </div>
    </section>
  );
}

function pathOfTab(q: string, tab: SearchTab): string {
  return withQuery(SEARCH, { q, tab: tab === 'all' ? undefined : tab });
}

function labelOf(view: View, tab: SearchTab): string {
  const { nav, navShort } = sharedMessages(view);
  return { all: messages(view).all, requests: navShort.orderRequests, orders: nav.orders, products: nav.products }[tab];
}

interface FoundProps extends Pick<SearchProps, 'view' | 'typed' | 'tab'> {
  found: DeskFindings;
  count: (kind: SearchTab) => string;
}

/** The lists that are shown, each with what there is beyond them. */
function Found({ view, typed, tab, found, count }: FoundProps) {
  const { nav } = sharedMessages(view);
  const t = messages(view);
  const props = { view, typed };
  const lists = [
    {
      kind: 'requests',
      title: nav.orderRequests,
      rows: found.requests,
      list: <FoundRequests {...props} requests={found.requests} />,
    },
    { kind: 'orders', title: nav.orders, rows: found.orders, list: <FoundOrders {...props} orders={found.orders} /> },
    {
      kind: 'products',
      title: nav.products,
      rows: found.products,
      list: <FoundProducts {...props} products={found.products} />,
    },
  ] as const;
  return (
    <>
      {lists.map(
        ({ kind, title, rows, list }) =>
          rows.length > 0 && (
            <section>
              <h2>{title}</h2>
              {list}
              {found.counts[kind] > rows.length && (
                <p class="pager">
                  {tab === 'all' ? (
                    <a href={pathOfTab(typed, kind)}>{t.allOf(count(kind))}</a>
                  ) : (
                    <span class="quiet">{t.newest(String(rows.length))}</span>
                  )}
                </p>
              )}
            </section>
          ),
      )}
    </>
  );
}
