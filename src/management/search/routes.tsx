import { Hono } from 'hono';
import { type DeskFindings, globalSearch } from '../../order-requests/service';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageEnv } from '../http/env';
import { orderPath, requestPath } from '../http/paths';
import { formatMoney, shortIdOf } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, OrderStatusChips } from '../ui/order-summary';
import { RequestChip } from '../ui/request-chip';
import { Heads } from '../ui/table';
import { answerPage, type View, viewOf } from '../ui/view';
import { messages } from './messages';

/** One search over all that waits and all that was decided. */
export const searchRoutes = new Hono<ManageEnv>().get('/', async (c) => {
  const typed = (c.req.query('q') ?? '')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .normalize('NFC');
  const isTooLong = [...typed].length > SEARCH_MAX;
  const found = typed === '' || isTooLong ? null : await globalSearch(c.var.ctx, typed);
  const view = await viewOf(c);
  return answerPage(c, <SearchPage {...{ view, typed, found, isTooLong }} />, isTooLong ? 400 : 200);
});

interface SearchProps {
  view: View;
  typed: string;
  /** Null when nothing was searched. */
  found: DeskFindings | null;
  isTooLong: boolean;
}

function SearchPage({ view, typed, found, isTooLong }: SearchProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <Page view={view} title={found ? t.foundTitle(typed) : t.title}>
      {isTooLong && <p class="fault">{shared.search.tooLong(SEARCH_MAX)}</p>}
      {!found && !isTooLong && <p class="quiet">{t.lead}</p>}
      {found && found.requests.length + found.orders.length === 0 && <p class="quiet">{t.nothing}</p>}
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
        <Heads
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
        <Heads
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
