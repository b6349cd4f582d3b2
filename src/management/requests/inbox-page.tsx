import { INBOX_TABS, type Inbox, type InboxFilter, type InboxTab } from '../../order-requests/service';
import { SEARCHED_MAX } from '../../orders/limits';
import { SEARCH_MAX } from '../../platform/limits';
import { REQUESTS, withQuery } from '../http/paths';
import { Labeled } from '../ui/fields';
import { FilterSelect, shopOptions } from '../ui/filters';
import { formatCount } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { entryRows } from './entry-row';
import { messages } from './messages';

/** Interval at which an open page is refreshed. */
const REFRESH_SECONDS = 15;

interface InboxProps {
  view: View;
  filter: InboxFilter;
  inbox: Inbox;
  /** The typed search, when it cannot be searched. */
  refused?: string;
  baseUrl: string;
}

export function InboxPage({ view, filter, inbox, refused, baseUrl }: InboxProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const { entries, tabCounts, shops, nextCursor } = inbox;
  const isNarrowed = Boolean(filter.search || filter.shopId || filter.after);
  return (
    <Page view={view} title={shared.nav.orderRequests} badge={tabCounts.open.count}>
      <div class="bench">
        <nav class="tabs" aria-label={t.tabsLabel}>
          {INBOX_TABS.map((tab) => (
            <a href={inboxPath({ tab, shopId: filter.shopId })} aria-current={tab === filter.tab ? 'page' : undefined}>
              {shared.requests.tabs[tab]}{' '}
              <span class="count" id={`count-${tab}`} data-live>
                {tabCounts[tab].count}
                {tabCounts[tab].isMore && '+'}
              </span>
            </a>
          ))}
        </nav>
        <SearchForm view={view} filter={filter} shops={shops} refused={refused} />
      </div>
      <div
        class="news"
        role="status"
        data-new-requests
        data-one={t.newOne}
        data-many={t.newMany}
        data-show={shared.common.show}
      ></div>
      <div id="inbox" data-rows data-refresh-seconds={REFRESH_SECONDS}>
        {entries.length > 0 ? (
          <table class="cards rows inbox">
            <TableHead
              columns={[
                shared.orders.age,
                shared.orders.customer,
                { label: shared.orders.shop, class: 'extra' },
                t.items,
                { label: shared.orders.total, class: 'number' },
                t.shippingAndPayment,
                shared.prescriptions.title,
                t.warnings,
              ]}
            />
            <tbody>{entryRows(view, inbox)}</tbody>
          </table>
        ) : isNarrowed ? (
          <p class="quiet">{t.nothingFound(formatCount(view.language, SEARCHED_MAX))}</p>
        ) : filter.tab === 'open' ? (
          <EmptyInbox view={view} host={shops.find(({ host }) => host !== null)?.host} baseUrl={baseUrl} />
        ) : (
          <p class="quiet">{t.emptyTab}</p>
        )}
        {nextCursor && (
          <p class="pager">
            <a class="button" href={inboxPath({ ...filter, after: nextCursor })}>
              {t.nextPage}
            </a>
          </p>
        )}
      </div>
    </Page>
  );
}

function SearchForm({ view, filter, shops, refused }: Omit<InboxProps, 'inbox' | 'baseUrl'> & Pick<Inbox, 'shops'>) {
  const shared = sharedMessages(view);
  return (
    <form method="get" action={REQUESTS} class="filters">
      {filter.tab !== 'open' && <input type="hidden" name="tab" value={filter.tab} />}
      <Labeled
        name="q"
        label={messages(view).search}
        error={refused === undefined ? undefined : shared.search.tooLong(SEARCH_MAX)}
        control={(attributes) => (
          <input
            {...attributes}
            type="search"
            value={refused ?? filter.search}
            placeholder={shared.search.hint}
            data-search
            maxlength={SEARCH_MAX}
          />
        )}
      />
      {shops.length > 1 && (
        <FilterSelect
          name="shop"
          label={shared.orders.shop}
          all={shared.common.allShops}
          options={shopOptions(shops)}
          value={filter.shopId}
        />
      )}
      <button type="submit">{shared.common.show}</button>
    </form>
  );
}

/** An empty inbox explains how requests arrive. */
function EmptyInbox({ view, host, baseUrl }: { view: View; host?: string | null; baseUrl: string }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  if (!host) return <p class="quiet">{t.emptyWithoutShop}</p>;
  const url = new URL('/api/v1/external-order', baseUrl);
  url.hostname = host;
  const body = `{"payload":{"customer_name":"Erika Mustermann","items":[{"name":"Ibuprofen 400","quantity":1,"price":4.95}]}}`;
  const command = `curl -X POST ${url.href} \\\n  -H 'apikey: ${t.keyPlaceholder}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
  return (
    <Panel title={t.emptyTitle} isWide>
      <p>{t.emptyLead}</p>
      <pre id="curl">{command}</pre>
      <button type="button" hidden data-copy="curl" data-copied={shared.common.copied}>
        {shared.common.copy}
      </button>
    </Panel>
  );
}

/** The inbox's own URL, which holds its filter. */
export function inboxPath({ tab, shopId, search, after }: Partial<InboxFilter> & { tab: InboxTab }): string {
  return withQuery(REQUESTS, { tab: tab === 'open' ? undefined : tab, shop: shopId, q: search, after });
}
