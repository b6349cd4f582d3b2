import { ORDER_STATUSES, type Order, type OrderStatus } from '../../orders/service';
import { ORDERS, orderPath, withQuery } from '../http/paths';
import { Options } from '../ui/fields';
import { shopOptions } from '../ui/filters';
import { formatMoney } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { ItemNames } from '../ui/line-name';
import { sharedMessages } from '../ui/messages';
import { customerOf, itemNamesOf, OrderStatusChips } from '../ui/order-summary';
import { Panel } from '../ui/parts';
import { shippingWord } from '../ui/shipping';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { messages } from './messages';

export interface OrdersFilter {
  status?: OrderStatus;
  shopId?: string;
  cursor?: string;
}

interface ListProps {
  view: View;
  orders: Order[];
  shops: { id: string; name: string }[];
  filter: OrdersFilter;
  nextCursor: string | null;
}

export function OrdersPage({ view, orders, shops, filter, nextCursor }: ListProps) {
  const { common, nav } = sharedMessages(view);
  return (
    <Page view={view} title={nav.orders}>
      <Filter view={view} shops={shops} filter={filter} />
      {orders.length === 0 ? (
        <Empty view={view} filter={filter} />
      ) : (
        <OrderTable view={view} orders={orders} shops={shops} />
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

function OrderTable({ view, orders, shops }: Pick<ListProps, 'view' | 'orders' | 'shops'>) {
  const { orders: t } = sharedMessages(view);
  const shopNames = new Map(shops.map(({ id, name }) => [id, name]));
  const shopOf = ({ shopId }: Order) => shopNames.get(shopId) ?? '';
  return (
    <Table
      class="rows orders"
      rows={orders}
      columns={[
        {
          label: t.id,
          kind: 'name',
          cell: ({ id, number }) => (
            <a class="go" href={orderPath(id)}>
              {number}
            </a>
          ),
        },
        {
          label: t.customer,
          kind: 'name',
          cellClass: 'cut',
          title: (order) => customerOf(view, order),
          cell: (order) => (
            <>
              <span class="clip" dir="auto">
                {customerOf(view, order)}
              </span>
              <small>
                <ItemNames view={view} names={itemNamesOf(order)} />
              </small>
            </>
          ),
        },
        { label: t.shop, class: 'extra', cellClass: 'cut', title: shopOf, cell: shopOf },
        { label: t.status, cell: (order) => <OrderStatusChips view={view} order={order} /> },
        { label: t.payment, cell: ({ paymentStatus }) => t.payments[paymentStatus] },
        {
          label: t.fields.shipping_option,
          class: 'extra',
          cell: ({ shippingOption }) => shippingWord(view, shippingOption),
        },
        { label: t.total, kind: 'number', cell: ({ totalCents }) => formatMoney(view.language, totalCents) },
        { label: t.age, kind: 'number', cell: ({ createdAt }) => <Time view={view} at={createdAt} /> },
      ]}
    />
  );
}

/** The filter is sent by GET, so the URL holds it. */
function Filter({ view, shops, filter }: Pick<ListProps, 'view' | 'shops' | 'filter'>) {
  const { common, orders } = sharedMessages(view);
  const t = messages(view);
  const statuses = ORDER_STATUSES.map((value) => ({ value, label: orders.statuses[value] }));
  return (
    <form method="get" action={ORDERS} class="filters">
      <select name="status" aria-label={orders.status}>
        <Options options={statuses} value={filter.status} none={t.allStatuses} />
      </select>
      <select name="shop" aria-label={orders.shop}>
        <Options options={shopOptions(shops)} value={filter.shopId} none={common.allShops} />
      </select>
      <button type="submit">{common.show}</button>
      {isFiltered(filter) && <a href={ORDERS}>{t.resetFilter}</a>}
    </form>
  );
}

function Empty({ view, filter }: { view: View; filter: OrdersFilter }) {
  const t = messages(view);
  return (
    <Panel title={isFiltered(filter) ? t.noneTitle : t.emptyTitle} isWide>
      <p class="quiet">{isFiltered(filter) ? t.none : t.empty}</p>
    </Panel>
  );
}

function isFiltered({ status, shopId }: OrdersFilter): boolean {
  return status !== undefined || shopId !== undefined;
}

function listPath({ status, shopId, cursor }: OrdersFilter): string {
  return withQuery(ORDERS, { status, shop: shopId, cursor });
}
