import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Inbox, InboxEntry } from '../../order-requests/inbox/inbox';
import { INBOX_TABS, type InboxFilter, type InboxTab } from '../../order-requests/inbox/store';
import { asksForRefund } from '../../order-requests/sweep';
import { totalsWith } from '../../orders/rules';
import { LOGO } from '../../platform/markup/assets';
import { MINUTE_MS } from '../../platform/time';
import { ORDERS, REPORTS, REQUESTS, requestPath, TODAY, WELCOME, withQuery } from '../http/paths';
import { INBOX_REFRESH_SECONDS, LATE_MS, OVERDUE_MS } from '../limits';
import { ListFilters, ShopFilter } from '../ui/filters';
import { cappedCount, formatMoney, formatTime, formatWait, moneyMarkup, perLanguage, remembering } from '../ui/format';
import { SearchEverywhere } from '../ui/frame';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { itemsCell, Shipping, titleOf } from '../ui/order-summary';
import { ButtonLink, Icon, type MarkName, Nothing, type Tone } from '../ui/parts';
import { Bench, TableHead, Tabs } from '../ui/table';
import { useView, type View } from '../ui/view';
import { toSettle } from './findings';
import { messages } from './messages';

interface InboxProps {
  filter: InboxFilter;
  inbox: Inbox;
  /** The current time, rounded down to a full minute so that the page does not change within a minute. */
  now: number;
  /** The typed search text, if it was refused. */
  refused?: string;
  /** Whether the reader may read reports. */
  showsToday: boolean;
}

