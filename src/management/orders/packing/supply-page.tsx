import { overpaidOf } from '../../../orders/payments/refund';
import {
  inHouseOf,
  isNothingHere,
  owedCount,
  packedOf,
  suppliedCount,
  supplyKey,
  supplyOf,
} from '../../../orders/rules';
import type { Order } from '../../../orders/store';
import { type ExpectedLine, type listExpected, moneyWithoutRest, restKey } from '../../../orders/supply/supply';
import { type Day, nextDelivery } from '../../../platform/pharmacy-time';
import { DAY_MS } from '../../../platform/time';
import { EXPECTED, orderPath, withQuery } from '../../http/paths';
import { ConfirmPage, Decision } from '../../ui/confirm';
import { Button, Field, Form, Hidden, ReasonField } from '../../ui/fields';
import { DayField } from '../../ui/filters';
import { amountText, dayText, formatMoney, kept, onDay } from '../../ui/format';
import { Chip, Page } from '../../ui/layout';
import { sharedMessages } from '../../ui/messages';
import { numberAndName } from '../../ui/order-summary';
import { Mark, Nothing, Notice, PrintButton } from '../../ui/parts';
import { Bench, Table } from '../../ui/table';
import { type FieldErrors, useView } from '../../ui/view';
import { DeskTabs } from '../list-page';
import { packingMessages, supplyMessages } from './messages';
import { RefusedScan, ScanField, type ScanRefusal } from './scan-field';

export interface SupplyProps {
  order: Order;
  place: number;
  typed: Partial<Record<'later' | 'expected_on' | 'arrived', string>>;
  fieldErrors?: FieldErrors;
}

/** The number of packs of a line that can still be set to come later: those in the pharmacy that are not packed yet. */
export function splittableOf(order: Order, place: number): number {
  const { scanned, byHand } = packedOf(order, place);
  return inHouseOf(order, place) - scanned - byHand;
}

/**
 * The page that asks how many packs of a line come later, and on which day. If the line has owed packs, it also asks
 * how many of them have arrived.
 */
export function SupplyPage({ order, place, typed, fieldErrors = {} }: SupplyProps) {
  const t = supplyMessages();
  const line = order.items[place];
  if (!line) return null;
  const path = orderPath(order.id);
  const { owed } = supplyOf(order, place);
  return (
    <Page
      title={t.splitTitle(order.number)}
      heading={owed > 0 ? t.stillToCome : t.split}
      lead={numberAndName(useView(), order)}
      fieldErrors={fieldErrors}
      back={{ path, label: sharedMessages().common.toOrder }}
      isDialog
    >
      <h2>{kept(line.productName ?? line.name)}</h2>
      {owed > 0 && <Owed {...{ order, place, typed, fieldErrors }} />}
      <Split {...{ order, place, typed, fieldErrors }} />
    </Page>
  );
}

function Split({ order, place, typed, fieldErrors = {} }: SupplyProps) {
  const t = supplyMessages();
  const open = splittableOf(order, place);
  const later = { name: 'later', label: t.howMany, fieldErrors };
  const day = { name: 'expected_on', label: t.expectedOn, fieldErrors };
  if (open === 0) {
    return supplyOf(order, place).owed > 0 ? null : <Notice tone="wait">{t.nothingToSplit}</Notice>;
  }
  return (
    <Form action={`${orderPath(order.id)}/later`} isGuarded>
      <Hidden name="line" value={supplyKey(order, place)} />
      <p class="hint">
        {t.ofOpen(t.packs(open))} {t.splitLead}
      </p>
      <CountField {...later} value={typed.later ?? String(open)} />
      <DayField {...day} value={typed.expected_on ?? nextDelivery(useView().now)} />
      <Decision act={t.splitNow} back={orderPath(order.id)} isHarmless name="act" value="split" />
    </Form>
  );
}

