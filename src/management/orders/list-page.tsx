import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import {
  type BulkOrder,
  type BulkRefusal,
  type BulkStep,
  bulkRefusal,
  type Desk,
  type DeskSearch,
} from '../../orders/desk/desk';
import { DESK_PARTS, type DeskPart } from '../../orders/desk/store';
import { DESK_COUNTED_MAX } from '../../orders/limits';
import { isNothingHere, progressOf } from '../../orders/rules';
import type { Order } from '../../orders/store';
import { ORDER_STATUSES, type OrderStatus } from '../../orders/tables';
import { readCookie, writeCookie } from '../http/cookies';
import type { ManageContext } from '../http/env';
import { DESK, EXPECTED, ORDERS, orderPath, TOUR, withQuery } from '../http/paths';
import { Button, Form, Hidden, Select } from '../ui/fields';
import {
  DateFields,
  type DateFilter,
  dateQuery,
  ListFilters,
  readDateFilter,
  readSearch,
  ShopFilter,
} from '../ui/filters';
import { countBelow, formatTime, formatWait, moneyMarkup } from '../ui/format';
import { SearchEverywhere } from '../ui/frame';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import {
  customerOf,
  itemNamesOf,
  itemsCell,
  lookOf,
  paymentLookOf,
  Shipping,
  statusText,
  titleOf,
} from '../ui/order-summary';
import { ButtonLink, Icon, Nothing, Notice } from '../ui/parts';
import { Bench, BulkBar, TableHead, Tabs } from '../ui/table';
import { useView, type View } from '../ui/view';
import { listMessages } from './list-messages';
import { messages } from './messages';

interface ListProps {
  desk: Desk;
  filter: ListFilter;
  /** The outcome of a bulk step. */
  result?: { step: BulkStep; bulk: readonly BulkOrder[] };
}

/** The list of orders. It has a tab for each kind of work. The last tab has all orders. */
export function OrdersPage({ desk, filter, result }: ListProps) {
  const { common, nav } = sharedMessages();
  const t = listMessages();
  const { orders, nextCursor, counts } = desk;
  return (
    <Page
      title={nav.orders}
      onPaper={`${nav.orders}: ${t.parts[filter.tab]}`}
      fieldErrors={filter.days.fieldErrors}
      lead={t.lead(counted(useView().toPack), counted(counts.ready_pickup))}
      acts={
        <ButtonLink
          path={listPath({ ...filter, cursor: undefined }, `${DESK}/orders.csv`)}
          tone="ghost"
          icon="download"
          title={t.fileHint}
          download
          label={common.export}
        />
      }
    >
      <Bench isMany>
        <DeskTabs counts={counts} current={filter.tab} filter={filter} />
        <Filters filter={filter} desk={desk} />
      </Bench>
      {result && <BulkResult {...result} />}
      {orders.length === 0 ? <Empty filter={filter} /> : <OrderTable desk={desk} filter={filter} />}
      {(filter.cursor || nextCursor) && (
        <p class="pager">
          {filter.cursor && <a href={listPath({ ...filter, cursor: undefined })}>{common.newest}</a>}
          {nextCursor && (
            <a rel="next" href={listPath({ ...filter, cursor: nextCursor })}>
              {common.older}
            </a>
          )}
        </p>
      )}
    </Page>
  );
}

function counted(count: number): string {
  return countBelow(count, DESK_COUNTED_MAX);
}

interface DeskTabsProps {
  counts: Desk['counts'];
  current: DeskTab | 'expected' | 'courier';
  /** The filter whose shop and days the tabs keep. */
  filter?: ListFilter;
}

/** The tabs above all order lists, including expected goods and the courier's tour. */
export function DeskTabs({ counts, current, filter }: DeskTabsProps) {
  const { shopId, days = NO_DAYS } = filter ?? {};
  const countOf = { ...counts, to_pack: useView().toPack, all: undefined };
  const tabOf = (tab: DeskTabsProps['current'], path: string) => {
    const count = countOf[tab];
    return {
      path,
      label: listMessages().parts[tab],
      isCurrent: tab === current,
      count: count === undefined ? undefined : counted(count),
    };
  };
  const tabs = DESK_TABS.map((tab) => tabOf(tab, listPath({ tab, shopId, days })));
  return (
    <Tabs
      label={sharedMessages().nav.orders}
      tabs={[...tabs.slice(0, -1), tabOf('expected', EXPECTED), tabOf('courier', TOUR), ...tabs.slice(-1)]}
    />
  );
}