export function InboxPage({ filter, inbox, now, refused, showsToday }: InboxProps) {
  const shared = sharedMessages();
  const { orders } = shared;
  const t = messages();
  const { entries, tabCounts, shops, nextCursor } = inbox;
  const isNarrowed = Boolean(filter.search || filter.shopId || filter.after);
  const isQueue = filter.tab === 'open' || filter.tab === 'needs_info';
  return (
    <Page
      title={shared.nav.orderRequests}
      badge={tabCounts.open.count}
      lead={
        <>
          <Lead inbox={inbox} now={now} isWhole={filter.tab === 'open' && !isNarrowed} />
          {showsToday && (
            <small>
              <a class="ink" href={REPORTS} data-later={TODAY}>
                {shared.dates.spans.today}
              </a>
            </small>
          )}
        </>
      }
      acts={
        <button type="button" hidden title={t.notifyHint} data-notify data-one={t.notifyOne} data-many={t.notifyMany}>
          <Icon name="bell" />
          <span class="name">{t.notify}</span>
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
            count: cappedCount(tabCounts[tab].count, tabCounts[tab].isMore),
            countId: `count-${tab}`,
          }))}
        />
        <SearchForm filter={filter} shops={shops} refused={refused} />
      </Bench>
      <div
        class="news"
        role="status"
        data-new-requests
        data-one={t.newOne}
        data-many={t.newMany}
        data-show={shared.common.show}
      ></div>
      <div id="inbox" data-rows data-refresh-seconds={INBOX_REFRESH_SECONDS}>
        {entries.length > 0 ? (
          <table class="cards rows brief inbox">
            <TableHead
              columns={[
                { label: isQueue ? t.waits : orders.age, class: 'age' },
                { label: orders.fields.customer_name, class: 'name' },
                sharedMessages().common.items,
                { label: orders.total, class: 'total number' },
                { label: orders.fields.shipping_option, class: 'shipping' },
                { label: orders.payment, class: 'payment' },
                { label: shared.prescriptions.title, class: 'prescription' },
                { label: isQueue ? t.toSettle : t.decisionLabel, class: 'settle' },
              ]}
            />
            <tbody>{entryRows({ ...useView(), now }, inbox)}</tbody>
          </table>
        ) : isNarrowed ? (
          <Nothing title={t.nothingFound}>
            <ButtonLink path={inboxPath({ tab: filter.tab })} label={shared.common.resetFilter} />
            <SearchEverywhere typed={filter.search} />
          </Nothing>
        ) : filter.tab === 'open' ? (
          <EmptyInbox inbox={inbox} />
        ) : (
          <Nothing title={t.emptyTab} />
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

/**
 * The longest wait, or that no request waits.
 * @param isWhole whether the page begins with the request that has waited longest. Otherwise the wait is not shown
 */
function Lead({ inbox, now, isWhole }: Pick<InboxProps, 'inbox' | 'now'> & { isWhole: boolean }) {
  const t = messages();
  const [first] = inbox.entries;
  const waited = isWhole && first ? now - first.request.createdAt : 0;
  return (
    <span id="lead" data-live>
      {waited >= MINUTE_MS && t.oldest(formatWait(waited))}
      {inbox.tabCounts.open.count === 0 && t.allDecided}
    </span>
  );
}

function SearchForm({ filter, shops, refused }: Pick<InboxProps, 'filter' | 'refused'> & Pick<Inbox, 'shops'>) {
  const t = messages();
  return (
    <ListFilters
      action={REQUESTS}
      hidden={{ tab: filter.tab === 'open' ? undefined : filter.tab }}
      search={{ label: t.search, placeholder: t.inThisList, value: filter.search, refused }}
      isFiltered={filter.shopId !== undefined}
    >
      {shops.length > 1 && <ShopFilter shops={shops} shopId={filter.shopId} />}
    </ListFilters>
  );
}

/** The content of an empty inbox: links to other work, and to the first steps, as long as there was no request. */
function EmptyInbox({ inbox }: Pick<InboxProps, 'inbox'>) {
  const view = useView();
  const t = messages();
  const hasHost = inbox.shops.some((shop) => shop.host !== null);
  const isNew = INBOX_TABS.every((tab) => inbox.tabCounts[tab].count === 0);
  const asked = inbox.tabCounts.needs_info.count;
  return (
    <section class="panel empty">
      {LOGO}
      <h2>{t.emptyTitle}</h2>
      <p class="quiet">{hasHost ? t.emptyLead : t.emptyWithoutShop}</p>
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
        {isNew && view.session?.role === 'owner' && <ButtonLink path={WELCOME} label={t.emptyTry} />}
      </div>
    </section>
  );
}

/** The path of the inbox, with the filter as its query. */
function inboxPath({ tab, shopId, search, after }: Partial<InboxFilter> & { tab: InboxTab }): string {
  return withQuery(REQUESTS, { tab: tab === 'open' ? undefined : tab, shop: shopId, q: search, after });
}

/**
 * The rows of the inbox. They are built from shared markup, because the inbox is requested most often and its rows take
 * most of the time.
 */
function entryRows(view: View, { entries, shops }: Pick<Inbox, 'entries' | 'shops'>): JSX.Element {
  const parts = partsOf(view.language);
  // If the organization has only one shop, the rows do not name the shop.
  const names = shops.length > 1 ? new Map(shops.map(({ id, name }) => [id, name])) : undefined;
  return html`${entries.map((entry) => entryRow(view, parts, entry, names?.get(entry.request.shopId)))}`;
}

/** The parts of markup that the rows of the inbox share. */
const partsOf = perLanguage((_, language) => {
  const { orders, prescriptions } = sharedMessages({ language });
  const t = messages({ language });
  const { states } = prescriptions;
  const prescription = (tone: Tone, text: string, mark?: MarkName) => ({
    beside: Chip({ tone, mark, children: text }),
    // Phones show this chip if nothing else must be settled. They show no column heading, so the chip names its
    // subject.
    alone: Chip({ tone, mark, children: html`<span class="phone">${prescriptions.title} </span>${text}` }),
  });
  const noneNeeded = html`<span class="quiet table">&ndash;<span class="unseen"> ${states.none}</span></span>`;
  const quiet = (text: string) => html`<span class="quiet">${text}</span>`;
  const { express } = orders.fields;
  return {
    late: remembering((text: string) => html`<b class="late">${text}<span class="unseen"> (${t.late})</span></b>`),
    overdue: remembering(
      (text: string) => html`<b class="overdue">${text}<span class="unseen"> (${t.overdue})</span></b>`,
    ),
    express: html`<span class="flag" title="${express}">${Icon({ name: 'bolt' })}<span class="unseen">${express}</span></span>`,
    byPrescription: html`<span class="quiet clip">${t.byPrescription}</span>`,
    none: html`<span class="quiet">&ndash;</span>`,
    payments: {
      cash_on_pickup: quiet(t.paymentsShort.cash_on_pickup),
      paid: Chip({ tone: 'good', children: t.paymentsShort.paid }),
      pending: quiet(t.paymentsShort.pending),
    },
    prescriptions: {
      stored: prescription('off', states.stored),
      fetching: prescription('off', states.fetching, 'half'),
      fetch_failed: prescription('bad', states.fetch_failed, 'failed'),
      approved: prescription('good', states.approved),
      set_aside: prescription('off', states.set_aside, 'aside'),
      erased: prescription('off', states.erased, 'aside'),
      missing: prescription('bad', states.missing),
      none: { beside: noneNeeded, alone: noneNeeded },
    },
  };
});

type Parts = ReturnType<typeof partsOf>;

/**
 * A row of the inbox. Its markup is short because open pages fetch 50 rows every few seconds.
 * @param shop the shop's name; undefined if the organization has only one shop
 */
function entryRow(view: View, parts: Parts, entry: InboxEntry, shop: string | undefined): JSX.Element {
  const { request, lines, charges, blockers } = entry;
  const isMissing = blockers.some(({ code }) => code === 'prescription_missing');
  const prescription = parts.prescriptions[isMissing ? 'missing' : entry.prescription];
  const settle = toSettle(view, entry);
  const isSecond = settle !== null && !isMissing;
  const total = lines.length > 0 ? totalsWith(lines, charges).totalCents : request.totalCents;
  const sum = total === null ? parts.none : moneyMarkup(total, view);
  const isOver = total !== null && asksForRefund(request, view.now);
  const refund = isOver && Chip({ tone: 'bad', children: messages(view).refund(formatMoney(total, view)) });
  const payment = refund || parts.payments[request.paymentStatus];
  return html`<tr>${age(view, parts, request, shop)}<td class="name">${name(parts, request)}</td>${lines.length === 0 ? html`<td class="what">${parts.byPrescription}</td>` : itemsCell(lines.map((line) => line.productName ?? line.name))}<td class="total number">${sum}</td><td class="shipping">${Shipping({ option: request.shippingOption })}</td><td class="payment">${payment}</td><td class="prescription${isSecond ? ' second' : ''}">${prescription[isSecond ? 'beside' : 'alone']}</td><td class="settle${isMissing ? ' second' : ''}">${settle}</td></tr>\n`;
}

function name(parts: Parts, { id, customerName, customerEmail, shippingOption }: InboxEntry['request']): JSX.Element {
  const customer = customerName ?? customerEmail ?? '';
  const link = html`<a class="go" href="${requestPath(id)}" dir="auto"${titleOf(customer)}>${customer}</a>`;
  return shippingOption === 'Express' ? html`<span class="with">${link}${parts.express}</span>` : link;
}

function age(
  { language, now }: View,
  parts: Parts,
  { status, createdAt }: InboxEntry['request'],
  shop?: string,
): JSX.Element {
  const waited = status === 'pending' ? now - createdAt : 0;
  const time = formatTime(createdAt, { language });
  const title = shop === undefined ? time : `${time}, ${shop}`;
  const mark = waited > OVERDUE_MS ? parts.overdue : waited > LATE_MS ? parts.late : null;
  const text = formatWait(now - createdAt, { language });
  return html`<td class="age" title="${title}">${mark ? mark(text) : text}</td>`;
}
