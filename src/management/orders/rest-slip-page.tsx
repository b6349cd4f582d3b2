import { supplyOf } from '../../orders/service';
import { dayText, formatDate } from '../ui/format';
import { customerOf } from '../ui/order-summary';
import { packingMessages } from './packing-messages';
import { backTo, letterhead, Paper, type PaperProps, paymentWords, SlipHead, wayOf } from './paper';
import { supplyMessages } from './supply-messages';

/** The Abholschein: for the customer, with what is still to come and when; its code finds the order at the counter. */
export function RestSlipPage({ view, detail }: PaperProps) {
  const { order } = detail;
  const t = supplyMessages(view);
  return (
    <Paper
      view={view}
      title={t.slipOf(order.number)}
      print={packingMessages(view).printSlip}
      back={backTo(view, order)}
    >
      <article class="slip">
        <SlipHead view={view} order={order} title={t.slip} />
        <div class="ends">
          <p>
            <b>
              <bdi>{customerOf(view, order)}</bdi>
            </b>
            <br />
            {t.slipLead}
          </p>
          <p>
            {wayOf(view, detail)}
            <br />
            {formatDate(view.language, view.now)}
            <br />
            {paymentWords(view, order)}
          </p>
        </div>
        <table>
          <thead>
            <tr>
              <th>{packingMessages(view).amount}</th>
              <th>{packingMessages(view).item}</th>
              <th>{t.expectedOn}</th>
            </tr>
          </thead>
          <tbody>
            {order.items.map((item, place) => {
              const { owed, expectedOn } = supplyOf(order, place);
              if (owed === 0 || expectedOn === null) return null;
              return (
                <tr>
                  <td>
                    <b>{owed} ×</b>
                  </td>
                  <td>
                    <b>
                      <bdi>{item.productName ?? item.name}</bdi>
                    </b>
                  </td>
                  <td class="clip">
                    <b>{dayText(view.language, expectedOn)}</b>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        <p class="slip-foot">{letterhead(view, detail)}</p>
      </article>
    </Paper>
  );
}
