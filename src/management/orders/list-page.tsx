import { ORDER_STATUSES, type Order, type OrderStatus } from '../../orders/service';
import { ORDERS, orderPath } from '../http/paths';
import { formatMoney, shortIdOf } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { ItemNames } from '../ui/line-name';
import { customerOf, itemNamesOf, OrderStatusChips } from '../ui/order-summary';
import { Heads } from '../ui/table';
import type { View } from '../ui/view';

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
  const words = view.words.orders;
  const shopNames = new Map(shops.map(({ id, name }) => [id, name]));
  return (
    <Page view={view} title={words.title}>
      <Filter view={view} shops={shops} filter={filter} />
      {orders.length === 0 ? (
        <Empty view={view} filter={filter} />
      ) : (
        <table class="cards orders">
          <Heads
            columns={[
              words.id,
              words.customer,
              { label: words.shop, class: 'extra' },
              words.status,
              words.payment,
              { label: words.shipping, class: 'extra' },
              { label: words.total, class: 'number' },
              { label: words.age, class: 'number' },
            ]}
          />
          <tbody>
            {orders.map((order) => (
              <Row view={view} order={order} shopName={shopNames.get(order.shopId) ?? ''} />
            ))}
          </tbody>
        </table>
      )}
      {(filter.cursor || nextCursor) && (
        <p class="pager">
          {filter.cursor && <a href={listPath({ ...filter, cursor: undefined })}>{words.newest}</a>}
          {nextCursor && (
            <a rel="next" href={listPath({ ...filter, cursor: nextCursor })}>
              {words.older}
            </a>
          )}
        </p>
      )}
    </Page>
  );
}

function Row({ view, order, shopName }: { view: View; order: Order; shopName: string }) {
  const words = view.words.orders;
  const customer = customerOf(view, order);
  return (
    <tr>
      <td>
        <a href={orderPath(order.id)}>{shortIdOf(order.id)}</a>
      </td>
      <td class="cut" title={customer}>
        <span class="clip" dir="auto">
          {customer}
        </span>
        <small>
          <ItemNames view={view} names={itemNamesOf(order)} />
        </small>
      </td>
      <td class="cut extra" data-label={words.shop} title={shopName}>
        {shopName}
      </td>
      <td data-label={words.status}>
        <OrderStatusChips view={view} order={order} />
      </td>
      <td data-label={words.payment}>{words.payments[order.paymentStatus]}</td>
      <td class="extra" data-label={words.shipping}>
        {order.shippingOption ?? 'Abholung'}
      </td>
      <td data-label={words.total} class="number">
        {formatMoney(view.language, order.totalCents)}
      </td>
      <td data-label={words.age} class="number">
        <Time view={view} at={order.createdAt} />
      </td>
    </tr>
  );
}

/** A plain GET: what is chosen stands in the address. */
function Filter({ view, shops, filter }: Pick<ListProps, 'view' | 'shops' | 'filter'>) {
  const words = view.words.orders;
  return (
    <form method="get" action={ORDERS} class="inline filter">
      <select name="status" aria-label={words.status}>
        <option value="">{words.allStatuses}</option>
        {ORDER_STATUSES.map((status) => (
          <option value={status} selected={status === filter.status}>
            {words.statuses[status]}
          </option>
        ))}
      </select>
      <select name="shop" aria-label={words.shop}>
        <option value="">{words.allShops}</option>
        {shops.map(({ id, name }) => (
          <option value={id} selected={id === filter.shopId}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit">{words.filter}</button>
      {isFiltered(filter) && <a href={ORDERS}>{words.resetFilter}</a>}
    </form>
  );
}

function Empty({ view, filter }: { view: View; filter: OrdersFilter }) {
  const words = view.words.orders;
  return (
    <section class="panel wide">
      <h2>{isFiltered(filter) ? words.noneTitle : words.emptyTitle}</h2>
      <p class="quiet">{isFiltered(filter) ? words.none : words.empty}</p>
    </section>
  );
}

function isFiltered({ status, shopId }: OrdersFilter): boolean {
  return status !== undefined || shopId !== undefined;
}

function listPath({ status, shopId, cursor }: OrdersFilter): string {
  const query = new URLSearchParams();
  if (status) query.set('status', status);
  if (shopId) query.set('shop', shopId);
  if (cursor) query.set('cursor', cursor);
  return query.size === 0 ? ORDERS : `${ORDERS}?${query}`;
}
