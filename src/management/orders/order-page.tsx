import type { OrderDetail } from '../../orders/detail';
import { WITHDRAWAL_HOLD } from '../../orders/news';
import { takesReturns } from '../../orders/return';
import { allowedTransitions, isNothingHere, owedCount, progressOf, suppliedCount } from '../../orders/rules';
import type { OrderStatus } from '../../orders/tables';
import { isPickup } from '../../tenants/rules';
import { orderPath } from '../http/paths';
import { Button, Field, Form, Hidden } from '../ui/fields';
import { birthDateOf, formatDate, formatMoment } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, OrderChips, statusText } from '../ui/order-summary';
import { PrescriptionPanel } from '../ui/panels';
import { ButtonLink, Mark, type MarkName, Notice } from '../ui/parts';
import { mayUse, useView } from '../ui/view';
import { messages } from './messages';
import { CustomerPanel, MessageToCustomer, OrderHistory, ShelfPanel } from './order-panels';
import {
  type DetailProps,
  NextStep,
  type OrderProps,
  type OrderState,
  otherSteps,
  ParcelPanel,
  stepText,
} from './order-parts';
import { packingMessages, supplyMessages } from './packing/messages';
import { PackingPanel, takesPacks } from './packing/panel';
import { RefusedScan } from './packing/scan-field';
import { isRefundable, PaymentPanel } from './payment-page';

/** An order's page: packing and history, with customer, shelf, payment, and rare steps beside them. */
export function OrderPage({ detail, state, back }: DetailProps & { state: OrderState; back: string }) {
  const { order } = detail;
  const prescribed = order.items.filter(({ prescriptionRequired }) => prescriptionRequired);
  return (
    <Page
      title={`${messages().one(String(order.number))}, ${customerOf(useView(), order)}`}
      heading={
        <>
          <span class="unseen">{sharedMessages().orders.id} </span>
          <span class="order-number">{order.number}</span>
        </>
      }
      fieldErrors={state.fieldErrors}
      back={{ path: back, label: sharedMessages().nav.orders }}
      lead={<OrderHeader detail={detail} />}
      acts={<NextStep detail={detail} />}
    >
      <div data-swap="refused">{state.refused && <RefusedScan refused={state.refused} />}</div>
      {/* The reasons that keep the order from leaving, and how to resolve them. */}
      {order.withdrawal === 'requested' && <Withdrawn detail={detail} state={state} />}
      {order.onHold && order.holdReason !== WITHDRAWAL_HOLD && <Held detail={detail} />}
      {order.originalMissing && !isOver(order) && <OriginalMissing detail={detail} />}
      <OrderSteps detail={detail} />
      <div class="order">
        <div>
          <PackingPanel detail={detail} />
          {(detail.prescriptions.length > 0 || prescribed.length > 0) && (
            <PrescriptionPanel
              path={orderPath(order.id)}
              prescriptions={detail.prescriptions}
              lines={new Map(prescribed.map((line) => [line.p1Id ?? '', line]))}
              isUncovered={detail.isUncovered}
              isOpen={order.status !== 'cancelled'}
              fieldErrors={state.fieldErrors}
            />
          )}
        </div>
        <aside>
          <CustomerPanel detail={detail} />
          <ShelfPanel detail={detail} state={state} />
          <ParcelPanel detail={detail} state={state} />
          <MessageToCustomer detail={detail} />
          <PaymentPanel detail={detail} state={state} />
          <MoreSteps order={order} />
        </aside>
        <OrderHistory detail={detail} state={state} />
      </div>
    </Page>
  );
}

/** Customer, date of birth, day of receipt, and flags of an order. */
function OrderHeader({ detail: { order } }: DetailProps) {
  const view = useView();
  const born = birthDateOf(view, order)?.text;
  const facts = [born && messages().born(born), messages().receivedOn(formatDate(order.createdAt))];
  return (
    <span class="whose">
      <span>
        <b dir="auto">{customerOf(view, order)}</b>
        <small>{facts.filter(Boolean).join(', ')}</small>
      </span>
      <OrderChips order={order} isHeading />
    </span>
  );
}

interface Step {
  name: string;
  more: string | null;
  mark: MarkName;
  at: 'past' | 'now' | 'later';
}

/** The past, current, and later steps of an order. */
function OrderSteps({ detail }: DetailProps) {
  return (
    <ol class="steps" aria-label={messages().way} data-swap="steps">
      {stepsOf({ detail }).map(({ name, more, mark, at }) => (
        <li
          class={at === 'past' ? 'done' : undefined}
          aria-current={at === 'now' ? 'step' : undefined}
          {...(at === 'now' && { id: 'status', tabindex: -1 })}
        >
          <Mark name={mark} />
          <span>{name}</span>
          {more && <small title={more}>{more}</small>}
        </li>
      ))}
    </ol>
  );
}

