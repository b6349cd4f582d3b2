import type { DeskFindings } from '../../order-requests/service';
import { SEARCHED_MAX } from '../../orders/limits';
import { SEARCH_MAX } from '../../platform/limits';
import { orderPath, PRODUCTS, requestPath, withQuery } from '../http/paths';
import { formatCount, formatMoney } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { ItemNames } from '../ui/line-name';
import { sharedMessages } from '../ui/messages';
import { customerOf, itemNamesOf, OrderStatusChips } from '../ui/order-summary';
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
  /** The PZN that was typed, if it is one. */
  pzn: string | null;
}

export function SearchPage({ view, typed, found, isTooLong, pzn }: SearchProps) {
  const t = messages(view);
  return (
    <Page view={view} title={found ? t.foundTitle(typed) : t.title}>
      {pzn && (
        <p>
          <a href={withQuery(PRODUCTS, { q: pzn })}>{t.productWith(pzn)}</a>
        </p>
      )}
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
        class="rows brief hits"
        rows={requests}
        columns={[
          {
            label: orders.fields.customer_name,
            class: 'name',
            kind: 'name',
            cell: ({ id, customerName, customerEmail }) => (
              <a class="go" href={requestPath(id)} dir="auto">
                {customerName ?? customerEmail ?? id.slice(-12)}
              </a>
            ),
          },
          { label: t.email, class: 'what', cell: ({ customerEmail }) => <Clipped text={customerEmail} /> },
          { label: t.reference, class: 'total', cell: ({ externalReference }) => <Clipped text={externalReference} /> },
          { label: orders.status, class: 'settle', cell: (request) => <RequestChip view={view} request={request} /> },
          { label: orders.age, class: 'age', cell: ({ createdAt }) => <Time view={view} at={createdAt} /> },
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
        class="rows brief hits"
        rows={orders}
        columns={[
          {
            label: t.fields.customer_name,
            class: 'name',
            kind: 'name',
            title: (order) => customerOf(view, order),
            cell: (order) => (
              <a class="go" href={orderPath(order.id)}>
                <span class="quiet">{order.number}</span> <bdi>{customerOf(view, order)}</bdi>
              </a>
            ),
          },
          {
            label: messages(view).items,
            class: 'what',
            cell: (order) => <ItemNames view={view} names={itemNamesOf(order)} />,
          },
          {
            label: t.total,
            class: 'total',
            kind: 'number',
            cell: ({ totalCents }) => formatMoney(view.language, totalCents),
          },
          { label: t.status, class: 'settle', cell: (order) => <OrderStatusChips view={view} order={order} /> },
          { label: t.age, class: 'age', cell: ({ createdAt }) => <Time view={view} at={createdAt} /> },
        ]}
      />
    </section>
  );
}
