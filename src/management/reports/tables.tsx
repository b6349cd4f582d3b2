import { ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '../../orders/service';
import type { DayFigures, Figures } from '../../reports/service';
import { productPath } from '../http/paths';
import { formatMoney } from '../ui/format';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { messages } from './messages';
import { countText, dayText } from './text';

interface TableProps {
  view: View;
  figures: Figures;
}

/** Every number of the charts, newest day first. */
export function DayTable({ view, days }: { view: View; days: DayFigures[] }) {
  const t = messages(view);
  const heads = [t.requests, t.approved, t.rejected, t.orders, t.ended, t.turnover];
  return (
    <div class="scroll">
      <table class="lines">
        <thead>
          <tr>
            <th scope="col">{t.day}</th>
            {heads.map((head) => (
              <th scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr>
              <th scope="row">{dayText(view, day.day)}</th>
              <td class="number">{countText(view, day.requests)}</td>
              <td class="number">{countText(view, day.approved)}</td>
              <td class="number">{countText(view, day.rejected)}</td>
              <td class="number">{countText(view, day.orders)}</td>
              <td class="number">{countText(view, day.cancelledOrReturned)}</td>
              <td class="number">{formatMoney(view.language, day.revenueCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Statuses({ view, figures }: TableProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const rows = ORDER_STATUSES.map((status) => ({
    name: shared.orders.statuses[status],
    ...figures.statuses.get(status),
  }));
  return <Sums view={view} title={t.byStatus} first={shared.orders.status} rows={rows} />;
}

/** Without canceled orders, so that the sums add up to the turnover. */
export function Payments({ view, figures }: TableProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const rows = ORDER_PAYMENT_STATUSES.map((status) => ({
    name: shared.orders.payments[status],
    ...figures.payments.get(status),
  }));
  return <Sums view={view} title={t.byPayment} first={shared.orders.payment} rows={rows} />;
}

interface SumsProps {
  view: View;
  title: string;
  first: string;
  rows: { name: string; count?: number; totalCents?: number }[];
}

function Sums({ view, title, first, rows }: SumsProps) {
  const t = messages(view);
  return (
    <section class="panel">
      <h2>{title}</h2>
      <table class="lines">
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col" class="number">
              {t.orders}
            </th>
            <th scope="col" class="number">
              {t.sum}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, totalCents }) =>
            count === undefined ? null : (
              <tr>
                <th scope="row">{name}</th>
                <td class="number">{countText(view, count)}</td>
                <td class="number">{formatMoney(view.language, totalCents ?? 0)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

export function Products({ view, figures }: TableProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  if (figures.products.length === 0) return null;
  return (
    <section class="panel">
      <h2>{t.topProducts}</h2>
      <table class="lines">
        <TableHead
          columns={[t.product, { label: t.quantity, class: 'number' }, { label: t.turnover, class: 'number' }]}
        />
        <tbody>
          {figures.products.map(({ p1Id, name, otherNames, quantity, totalCents }) => (
            <tr>
              <th scope="row">
                <ProductName id={p1Id} name={name} />
                {otherNames.map((other) => (
                  <small>
                    {shared.requests.askedAs}: <bdi>{other}</bdi>
                    <Chip tone="bad">{shared.requests.nameDiffers}</Chip>
                  </small>
                ))}
              </th>
              <td class="number">{countText(view, quantity)}</td>
              <td class="number">{formatMoney(view.language, totalCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The current state, independent of the period. */
export function LowStock({ view, figures }: TableProps) {
  const t = messages(view);
  return (
    <section class="panel">
      <h2>{t.lowStock}</h2>
      {figures.lowStock.length === 0 ? (
        <p class="quiet">{t.lowStockNone}</p>
      ) : (
        <table class="lines">
          <TableHead
            columns={[t.product, { label: t.stock, class: 'number' }, { label: t.threshold, class: 'number' }]}
          />
          <tbody>
            {figures.lowStock.map(({ p1Id, name, stockQuantity, threshold }) => (
              <tr>
                <th scope="row">
                  <ProductName id={p1Id} name={name} />
                </th>
                <td class="number">{countText(view, stockQuantity)}</td>
                <td class="number">{countText(view, threshold)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {figures.hasMoreLowStock && <p class="quiet">{t.lowStockMore(figures.lowStock.length)}</p>}
    </section>
  );
}

/** A line without a matched product has no page to link to, and after its customer's erasure no name. */
function ProductName({ id, name }: { id: string | null; name: string }) {
  if (id === null) return <bdi>{name || '–'}</bdi>;
  return (
    <a href={productPath(id)}>
      <bdi>{name}</bdi>
    </a>
  );
}
