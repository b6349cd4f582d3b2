import {
  dueCents,
  handOverQuestions,
  type LeavingOrder,
  type Order,
  owedCount,
  progressOf,
  UNPAID_REASONS,
} from '../../orders/service';
import { orderPath } from '../http/paths';
import { Decision, DecisionKey } from '../ui/confirm';
import { Fault, Field, Form, type FormState, Labeled, Options } from '../ui/fields';
import { hasFieldErrors } from '../ui/form-errors';
import { formatDate, formatMoney } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { Say } from '../ui/parts';
import type { View } from '../ui/view';
import { partLabelOf } from './decision';
import { leavingMessages } from './leaving-messages';
import { Counsel, Packs, Recipient, Words } from './parcel';
import { differenceOf } from './payment-panel';
import { type TrackingField, TrackingFields } from './tracking';

export type LeavingField =
  | 'collected_by'
  | 'unpaid_reason'
  | 'address_known'
  | 'expiry_accepted'
  | 'seen'
  | TrackingField;

export interface LeavingProps {
  view: View;
  leaving: LeavingOrder;
  form: FormState<LeavingField>;
}

/** Before goods leave the counter: who gets what, from which shelf, and whether it was paid. */
export function HandOverPage({ view, leaving, form }: LeavingProps) {
  const { order, expired } = leaving;
  const t = leavingMessages(view);
  const { isUnpaid } = handOverQuestions(order, 'picked_up', expired);
  const path = orderPath(order.id);
  return (
    <Question
      {...{ view, leaving, form }}
      title={t.handOverTitle(order.number, customerOf(view, order))}
      lead={t.handOverLead(order.number, progressOf(order).packs)}
    >
      <Form view={view} action={`${path}/hand-over`} isGuarded>
        <Seen leaving={leaving} />
        <ExpiredTick {...{ view, leaving, form }} />
        <div class="collected">
          <Counsel view={view} />
          <Field name="collected_by" label={t.collectedBy} form={form} value={form.collected_by ?? ''} data-amount />
        </div>
        <HandOverEnds
          {...{ view, leaving, form, isUnpaid }}
          back={path}
          keep={t.notNow}
          act={partLabelOf(view, order, 'picked_up') ?? t.handOver}
        />
      </Form>
    </Question>
  );
}

interface HandOverEndsProps extends LeavingProps {
  isUnpaid: boolean;
  back: string;
  keep: string;
  act: string;
}

/** Hands over, where something is to be paid for the money, or without it and why; and the way back. */
export function HandOverEnds({ view, leaving, form, isUnpaid, back, keep, act }: HandOverEndsProps) {
  const t = leavingMessages(view);
  return (
    <div class="ends">
      <a class="button" href={back}>
        {keep}
      </a>
      {isUnpaid && (
        <details class="unpaid" data-pop open={form.fieldErrors?.unpaid_reason !== undefined}>
          <summary class="button">{t.withoutPayment}</summary>
          <div class="sheet">
            <UnpaidReasonField view={view} form={form} />
            <button class="danger" type="submit" name="cash_received" value="no">
              {t.handOverUnpaid}
            </button>
          </div>
        </details>
      )}
      <button class="primary" type="submit" name="cash_received" value={isUnpaid ? 'yes' : ''} data-decide>
        {isUnpaid ? t.received(formatMoney(view.language, dueCents(leaving.order))) : act}
        <DecisionKey view={view} />
      </button>
    </div>
  );
}

/** Before goods are sent that nobody paid, that have no address, or whose prescription is too old by now. */
export function ShipPage({ view, leaving, form }: LeavingProps) {
  const { order, expired } = leaving;
  const t = leavingMessages(view);
  const { isUnpaid } = handOverQuestions(order, 'shipped', expired);
  const path = orderPath(order.id);
  return (
    <Question
      {...{ view, leaving, form }}
      title={t.shipTitle(order.number, customerOf(view, order))}
      lead={t.shipLead(order.number, progressOf(order).packs)}
    >
      <Form view={view} action={`${path}/ship`} isGuarded>
        <Seen leaving={leaving} />
        <ExpiredTick {...{ view, leaving, form }} />
        <AddressTick {...{ view, leaving, form }} />
        {isUnpaid && (
          <>
            {order.paymentStatus !== 'paid' && (
              <Say tone="wait">{t.unpaid(formatMoney(view.language, dueCents(order)))}</Say>
            )}
            <UnpaidReasonField view={view} form={form} />
          </>
        )}
        <TrackingFields view={view} order={order} form={form} />
        <Decision
          view={view}
          act={partLabelOf(view, order, 'shipped') ?? t.ship}
          back={path}
          keep={t.notShipped}
          isHarmless
        />
      </Form>
    </Question>
  );
}

