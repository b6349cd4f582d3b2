import { code128 } from '../../codes/service';
import { labelOf, type OrderDetail, progressOf } from '../../orders/service';
import type { Child } from '../../platform/markup/markup';
import { orderPath } from '../http/paths';
import { formatDate, formatMoney, formatTime } from '../ui/format';
import { Document } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import type { View } from '../ui/view';
import { messages } from './messages';
import { packingMessages } from './packing-messages';

interface Props {
  view: View;
  detail: OrderDetail;
}

/** One label of 100 × 62 mm for each bag. No price, no medicine, no date of birth: it hangs where others see it. */
export function LabelPage({ view, detail }: Props) {
  const { order } = detail;
  const t = packingMessages(view);
  const bags = order.bags ?? 1;
  return (
    <Printed view={view} detail={detail} title={t.labelsOf(order.number)}>
      {Array.from({ length: bags }, (_, index) => (
        <section class="bag-label" aria-label={t.bag(index + 1, bags)}>
          <div class="ends">
            <Shelf view={view} detail={detail} />
            <p>
              <b class="bignum">{order.number}</b>
              <br />
              {[order.shippingOption ?? 'Abholung', detail.shopName].filter(Boolean).join(', ')}
            </p>
          </div>
          <p class="to">
            <bdi>{customerOf(view, order)}</bdi>
          </p>
          <div class="ends">
            <Barcode text={labelOf(order)} />
            <p>
              <b>{t.bag(index + 1, bags)}</b>
              <br />
              {formatDate(view.language, view.now)}
            </p>
          </div>
        </section>
      ))}
    </Printed>
  );
}

/** The list that goes with the packs, on A5: what to take, with boxes to tick. */
export function SlipPage({ view, detail }: Props) {
  const { order, products, shopName } = detail;
  const t = packingMessages(view);
  const { orders } = sharedMessages(view);
  const { packs } = progressOf(order);
  const town = [order.addressPostalCode, order.addressCity].filter(Boolean).join(' ');
  const isDue = order.paymentStatus === 'cash_on_pickup' && order.totalCents > 0;
  return (
    <Printed view={view} detail={detail} title={t.slipOf(order.number)}>
      <article class="slip">
        <div class="ends">
          <p>
            <b class="bignum">{order.number}</b>
            <br />
            <b>{order.shippingOption ?? 'Abholung'}</b>
          </p>
          <Shelf view={view} detail={detail} />
          <Barcode text={labelOf(order)} />
        </div>
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
            {shopName}
            <br />
            {isDue
              ? t.paysAtPickup(formatMoney(view.language, order.totalCents))
              : orders.payments[order.paymentStatus]}
          </p>
        </div>
        <table>
          <thead>
            <tr>
              <th>{t.packed}</th>
              <th>{t.amount}</th>
              <th>{t.item}</th>
            </tr>
          </thead>
          <tbody>
            {order.items.map(({ quantity, name, productName, p1Id, prescriptionRequired }) => {
              const pzn = products.get(p1Id ?? '')?.pzn;
              return (
                <tr>
                  <td>
                    <Boxes count={quantity} />
                  </td>
                  <td>
                    <b>{quantity} ×</b>
                  </td>
                  <td>
                    <b>
                      <bdi>{productName ?? name}</bdi>
                    </b>
                    <br />
                    {[pzn && `PZN ${pzn}`, prescriptionRequired && 'Rx'].filter(Boolean).join(' · ')}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {order.note && (
          <p>
            <b>{orders.fields.note}:</b> <bdi>{order.note}</bdi>
          </p>
        )}
        <p class="foot">
          {`${t.accepted} ${formatTime(view.language, order.createdAt)}`}
          <br />
          {`${t.packedBy}: ______________ ${t.checkedBy}: ______________`}
          <br />
          {view.session?.organizationName}
        </p>
      </article>
    </Printed>
  );
}

/** Above so many boxes nobody ticks one by one. */
const BOXES_MAX = 10;

function Boxes({ count }: { count: number }) {
  return Array.from({ length: count > BOXES_MAX ? 1 : count }, () => <span class="tick-box"></span>);
}

function Shelf({ view, detail: { order } }: Props) {
  if (!order.shelf) return null;
  return (
    <p class="shelf">
      <small>{packingMessages(view).shelf}</small>
      <b>
        <bdi>{order.shelf}</bdi>
      </b>
    </p>
  );
}

/** Code 128 with its text below. */
function Barcode({ text }: { text: string }) {
  const { width, path } = code128(text);
  return (
    <div class="barcode">
      <svg viewBox={`0 0 ${width} 1`} preserveAspectRatio="none" role="img" aria-label={text}>
        <path d={path} />
      </svg>
      <small>{text}</small>
    </div>
  );
}

/** A page for paper, with its way back and its button on the screen alone. */
function Printed({ view, detail, title, children }: Props & { title: string; children: Child }) {
  const t = messages(view);
  return (
    <Document view={view} title={title}>
      <main id="main" class="print" tabindex={-1}>
        <p class="pager screen">
          <a href={orderPath(detail.order.id)}>{t.toOrder}</a>
          <button type="button" class="primary" hidden data-print>
            {t.printNow}
          </button>
        </p>
        <h1 class="unseen">{title}</h1>
        {children}
      </main>
    </Document>
  );
}