/**
 * The usual statuses of an order, from first to last. If the order waits for a prescription or payment, its current
 * status comes first.
 */
function wayOf({ status, shippingOption }: OrderDetail['order']): OrderStatus[] {
  const waits = status === 'awaiting_prescription' || status === 'awaiting_payment' ? [status] : [];
  return isPickup(shippingOption)
    ? [...waits, 'awaiting_packing', 'ready_pickup', 'picked_up']
    : [...waits, 'awaiting_packing', 'ready_shipping', 'shipped', 'delivered'];
}

function stepsOf({ detail }: DetailProps): Step[] {
  const { order } = detail;
  const t = messages();
  const view = useView();
  const accepted: Step = {
    name: order.orderRequestId === null ? t.created : t.accepted,
    more: acceptedBy({ detail }),
    mark: 'done',
    at: 'past',
  };
  const way = wayOf(order);
  const now = way.indexOf(order.status);
  // The order has none of the usual statuses: it was cancelled or returned.
  if (now < 0)
    return [accepted, { name: statusText(view, order, order.status), more: null, mark: 'failed', at: 'now' }];
  const isOver = now === way.length - 1;
  return [
    accepted,
    ...way.map((status, place): Step => {
      const isDone = place < now && !(status === 'awaiting_packing' && takesPacks(order));
      const at = isDone ? 'past' : place === now ? 'now' : 'later';
      const isPacked = status === 'awaiting_packing' && at === 'past';
      return {
        name:
          partNameOf({ order, status, at }) ?? (isPacked ? packingMessages().packed : statusText(view, order, status)),
        more: moreOf({ detail }, status, at),
        mark: at === 'past' || (at === 'now' && isOver) ? 'done' : at === 'later' ? 'open' : markOf(order),
        at,
      };
    }),
  ];
}

/** The special name of a step while packs of the order are still owed; undefined if the step has its usual name. */
function partNameOf({ order, status, at }: Pick<OrderDetail, 'order'> & { status: OrderStatus; at: Step['at'] }) {
  if (owedCount(order) === 0) return undefined;
  const t = supplyMessages();
  if (status === 'awaiting_packing' && at !== 'later') {
    return at === 'now' && isNothingHere(order) ? t.waits : at === 'past' ? t.partPacked : undefined;
  }
  return at === 'now' && status.startsWith('ready_') ? sharedMessages().orders.partReady : undefined;
}

function markOf({ onHold, originalMissing }: OrderDetail['order']): MarkName {
  if (onHold) return 'held';
  return originalMissing ? 'look' : 'half';
}

function acceptedBy({ detail }: DetailProps): string {
  const at = formatMoment(detail.order.createdAt);
  const made = detail.history.find(({ action }) => action === 'order_request.approved' || action === 'order.created');
  const name = made?.actorId && detail.names.get(made.actorId);
  return name ? `${at}, ${name}` : at;
}

function moreOf({ detail: { order, names } }: DetailProps, status: OrderStatus, at: Step['at']): string | null {
  const t = packingMessages();
  if (status === 'awaiting_packing') {
    const { packed, packs } = progressOf(order);
    if (at === 'now') return packs > 0 ? t.progress(packed, packs) : null;
    const last = order.packing?.reduce((one, other) => ((one.at ?? 0) < (other.at ?? 0) ? other : one));
    if (at === 'later' || !last?.at) return null;
    const name = names.get(last.by ?? '');
    return [formatMoment(last.at), name].filter(Boolean).join(', ');
  }
  if (status === 'ready_pickup' && at === 'now') return order.shelf && t.inShelf(order.shelf);
  if (status === 'picked_up' && at === 'later' && order.paymentStatus === 'cash_on_pickup') return messages().paysThen;
  return null;
}

const FLAGS = ['express', 'archived'] as const;