interface QuestionProps extends LeavingProps {
  title: string;
  lead: string;
  children: Parameters<typeof Page>[0]['children'];
}

/** A page that asks before goods leave: to whom, what, and what people said. */
export function Question({ view, leaving, form, title, lead, children }: QuestionProps) {
  const { order } = leaving;
  const { fieldErrors = {} } = form;
  return (
    <Page
      {...{ view, title, fieldErrors }}
      isDialog
      head={<Recipient {...{ view, order, lead }} isFocused={!hasFieldErrors(fieldErrors)} />}
    >
      <Packs view={view} order={order} />
      <Words view={view} leaving={leaving} />
      <Difference view={view} order={order} />
      {children}
    </Page>
  );
}

/** What was paid too much or too little. */
function Difference({ view, order }: { view: View; order: Order }) {
  const difference = differenceOf(view, order);
  if (order.paymentStatus !== 'paid' || !difference) return null;
  return (
    <Say tone="wait">
      {difference.label}: {difference.amount}
    </Say>
  );
}

/** As of when the page shows the order: changed since, it is shown anew. */
export function Seen({ leaving: { order } }: Pick<LeavingProps, 'leaving'>) {
  return (
    <>
      <Hidden name="seen" value={order.updatedAt} />
      {owedCount(order) > 0 && <Hidden name="part" value="yes" />}
    </>
  );
}

/** A prescription is too old by now. */
export function ExpiredTick({ view, leaving: { expired }, form }: LeavingProps) {
  const t = leavingMessages(view);
  if (expired.length === 0) return null;
  const days = expired.map(({ issuedOn }) => formatDate(view.language, Date.parse(issuedOn)));
  return (
    <Tick name="expiry_accepted" form={form} lead={t.expired(days.join(', '))}>
      {t.expiryAccepted}
    </Tick>
  );
}

/** Goods that are brought somewhere, and nobody says where to. */
export function AddressTick({ view, leaving: { order, expired }, form }: LeavingProps) {
  const t = leavingMessages(view);
  if (!handOverQuestions(order, 'shipped', expired).isAddressMissing) return null;
  return (
    <Tick name="address_known" form={form} lead={t.noAddress}>
      {t.addressKnown}
    </Tick>
  );
}

interface TickProps extends Pick<LeavingProps, 'form'> {
  name: 'address_known' | 'expiry_accepted';
  /** What is wrong. */
  lead: string;
  children: string;
}

/** What somebody has to have seen before the decision. */
function Tick({ name, form, lead, children }: TickProps) {
  const fault = form.fieldErrors?.[name];
  return (
    <div class={fault ? 'field wrong' : 'field'}>
      <Say tone="wait">{lead}</Say>
      <Fault name={name} text={fault} />
      <label class="choice">
        <input
          type="checkbox"
          id={name}
          name={name}
          value="yes"
          checked={form[name] === 'yes'}
          aria-describedby={fault && `${name}-fault`}
          data-tick
        />
        <span>{children}</span>
      </label>
    </div>
  );
}

/** Why nothing is paid. */
function UnpaidReasonField({ view, form }: Pick<LeavingProps, 'view' | 'form'>) {
  const { orders } = sharedMessages(view);
  const reasons = UNPAID_REASONS.map((value) => ({ value, label: orders.unpaidReasons[value] }));
  return (
    <Labeled
      name="unpaid_reason"
      label={leavingMessages(view).whyUnpaid}
      error={form.fieldErrors?.unpaid_reason}
      control={(attributes) => (
        <select {...attributes}>
          <Options options={reasons} value={form.unpaid_reason} none={orders.choose} />
        </select>
      )}
    />
  );
}
