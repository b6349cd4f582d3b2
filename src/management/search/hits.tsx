import type { DeskFindings } from '../../order-requests/service';
import type { Child } from '../../platform/markup/markup';
import { wordsIn } from '../../search/service';
import { orderPath, productPath, requestPath } from '../http/paths';
import { formatMoney } from '../ui/format';
import { Chip, Time } from '../ui/layout';
import { ItemNames } from '../ui/line-name';
import { sharedMessages } from '../ui/messages';
import { customerOf, itemNamesOf, OrderStatusChips } from '../ui/order-summary';
import { RequestChip } from '../ui/request-chip';
import { type Column, Table } from '../ui/table';
import type { View } from '../ui/view';
import { messages } from './messages';

interface Hits {
  view: View;
  typed: string;
}

export function FoundRequests({ view, typed, requests }: Hits & Pick<DeskFindings, 'requests'>) {
  const { orders: t } = sharedMessages(view);
  return (
    <HitTable
      view={view}
      rows={requests}
      name={{
        label: t.fields.customer_name,
        titleOf: ({ customerName, customerEmail }) => customerName ?? customerEmail ?? '',
      }}
      nameOf={({ id, customerName, customerEmail }) => (
        <a class="go" href={requestPath(id)}>
          <Marked text={customerName ?? customerEmail ?? id.slice(-12)} typed={typed} />
        </a>
      )}
      what={{
        label: messages(view).items,
        cell: ({ approvedItems, items }) => (
          <ItemNames
            view={view}
            names={soughtFirst(
              (approvedItems ?? items).map(
                (item) => ('productName' in item && item.productName) || item.name || item.p1Id || '',
              ),
              typed,
            )}
          />
        ),
      }}
      status={(request) => <RequestChip view={view} request={request} />}
      at={({ createdAt }) => createdAt}
      cents={({ totalCents }) => totalCents}
    />
  );
}

export function FoundOrders({ view, typed, orders }: Hits & Pick<DeskFindings, 'orders'>) {
  const { orders: t } = sharedMessages(view);
  return (
    <HitTable
      view={view}
      rows={orders}
      name={{ label: t.fields.customer_name, titleOf: (order) => `${order.number} ${customerOf(view, order)}` }}
      nameOf={(order) => (
        <a class="go" href={orderPath(order.id)}>
          <span class="no-of">{order.number}</span> <Marked text={customerOf(view, order)} typed={typed} />
        </a>
      )}
      what={{
        label: messages(view).items,
        cell: (order) => <ItemNames view={view} names={soughtFirst(itemNamesOf(order), typed)} />,
      }}
      status={(order) => (
        <>
          <OrderStatusChips view={view} order={order} />
          {order.expectedOn !== null && <span class="shelf-of">{messages(view).rest(order.expectedOn)}</span>}
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

export function FoundProducts({ view, typed, products }: Hits & Pick<DeskFindings, 'products'>) {
  const { products: t, common } = sharedMessages(view);
  return (
    <HitTable
      view={view}
      rows={products}
      name={{ label: t.fields.name, titleOf: (product) => product.name ?? product.catalogName }}
      nameOf={(product) => (
        <a class="go" href={productPath(product.p1Id)}>
          <Marked text={product.name ?? product.catalogName} typed={typed} />
        </a>
      )}
      what={{ label: 'PZN', cell: ({ pzn, p1Id }) => <span class="quiet">{pzn === null ? p1Id : `PZN ${pzn}`}</span> }}
      status={({ stockQuantity }) => (
        <Chip tone={stockQuantity ? 'off' : 'wait'}>{messages(view).stock(stockQuantity ?? 0)}</Chip>
      )}
      statusLabel={common.stock}
      cents={({ priceCents, catalogPriceCents }) => priceCents ?? catalogPriceCents}
      centsLabel={common.price}
    />
  );
}

interface HitTableProps<Row> {
  view: View;
  rows: readonly Row[];
  name: { label: string; titleOf: (row: Row) => string };
  nameOf: (row: Row) => Child;
  what: Pick<Column<Row>, 'label' | 'cell'>;
  status: (row: Row) => Child;
  statusLabel?: string;
  cents: (row: Row) => number | null;
  centsLabel?: string;
  at?: (row: Row) => number;
}

/** All kinds of hits in the same columns, so that the eye finds them at the same place. */
function HitTable<Row>(props: HitTableProps<Row>) {
  const { view, rows, name, nameOf, what, status, statusLabel, cents, centsLabel, at } = props;
  const { orders: t } = sharedMessages(view);
  return (
    <Table
      class="rows brief hits"
      rows={rows}
      columns={[
        { label: name.label, class: 'name', kind: 'name', title: name.titleOf, cell: nameOf },
        { ...what, class: 'what' },
        { label: statusLabel ?? t.status, class: 'settle', cell: status },
        { label: t.age, class: 'age', cell: (row) => at && <Time view={view} at={at(row)} /> },
        {
          label: centsLabel ?? t.total,
          class: 'total',
          kind: 'number',
          cell: (row) => {
            const amount = cents(row);
            return amount === null ? '' : formatMoney(view.language, amount);
          },
        },
      ]}
    />
  );
}

/** Items in their order, but those first that were looked for. */
function soughtFirst(names: readonly string[], typed: string): string[] {
  const isSought = soughtBy(typed);
  return [...names.filter(isSought), ...names.filter((name) => !isSought(name))];
}

/** Whether a word of a text begins with one that was typed. */
function soughtBy(typed: string): (text: string) => boolean {
  const sought = wordsIn(typed);
  return (text) => wordsIn(text).some((word) => sought.some((each) => word.startsWith(each)));
}

/** A name, with the words of it that were looked for. */
function Marked({ text, typed }: { text: string; typed: string }) {
  const isSought = soughtBy(typed);
  return <bdi>{text.split(/(\s)/).map((part) => (isSought(part) ? <mark>{part}</mark> : part))}</bdi>;
}
