import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { readCode } from '../../codes/read';
import { HITS_COUNTED_MAX } from '../../order-requests/limits';
import { type DeskFindings, globalSearch, SEARCH_TABS, type SearchTab } from '../../order-requests/search/search';
import { BATCH_MAX } from '../../orders/limits';
import { orderOfLabel } from '../../orders/packing/pack';
import { findBatch, type SuppliedBatch } from '../../orders/read';
import { SEARCH_MAX } from '../../platform/limits';
import { wordsIn } from '../../search/words';
import type { ManageContext, ManageEnv } from '../http/env';
import {
  BATCHES,
  labelledPath,
  ORDERS,
  orderPath,
  PRODUCTS,
  productPath,
  REQUESTS,
  requestPath,
  SEARCH,
  withQuery,
} from '../http/paths';
import { BATCH_HITS_SHOWN } from '../limits';
import { readSearch } from '../ui/filters';
import { amountText, cappedCount, dayText, formatMoney, kept } from '../ui/format';
import { Chip, Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, ItemNames, itemNamesOf, OrderChips, RequestChip } from '../ui/order-summary';
import { ButtonLink, Nothing, Notice } from '../ui/parts';
import { type Column, Table, Tabs } from '../ui/table';
import { respondPage, useView } from '../ui/view';
import { messages } from './messages';

/**
 * Routes of the search over products, orders, and order requests in every state. A scanned label opens its order, a
 * scanned pack opens its product, and "die 4711" opens order 4711.
 */
export const searchRoutes = new Hono<ManageEnv>().get('/batches', respondBatch).get('/', async (c) => {
  const { typed, text, refused } = readSearch(c);
  const batch = NAMES_BATCH.exec(typed)?.[1]?.slice(0, BATCH_MAX);
  if (batch) return c.redirect(withQuery(BATCHES, { q: batch }));
  const tab = SEARCH_TABS.find((each) => each === c.req.query('tab')) ?? 'all';
  const code = readCode(c.req.query('q') ?? '');
  // Eight digits alone may be a reference number. Eight digits with further characters are a pack's code.
  const isCode = code?.kind === 'pack' && code.pzn !== null && code.pzn !== c.req.query('q')?.trim();
  if (isCode) return c.redirect(withQuery(PRODUCTS, { q: code.pzn ?? '' }));
  const labelled = code?.kind === 'label' ? await orderOfLabel(c.var.ctx, code) : null;
  if (labelled) return c.redirect(labelledPath(labelled));
  const pzn = code?.kind === 'pack' ? code.pzn : null;
  const isTooLong = refused !== undefined;
  const found = text === undefined ? null : await globalSearch(c.var.ctx, text, tab);
  if (found?.meant && tab === 'all') return c.redirect(orderPath(found.meant));
  return respondPage(c, <SearchPage {...{ typed, tab, found, isTooLong, pzn }} />, isTooLong ? 400 : 200);
});

interface SearchProps {
  typed: string;
  tab: SearchTab;
  /** The findings; null if nothing was searched. */
  found: DeskFindings | null;
  isTooLong: boolean;
  /** The PZN in the typed text, if any. */
  pzn: string | null;
}

function SearchPage({ typed, tab, found, isTooLong, pzn }: SearchProps) {
  const t = messages();
  const { nav, navShort, search } = sharedMessages();
  const labels = { all: t.all, requests: navShort.orderRequests, orders: nav.orders, products: nav.products };
  const count = (kind: SearchTab) =>
    cappedCount(found?.counts[kind] ?? 0, (found?.counts[kind] ?? 0) >= HITS_COUNTED_MAX);
  return (
    <Page title={found ? t.foundTitle(typed) : t.title}>
      {isTooLong && <p class="fault">{search.tooLong(SEARCH_MAX)}</p>}
      {found?.isBehind && <Notice tone="note">{t.isBehind}</Notice>}
      {found && found.counts.all > 0 && (
        <Tabs
          label={t.narrow}
          tabs={SEARCH_TABS.map((each) => ({
            path: pathOfTab(typed, each),
            label: labels[each],
            isCurrent: each === tab,
            count: count(each),
          }))}
        />
      )}
      {found?.counts[tab] === 0 && (
        <Nothing title={t.nothing} text={t.nothingLead}>
          <ButtonLink path={REQUESTS} label={nav.orderRequests} />
          <ButtonLink path={`${ORDERS}?tab=all`} label={nav.orders} />
        </Nothing>
      )}
      {pzn && found?.counts.products === 0 && (
        <p>
          <a href={withQuery(PRODUCTS, { q: pzn })}>{t.productWith(pzn)}</a>
        </p>
      )}
      {found && <Found {...{ typed, tab, found, count }} />}
      <p class="quiet page-end">{t.how}</p>
    </Page>
  );
}

function pathOfTab(q: string, tab: SearchTab): string {
  return withQuery(SEARCH, { q, tab: tab === 'all' ? undefined : tab });
}

