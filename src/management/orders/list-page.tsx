import { type BulkOrder, type BulkStep, DESK_COUNTED_MAX, type Desk, ORDER_STATUSES } from '../../orders/service';
import { DESK, EXPECTED, ORDERS, TOUR } from '../http/paths';
import { BulkBar, PickAll } from '../ui/bulk';
import { DateFields } from '../ui/date-filter';
import { Form } from '../ui/fields';
import { FilterSelect, ShopFilter } from '../ui/filters';
import { SearchEverywhere } from '../ui/global-search';
import { Hidden } from '../ui/hidden';
import { Icon } from '../ui/icons';
import { Page } from '../ui/layout';
import { ListFilters } from '../ui/list-filters';
import { sharedMessages } from '../ui/messages';
import { TableHead } from '../ui/table';
import { Bench, countText, Tabs } from '../ui/tabs';
import type { View } from '../ui/view';
import { BulkResult } from './bulk-result';
import { DESK_TABS, type DeskTab, isNarrowed, type ListFilter, listPath, tabPath } from './desk-filter';
import { deskMessages } from './desk-messages';
import { orderRows } from './desk-rows';
import { messages } from './messages';

interface ListProps {
  view: View;
  desk: Desk;
  filter: ListFilter;
  /** What became of a selection. */
  result?: { step: BulkStep; bulk: readonly BulkOrder[] };
  /** What is wrong with one. */
  fault?: string;
}

