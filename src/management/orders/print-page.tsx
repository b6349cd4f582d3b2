import type { OrderDetail } from '../../orders/service';
import { orderPath } from '../http/paths';
import { formatTime, shortIdOf } from '../ui/format';
import { Document } from '../ui/layout';
import type { View } from '../ui/view';
import { OrderLines, Person } from './order-page';

/** The order on paper: no rail, no buttons, black on white. */
export function OrderPrint({ view, detail }: { view: View; detail: OrderDetail }) {
  const { order, shopName } = detail;
  const words = view.words.orders;
  const title = words.one(shortIdOf(order.id));
  return (
    <Document view={view} title={title}>
      <main id="main" class="sheet" tabindex={-1}>
        <p class="pager screen">
          <a href={orderPath(order.id)}>{words.toOrder}</a>
          <button type="button" class="primary" hidden data-print>
            {words.printNow}
          </button>
        </p>
        <p>
          <strong>{view.session?.organizationName}</strong>
          <small>{shopName}</small>
        </p>
        <h1>{title}</h1>
        <p class="quiet">
          {formatTime(view.language, order.createdAt)} · {words.statuses[order.status]} · {words.payment}:{' '}
          {words.payments[order.paymentStatus]}
        </p>
        <section>
          <Person view={view} detail={detail} />
        </section>
        <OrderLines view={view} detail={detail} />
      </main>
    </Document>
  );
}
