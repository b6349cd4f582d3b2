import type { DeskFindings } from '../../order-requests/service';
import { SEARCHED_MAX } from '../../orders/limits';
import { SEARCH_MAX } from '../../platform/limits';
import { orderPath, requestPath } from '../http/paths';
import { formatCount, formatMoney } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, OrderStatusChips } from '../ui/order-summary';
import { RequestChip } from '../ui/request-chip';
import { Table } from '../ui/table';
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
  const t = messages(view);
  return (
    <Page view={view} title={found ? t.foundTitle(typed) : t.title}>
      {isTooLong && <p class="fault">{sharedMessages(view).search.tooLong(SEARCH_MAX)}</p>}
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
  const { nav, orders, requests: t } = sharedMessages(view);
  return (
    <section>
      <h2>{nav.orderRequests}</h2>
      <Table
        class="rows hits"
        rows={requests}
        columns={[
          { label: orders.age, cell: ({ createdAt }) => <Time view={view} at={createdAt} /> },
          {
            label: orders.customer,
            kind: 'name',
            cell: ({ id, customerName, customerEmail }) => (
              <a class="go" href={requestPath(id)} dir="auto">
                {customerName ?? customerEmail ?? id.slice(-12)}
              </a>
            ),
          },
          { label: t.email, cell: ({ customerEmail }) => <Clipped text={customerEmail} /> },
          { label: t.reference, cell: ({ externalReference }) => <Clipped text={externalReference} /> },
          { label: messages(view).state, cell: (request) => <RequestChip view={view} request={request} /> },
        ]}
      />
    </section>
  );
}

function Clipped({ text }: { text: string | null }) {
  return (
    <span class="clip" dir="auto">
      {text}
    </span>
  );
}

function Orders({ view, orders }: { view: View; orders: DeskFindings['orders'] }) {
  const { nav, orders: t } = sharedMessages(view);
  return (
    <section>
      <h2>{nav.orders}</h2>
      <Table
        class="rows hits"
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
            cell: (order) => <bdi>{customerOf(view, order)}</bdi>,
          },
          { label: t.status, cell: (order) => <OrderStatusChips view={view} order={order} /> },
          { label: t.total, kind: 'number', cell: ({ totalCents }) => formatMoney(view.language, totalCents) },
          { label: t.age, kind: 'number', cell: ({ createdAt }) => <Time view={view} at={createdAt} /> },
        ]}
      />
    </section>
  );
}