interface FoundProps extends Pick<SearchProps, 'typed' | 'tab'> {
  found: DeskFindings;
  count: (kind: SearchTab) => string;
}

/** The lists of hits. Each has a link to its further hits. */
function Found({ typed, tab, found, count }: FoundProps) {
  const { nav } = sharedMessages();
  const t = messages();
  // A request whose order is shown as well is not shown twice.
  const ordered = new Set(found.orders.map(({ id }) => id));
  const requests = found.requests.filter(({ orderId }) => orderId === null || !ordered.has(orderId));
  const lists = [
    ['requests', nav.orderRequests, requests.length, <FoundRequests {...{ typed, requests }} />],
    ['orders', nav.orders, found.orders.length, <FoundOrders typed={typed} orders={found.orders} />],
    ['products', nav.products, found.products.length, <FoundProducts typed={typed} products={found.products} />],
  ] as const;
  return (
    <>
      {lists.map(
        ([kind, title, shown, list]) =>
          shown > 0 && (
            <section>
              <h2>{title}</h2>
              {list}
              {found.counts[kind] > found[kind].length && (
                <p class="pager">
                  {tab === 'all' ? (
                    <a href={pathOfTab(typed, kind)}>{t.allOf(count(kind))}</a>
                  ) : (
                    <span class="quiet">{t.newest(String(shown))}</span>
                  )}
                </p>
              )}
            </section>
          ),
      )}
    </>
  );
}

type Hits = Pick<SearchProps, 'typed'>;

function FoundRequests({ typed, requests }: Hits & Pick<DeskFindings, 'requests'>) {
  return (
    <HitTable
      rows={requests}
      name={{
        label: sharedMessages().orders.fields.customer_name,
        titleOf: ({ customerName, customerEmail }) => customerName ?? customerEmail ?? '',
      }}
      nameOf={({ id, customerName, customerEmail }) => (
        <a class="go" href={requestPath(id)}>
          <Marked text={customerName ?? customerEmail ?? id.slice(-12)} typed={typed} />
        </a>
      )}
      what={{
        label: sharedMessages().common.items,
        cell: ({ approvedItems, items }) => (
          <ItemNames
            names={soughtFirst(
              (approvedItems ?? items).map(
                (item) => ('productName' in item && item.productName) || item.name || item.p1Id || '',
              ),
              typed,
            )}
          />
        ),
      }}
      status={(request) => <RequestChip request={request} />}
      at={({ createdAt }) => createdAt}
    />
  );
}

function FoundOrders({ typed, orders }: Hits & Pick<DeskFindings, 'orders'>) {
  const view = useView();
  const { orders: t } = sharedMessages();
  return (
    <HitTable
      rows={orders}
      name={{ label: t.fields.customer_name, titleOf: (order) => `${order.number} ${customerOf(view, order)}` }}
      nameOf={(order) => (
        <a class="go" href={orderPath(order.id)}>
          <span class="no-of">{order.number}</span> <Marked text={customerOf(view, order)} typed={typed} />
        </a>
      )}
      what={{
        label: sharedMessages().common.items,
        cell: (order) => <ItemNames names={soughtFirst(itemNamesOf(order), typed)} />,
      }}
      status={(order) => (
        <>
          <OrderChips order={order} />
          {order.expectedOn !== null && <span class="shelf-of">{messages().rest(dayText(order.expectedOn))}</span>}
          {order.shelf !== null && (
            <span class="shelf-of">
              {t.fields.shelf} <b dir="auto">{order.shelf}</b>
            </span>
          )}
        </>
      )}
      at={({ createdAt }) => createdAt}
      cents={({ totalCents }) => totalCents}
    />
  );
}

function FoundProducts({ typed, products }: Hits & Pick<DeskFindings, 'products'>) {
  const { products: t, common } = sharedMessages();
  return (
    <HitTable
      rows={products}
      name={{ label: t.fields.name, titleOf: (product) => product.name ?? product.catalogName }}
      nameOf={(product) => (
        <a class="go" href={productPath(product.p1Id)}>
          <Marked text={product.name ?? product.catalogName} typed={typed} />
        </a>
      )}
      what={{
        label: 'PZN',
        cell: ({ pzn, p1Id }) => <span class="quiet">{[pzn && `PZN ${pzn}`, p1Id].filter(Boolean).join(' · ')}</span>,
      }}
      status={({ stockQuantity }) => (
        <Chip tone={stockQuantity ? 'off' : 'wait'}>{messages().stock(stockQuantity ?? 0)}</Chip>
      )}
      statusLabel={common.stock}
      cents={({ priceCents, catalogPriceCents }) => priceCents ?? catalogPriceCents}
      centsLabel={common.price}
    />
  );
}