function Filters({ filter, desk: { shops } }: Pick<ListProps, 'filter' | 'desk'>) {
  const { orders } = sharedMessages();
  const t = listMessages();
  const status = { name: 'status', label: orders.status, none: messages().allStatuses };
  const statuses = ORDER_STATUSES.map((value) => ({ value, label: orders.statuses[value] }));
  return (
    <ListFilters
      action={ORDERS}
      hidden={{ tab: filter.tab === 'to_pack' ? undefined : filter.tab }}
      search={{ label: t.search, placeholder: t.placeholder, value: filter.search, refused: filter.refused }}
      isFiltered={isNarrowed(filter)}
    >
      {filter.tab === 'all' && <Select {...status} options={statuses} value={filter.status} />}
      {shops.length > 1 && <ShopFilter shops={shops} shopId={filter.shopId} />}
      <DateFields filter={filter.days} />
    </ListFilters>
  );
}

/** The bulk steps that each tab offers. */
const STEPS_OF_TAB: Record<DeskTab, readonly BulkStep[]> = {
  to_pack: ['ready'],
  ready_pickup: [],
  ready_shipping: ['shipped'],
  waiting: [],
  all: ['ready', 'shipped'],
};

function OrderTable({ desk, filter }: Pick<ListProps, 'desk' | 'filter'>) {
  const { orders } = sharedMessages();
  const t = listMessages();
  const steps = STEPS_OF_TAB[filter.tab];
  const [step = null] = steps.length === 1 ? steps : [];
  // If the organization has only one shop, the rows do not name the shop.
  const shops = new Map(desk.shops.length > 1 ? desk.shops.map(({ id, name }) => [id, name]) : []);
  return (
    <Form action={`${DESK}/bulk`} class="bulky" isGuarded autocomplete="off">
      <Hidden name="to" value={listPath(filter)} />
      <table class="cards rows brief orders" id="orders">
        <TableHead
          columns={[
            { label: <input type="checkbox" aria-label={t.pickAll} hidden data-pick-all />, class: 'pick' },
            { label: t.number, class: 'no' },
            { label: orders.fields.customer_name, class: 'name' },
            sharedMessages().common.items,
            { label: orders.status, class: 'settle' },
            { label: orders.payment, class: 'payment' },
            { label: orders.fields.shipping_option, class: 'shipping' },
            { label: orders.total, class: 'total number' },
            { label: orders.age, class: 'age number' },
          ]}
        />
        <tbody>{orderRows(desk.orders, shops, step)}</tbody>
      </table>
      <BulkBar label={t.selection} picked={t.picked} unpick={t.unpick} why={t.notToMark}>
        <Button name="do" value="slips" icon="print" label={t.slips} />
        <Button name="do" value="labels" icon="tag" label={t.labels} />
        {steps.map((each) => (
          <Button name="do" value={each} title={each === 'ready' ? t.readyHint : undefined} label={t[each]} />
        ))}
      </BulkBar>
    </Form>
  );
}

function Empty({ filter }: Pick<ListProps, 'filter'>) {
  const t = messages();
  const desk = listMessages();
  const isSome = isNarrowed(filter) || filter.cursor !== undefined;
  const title = filter.tab === 'all' ? t.emptyTitle : desk.emptyPart[filter.tab];
  return (
    <Nothing
      title={isSome ? t.noneTitle : title}
      text={isSome ? t.none : filter.tab === 'waiting' ? desk.whatWaits : t.empty}
    >
      {isSome && (
        <>
          <ButtonLink path={listPath({ tab: filter.tab, days: NO_DAYS })} label={sharedMessages().common.resetFilter} />
          <SearchEverywhere typed={filter.search} />
        </>
      )}
    </Nothing>
  );
}

