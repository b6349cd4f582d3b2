import { inHouseLines, type Order, type OrderLine, progressOf, supplyOf } from '../../orders/service';
import { dayText, formatTime } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { shippingWord } from '../ui/shipping';
import type { View } from '../ui/view';
import { packingMessages } from './packing-messages';
import { backTo, letterhead, Paper, type PaperProps, paymentWords, SlipHead } from './paper';
import { supplyMessages } from './supply-messages';

export function SlipPage(props: PaperProps) {
  const { view, detail } = props;
  const { order } = detail;
  const t = packingMessages(view);
  return (
    <Paper view={view} title={t.slipOf(order.number)} print={t.printSlip} back={backTo(view, order)}>
      <Slip {...props} />
    </Paper>
  );
}

/** The list that goes with the packs, on A5: what to take, with boxes to tick. Each further page begins with the number. */
export function Slip({ view, detail }: PaperProps) {
  const { order, products, shopName } = detail;
  const t = packingMessages(view);
  const { orders } = sharedMessages(view);
  const { packs } = progressOf(order);
  const town = [order.addressPostalCode, order.addressCity].filter(Boolean).join(' ');
  // The pharmacy's own name stands at the end.
  const isBranch = shopName !== view.session?.organizationName;
  return (
    <article class="slip">
      <SlipHead view={view} order={order} title={shippingWord(view, order.shippingOption)} />
      <div class="ends">
        <p>
          <b>
            <bdi>{customerOf(view, order)}</bdi>
          </b>
          <br />
          <bdi>{[order.addressStreet, town].filter(Boolean).join(', ')}</bdi>
          <br />
          <bdi>{order.addressPhone}</bdi>
        </p>
        <p>
          <b>{`${t.packCount(packs)}, ${t.bagCount(order.bags ?? 1)}`}</b>
          <br />
          {isBranch && [shopName, <br />]}
          {paymentWords(view, order)}
        </p>
      </div>
      <table>
        <thead>
          <tr>
            <th>{t.packed}</th>
            <th>{t.amount}</th>
            <th>
              {t.item}
              <span>{order.number}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {inHouseLines(order).map((item, place) => (
            <Line view={view} order={order} place={place} item={item} pzn={products.get(item.p1Id ?? '')?.pzn} />
          ))}
        </tbody>
      </table>
      {order.note && (
        <p class="slip-note">
          <b>{orders.fields.note}:</b> <bdi>{order.note}</bdi>
        </p>
      )}
      <p class="slip-foot">
        {`${t.accepted} ${formatTime(view.language, order.createdAt)}`}
        <br />
        {`${t.packedBy}: ______________ ${t.checkedBy}: ______________`}
        <br />
        {letterhead(view, detail)}
      </p>
    </article>
  );
}

/** Above so many boxes nobody ticks one by one. */
const BOXES_MAX = 10;

interface LineProps {
  view: View;
  order: Order;
  place: number;
  /** With what is in the house of it. */
  item: OrderLine;
  pzn: string | null | undefined;
}

function Line({ view, order, place, item, pzn }: LineProps) {
  const { owed, expectedOn } = supplyOf(order, place);
  const { quantity, name, productName, prescriptionRequired } = item;
  return (
    <tr>
      <td>
        {Array.from({ length: quantity > BOXES_MAX ? 1 : quantity }, () => (
          <span class="tick-box"></span>
        ))}
      </td>
      <td>
        <b>{quantity} ×</b>
      </td>
      <td>
        <b>
          <bdi>{productName ?? name}</bdi>
        </b>
        <br />
        {pzn && `PZN ${pzn}`}
        {pzn && prescriptionRequired && ' · '}
        {prescriptionRequired && <abbr title={sharedMessages(view).orders.prescriptionRequired}>Rx</abbr>}
        {owed > 0 && expectedOn !== null && (
          <>
            <br />
            {supplyMessages(view).comesOn(owed, dayText(view.language, expectedOn))}
          </>
        )}
      </td>
    </tr>
  );
}