/**
 * The form for a line's owed packs. One button says that they have arrived. The other changes the day on which they
 * come.
 */
function Owed({ order, place, typed, fieldErrors = {} }: SupplyProps) {
  const t = supplyMessages();
  const { owed, expectedOn } = supplyOf(order, place);
  const arrived = { name: 'arrived', label: t.howManyCame, fieldErrors };
  const day = { name: 'expected_on', label: t.expectedOn, fieldErrors };
  return (
    <Form action={`${orderPath(order.id)}/later`} isGuarded>
      <Hidden name="line" value={supplyKey(order, place)} />
      <p>{t.packsOn(owed, expectedOn === null ? '' : onDay(expectedOn))}</p>
      <div class="owed">
        <CountField {...arrived} value={typed.arrived ?? String(owed)} />
        <Button tone="primary" name="act" value="arrived" label={t.here} />
        <DayField {...day} value={typed.expected_on ?? expectedOn ?? ''} />
        <Button name="act" value="day" label={t.changeDay} />
      </div>
    </Form>
  );
}

function CountField(props: { name: string; label: string; value: string; fieldErrors: FieldErrors }) {
  return <Field {...props} inputmode="numeric" size={4} />;
}

/** The HTML id of the form that the buttons of all lines submit. */
const HERE = 'here';

/**
 * `count`: the number of lines on all pages. `next`: the offset of the next page. `last`: the order for which the last
 * scanned pack arrived; the page names that order's shelf. `refused`: why the last scan had no effect.
 */
type Props = Awaited<ReturnType<typeof listExpected>> & { isLater: boolean; refused?: ScanRefusal };

/** The lines that are expected today, overdue, or expected later. A button or a scan marks a line as arrived. */
export function ExpectedPage({ lines, count, next, today, hasMore, counts, isLater, last, refused }: Props) {
  const t = supplyMessages();
  return (
    <Page
      title={t.expected}
      heading={sharedMessages().nav.orders}
      onPaper={isLater ? t.allExpected : t.expected}
      lead={<span data-swap="lead">{isLater ? t.laterLead(count) : t.expectedLead(count, dayText(today))}</span>}
      acts={<PrintButton tone="button" label={t.printList} />}
    >
      <div data-swap="expected">
        {refused && <RefusedScan refused={refused} />}
        {last && (
          <Notice tone="good" role="status">
            <b>
              {t.arrivedFor(last.number)}: <bdi>{last.shelf ? packingMessages().inShelf(last.shelf) : t.noShelf}</bdi>
            </b>{' '}
            <a href={orderPath(last.id)}>{sharedMessages().common.toOrder}</a>
          </Notice>
        )}
        <Bench isMany>
          <DeskTabs counts={counts} current="expected" />
          <Form action={`${EXPECTED}/scan`} class="scan" once data-stays>
            <Hidden name="last" value={last?.id ?? ''} />
            <ScanField />
          </Form>
        </Bench>
        {count === 0 ? (
          <Nothing title={isLater ? t.nothingLater : t.nothingExpected} />
        ) : (
          <>
            <Form id={HERE} action={`${EXPECTED}/here`} data-stays>
              {isLater && <Hidden name="list" value="later" />}
            </Form>
            <ExpectedTable {...{ lines, today }} />
          </>
        )}
        <p class="pager screen">
          <span>
            {hasMore && `${t.more} `}
            {t.scanHint}
          </span>
          {next !== null && (
            <a rel="next" href={withQuery(EXPECTED, { later: isLater ? '1' : undefined, from: String(next) })}>
              {sharedMessages().requests.more(count - next)}
            </a>
          )}
          <a href={isLater ? EXPECTED : `${EXPECTED}?later=1`}>{isLater ? t.onlyToday : t.allExpected}</a>
        </p>
      </div>
    </Page>
  );
}