/** Rare steps: folded, and separate from the next step. */
function MoreSteps({ order }: OrderProps) {
  const t = messages();
  const path = orderPath(order.id);
  const bad = { class: 'bad-link' };
  const cancel = { ...bad, 'data-key': 'r' };
  const flagText = (flag: (typeof FLAGS)[number]) => (order[flag] ? t.turnOff : t.turnOn)[flag];
  const link = (isOffered: boolean, step: string, label: string, attributes = {}) =>
    isOffered && (
      <li>
        <a href={`${path}/${step}`} {...attributes}>
          {label}
        </a>
      </li>
    );
  return (
    <details class="panel fold more-steps" id="flags">
      <summary>{t.moreSteps}</summary>
      <ul>
        {otherSteps(order).map((step) => (
          <li>
            <Form action={`${path}/status`}>
              <Button tone="plain" name="status" value={step} label={stepText(order, step)} />
            </Form>
          </li>
        ))}
        {link(!order.onHold, 'hold', t.turnOn.on_hold)}
        {FLAGS.map((flag) => (
          <li>
            <Form action={`${path}/flags`}>
              <Hidden name="flag" value={flag} />
              <Button tone="plain" name="value" value={order[flag] ? 'off' : 'on'} label={flagText(flag)} />
            </Form>
          </li>
        ))}
        {link(isRefundable(order), 'refund', t.refund)}
        {link(owedCount(order) > 0, 'cancel-rest', supplyMessages().cancelRest)}
        {link(takesReturns(order), 'return', t.steps.returned)}
        {link(allowedTransitions(order).includes('cancelled'), 'cancel', t.steps.cancelled, cancel)}
        {link(order.status === 'cancelled' && suppliedCount(order) === 0, 'delete', t.remove, bad)}
      </ul>
    </details>
  );
}

const isOver = ({ status }: OrderDetail['order']) => status === 'cancelled' || status === 'returned';

/** The notice that the platform asked to withdraw the order. Here, staff cancel the order or refuse with a reason. */
function Withdrawn({ detail, state }: DetailProps & { state: OrderState }) {
  const { order, history } = detail;
  const t = messages();
  const path = orderPath(order.id);
  const asked = history.find(({ fields }) => fields?.includes('withdrawal'));
  return (
    <Notice tone="bad" mark="held" class="stopped">
      <p>
        <b>{sharedMessages().orders.fields.withdrawal}</b> {asked && t.by(order.source, formatMoment(asked.at))}.{' '}
        {t.nothingLeaves}
      </p>
      <ButtonLink path={`${path}/cancel`} tone="primary" data-decide label={t.steps.cancelled} />
      <Form action={`${path}/withdrawal`} isGuarded>
        <Field name="withdrawal_reason" label={t.whyRefused} form={state} data-note />
        <button type="submit">{t.refuseWithdrawal}</button>
      </Form>
    </Notice>
  );
}

function Held({ detail }: DetailProps) {
  const { order } = detail;
  const t = messages();
  const by = doneBy({ detail }, ({ fields }) => fields?.includes('on_hold') ?? false);
  return (
    <Notice tone="wait" mark="held" class="stopped">
      <p>
        <b>{sharedMessages().orders.fields.on_hold}</b>
        {by && ` ${by}`}
        {order.holdReason && (
          <>
            : <q>{order.holdReason}</q>
          </>
        )}
        {/[.!?]$/.test(order.holdReason ?? '') ? ' ' : '. '}
        {t.nothingLeaves}
      </p>
      {order.withdrawal !== 'requested' && (
        <Form action={`${orderPath(order.id)}/flags`}>
          <Hidden name="flag" value="on_hold" />
          <Button tone="primary" name="value" value="off" data-decide label={t.turnOff.on_hold} />
        </Form>
      )}
    </Notice>
  );
}

function OriginalMissing({ detail }: DetailProps) {
  const { order } = detail;
  const t = messages();
  const by = doneBy({ detail }, ({ action }) => action === 'order_request.approved');
  return (
    <Notice tone="wait" mark="look" class="stopped">
      <p>
        <b>{t.waitsForOriginal}</b> {by && t.toFollow(by)} {t.nothingLeaves}{' '}
        {!mayUse('prescriptions.write') && t.whoConfirms}
      </p>
      {mayUse('prescriptions.write') && (
        <ButtonLink
          path={`${orderPath(order.id)}/original`}
          tone={order.onHold ? undefined : 'primary'}
          data-decide
          label={t.originalIsHere}
        />
      )}
    </Notice>
  );
}

/**
 * Who did the newest matching act, and when (`von Kim Öztürk, 10:12`). Null if no act matches, or if its person is
 * unknown.
 */
function doneBy({ detail }: DetailProps, isMeant: (act: OrderDetail['history'][number]) => boolean): string | null {
  const act = detail.history.find(isMeant);
  const name = act?.actorId && detail.names.get(act.actorId);
  return act && name ? messages().by(name, formatMoment(act.at)) : null;
}
