import { isNameMismatch } from '../../../order-requests/names/differences';
import { unknownBatchOf } from '../../../orders/batch-rules';
import type { OrderDetail } from '../../../orders/detail';
import { BATCH_MAX, CHECKED_BY_MAX } from '../../../orders/limits';
import { refundedOf } from '../../../orders/payments/refund';
import {
  inHouseOf,
  isBeingPacked,
  isNothingHere,
  isPacked,
  isWeighed,
  owedCount,
  packedOf,
  progressOf,
  supplyKey,
  supplyOf,
} from '../../../orders/rules';
import { orderPath } from '../../http/paths';
import { Button, Form, Hidden, Options } from '../../ui/fields';
import { amountText, batchText, formatMoment, formatMoney, onDay, quantityText, timesText } from '../../ui/format';
import { Chip } from '../../ui/layout';
import { sharedMessages } from '../../ui/messages';
import { chargeRows, contentsOf } from '../../ui/order-summary';
import { differingSpans, MarkedName } from '../../ui/panels';
import { labelFor, Mark, Panel } from '../../ui/parts';
import { TableHead } from '../../ui/table';
import { messages } from '../messages';
import type { DetailProps } from '../order-parts';
import { isRefundable } from '../payment-page';
import { packingMessages, supplyMessages } from './messages';
import { ScanField } from './scan-field';

type Line = OrderDetail['order']['items'][number];

/** The lines of an order; during packing, with the scan field, progress, and buttons to tick packs. */
export function PackingPanel({ detail }: DetailProps) {
  const { order } = detail;
  const t = packingMessages();
  const { packed, packs, open, byHand } = progressOf(order);
  const isOpen = takesPacks(order) && !isNothingHere(order);
  const owed = owedCount(order);
  const isCounted = isOpen || order.status === 'awaiting_packing' || packed > 0;
  const left = packs - packed;
  return (
    <Panel
      title={isOpen ? t.title : messages().article}
      id="packs"
      swap="packs"
      beside={
        <span class="with">
          {isCounted &&
            packs > 0 &&
            (open.length === 0 ? (
              <Chip tone="good">{t.counted(packed - byHand, byHand)}</Chip>
            ) : (
              <span class="quiet" id="left">
                {t.left(left)}
              </span>
            ))}
          {owed > 0 && (
            <Chip tone="note" mark="half">
              {supplyMessages().comesLater(owed)}
            </Chip>
          )}
        </span>
      }
    >
      {isOpen && <ScanForm orderId={order.id} packed={packed} packs={packs} />}
      {isOpen ? (
        <Form action={`${orderPath(order.id)}/packs`} data-stays>
          <Lines {...{ detail, isOpen, isCounted }} />
          <BatchField detail={detail} />
        </Form>
      ) : (
        <Lines {...{ detail, isOpen, isCounted }} />
      )}
    </Panel>
  );
}

/** The most lines that the select for a batch offers. Further lines are offered once these lines have a batch. */
const LINES_CHOSEN_FROM = 10;

/**
 * The field for the batch of packs that staff tick by hand. It applies to the packs that are ticked next. A second
 * button saves the batch of packs that were already ticked without one.
 */
function BatchField({ detail }: DetailProps) {
  const { order } = detail;
  const t = packingMessages();
  const batch = { 'aria-label': t.batchOfTicked, placeholder: t.batchOfTicked, autocomplete: 'off' };
  const open = order.items.flatMap((item, place) =>
    unknownBatchOf(order, place) > 0 ? [{ value: supplyKey(order, place), label: nameOf(detail, item) }] : [],
  );
  return (
    <p class="hand">
      {open.length > 0 && (
        <select name="batch-line" aria-label={t.item}>
          <Options options={open.slice(0, LINES_CHOSEN_FROM)} value="" />
        </select>
      )}
      <input name="batch" maxlength={BATCH_MAX} {...batch} />
      {open.length > 0 && <Button name="act" value="batch" label={t.saveBatch} />}
    </p>
  );
}

interface LinesProps extends DetailProps {
  /** Whether packs can be ticked. */
  isOpen: boolean;
  /** Whether the number of ticked packs is shown. */
  isCounted: boolean;
}

