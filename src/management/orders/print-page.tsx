import type { OrderDetail } from '../../orders/service';
import { orderPath } from '../http/paths';
import { formatTime } from '../ui/format';
import { Document } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';
import { OrderLines, Person } from './order-page';

/** The order for printing: without navigation and buttons, black on white. */
export function OrderPrint({ view, detail }: { view: View; detail: OrderDetail }) {
  const { order, shopName } = detail;
  const shared = sharedMessages(view);
  const t = messages(view);
  const title = t.one(String(order.number));
  return (
    <Document view={view} title={title}>
      <main id="main" class="sheet-page" tabindex={-1}>
        <p class="pager screen">
          <a href={orderPath(order.id)}>{t.toOrder}</a>
          <button type="button" class="primary" hidden data-print>
            {t.printNow}
          </button>
        </p>
        <p>
          <strong>{view.session?.organizationName}</strong>
          <small>{shopName}</small>
        </p>
        <h1>{title}</h1>
        <p class="quiet">
          {formatTime(view.language, order.createdAt)} · {shared.orders.statuses[order.status]} ·{' '}
          {shared.orders.payment}: {shared.orders.payments[order.paymentStatus]}
        </p>
        <section>
          <Person view={view} detail={detail} />
        </section>
        <OrderLines view={view} detail={detail} />
      </main>
    </Document>
  );
}
