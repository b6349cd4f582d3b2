import type { Child } from 'hono/jsx';
import { code128 } from '../../../codes/label';
import type { Dispensing } from '../../../order-requests/dispensing';
import type { Papers } from '../../../orders/desk/desk';
import type { OrderDetail } from '../../../orders/detail';
import { WITHDRAWAL_HOLD } from '../../../orders/news';
import { type LabelledOrder, labelOf } from '../../../orders/packing/pack';
import { dueCents, inHouseLines, isNothingHere, progressOf, supplyOf } from '../../../orders/rules';
import type { Order } from '../../../orders/store';
import type { OrderLine } from '../../../orders/tables';
import { isPickup, townOf } from '../../../tenants/rules';
import { labelledPath, orderPath } from '../../http/paths';
import { BOXES_MAX } from '../../limits';
import { amountText, batchText, dayText, formatDate, formatMoney, formatTime, kept, onDay } from '../../ui/format';
import { Document, Page } from '../../ui/layout';
import { sharedMessages } from '../../ui/messages';
import { customerOf, shippingWord } from '../../ui/order-summary';
import { ButtonLink, PrintButton } from '../../ui/parts';
import { TableHead } from '../../ui/table';
import { useView } from '../../ui/view';
import { listMessages } from '../list-messages';
import { packingMessages, supplyMessages } from './messages';

/**
 * The slips or the labels of several orders, which are printed together.
 * @param back the path of the list from which the orders were picked
 */
export function PapersPage({ papers, kind, back }: { papers: Papers[]; kind: 'slips' | 'labels'; back: string }) {
  const t = listMessages();
  const packing = packingMessages();
  const bags = papers.reduce((sum, { order }) => sum + (order.bags ?? 1), 0);
  const [title, print] =
    kind === 'slips' ? [t.slipsOf(papers.length), packing.printSlip] : [t.labelsOf(bags), packing.printLabels(bags)];
  const Sheet = kind === 'slips' ? Slip : Labels;
  return (
    <Paper title={title} print={print} back={{ path: back, label: t.toList }}>
      {papers.map((detail) => (
        <Sheet detail={detail} />
      ))}
    </Paper>
  );
}

/** Props of slips and labels. */
interface PaperProps {
  detail: Pick<OrderDetail, 'order' | 'products' | 'shopName'> & {
    /** Address and phone number of the shop. */
    shop: Partial<NonNullable<OrderDetail['shop']>> | null;
  };
}

interface SheetProps {
  title: string;
  /** Label of the print button. */
  print: string;
  back: { path: string; label: string };
  children: Child;
}

/** The link from an order's papers back to the order. */
function backTo({ id }: Order) {
  return { path: orderPath(id), label: sharedMessages().common.toOrder };
}

/** A page to print. The link back and the print button appear only on the screen. */
function Paper({ title, print, back, children }: SheetProps) {
  return (
    <Document title={title} class="paper">
      <main id="main" tabindex={-1}>
        <h1 class="unseen screen">{title}</h1>
        <div class="acts screen">
          <ButtonLink path={back.path} icon="left" label={back.label} />
          <PrintButton label={print} />
        </div>
        {children}
      </main>
    </Document>
  );
}

/** The most letters of a shelf's name that are printed in the usual size. A longer name is printed smaller. */
const SHORT_SHELF = 5;

function Shelf({ order: { shelf } }: { order: Order }) {
  if (!shelf) return <p></p>;
  return (
    <p class="at-shelf">
      <small>{packingMessages().shelf}</small>
      <b class={shelf.length > SHORT_SHELF ? 'long' : undefined}>
        <bdi>{shelf}</bdi>
      </b>
    </p>
  );
}

/** Shipping option and shop. */
function wayOf({ order, shopName }: PaperProps['detail']): Child {
  const way = shippingWord(useView(), order.shippingOption);
  return shopName ? [way, ', ', <bdi>{shopName}</bdi>] : way;
}

