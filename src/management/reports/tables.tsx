import type { Child } from 'hono/jsx';
import type { Unit } from '../../catalog/tables';
import { ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '../../orders/tables';
import { grouped } from '../../platform/map-concurrent';
import type { DayFigures, Figures } from '../../reports/figures';
import { productPath } from '../http/paths';
import { DAYS_BY_DAY_MAX } from '../limits';
import { formatDate, formatMoney, kept } from '../ui/format';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel, Wrapping } from '../ui/parts';
import { TableHead } from '../ui/table';
import { messages } from './messages';

interface TableProps {
  figures: Figures;
}

interface NumbersProps<Row> {
  /** The heading of the first column, which holds the rows' names. */
  first: string;
  name: (row: Row) => Child;
  /** The headings of the other columns, each with the function that returns a row's figure. */
  figures: [heading: string, text: (row: Row) => Child][];
  rows: readonly Row[];
}

/** A table of figures. */
export function Numbers<Row>({ first, name, figures, rows }: NumbersProps<Row>) {
  return (
    <table class="lines">
      <TableHead columns={[first, ...figures.map(([label]) => ({ label, class: 'number' }))]} />
      <tbody>
        {rows.map((row) => (
          <tr>
            <th scope="row">{name(row)}</th>
            {figures.map(([, text]) => (
              <td class="number">{text(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** All numbers of the charts, with the newest day or week first. */
export function DayTable({ steps, isWeeks }: { steps: readonly Step[]; isWeeks: boolean }) {
  const t = messages();
  const { nav, requests } = sharedMessages();
  const title = isWeeks ? t.week : t.day;
  return (
    <section class="scroll" tabindex={0} aria-label={isWeeks ? t.byWeek : t.byDay}>
      <Numbers
        first={title}
        name={(step) => stepText(step)}
        figures={[
          [nav.orderRequests, (step) => countText(step.requests)],
          [requests.tabs.approved, (step) => countText(step.approved)],
          [requests.tabs.rejected, (step) => countText(step.rejected)],
          [nav.orders, (step) => countText(step.orders)],
          [t.ended, (step) => countText(step.cancelledOrReturned)],
          [t.charts.revenue.title, (step) => formatMoney(step.revenueCents)],
        ]}
        rows={steps.toReversed()}
      />
    </section>
  );
}

/** Orders and revenue by source. */
export function Sources({ figures }: TableProps) {
  const t = messages();
  if (figures.sources.length === 0) return null;
  return (
    <Panel title={t.bySource}>
      <Numbers
        first={t.source}
        name={({ source }) => <SourceName source={source} figures={figures} />}
        figures={[
          [sharedMessages().nav.orders, ({ orders }) => countText(orders)],
          [t.ended, ({ ended }) => countText(ended)],
          [t.charts.revenue.title, ({ revenueCents }) => formatMoney(revenueCents)],
        ]}
        rows={figures.sources}
      />
    </Panel>
  );
}

/** The name of a source. Requests without a source have their shop as the source (`shop:` and the shop's id). */
function SourceName({ source, figures }: TableProps & { source: string | null }) {
  const t = messages();
  if (source === null) return <>{t.otherSources}</>;
  const shop = figures.shops.find(({ id }) => source === `shop:${id}`);
  if (shop) return <>{`${t.sourceShop} · ${shop.name}`}</>;
  return (
    <bdi>
      <Wrapping text={source} />
    </bdi>
  );
}

export function Statuses({ figures }: TableProps) {
  const { orders } = sharedMessages();
  const props = { title: messages().byStatus, first: orders.status };
  return <Sums {...props} keys={ORDER_STATUSES} names={orders.statuses} sums={figures.statuses} />;
}

/** Sums by payment status. Excludes canceled orders so that the sums add up to the revenue. */
export function Payments({ figures }: TableProps) {
  const { orders } = sharedMessages();
  const props = { title: messages().byPayment, first: orders.payment };
  return <Sums {...props} keys={ORDER_PAYMENT_STATUSES} names={orders.payments} sums={figures.payments} />;
}

interface SumsProps<Key extends string> {
  title: string;
  first: string;
  /** All keys in the order of the rows. Keys without a sum get no row. */
  keys: readonly Key[];
  names: Record<Key, string>;
  sums: ReadonlyMap<Key, { count: number; totalCents: number }>;
}

function Sums<Key extends string>({ title, first, keys, names, sums }: SumsProps<Key>) {
  const rows = keys.flatMap((key) => {
    const sum = sums.get(key);
    return sum ? [{ ...sum, name: names[key] }] : [];
  });
  return (
    <Panel title={title}>
      <Numbers
        first={first}
        name={({ name }) => name}
        figures={[
          [sharedMessages().nav.orders, ({ count }) => countText(count)],
          [messages().sum, ({ totalCents }) => formatMoney(totalCents)],
        ]}
        rows={rows}
      />
    </Panel>
  );
}

export function Products({ figures }: TableProps) {
  const { common, requests } = sharedMessages();
  const t = messages();
  if (figures.products.length === 0) return null;
  return (
    <Panel title={t.topProducts}>
      <Numbers
        first={t.product}
        name={({ p1Id, name, otherNames }) => (
          <>
            <ProductName id={p1Id} name={name} />
            {otherNames.map((other) => (
              <small>
                {requests.askedAs}: <bdi>{other}</bdi>
                <Chip tone="bad">{requests.nameDiffers}</Chip>
              </small>
            ))}
          </>
        )}
        figures={[
          [common.quantity, ({ quantity, unit }) => inUnit(countText(quantity), unit)],
          [t.charts.revenue.title, ({ totalCents }) => formatMoney(totalCents)],
        ]}
        rows={figures.products}
      />
    </Panel>
  );
}

/** A count with its unit: `1.200 g`. Packs are shown without a unit. */
function inUnit(count: string, unit: Unit | null): string {
  return unit === null || unit === 'piece' ? count : `${count} ${unit}`;
}

/** Products that are below their threshold now, regardless of the period. */
export function LowStock({ figures }: TableProps) {
  const { common } = sharedMessages();
  const t = messages();
  return (
    <Panel title={t.lowStock}>
      {figures.lowStock.length === 0 ? (
        <p class="quiet">{t.lowStockNone}</p>
      ) : (
        <Numbers
          first={t.product}
          name={({ p1Id, name }) => <ProductName id={p1Id} name={name} />}
          figures={[
            [common.stock, ({ stockQuantity, unit }) => inUnit(countText(stockQuantity), unit)],
            [common.threshold, ({ threshold, unit }) => inUnit(countText(threshold), unit)],
          ]}
          rows={figures.lowStock}
        />
      )}
      {figures.hasMoreLowStock && <p class="quiet">{t.lowStockMore(figures.lowStock.length)}</p>}
    </Panel>
  );
}

/**
 * A product's name with a link to the product. For an order line without a matched product, the name without a link, or
 * a dash if the name was erased.
 */
function ProductName({ id, name }: { id: string | null; name: string }) {
  if (id === null) return <bdi>{kept(name) || '–'}</bdi>;
  return (
    <a href={productPath(id)}>
      <bdi>{kept(name)}</bdi>
    </a>
  );
}

const WEEK = 7;

/** The figures of a day or a week. */
export type Step = Omit<DayFigures, 'day'> & { from: string; to: string };

/**
 * The figures of each day, or of each week if the period is long. Weeks are counted from the period's first day, so the
 * last one may have fewer days.
 */
export function stepsOf(days: readonly DayFigures[]): Step[] {
  const size = days.length > DAYS_BY_DAY_MAX ? WEEK : 1;
  return Array.from({ length: Math.ceil(days.length / size) }, (_, index) => {
    const part = days.slice(index * size, (index + 1) * size);
    const sum = (name: keyof Omit<DayFigures, 'day'>) => part.reduce((all, day) => all + day[name], 0);
    return {
      from: part[0]?.day ?? '',
      to: part.at(-1)?.day ?? '',
      requests: sum('requests'),
      approved: sum('approved'),
      rejected: sum('rejected'),
      orders: sum('orders'),
      cancelledOrReturned: sum('cancelledOrReturned'),
      revenueCents: sum('revenueCents'),
    };
  });
}

/** A day as text: `01.11.2026`. The time is set to noon UTC, which is on the same day in the pages' time zone. */
export function dayText(day: string): string {
  return formatDate(Date.parse(`${day}T12:00:00Z`));
}

/** A number with grouped thousands: `1.234`. */
export function countText(count: number): string {
  return grouped(count, messages().thousands);
}

/** The date of a day, or the first and last date of a week. */
export function stepText({ from, to }: { from: string; to: string }): string {
  return from === to ? dayText(from) : messages().range(dayText(from), dayText(to));
}
