import { ORDER_STATUSES, type Order, type OrderStatus } from '../../orders/service';
import { ORDERS, orderPath } from '../http/paths';
import { formatMoney, shortIdOf } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { ItemNames } from '../ui/line-name';
import { sharedMessages } from '../ui/messages';
import { customerOf, itemNamesOf, OrderStatusChips } from '../ui/order-summary';
import { TableHead } from '../ui/table';
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
  const shared = sharedMessages(view);
  const t = messages(view);
  const shopNames = new Map(shops.map(({ id, name }) => [id, name]));
  return (
    <Page view={view} title={shared.orders.title}>
      <Filter view={view} shops={shops} filter={filter} />
      {orders.length === 0 ? (
        <Empty view={view} filter={filter} />
      ) : (
        <table class="cards rows orders">
          <TableHead
            columns={[
              shared.orders.id,
              shared.orders.customer,
              { label: shared.orders.shop, class: 'extra' },
              shared.orders.status,
              shared.orders.payment,
              { label: shared.orders.fields.shipping_option, class: 'extra' },
              { label: shared.orders.total, class: 'number' },
              { label: shared.orders.age, class: 'number' },
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
          {filter.cursor && <a href={listPath({ ...filter, cursor: undefined })}>{t.newest}</a>}
          {nextCursor && (
            <a rel="next" href={listPath({ ...filter, cursor: nextCursor })}>
              {t.older}
            </a>
          )}
        </p>
      )}
    </Page>
  );
}

function Row({ view, order, shopName }: { view: View; order: Order; shopName: string }) {
  const shared = sharedMessages(view);
  const customer = customerOf(view, order);
  return (
    <tr>
      <td>
        <a class="go" href={orderPath(order.id)}>
          {shortIdOf(order.id)}
        </a>
      </td>
      <td class="cut" title={customer}>
        <span class="clip" dir="auto">
          {customer}
        </span>
        <small>
          <ItemNames view={view} names={itemNamesOf(order)} />
        </small>
      </td>
      <td class="cut extra" data-label={shared.orders.shop} title={shopName}>
        {shopName}
      </td>
      <td data-label={shared.orders.status}>
        <OrderStatusChips view={view} order={order} />
      </td>
      <td data-label={shared.orders.payment}>{shared.orders.payments[order.paymentStatus]}</td>
      <td class="extra" data-label={shared.orders.fields.shipping_option}>
        {order.shippingOption ?? 'Abholung'}
      </td>
      <td data-label={shared.orders.total} class="number">
        {formatMoney(view.language, order.totalCents)}
      </td>
      <td data-label={shared.orders.age} class="number">
        <Time view={view} at={order.createdAt} />
      </td>
    </tr>
  );
}

/** The filter is sent by GET, so the URL holds it. */
function Filter({ view, shops, filter }: Pick<ListProps, 'view' | 'shops' | 'filter'>) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <form method="get" action={ORDERS} class="filters">
      <select name="status" aria-label={shared.orders.status}>
        <option value="">{t.allStatuses}</option>
        {ORDER_STATUSES.map((status) => (
          <option value={status} selected={status === filter.status}>
            {shared.orders.statuses[status]}
          </option>
        ))}
      </select>
      <select name="shop" aria-label={shared.orders.shop}>
        <option value="">{t.allShops}</option>
        {shops.map(({ id, name }) => (
          <option value={id} selected={id === filter.shopId}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit">{shared.common.show}</button>
      {isFiltered(filter) && <a href={ORDERS}>{t.resetFilter}</a>}
    </form>
  );
}

function Empty({ view, filter }: { view: View; filter: OrdersFilter }) {
  const t = messages(view);
  return (
    <section class="panel wide">
      <h2>{isFiltered(filter) ? t.noneTitle : t.emptyTitle}</h2>
      <p class="quiet">{isFiltered(filter) ? t.none : t.empty}</p>
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