/** The sender: pharmacy, shop if its name differs, address, and phone number, without duplicates. */
function letterhead({ shop, shopName }: PaperProps['detail']): Child {
  const address = [shop?.street, townOf(shop ?? {}), shop?.phone];
  const parts = [useView().session?.organizationName, shopName, ...address].filter((part) => part);
  return [...new Set(parts)].map((part, index) => [index > 0 && '\u00a0· ', <bdi>{part}</bdi>]);
}

/** The width of a bar in mm: two dots of a 203 dpi printer. Bars of whole dots are readable. */
const MODULE_MM = 0.25;

/** The head of a slip: order number, title, shelf, and barcode. */
function SlipHead({ order, title }: { order: Order; title: string }) {
  return (
    <div class="ends">
      <p>
        <b class="paper-number">{order.number}</b>
        <br />
        <b>{title}</b>
      </p>
      <Shelf order={order} />
      <Barcode text={labelOf(order)} />
    </div>
  );
}

/** A Code 128 barcode with its text below. */
function Barcode({ text }: { text: string }) {
  const { width, path } = code128(text);
  return (
    <div class="barcode">
      <svg
        viewBox={`0 0 ${width} 1`}
        width={`${width * MODULE_MM}mm`}
        preserveAspectRatio="none"
        shape-rendering="crispEdges"
        role="img"
        aria-label={text}
      >
        <path d={path} />
      </svg>
      <small>{text}</small>
    </div>
  );
}

/** Payment status and the amount due. */
function paymentWords(order: Order): string {
  const paid = sharedMessages().orders.payments[order.paymentStatus];
  const due = dueCents(order);
  const amount = formatMoney(due);
  const all = `${paid}: ${formatMoney(order.totalCents)}`;
  if (due > 0 && order.paymentStatus === 'cash_on_pickup') return packingMessages().paysAtPickup(amount);
  return due > 0 && order.paymentStatus === 'paid' ? `${all}. ${supplyMessages().underpaid}: ${amount}` : all;
}

export function SlipPage(props: PaperProps) {
  const { order } = props.detail;
  const t = packingMessages();
  return (
    <Paper title={t.slipOf(order.number)} print={t.printSlip} back={backTo(order)}>
      <Slip {...props} />
    </Paper>
  );
}

/** The packing list on A5, with boxes to tick. Each further page begins with the order's number. */
function Slip({ detail }: PaperProps) {
  const view = useView();
  const { order, products, shopName } = detail;
  const t = packingMessages();
  const { packs } = progressOf(order);
  const town = [order.addressPostalCode, order.addressCity].filter(Boolean).join(' ');
  // The pharmacy's own name is printed at the end.
  const isBranch = shopName !== view.session?.organizationName;
  const hold = order.holdReason === WITHDRAWAL_HOLD ? null : order.holdReason;
  return (
    <article class="slip">
      <SlipHead order={order} title={shippingWord(view, order.shippingOption)} />
      {order.onHold && <b>{[sharedMessages().orders.fields.on_hold, hold].filter(Boolean).join(': ')}</b>}
      <div class="ends">
        <p>
          <b dir="auto">{customerOf(view, order)}</b>
          <br />
          <bdi>{[order.addressStreet, town].filter(Boolean).join(', ')}</bdi>
          <br />
          <bdi>{order.addressPhone}</bdi>
        </p>
        <p>
          <b>{`${t.packCount(packs)}, ${t.bagCount(order.bags ?? 1)}`}</b>
          <br />
          {isBranch && [shopName, <br />]}
          {paymentWords(order)}
        </p>
      </div>
      <table>
        <TableHead
          columns={[
            { label: t.packed, class: 'boxes' },
            { label: t.amount, class: 'pieces' },
            { label: [t.item, <span>{order.number}</span>] },
          ]}
        />
        <tbody>
          {inHouseLines(order).map((item, place) => (
            <Line order={order} place={place} item={item} pzn={products.get(item.p1Id ?? '')?.pzn} />
          ))}
        </tbody>
      </table>
      {order.note && (
        <p class="slip-note">
          <b>{sharedMessages().orders.fields.note}:</b> <bdi>{order.note}</bdi>
        </p>
      )}
      <p class="slip-foot">
        {`${t.accepted} ${formatTime(order.createdAt)}`}
        <br />
        {`${t.packedBy}:\u00a0______________ ${t.checkedBy}:\u00a0______________`}
        <br />
        {letterhead(detail)}
      </p>
    </article>
  );
}

