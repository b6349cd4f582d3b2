import type { Inbox, InboxEntry, InboxFilter } from '../../order-requests/service';
import { INBOX_TABS, type InboxTab } from '../../order-requests/service';
import { SEARCHED_MAX } from '../../orders/limits';
import { SEARCH_MAX } from '../../platform/limits';
import { HOUR_MS, MINUTE_MS } from '../../platform/time';
import { REQUESTS, requestPath } from '../http/paths';
import { Labeled } from '../ui/fields';
import { formatCount, formatMoney } from '../ui/format';
import { Chip, Page, Time } from '../ui/layout';
import { ItemNames } from '../ui/line-name';
import { sharedMessages } from '../ui/messages';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { blockerShort, itemsOf } from './findings';
import { messages } from './messages';

/** Ages from which a waiting request is marked as late and as very late. */
const LATE_MS = 30 * MINUTE_MS;
const OVERDUE_MS = 2 * HOUR_MS;
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
    <Page view={view} title={shared.requests.title} badge={tabCounts.open.count}>
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
      <div
        class="news"
        role="status"
        data-new-requests
        data-one={t.newOne}
        data-many={t.newMany}
        data-show={t.showNew}
      ></div>
      <div id="inbox" data-rows data-refresh-seconds={REFRESH_SECONDS}>
        {entries.length > 0 ? (
          <table class="cards inbox">
            <TableHead
              columns={[
                shared.requests.age,
                shared.requests.customer,
                { label: t.shop, class: 'extra' },
                t.items,
                { label: t.total, class: 'number' },
                t.shippingAndPayment,
                shared.prescriptions.title,
                t.warnings,
              ]}
            />
            <tbody>
              {entries.map((entry) => (
                <EntryRow
                  view={view}
                  entry={entry}
                  shopName={shops.find(({ id }) => id === entry.request.shopId)?.name}
                />
              ))}
            </tbody>
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
  const t = messages(view);
  return (
    <form method="get" action={REQUESTS} class="filters">
      {filter.tab !== 'open' && <input type="hidden" name="tab" value={filter.tab} />}
      <Labeled
        name="q"
        label={t.search}
        error={refused === undefined ? undefined : shared.search.tooLong(SEARCH_MAX)}
        control={(attributes) => (
          <input
            {...attributes}
            type="search"
            value={refused ?? filter.search}
            placeholder={t.searchHint}
            data-search
            maxlength={SEARCH_MAX}
          />
        )}
      />
      {shops.length > 1 && (
        <div class="field">
          <label for="shop">{t.shop}</label>
          <select id="shop" name="shop">
            <option value="">{t.allShops}</option>
            {shops.map(({ id, name }) => (
              <option value={id} selected={id === filter.shopId}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <button type="submit">{t.show}</button>
    </form>
  );
}

function EntryRow({ view, entry, shopName }: { view: View; entry: InboxEntry; shopName?: string }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const { request, prescription, lines } = entry;
  const names = lines.map((line) => line.productName ?? line.name);
  const tone = { stored: 'good', fetching: 'wait', fetch_failed: 'bad', erased: 'quiet', none: 'quiet' } as const;
  return (
    <tr data-row={request.id}>
      <td data-label={shared.requests.age}>
        <Age view={view} request={request} />
      </td>
      <td>
        <a
          class="clip"
          href={requestPath(request.id)}
          dir="auto"
          title={request.customerName ?? request.customerEmail ?? ''}
        >
          {request.customerName ?? request.customerEmail}
        </a>
      </td>
      <td class="extra" data-label={t.shop}>
        <span class="clip" title={shopName}>
          {shopName}
        </span>
        <small class="clip" dir="auto" title={request.source}>
          {request.source}
        </small>
      </td>
      <td class="items" data-label={t.items}>
        {names.length > 0 && <ItemNames view={view} names={names} />}
      </td>
      <td class="number" data-label={t.total}>
        {request.totalCents === null ? '–' : formatMoney(view.language, request.totalCents)}
      </td>
      <td data-label={t.shippingAndPayment}>
        {request.shippingOption ?? t.noShipping}
        <small>{t.payments[request.paymentStatus]}</small>
      </td>
      <td data-label={shared.prescriptions.title}>
        <Chip tone={tone[prescription]}>{shared.prescriptions.states[prescription]}</Chip>
      </td>
      <td data-label={t.warnings}>
        <EntryFindings view={view} entry={entry} />
      </td>
    </tr>
  );
}

/** Obstacles and warnings, each once; a tooltip names the items. */
function EntryFindings({ view, entry }: { view: View; entry: InboxEntry }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const { blockers, warnings } = entry;
  const codes = [...new Set(blockers.map(({ code }) => code))];
  const about = (code: (typeof codes)[number]) =>
    blockers.filter((blocker) => blocker.code === code).flatMap((blocker) => itemsOf(blocker, entry));
  const said = [...new Set(warnings.map(({ code }) => shared.requests.warningTexts[code]))];
  if (codes.length === 0 && said.length === 0) return null;
  return (
    <span class="chips">
      {codes.map((code) => (
        <span title={about(code).join('\n') || undefined}>
          <Chip tone="bad">{blockerShort(view, code)}</Chip>
        </span>
      ))}
      {said.length > 0 && (
        <span title={said.join('\n')}>
          <Chip tone="wait">{t.warningCount(warnings.length)}</Chip>
        </span>
      )}
    </span>
  );
}

function Age({ view, request }: { view: View; request: InboxEntry['request'] }) {
  const time = <Time view={view} at={request.createdAt} />;
  const waited = view.now - request.createdAt;
  if (request.status !== 'pending' || waited <= LATE_MS) return time;
  const isOverdue = waited > OVERDUE_MS;
  return (
    <>
      {time}
      <small>
        <Chip tone={isOverdue ? 'bad' : 'wait'}>{isOverdue ? messages(view).overdue : messages(view).late}</Chip>
      </small>
    </>
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
    <section class="panel wide">
      <h2>{t.emptyTitle}</h2>
      <p>{t.emptyLead}</p>
      <pre id="curl">{command}</pre>
      <button type="button" hidden data-copy="curl" data-copied={shared.common.copied}>
        {shared.common.copy}
      </button>
    </section>
  );
}

/** The inbox's own URL, which holds its filter. */
export function inboxPath({ tab, shopId, search, after }: Partial<InboxFilter> & { tab: InboxTab }): string {
  const query = new URLSearchParams({
    ...(tab !== 'open' && { tab }),
    ...(shopId && { shop: shopId }),
    ...(search && { q: search }),
    ...(after && { after }),
  });
  return query.size === 0 ? REQUESTS : `${REQUESTS}?${query}`;
}