function ExpectedTable({ lines, today }: Pick<Props, 'lines' | 'today'>) {
  const t = supplyMessages();
  return (
    <Table
      class="rows brief expected"
      rows={lines}
      columns={[
        { label: packingMessages().amount, class: 'age', cell: (line) => <b>{amountText(line)}</b> },
        {
          label: t.product,
          kind: 'name',
          class: 'name',
          title: ({ name }) => name,
          cell: ({ name }) => <bdi class="clip">{kept(name)}</bdi>,
        },
        { label: 'PZN', class: 'total', cell: ({ pzn }) => <span class="quiet">{pzn}</span> },
        {
          label: t.forWhom,
          class: 'what',
          title: ({ order }) => `${order.number} ${order.customerName ?? ''}`,
          cell: ({ order }) => (
            <a class="go" href={orderPath(order.id)}>
              {order.number} <bdi>{order.customerName}</bdi>
            </a>
          ),
        },
        { label: t.state, class: 'settle', cell: (line) => <State {...{ line, today }} /> },
        {
          label: t.step,
          kind: 'actions',
          class: 'shipping',
          cellClass: 'actions',
          cell: ({ order, key, quantity, name }) => (
            <button
              type="submit"
              class="tiny"
              form={HERE}
              name="line"
              value={`${order.id} ${quantity} ${key}`}
              aria-label={t.hereOf(name, order.number)}
            >
              {t.here}
            </button>
          ),
        },
      ]}
    />
  );
}

/**
 * The state of an expected line. It is overdue by a number of days, ordered (expected today), or expected on a later
 * day. The product can be in stock already.
 */
function State({ line, today }: { line: ExpectedLine; today: Day }) {
  const t = supplyMessages();
  if (line.expectedOn < today) {
    const days = Math.round((Date.parse(today) - Date.parse(line.expectedOn)) / DAY_MS);
    return <Chip tone="wait">{t.dueSince(days)}</Chip>;
  }
  const isHere = line.stock >= line.quantity;
  const day = line.expectedOn > today ? onDay(line.expectedOn) : !isHere && t.ordered;
  return (
    <span class="quiet with">
      <Mark name="half" />
      {[day, isHere && t.inStock].filter(Boolean).join(', ')}
    </span>
  );
}

const CANCELLED_FOR = ['not_available', 'out_of_stock', 'customer_withdrew', 'other'] as const;

/** Asks for confirmation before owed packs are cancelled. Shows the new total and the amount to refund. */
export function CancelRestPage({ order, fieldErrors }: { order: Order; fieldErrors?: FieldErrors }) {
  const t = supplyMessages();
  const path = orderPath(order.id);
  const after = moneyWithoutRest(order);
  const isEnding = suppliedCount(order) > 0 && isNothingHere(order);
  return (
    <ConfirmPage
      fieldErrors={fieldErrors}
      title={t.cancelTitle(order.number)}
      lead={t.cancelLead}
      action={`${path}/cancel-rest`}
      act={t.cancelNow}
      back={path}
    >
      <Hidden name="seen" value={restKey(order)} />
      <ul aria-label={t.packs(owedCount(order))}>
        {order.items.map((item, place) => {
          const { owed, expectedOn } = supplyOf(order, place);
          if (owed === 0) return null;
          return (
            <li>
              <b>{amountText({ quantity: owed, unit: item.unit })}</b> <bdi>{kept(item.productName ?? item.name)}</bdi>{' '}
              <small>{expectedOn && onDay(expectedOn)}</small>
            </li>
          );
        })}
      </ul>
      <p>
        {t.totalFalls(formatMoney(order.totalCents), formatMoney(after.totalCents))} {isEnding && t.thenEnds}
      </p>
      {overpaidOf(after) > 0 && <Notice tone="wait">{t.thenOver(formatMoney(overpaidOf(after)))}</Notice>}
      <ReasonField fieldErrors={fieldErrors} codes={CANCELLED_FOR} />
    </ConfirmPage>
  );
}