/** A line of the slip. @param item the line. Its quantity is the number of packs in the pharmacy */
function Line({ order, place, item, pzn }: { order: Order; place: number; item: OrderLine; pzn?: string | null }) {
  const { owed, expectedOn } = supplyOf(order, place);
  const { quantity, name, productName, prescriptionRequired } = item;
  return (
    <tr>
      <td>
        {Array.from({ length: quantity > BOXES_MAX || item.unit ? 1 : quantity }, () => (
          <span class="tick-box"></span>
        ))}
      </td>
      <td>
        <b>{amountText(item)}</b>
      </td>
      <td>
        <b dir="auto">{kept(productName ?? name)}</b>
        {(pzn || prescriptionRequired) && <br />}
        {pzn && `PZN ${pzn}`}
        {pzn && prescriptionRequired && '\u00a0· '}
        {prescriptionRequired && <abbr title={sharedMessages().orders.prescriptionRequired}>Rx</abbr>}
        {(item.batches ?? [])
          .filter(({ left }) => !left)
          .map((each) => (
            <>
              <br />
              {packingMessages().batch} <bdi>{batchText(each, item.unit)}</bdi>
            </>
          ))}
        {owed > 0 && expectedOn !== null && (
          <>
            <br />
            {supplyMessages().comesOn(owed, onDay(expectedOn, { ...useView(), now: 0 }), item.unit)}
          </>
        )}
      </td>
    </tr>
  );
}