function Lines({ detail, isOpen, isCounted }: LinesProps) {
  const { order } = detail;
  const t = packingMessages();
  const { orders } = sharedMessages();
  const [next] = progressOf(order).open;
  return (
    <table class={isOpen ? 'order-lines being-packed' : 'order-lines'}>
      <TableHead columns={[isCounted ? t.packed : t.amount, t.item, orders.total, ...(isOpen ? [t.steps] : [])]} />
      <tbody>
        {order.items.map((item, place) => (
          <>
            <PackedLine {...{ detail, item, place, isOpen, isCounted }} isNext={isOpen && next?.place === place} />
            <LaterRow {...{ detail, place, isOpen }} />
          </>
        ))}
      </tbody>
      <tfoot>
        {chargeRows(order).map(([label, amount]) => (
          <tr>
            <td></td>
            <th scope="row">{label}</th>
            <td class="number">{amount}</td>
            {isOpen && <td></td>}
          </tr>
        ))}
        <tr>
          <td></td>
          <th scope="row">{orders.total}</th>
          <td class="number">{formatMoney(order.totalCents)}</td>
          {isOpen && <td></td>}
        </tr>
      </tfoot>
    </table>
  );
}

/** Whether packs can be ticked. A ready order takes only missing packs. */
export function takesPacks(order: OrderDetail['order']): boolean {
  return isBeingPacked(order) && (order.status === 'awaiting_packing' || !isPacked(order));
}

function ScanForm({ orderId, packed, packs }: { orderId: string; packed: number; packs: number }) {
  const t = packingMessages();
  return (
    <>
      <Form action={`${orderPath(orderId)}/scan`} class="scan" data-stays>
        <Hidden name="seen" value={packed} />
        <ScanField />
        <span class="ticked" aria-hidden="true">
          {packed} / {packs}
        </span>
      </Form>
      <progress class="meter" max={packs} value={packed} aria-label={t.progress(packed, packs)}></progress>
    </>
  );
}

interface LineProps extends LinesProps {
  item: Line;
  place: number;
  isNext: boolean;
}

function PackedLine({ detail, item, place, isOpen, isCounted, isNext }: LineProps) {
  const { order } = detail;
  const { scanned, byHand } = packedOf(order, place);
  const ticked = scanned + byHand;
  const here = inHouseOf(order, place);
  // If all packs of the line are still owed, none of them is in the pharmacy.
  const isWhole = isCounted && ticked >= here && (here > 0 || supplyOf(order, place).owed === 0);
  return (
    <tr class={isWhole ? 'ok' : isNext ? 'next' : undefined}>
      <td class="ticked">
        {isWhole && <Mark name="done" />}
        {isCounted && here > 0 ? `${ticked}/${here}${item.unit ? ` ${item.unit}` : ''}` : amountText(item)}
      </td>
      <td>
        <b>
          <MarkedName name={nameOf(detail, item)} />
        </b>
        <LineFacts {...{ detail, item, place }} />
      </td>
      <td class="number">
        {(item.quantity > 1 || item.unit) && <small>{timesText(item)}</small>}
        {formatMoney(item.priceCents * item.quantity)}
        {isRefundable(order) && refundedOf(order, place).quantity < item.quantity && item.priceCents > 0 && (
          <small>
            <a href={`${orderPath(order.id)}/refund?line=${place}`}>
              {labelFor(messages().refund, nameOf(detail, item))}
            </a>
          </small>
        )}
      </td>
      {isOpen && (
        <td>
          <LineSteps {...{ detail, item, place }} missing={here - ticked} ticked={ticked} />
        </td>
      )}
    </tr>
  );
}

/** The packs of a line that are owed, with a link to manage them, and the packs that left before. */
function LaterRow({ detail, place, isOpen }: Pick<LineProps, 'detail' | 'place' | 'isOpen'>) {
  const t = supplyMessages();
  const { order, names } = detail;
  const { owed, expectedOn, supplied, by, at } = supplyOf(order, place);
  if (owed === 0 && supplied === 0) return null;
  return (
    <tr class="later">
      <td class="ticked">{owed > 0 && <Mark name="half" />}</td>
      <td colspan={isOpen ? 3 : 2}>
        {owed > 0 && expectedOn !== null && (
          <>
            <b>{t.comesOn(owed, onDay(expectedOn), order.items[place]?.unit)}</b>{' '}
            <a href={`${orderPath(order.id)}/later?line=${place}`}>{t.manage}</a>
          </>
        )}
        <small>
          {[
            owed > 0 && at && t.orderedBy(formatMoment(at), names.get(by ?? '') ?? ''),
            supplied > 0 && t.leftBefore(quantityText(supplied, order.items[place]?.unit)),
          ]
            .filter(Boolean)
            .join('\u00a0· ')}
        </small>
      </td>
    </tr>
  );
}