/**
 * The rows of the list, one line each. The whole row is a link and has a checkbox.
 * @param step the tab's only bulk step; null for several or none. The checkbox of an order that this step would refuse
 *   has the reason
 */
function orderRows(orders: readonly Order[], shops: ReadonlyMap<string, string>, step: BulkStep | null): JSX.Element {
  const view = useView();
  return html`${orders.map((order) => orderRow(view, order, shops.get(order.shopId), step))}`;
}

function orderRow(view: View, order: Order, shop: string | undefined, step: BulkStep | null): JSX.Element {
  const t = listMessages(view);
  const { number } = order;
  const customer = customerOf(view, order);
  const refusal = step && bulkRefusal(order, step);
  const why = refusal && html` data-why="${`${number} ${customer} (${refusalText(view, refusal, order)})`}"`;
  const link = html`<a class="go" href="${orderPath(order.id)}"${titleOf(customer)}><bdi>${customer}</bdi></a>`;
  const { express } = sharedMessages(view).orders.fields;
  const name = order.express
    ? html`<span class="with">${link}<span class="flag" title="${express}">${Icon({ name: 'bolt' })}<span class="unseen">${express}</span></span></span>`
    : link;
  const tracked = [order.carrier, order.trackingNumber].filter(Boolean).join(' ');
  const received = [formatTime(order.createdAt, view), shop].filter(Boolean).join(', ');
  return html`<tr><td class="pick"><input type="checkbox" name="order" value="${number}" aria-label="${t.pick(number)}"${why}></td><td class="no">${number}</td><td class="name">${name}</td>${itemsCell(itemNamesOf(order))}<td class="settle">${status(view, order)}</td><td class="payment">${payment(view, order)}</td><td class="shipping"${tracked && html` title="${tracked}"`}>${Shipping({ option: order.shippingOption })}</td><td class="total number">${moneyMarkup(order.totalCents, view)}</td><td class="age number" title="${received}">${formatWait(view.now - order.createdAt, view)}</td></tr>\n`;
}

/** The obstacle of the order, or its status if there is none. For an order to pack, also the packing progress. */
function status(view: View, order: Order): JSX.Element {
  const { text, all, ...look } = lookOf(view, order);
  const { packed, packs } = progressOf(order);
  const far =
    order.status === 'awaiting_packing' && !isNothingHere(order)
      ? html` <span class="quiet" title="${listMessages(view).progress(packed, packs)}">${packed}/${packs}</span>`
      : null;
  return html`<span class="with" title="${all}">${Chip({ ...look, children: text })}${far}</span>`;
}

function payment(view: View, order: Order): JSX.Element {
  const { tone, text } = paymentLookOf(view, order);
  return tone === 'off' ? html`<span class="quiet">${text}</span>` : Chip({ tone, children: text });
}

/** The short text of a refusal: `3 von 5 gepackt`, `angehalten`; for `other_status`, the order's status. */
function refusalText(view: View, refusal: BulkRefusal | 'changed', order: Order): string {
  const t = listMessages(view);
  if (refusal === 'other_status') return statusText(view, order, order.status);
  const { packed, packs } = progressOf(order);
  return refusal === 'not_packed' ? t.progress(packed, packs) : t.refusals[refusal];
}

/** The refusals that staff can resolve on the page that asks for confirmation before shipping. */
const ASKED: readonly (BulkRefusal | 'changed')[] = [
  'rest_owed',
  'payment_open',
  'address_missing',
  'prescription_expired',
  'rule_blocks',
];

/** The path of the page on which staff can resolve the refusal of an order. */
function remedyOf({ order, refusal }: BulkOrder): string {
  const path = orderPath(order.id);
  if (refusal === 'original_missing') return `${path}/original`;
  return refusal && ASKED.includes(refusal) ? `${path}/ship` : path;
}

/**
 * The outcome of a bulk step: the orders that were changed, and the refused orders with the reason and a link to the
 * page that resolves it.
 */
