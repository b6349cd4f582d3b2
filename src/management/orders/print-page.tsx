import type { OrderDetail } from '../../orders/service';
import { orderPath } from '../http/paths';
import { formatMoney, formatTime } from '../ui/format';
import { Document } from '../ui/layout';
import { LineName } from '../ui/line-name';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { Facts } from '../ui/parts';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { personFacts } from './customer-panel';
import { messages } from './messages';
import { packingMessages } from './packing-messages';
import { letterhead } from './paper';

/** The order for printing: without navigation and buttons, black on white. */
export function OrderPrint({ view, detail }: { view: View; detail: OrderDetail }) {
  const { order } = detail;
  const shared = sharedMessages(view);
  const t = messages(view);
  const title = t.one(String(order.number));
  return (
    <Document view={view} title={title}>
      <main id="main" class="sheet-page" tabindex={-1}>
        <p class="pager screen">
          <a href={orderPath(order.id)}>{t.toOrder}</a>
          <button type="button" class="primary" hidden data-print>
            {packingMessages(view).printSlip}
          </button>
        </p>
        <p>
          <strong>{letterhead(view, detail)}</strong>
        </p>
        <h1>{title}</h1>
        <p class="quiet">
          {formatTime(view.language, order.createdAt)} · {shared.orders.statuses[order.status]} ·{' '}
          {shared.orders.payment}: {shared.orders.payments[order.paymentStatus]}
        </p>
        <section>
          <p>
            <strong>
              <bdi>{customerOf(view, order)}</bdi>
            </strong>
          </p>
          <Facts
            entries={[...personFacts(view, detail), [shared.orders.fields.note, order.note && <bdi>{order.note}</bdi>]]}
          />
        </section>
        <OrderLines view={view} detail={detail} />
      </main>
    </Document>
  );
}

/** The lines with their prices, under the names that leave the shop. */
function OrderLines({ view, detail: { order } }: { view: View; detail: OrderDetail }) {
  const { common, orders } = sharedMessages(view);
  const t = messages(view);
  const money = (cents: number) => formatMoney(view.language, cents);
  return (
    <table class="lines">
      <TableHead
        columns={[
          t.article,
          { label: common.quantity, class: 'number' },
          { label: orders.unitPrice, class: 'number' },
          { label: t.lineTotal, class: 'number' },
        ]}
      />
      <tbody>
        {order.items.map((item) => (
          <tr>
            <td>
              <LineName view={view} name={item.name} productName={item.productName} />
            </td>
            <td class="number">{item.quantity}</td>
            <td class="number">{money(item.priceCents)}</td>
            <td class="number">{money(item.priceCents * item.quantity)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colspan={3}>
            {orders.total}
          </th>
          <td class="number">
            <strong>{money(order.totalCents)}</strong>
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