/**
 * Returns the name of the product that is handed out. A line of an older order has no stored name. It gets the current
 * name of its product, else the requested name. If the requested name was erased, returns a word that says so.
 */
function nameOf({ products }: OrderDetail, { productName, p1Id, name }: Line): string {
  return productName ?? products.get(p1Id ?? '')?.name ?? (name || sharedMessages().prescriptions.states.erased);
}

/** The line's PZN, its prescription, who ticked it by hand, and the requested name if this differs. */
function LineFacts({ detail, item, place }: Pick<LineProps, 'detail' | 'item' | 'place'>) {
  const t = packingMessages();
  const shared = sharedMessages();
  const { order, products, names } = detail;
  const product = products.get(item.p1Id ?? '');
  const { byHand, by, at, weighed, checkedBy } = packedOf(order, place);
  const who = [names.get(by ?? ''), at && formatMoment(at)].filter(Boolean).join(', ');
  const back = order.returned?.[place]?.quantity ?? 0;
  const facts = [
    product?.pzn && `PZN ${product.pzn}`,
    (item.prescriptionRequired || product?.prescriptionRequired) && (
      <abbr class="rx" title={shared.orders.prescriptionRequired}>
        Rx
      </abbr>
    ),
    item.isCoPayment && t.coPayment,
    weighed !== undefined && t.weighedIn((weighed / 10).toFixed(1), who, checkedBy),
    byHand > 0 && weighed === undefined && `${t.tickedByHand}: ${who}`,
    ...(item.batches ?? []).map((each) => `${t.batch} ${batchText(each, item.unit)}`),
    ...contentsOf(product),
    back > 0 && `${shared.orders.statuses.returned}: ${quantityText(back, item.unit)}`,
  ].filter(Boolean);
  const supplied = nameOf(detail, item);
  const differing = item.name === '' ? [] : differingSpans(item.name, supplied).asked;
  return (
    <small>
      {facts.map((fact, index) => (
        <>
          {index > 0 && '\u00a0· '}
          {fact}
        </>
      ))}
      {item.name !== '' && isNameMismatch(item.name, supplied, item.unit !== undefined) && (
        <>
          {' '}
          <Chip tone="bad">{shared.requests.nameDiffers}</Chip>
        </>
      )}
      {differing.length > 0 && (
        <span class="asked">
          {shared.requests.askedAs}: <MarkedName name={item.name} spans={differing} />
        </span>
      )}
    </small>
  );
}

type StepsProps = Pick<LineProps, 'detail' | 'item' | 'place'> & Record<'missing' | 'ticked', number>;

function LineSteps({ detail, item, place, missing, ticked }: StepsProps) {
  const t = packingMessages();
  const name = nameOf(detail, item);
  const key = supplyKey(detail.order, place);
  const named = (text: string) => ({ 'aria-label': `${text}: ${name}`, placeholder: text, autocomplete: 'off' });
  const link = (to: string, text: string) => (
    <a href={`${orderPath(detail.order.id)}/${to}?line=${place}`}>{labelFor(text, name)}</a>
  );
  return (
    <div class="hand">
      {missing > 0 && isWeighed(item) && (
        <>
          <input name={`weighed-${key}`} inputmode="decimal" {...named(t.weigh)} />
          <input name={`checked-${key}`} maxlength={CHECKED_BY_MAX} {...named(t.weighingCheckedBy)} />
        </>
      )}
      {missing > 0 && (
        <button type="submit" name="hand" value={key} aria-label={`${t.byHand}: ${name}`}>
          <span class="long">{t.byHand}</span>
          <span class="short">{t.byHandShort}</span>
        </button>
      )}
      {ticked > 0 && (
        <Button tone="plain" name="undo" value={key} aria-label={`${t.takeBack}: ${name}`} label={t.takeBack} />
      )}
      <span class="with">
        {missing > 0 && link('later', supplyMessages().split)}
        {link('other-product', t.otherProduct)}
      </span>
    </div>
  );
}