interface HitTableProps<Row> {
  rows: readonly Row[];
  name: { label: string; titleOf: (row: Row) => string };
  nameOf: (row: Row) => Child;
  what: Pick<Column<Row>, 'label' | 'cell'>;
  status: (row: Row) => Child;
  statusLabel?: string;
  /** Missing for requests: the sum that a platform sent may differ from what the review computes. */
  cents?: (row: Row) => number | null;
  centsLabel?: string;
  at?: (row: Row) => number;
}

/** A table of hits. All kinds of hits share the same columns, so they are easy to compare. */
function HitTable<Row>(props: HitTableProps<Row>) {
  const { rows, name, nameOf, what, status, statusLabel, cents, centsLabel, at } = props;
  const { orders: t } = sharedMessages();
  return (
    <Table
      class="rows brief hits"
      rows={rows}
      columns={[
        { label: name.label, class: 'name', kind: 'name', title: name.titleOf, cell: nameOf },
        { ...what, class: 'what' },
        { label: statusLabel ?? t.status, class: 'settle', cell: status },
        { label: t.age, class: 'age', cell: (row) => at && <Time at={at(row)} /> },
        ...(cents ? [sumColumn(centsLabel ?? t.total, cents)] : []),
      ]}
    />
  );
}

function sumColumn<Row>(label: string, cents: (row: Row) => number | null) {
  const cell = (row: Row) => {
    const amount = cents(row);
    return amount === null ? '' : formatMoney(amount);
  };
  return { label, class: 'total', kind: 'number' as const, cell };
}

/** The names, with those that match the search first. Their order is otherwise unchanged. */
function soughtFirst(names: readonly string[], typed: string): string[] {
  const isSought = soughtBy(typed);
  return [...names.filter(isSought), ...names.filter((name) => !isSought(name))];
}

/** Returns a function that tells whether a word of a text begins with a typed word. */
function soughtBy(typed: string): (text: string) => boolean {
  const sought = wordsIn(typed);
  return (text) => wordsIn(text).some((word) => sought.some((each) => word.startsWith(each)));
}

/** A name with the matching words marked. */
function Marked({ text, typed }: { text: string; typed: string }) {
  const isSought = soughtBy(typed);
  const parts = kept(text).split(/(\s)/);
  return <bdi>{parts.map((part) => (isSought(part) ? <mark>{part}</mark> : part))}</bdi>;
}

/** Matches a search for a batch, such as `Charge AB12`, and captures the batch. */
const NAMES_BATCH = /^(?:charge|batch|lot)[ :]+([^ :].*)$/i;

/** Shows who got packs of a batch. */
async function respondBatch(c: ManageContext): Promise<Response> {
  const batch = (c.req.query('q') ?? '').trim().slice(0, BATCH_MAX);
  if (batch === '') return c.redirect(SEARCH);
  const after = c.req.query('after')?.slice(0, 64) ?? null;
  const found = await findBatch(c.var.ctx, { batch, limit: BATCH_HITS_SHOWN, after });
  return respondPage(c, <BatchPage batch={batch} {...found} />);
}

function BatchPage({ batch, supplied, nextCursor }: Awaited<ReturnType<typeof findBatch>> & { batch: string }) {
  const t = messages();
  const { orders, common } = sharedMessages();
  return (
    <Page title={t.batchTitle(batch)} back={{ path: SEARCH, label: t.title }}>
      {supplied.length === 0 ? (
        <Nothing title={t.batchNothing} />
      ) : (
        <Table
          class="rows brief"
          rows={supplied}
          columns={[
            {
              label: orders.id,
              kind: 'name',
              cell: ({ order }) => <a href={orderPath(order.id)}>{order.number}</a>,
            },
            { label: t.batchPerson, cell: (row) => <Person row={row} /> },
            { label: common.items, cell: ({ item }) => <bdi>{kept(item.productName ?? item.name)}</bdi> },
            { label: common.quantity, cell: ({ item, quantity }) => amountText({ unit: item.unit, quantity }) },
            { label: orders.status, cell: ({ left }) => (left ? t.batchLeft : t.batchHere) },
            { label: common.time, cell: ({ order }) => <Time at={order.createdAt} /> },
          ]}
        />
      )}
      {nextCursor && (
        <p>
          <a href={withQuery(BATCHES, { q: batch, after: nextCursor })} lang={useView().language}>
            {t.batchMore}
          </a>
        </p>
      )}
    </Page>
  );
}

/**
 * The person who got packs of the batch, and how to reach them. After an erasure, it shows only the data that the law
 * requires the pharmacy to keep.
 */
function Person({ row }: { row: SuppliedBatch }) {
  const t = messages();
  const { order, customerName, prescriberName } = row;
  const facts = [
    order.addressPhone,
    order.customerEmail,
    prescriberName && t.batchPrescriber(prescriberName),
    order.erasedAt !== null && t.batchErased,
  ];
  return (
    <>
      <bdi>{customerName ?? sharedMessages().orders.noName}</bdi>
      <small>{facts.filter(Boolean).join('\u00a0· ')}</small>
    </>
  );
}