function BulkResult({ step, bulk }: { step: BulkStep; bulk: readonly BulkOrder[] }) {
  const view = useView();
  const t = listMessages();
  const done = bulk.filter(({ isDone }) => isDone);
  const left = bulk.filter(({ isDone }) => !isDone);
  const link = ({ order }: BulkOrder, place: number, path: string) => (
    <>
      {place > 0 && ', '}
      <a href={path}>
        {order.number} <bdi>{customerOf(view, order)}</bdi>
      </a>
    </>
  );
  return (
    <Notice tone={left.length > 0 ? 'wait' : 'good'} role="status" class="bulk-result">
      <p>
        <b>{t.done[step](done.length, bulk.length)}</b>
        {done.length > 0 && ': '}
        {done.map((each, place) => link(each, place, orderPath(each.order.id)))}
      </p>
      {left.length > 0 && (
        <p>
          <b>{t.left}:</b>{' '}
          {left.map((each, place) => (
            <>
              {link(each, place, remedyOf(each))} ({refusalText(view, each.refusal ?? 'changed', each.order)})
            </>
          ))}
        </p>
      )}
    </Notice>
  );
}

type DeskTab = Exclude<DeskPart, 'courier'> | 'all';
const DESK_TABS = [...DESK_PARTS.filter((part) => part !== 'courier'), 'all'] as const satisfies readonly DeskTab[];

/** The list's filter, from its URL. */
interface ListFilter {
  tab: DeskTab;
  status?: OrderStatus;
  shopId?: string;
  days: DateFilter;
  search?: string;
  /** A search text that is too long. */
  refused?: string;
  /** Only orders older than this id. */
  cursor?: string;
}

const NO_DAYS: DateFilter = { from: '', to: '', period: {}, fieldErrors: {} };
const ID_MAX = 100;
const idIn = (text: string | undefined) => (text && text.length <= ID_MAX ? text : undefined);

/** Reads the filter from the query. A status without a tab selects the tab of all orders. */
export function readListFilter(c: ManageContext): ListFilter {
  const query = c.req.query();
  const status = ORDER_STATUSES.find((known) => known === query.status);
  const tab = DESK_TABS.find((known) => known === query.tab) ?? (status ? 'all' : 'to_pack');
  const { text: search, refused } = readSearch(c);
  return {
    tab,
    status: tab === 'all' ? status : undefined,
    shopId: idIn(query.shop),
    days: readDateFilter(c),
    search,
    refused,
    cursor: idIn(query.cursor),
  };
}

export function deskFilterOf({ tab, status, shopId, days, search }: ListFilter): DeskSearch {
  return { part: tab === 'all' ? undefined : tab, status, shopId, search, ...days.period };
}

/** Whether a filter other than the tab is set. */
function isNarrowed({ status, shopId, days, search }: ListFilter): boolean {
  return [status, shopId, days.when, search].some((value) => value !== undefined);
}

function queryOf({ tab, status, shopId, days, search, cursor }: ListFilter) {
  const named = tab === 'to_pack' ? undefined : tab;
  return { tab: named, status, shop: shopId, ...dateQuery(days), q: search, cursor };
}

/** The list's path with this filter. */
export function listPath(filter: ListFilter, path = ORDERS): string {
  return withQuery(path, queryOf(filter));
}

/**
 * The cookie with the last shown list or tour, to which the link back from an order leads. The cookie omits the search,
 * which may be a name.
 */
const COOKIE = 'orders_seen';
const REMEMBERED = ['tab', 'status', 'shop', 'when', 'from', 'to', 'cursor'];
const TOUR_SEEN = 'tour';

export function rememberList(c: ManageContext, filter: ListFilter | 'tour'): void {
  const seen = filter === 'tour' ? TOUR_SEEN : withQuery('', queryOf({ ...filter, search: undefined })).slice(1);
  if (seen !== (readCookie(c, COOKIE) ?? '')) writeCookie(c, COOKIE, seen, seen === '' ? 0 : undefined);
}

export function listSeen(c: ManageContext): string {
  const seen = readCookie(c, COOKIE) ?? '';
  if (seen === TOUR_SEEN) return TOUR;
  const query = new URLSearchParams(seen.slice(0, 500));
  return withQuery(ORDERS, Object.fromEntries(REMEMBERED.map((name) => [name, query.get(name) ?? undefined])));
}