/** The record of what was supplied on prescription (§ 17 Abs. 6 ApBetrO). Unrecorded details are filled in by hand. */
export function DispensingPage({ record }: { record: Dispensing }) {
  const { order, pharmacy, lines, prescriptions, dispensedAt, dispensedBy } = record;
  const { shop } = pharmacy;
  const t = packingMessages();
  const place = [shop?.name, shop?.street, townOf(shop ?? {}), shop?.phone];
  return (
    <Paper title={t.dispensingOf(order.number)} print={t.printRecord} back={backTo(order)}>
      <article class="slip">
        <SlipHead order={order} title={t.dispensing} />
        <p>
          <b dir="auto">{pharmacy.name}</b>
          <br />
          <bdi>{place.filter((part) => part && part !== pharmacy.name).join(', ')}</bdi>
          <br />
          {dispensedAt !== null &&
            [`${t.packedOn}: ${formatDate(dispensedAt)}`, dispensedBy].filter(Boolean).join(', ')}
        </p>
        {prescriptions.map(({ issuedOn, sha256 }) => (
          <p>
            {issuedOn !== null && `${t.prescriptionOf(dayText(issuedOn))} `}
            <small>{`${t.fileHash} ${sha256}`}</small>
          </p>
        ))}
        <table>
          <TableHead
            columns={[
              { label: t.amount, class: 'pieces' },
              t.item,
              ...[t.batch, sharedMessages().orders.total].map((label) => ({ label, class: 'number' })),
            ]}
          />
          <tbody>
            {lines.map(({ name, pzn, batch, isOther, ...line }) => (
              <tr>
                <td>
                  <b>{amountText(line)}</b>
                </td>
                <td>
                  <b dir="auto">{kept(name)}</b>
                  <br />
                  {[pzn && `PZN ${pzn}`, isOther && t.isOther].filter(Boolean).join('\u00a0· ')}
                </td>
                <td class="number">{batch ?? '__________'}</td>
                <td class="number">{formatMoney(line.priceCents * line.quantity)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {lines.some(({ isOther }) => isOther) && <p class="slip-note">{t.signOther}</p>}
        <p class="slip-foot">{`${t.dispensedOn}: ______________ ${t.dispensedBy}: ______________`}</p>
      </article>
    </Paper>
  );
}

/**
 * The customer's slip for packs that are still owed, with their dates. It is for the pickup or for a later delivery.
 * Its barcode leads to the order.
 */
export function RestSlipPage({ detail }: PaperProps) {
  const view = useView();
  const { order } = detail;
  const t = supplyMessages();
  const { amount, item, printSlip } = packingMessages();
  const title = t.slip(isPickup(order.shippingOption));
  return (
    <Paper title={`${title} ${order.number}`} print={printSlip} back={backTo(order)}>
      <article class="slip">
        <SlipHead {...{ order, title }} />
        <div class="ends">
          <p>
            <b dir="auto">{customerOf(view, order)}</b>
            <br />
            {t.slipLead} {isPickup(order.shippingOption) && t.bringSlip}
          </p>
          <p>
            {wayOf(detail)}
            <br />
            {formatDate(view.now)}
            <br />
            {/* Customers who pay at the counter pay with the first part, before they need the slip. */}
            {(order.paymentStatus !== 'cash_on_pickup' || isNothingHere(order)) && paymentWords(order)}
          </p>
        </div>
        <table>
          <TableHead columns={[{ label: amount, class: 'pieces' }, item, { label: t.expectedOn, class: 'number' }]} />
          <tbody>
            {order.items.map((item, place) => {
              const { owed, expectedOn } = supplyOf(order, place);
              if (owed === 0 || expectedOn === null) return null;
              return (
                <tr>
                  <td>
                    <b>{amountText({ ...item, quantity: owed })}</b>
                  </td>
                  <td>
                    <b dir="auto">{kept(item.productName ?? item.name)}</b>
                  </td>
                  <td class="number">
                    <b>{dayText(expectedOn)}</b>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        <p class="slip-foot">{letterhead(detail)}</p>
      </article>
    </Paper>
  );
}

export function LabelPage(props: PaperProps) {
  const { order } = props.detail;
  const t = packingMessages();
  return (
    <Paper title={t.labelsOf(order.number)} print={t.printLabels(order.bags ?? 1)} back={backTo(order)}>
      <Labels {...props} />
    </Paper>
  );
}

/** A label of 100 × 62 mm for each bag. Other people can see it, so it has no price, medicine, or date of birth. */
function Labels({ detail }: PaperProps) {
  const view = useView();
  const { order } = detail;
  const t = packingMessages();
  const bags = order.bags ?? 1;
  const name = customerOf(view, order);
  return (
    <>
      {Array.from({ length: bags }, (_, index) => (
        <section class="bag-label" aria-label={t.bag(index + 1, bags)}>
          <div class="ends">
            <Shelf order={order} />
            <p>
              <b class="paper-number">{order.number}</b>
              <span class="way">{wayOf(detail)}</span>
            </p>
          </div>
          <p class={`to ${sizeOf(name)}`}>
            <bdi>{name}</bdi>
          </p>
          <div class="ends">
            <Barcode text={labelOf(order)} />
            <p>
              <b class="bag">{t.bag(index + 1, bags)}</b>
              <br />
              {formatDate(view.now)}
            </p>
          </div>
        </section>
      ))}
    </>
  );
}

/** The widths, as `sizeOf` counts them, above which a name is printed smaller so that it fits on the label. */
const [LONG, LONGEST] = [36, 80];

/** Size class of a name. CJK characters count as two columns. */
function sizeOf(name: string): 'long' | 'longest' | '' {
  const width = [...name].reduce((sum, sign) => sum + (sign >= '\u2e80' ? 2 : 1), 0);
  if (width > LONGEST) return 'longest';
  return width > LONG ? 'long' : '';
}

/**
 * Asks which order to continue. It is shown when one order is half packed and the label of another order is scanned.
 * The page itself changes nothing.
 */
export function OtherLabelPage({ own, other }: { own: Order; other: LabelledOrder }) {
  const t = packingMessages();
  return (
    <Page title={t.otherTitle(other.number)} isDialog>
      <p>{t.otherLead(other.number, own.number)}</p>
      <div class="ends">
        <ButtonLink path={labelledPath(other)} label={t.toOther(other.number)} />
        <ButtonLink path={orderPath(own.id)} tone="primary" data-decide label={t.stay(own.number)} />
      </div>
    </Page>
  );
}
