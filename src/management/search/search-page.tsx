import type { DeskFindings } from '../../order-requests/service';
import { SEARCHED_MAX } from '../../orders/limits';
import { SEARCH_MAX } from '../../platform/limits';
import { orderPath, requestPath } from '../http/paths';
import { formatCount, formatMoney, shortIdOf } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, OrderStatusChips } from '../ui/order-summary';
import { RequestChip } from '../ui/request-chip';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { messages } from './messages';

interface SearchProps {
  view: View;
  typed: string;
  /** Null when nothing was searched. */
  found: DeskFindings | null;
  isTooLong: boolean;
}

export function SearchPage({ view, typed, found, isTooLong }: SearchProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <Page view={view} title={found ? t.foundTitle(typed) : t.title}>
      {isTooLong && <p class="fault">{shared.search.tooLong(SEARCH_MAX)}</p>}
      {!found && !isTooLong && <p class="quiet">{t.lead}</p>}
      {found && found.requests.length + found.orders.length === 0 && (
        <p class="quiet">{t.nothing(formatCount(view.language, SEARCHED_MAX))}</p>
      )}
      {found && found.requests.length > 0 && <Requests view={view} requests={found.requests} />}
      {found && found.orders.length > 0 && <Orders view={view} orders={found.orders} />}
    </Page>
  );
}

function Requests({ view, requests }: { view: View; requests: DeskFindings['requests'] }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <section>
      <h2>{shared.requests.title}</h2>
      <table class="cards inbox">
        <TableHead
          columns={[
            shared.requests.age,
            shared.requests.customer,
            shared.requests.email,
            shared.requests.reference,
            t.state,
          ]}
        />
        <tbody>
          {requests.map((request) => (
            <tr>
              <td data-label={shared.requests.age}>
                <Time view={view} at={request.createdAt} />
              </td>
              <td>
                <a class="clip" href={requestPath(request.id)} dir="auto">
                  {request.customerName ?? request.customerEmail ?? request.id.slice(-12)}
                </a>
              </td>
              <td data-label={shared.requests.email}>
                <span class="clip" dir="auto">
                  {request.customerEmail}
                </span>
              </td>
              <td data-label={shared.requests.reference}>
                <span class="clip" dir="auto">
                  {request.externalReference}
                </span>
              </td>
              <td data-label={t.state}>
                <RequestChip view={view} request={request} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Orders({ view, orders }: { view: View; orders: DeskFindings['orders'] }) {
  const shared = sharedMessages(view);
  return (
    <section class="after">
      <h2>{shared.orders.title}</h2>
      <table class="cards orders">
        <TableHead
          columns={[
            shared.orders.id,
            shared.orders.customer,
            shared.orders.status,
            { label: shared.orders.total, class: 'number' },
            { label: shared.orders.age, class: 'number' },
          ]}
        />
        <tbody>
          {orders.map((order) => (
            <tr>
              <td>
                <a href={orderPath(order.id)}>{shortIdOf(order.id)}</a>
              </td>
              <td class="cut" title={customerOf(view, order)}>
                <bdi>{customerOf(view, order)}</bdi>
              </td>
              <td data-label={shared.orders.status}>
                <OrderStatusChips view={view} order={order} />
              </td>
              <td data-label={shared.orders.total} class="number">
                {formatMoney(view.language, order.totalCents)}
              </td>
              <td data-label={shared.orders.age} class="number">
                <Time view={view} at={order.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
