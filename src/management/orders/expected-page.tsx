import type { Desk, ExpectedLine, Order } from '../../orders/service';
import type { Day } from '../../platform/pharmacy-time';
import { DAY_MS } from '../../platform/time';
import { EXPECTED, orderPath, withQuery } from '../http/paths';
import { Form } from '../ui/fields';
import { dayText } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Icon, Mark } from '../ui/icons';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Say } from '../ui/parts';
import { Table } from '../ui/table';
import { Bench } from '../ui/tabs';
import type { View } from '../ui/view';
import { DeskTabs } from './list-page';
import { packingMessages } from './packing-messages';
import type { ScanRefusal } from './refused-scan';
import { RefusedScan } from './refused-scan';
import { ScanField } from './scan-field';
import { supplyMessages } from './supply-messages';

/** The form of all lines: each has a button. */
const HERE = 'here';

interface Props {
  view: View;
  lines: ExpectedLine[];
  /** How many there are on all pages, and where the next one begins. */
  count: number;
  next: number | null;
  today: Day;
  hasMore: boolean;
  counts: Desk['counts'];
  isLater: boolean;
  /** The order of the last scan. */
  last?: Order;
  /** Why the last scan did nothing. */
  refused?: ScanRefusal;
}

/** What is to come today and what is overdue: a button or a scan says that it is here. */
export function ExpectedPage({ view, lines, count, next, today, hasMore, counts, isLater, last, refused }: Props) {
  const t = supplyMessages(view);
  const { nav } = sharedMessages(view);
  return (
    <Page
      view={view}
      title={t.expected}
      heading={nav.orders}
      lead={isLater ? t.laterLead(count) : t.expectedLead(count, dayText(view.language, today))}
      acts={
        <button type="button" class="button" hidden data-print>
          <Icon name="print" />
          {t.printList}
        </button>
      }
    >
      {refused && <RefusedScan view={view} refused={refused} />}
      {last && <Arrived view={view} order={last} />}
      <Bench isMany>
        <DeskTabs view={view} counts={counts} current="expected" />
        <Form view={view} action={`${EXPECTED}/scan`} class="scan" once>
          <Hidden name="last" value={last?.id ?? ''} />
          <ScanField view={view} />
        </Form>
      </Bench>
      {count === 0 ? (
        <section class="panel empty">
          <h2>{isLater ? t.nothingLater : t.nothingExpected}</h2>
        </section>
      ) : (
        <>
          <Form view={view} id={HERE} action={`${EXPECTED}/here`}>
            {isLater && <Hidden name="list" value="later" />}
          </Form>
          <ExpectedTable {...{ view, lines, today }} />
        </>
      )}
      <p class="pager screen">
        <span>
          {hasMore && `${t.more} `}
          {t.scanHint}
        </span>
        {next !== null && (
          <a rel="next" href={withQuery(EXPECTED, { later: isLater ? '1' : undefined, from: String(next) })}>
            {sharedMessages(view).requests.more(count - next)}
          </a>
        )}
        <a href={isLater ? EXPECTED : `${EXPECTED}?later=1`}>{isLater ? t.onlyToday : t.allExpected}</a>
      </p>
    </Page>
  );
}

/** Where the pack of the last scan goes. */
function Arrived({ view, order }: { view: View; order: Order }) {
  const t = supplyMessages(view);
  return (
    <Say tone="good" role="status">
      <b>
        {t.arrivedFor(order.number)}: <bdi>{order.shelf ? t.putInto(order.shelf) : t.noShelf}</bdi>
      </b>{' '}
      <a href={orderPath(order.id)}>{t.toOrder}</a>
    </Say>
  );
}

function ExpectedTable({ view, lines, today }: Pick<Props, 'view' | 'lines' | 'today'>) {
  const t = supplyMessages(view);
  return (
    <Table
      class="rows brief expected"
      rows={lines}
      columns={[
        { label: packingMessages(view).amount, class: 'age', cell: ({ quantity }) => <b>{quantity} ×</b> },
        {
          label: t.product,
          kind: 'name',
          class: 'name',
          cellClass: 'cut',
          title: ({ name }) => name,
          cell: ({ name }) => (
            <span class="clip" dir="auto">
              {name}
            </span>
          ),
        },
        { label: 'PZN', class: 'total', cell: ({ pzn }) => <span class="quiet">{pzn}</span> },
        {
          label: t.forWhom,
          class: 'what',
          cellClass: 'cut',
          title: ({ order }) => `${order.number} ${order.customerName ?? ''}`,
          cell: ({ order }) => (
            <a class="go" href={orderPath(order.id)}>
              {order.number} <bdi>{order.customerName}</bdi>
            </a>
          ),
        },
        { label: t.state, class: 'settle', cell: (line) => <State {...{ view, line, today }} /> },
        {
          label: t.step,
          kind: 'actions',
          class: 'shipping',
          cellClass: 'actions',
          cell: ({ order, key, quantity, name }) => (
            <button
              type="submit"
              class="tiny"
              form={HERE}
              name="line"
              value={`${order.id} ${quantity} ${key}`}
              aria-label={t.hereOf(name, order.number)}
            >
              {t.here}
            </button>
          ),
        },
      ]}
    />
  );
}

/** Ordered, booked by a delivery already, or due since days. */
function State({ view, line, today }: { view: View; line: ExpectedLine; today: Day }) {
  const t = supplyMessages(view);
  if (line.expectedOn < today) {
    const days = Math.round((Date.parse(today) - Date.parse(line.expectedOn)) / DAY_MS);
    return <Chip tone="wait">{t.dueSince(days)}</Chip>;
  }
  const text = line.expectedOn > today ? t.onDay(dayText(view.language, line.expectedOn)) : t.ordered;
  return (
    <span class="quiet with">
      <Mark name="half" />
      {line.stock >= line.quantity ? t.inStock : text}
    </span>
  );
}