/** What there is to do with orders, by tabs; every order under the last one. */
export function OrdersPage({ view, desk, filter, result, fault }: ListProps) {
  const { common, nav } = sharedMessages(view);
  const t = deskMessages(view);
  const { orders, nextCursor, counts } = desk;
  return (
    <Page
      view={view}
      title={nav.orders}
      fieldErrors={{ ...filter.days.fieldErrors, ...(fault && { orders: fault }) }}
      lead={t.lead(counted(view.toPack), counted(counts.ready_pickup))}
      acts={
        <a
          class="button ghost"
          href={listPath({ ...filter, cursor: undefined }, `${DESK}/orders.csv`)}
          title={t.fileHint}
          download
        >
          <Icon name="download" />
          {t.file}
        </a>
      }
    >
      <Bench isMany>
        <DeskTabs view={view} counts={counts} current={filter.tab} filter={filter} />
        <Filters view={view} filter={filter} desk={desk} />
      </Bench>
      {result && <BulkResult view={view} {...result} />}
      {orders.length === 0 ? (
        <Empty view={view} filter={filter} />
      ) : (
        <OrderTable view={view} desk={desk} filter={filter} />
      )}
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
  return countText(Math.min(count, DESK_COUNTED_MAX - 1), count >= DESK_COUNTED_MAX);
}

interface DeskTabsProps {
  view: View;
  counts: Desk['counts'];
  current: DeskTab | 'expected' | 'courier';
  /** Whose shop and days the tabs keep. */
  filter?: ListFilter;
}

/** The tabs of everything about orders, what is expected and the tour of the courier among them. */
export function DeskTabs({ view, counts, current, filter }: DeskTabsProps) {
  const t = deskMessages(view);
  const kept = filter ?? { tab: 'to_pack', days: { from: '', to: '', period: {}, fieldErrors: {} } };
  const countOf = { ...counts, to_pack: view.toPack, all: undefined };
  const tabOf = (tab: DeskTabsProps['current'], path: string) => {
    const count = countOf[tab];
    return {
      path,
      label: t.parts[tab],
      isCurrent: tab === current,
      count: count === undefined ? undefined : counted(count),
    };
  };
  const tabs = DESK_TABS.map((tab) => tabOf(tab, tabPath(kept, tab)));
  return (
    <Tabs
      label={sharedMessages(view).nav.orders}
      tabs={[...tabs.slice(0, -1), tabOf('expected', EXPECTED), tabOf('courier', TOUR), ...tabs.slice(-1)]}
    />
  );
}

function Filters({ view, filter, desk: { shops } }: Pick<ListProps, 'view' | 'filter' | 'desk'>) {
  const { orders } = sharedMessages(view);
  const t = deskMessages(view);
  const statuses = ORDER_STATUSES.map((value) => ({ value, label: orders.statuses[value] }));
  return (
    <ListFilters
      view={view}
      action={ORDERS}
      hidden={{ tab: filter.tab === 'to_pack' ? undefined : filter.tab }}
      search={{ label: t.search, placeholder: t.placeholder, value: filter.search, refused: filter.refused }}
      isFiltered={isNarrowed(filter)}
    >
      {filter.tab === 'all' && (
        <FilterSelect
          name="status"
          label={orders.status}
          all={messages(view).allStatuses}
          options={statuses}
          value={filter.status}
        />
      )}
      {shops.length > 1 && <ShopFilter view={view} shops={shops} shopId={filter.shopId} />}
      <DateFields view={view} filter={filter.days} />
    </ListFilters>
  );
}

/** What the buttons tell, where there is one thing to tell. */
const STEPS_OF_TAB: Record<DeskTab, readonly BulkStep[]> = {
  to_pack: ['ready'],
  ready_pickup: [],
  ready_shipping: ['shipped'],
  waiting: [],
  all: ['ready', 'shipped'],
};

function OrderTable({ view, desk, filter }: Pick<ListProps, 'view' | 'desk' | 'filter'>) {
  const { orders } = sharedMessages(view);
  const t = deskMessages(view);
  const steps = STEPS_OF_TAB[filter.tab];
  const [step = null] = steps.length === 1 ? steps : [];
  // Whoever has one shop need not be told which.
  const shops = new Map(desk.shops.length > 1 ? desk.shops.map(({ id, name }) => [id, name]) : []);
  return (
    <Form view={view} action={`${DESK}/bulk`} class="bulky" isGuarded autocomplete="off">
      <Hidden name="to" value={listPath(filter)} />
      <table class="cards rows brief orders" id="orders">
        <TableHead
          columns={[
            { label: <PickAll label={t.pickAll} />, class: 'pick' },
            { label: t.number, class: 'no' },
            { label: orders.fields.customer_name, class: 'name' },
            t.items,
            { label: orders.status, class: 'settle' },
            { label: orders.payment, class: 'payment' },
            { label: orders.fields.shipping_option, class: 'shipping' },
            { label: orders.total, class: 'total number' },
            { label: orders.age, class: 'age number' },
          ]}
        />
        <tbody>{orderRows(view, desk.orders, shops, step)}</tbody>
      </table>
      <BulkBar label={t.selection} picked={t.picked} unpick={t.unpick} why={t.notToMark}>
        <button type="submit" name="do" value="slips">
          <Icon name="print" />
          {t.slips}
        </button>
        <button type="submit" name="do" value="labels">
          <Icon name="tag" />
          {t.labels}
        </button>
        {steps.map((each) => (
          <button type="submit" name="do" value={each} title={each === 'ready' ? t.readyHint : undefined}>
            {t[each]}
          </button>
        ))}
      </BulkBar>
    </Form>
  );
}

function Empty({ view, filter }: Pick<ListProps, 'view' | 'filter'>) {
  const t = messages(view);
  const desk = deskMessages(view);
  const isSome = isNarrowed(filter) || filter.cursor !== undefined;
  const title = filter.tab === 'all' ? t.emptyTitle : desk.emptyPart[filter.tab];
  return (
    <section class="panel empty">
      <h2>{isSome ? t.noneTitle : title}</h2>
      <p class="quiet">{isSome ? t.none : filter.tab === 'waiting' ? desk.whatWaits : t.empty}</p>
      {isSome && (
        <div class="acts">
          <a
            class="button"
            href={listPath({
              ...filter,
              status: undefined,
              shopId: undefined,
              search: undefined,
              cursor: undefined,
              days: { from: '', to: '', period: {}, fieldErrors: {} },
            })}
          >
            {t.resetFilter}
          </a>
          <SearchEverywhere view={view} typed={filter.search} />
        </div>
      )}
    </section>
  );
}
