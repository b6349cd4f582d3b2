import { INBOX_TABS, type Inbox, type InboxFilter, type InboxTab } from '../../order-requests/service';
import { LOGO } from '../../platform/markup/logo';
import { MINUTE_MS } from '../../platform/time';
import { ORDERS, REQUESTS, withQuery } from '../http/paths';
import { ShopFilter } from '../ui/filters';
import { formatWait } from '../ui/format';
import { SearchEverywhere } from '../ui/global-search';
import { Icon } from '../ui/icons';
import { Page } from '../ui/layout';
import { ListFilters } from '../ui/list-filters';
import { sharedMessages } from '../ui/messages';
import { TableHead } from '../ui/table';
import { Bench, countText, Tabs } from '../ui/tabs';
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
  const { orders } = shared;
  const t = messages(view);
  const { entries, tabCounts, shops, nextCursor } = inbox;
  const isNarrowed = Boolean(filter.search || filter.shopId || filter.after);
  const isQueue = filter.tab === 'open' || filter.tab === 'needs_info';
  return (
    <Page
      view={view}
      title={shared.nav.orderRequests}
      badge={tabCounts.open.count}
      lead={<Lead view={view} inbox={inbox} isWhole={filter.tab === 'open' && !isNarrowed} />}
      acts={
        <button type="button" hidden title={t.notifyHint} data-notify data-one={t.notifyOne} data-many={t.notifyMany}>
          <Icon name="bell" />
          {t.notify}
        </button>
      }
    >
      <Bench>
        <Tabs
          label={t.tabsLabel}
          tabs={INBOX_TABS.map((tab) => ({
            path: inboxPath({ tab, shopId: filter.shopId }),
            label: shared.requests.tabs[tab],
            isCurrent: tab === filter.tab,
            count: countOf(tabCounts[tab]),
            countId: `count-${tab}`,
          }))}
        />
        <SearchForm view={view} filter={filter} shops={shops} refused={refused} />
      </Bench>
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
          <table class="cards rows brief inbox">
            <TableHead
              columns={[
                { label: isQueue ? t.waits : t.since, class: 'age' },
                { label: orders.fields.customer_name, class: 'name' },
                t.items,
                { label: orders.total, class: 'total number' },
                { label: orders.fields.shipping_option, class: 'shipping' },
                { label: orders.payment, class: 'payment' },
                { label: shared.prescriptions.title, class: 'prescription' },
                { label: isQueue ? t.toSettle : t.decisionLabel, class: 'settle' },
              ]}
            />
            <tbody>{entryRows(view, inbox)}</tbody>
          </table>
        ) : isNarrowed ? (
          <p class="quiet">
            {t.nothingFound} <SearchEverywhere view={view} typed={filter.search} />
          </p>
        ) : filter.tab === 'open' ? (
          <EmptyInbox view={view} inbox={inbox} baseUrl={baseUrl} />
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

/** How many wait, and for how long. @param isWhole the first row is the one that waits longest of all */
function Lead({ view, inbox, isWhole }: { view: View; inbox: Inbox; isWhole: boolean }) {
  const t = messages(view);
  const [first] = inbox.entries;
  const { open } = inbox.tabCounts;
  const waited = isWhole && first ? view.now - first.request.createdAt : 0;
  return (
    <span id="lead" data-live>
      {waited >= MINUTE_MS && t.openSince(countOf(open), formatWait(view.language, waited))}
      {open.count === 0 && t.allDecided}
    </span>
  );
}

function countOf({ count, isMore }: Inbox['tabCounts'][InboxTab]): string {
  return countText(count, isMore);
}

function SearchForm({ view, filter, shops, refused }: Omit<InboxProps, 'inbox' | 'baseUrl'> & Pick<Inbox, 'shops'>) {
  const t = messages(view);
  return (
    <ListFilters
      view={view}
      action={REQUESTS}
      hidden={{ tab: filter.tab === 'open' ? undefined : filter.tab }}
      search={{ label: t.search, placeholder: t.inThisList, value: filter.search, refused }}
      isFiltered={filter.shopId !== undefined}
    >
      {shops.length > 1 && <ShopFilter view={view} shops={shops} shopId={filter.shopId} />}
    </ListFilters>
  );
}

/** An empty inbox leads on to what else there is to do, and says how requests arrive. */
function EmptyInbox({ view, inbox, baseUrl }: { view: View; inbox: Inbox; baseUrl: string }) {
  const t = messages(view);
  const host = inbox.shops.find((shop) => shop.host !== null)?.host;
  const asked = inbox.tabCounts.needs_info.count;
  return (
    <section class="panel empty">
      {LOGO}
      <h2>{t.emptyTitle}</h2>
      <p class="quiet">{host ? t.emptyLead : t.emptyWithoutShop}</p>
      <div class="acts">
        {view.toPack > 0 && (
          <a class="button" href={ORDERS}>
            <Icon name="box" />
            {t.pack(view.toPack)}
          </a>
        )}
        {asked > 0 && (
          <a class="button" href={inboxPath({ tab: 'needs_info' })}>
            {t.openQuestions(asked)}
          </a>
        )}
      </div>
      {host && <Trial view={view} host={host} baseUrl={baseUrl} />}
    </section>
  );
}

/** How to send a request as a platform does. */
function Trial({ view, host, baseUrl }: { view: View; host: string; baseUrl: string }) {
  const { common } = sharedMessages(view);
  const t = messages(view);
  const url = new URL('/api/v1/external-order', baseUrl);
  url.hostname = host;
  const body = `{"payload":{"customer_name":"Erika Mustermann","items":[{"name":"Ibuprofen 400","quantity":1,"price":4.95}]}}`;
  const command = `curl -X POST ${url.href} \\\n  -H 'apikey: ${t.keyPlaceholder}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
  return (
    <details class="fold">
      <summary>{t.emptyTry}</summary>
      <pre id="curl">{command}</pre>
      <button type="button" hidden data-copy="curl" data-copied={common.copied}>
        {common.copy}
      </button>
    </details>
  );
}

/** The inbox's own URL, which holds its filter. */
export function inboxPath({ tab, shopId, search, after }: Partial<InboxFilter> & { tab: InboxTab }): string {
  return withQuery(REQUESTS, { tab: tab === 'open' ? undefined : tab, shop: shopId, q: search, after });
}
