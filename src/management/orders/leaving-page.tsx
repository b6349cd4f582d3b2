import type { LeavingOrder } from '../../orders/detail';
import { dueCents, handOverQuestions, inHouseOf, owedCount, progressOf, supplyOf } from '../../orders/rules';
import type { Order } from '../../orders/store';
import { UNPAID_REASONS } from '../../orders/tables';
import { isPickup } from '../../tenants/rules';
import { orderPath, TOUR } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Button, Choice, Fault, Field, Form, type FormState, Hidden, Select } from '../ui/fields';
import { amountText, birthDateOf, formatDate, formatMoney, kept, onDay, quantityText } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, isCarried } from '../ui/order-summary';
import { OpenQuestions, PersonWords, shownDetails } from '../ui/panels';
import { Icon, Notice } from '../ui/parts';
import { hasFieldErrors, useView } from '../ui/view';
import { tourMessages } from './list-messages';
import { leavingMessages } from './messages';
import { PlatformDetails } from './order-panels';
import { hasParcel, partLabelOf, stepText, type TrackingField, TrackingFields } from './order-parts';
import { packingMessages, supplyMessages } from './packing/messages';
import { differenceOf } from './payment-page';

export type LeavingField =
  | 'collected_by'
  | 'unpaid_reason'
  | 'address_known'
  | 'expiry_accepted'
  | 'rules_accepted'
  | 'seen'
  | TrackingField;

interface LeavingProps {
  leaving: LeavingOrder;
  form: FormState<LeavingField>;
}

/** Asks for confirmation before a hand-over. Shows the recipient, packs, shelf, and payment. */
export function HandOverPage({ leaving, form }: LeavingProps) {
  const { order } = leaving;
  const t = leavingMessages();
  const path = orderPath(order.id);
  return (
    <Question
      {...{ leaving, form }}
      title={t.handOverTitle(order.number, customerOf(useView(), order))}
      lead={t.handOverLead(order.number, progressOf(order).packs)}
    >
      <Form action={`${path}/hand-over`} isGuarded>
        <Answers {...{ leaving, form }} to="picked_up" />
        <div class="collected">
          <p class="with">
            <Icon name="info" />
            {t.counsel}
          </p>
          <Field name="collected_by" label={t.collectedBy} form={form} value={form.collected_by ?? ''} data-amount />
        </div>
        <HandOverEnds {...{ leaving, form }} back={path} act={partLabelOf(order, 'picked_up') ?? t.handOver} />
      </Form>
    </Question>
  );
}

/**
 * The buttons of a hand-over: one leads back, one hands over and confirms a payment that is due. If a payment is due, a
 * third one hands over unpaid, with a reason.
 */
function HandOverEnds({ leaving, form, back, act }: LeavingProps & { back: string; act: string }) {
  const t = leavingMessages();
  const isUnpaid = dueCents(leaving.order) > 0;
  return (
    <Decision
      act={isUnpaid ? t.received(formatMoney(dueCents(leaving.order))) : act}
      back={back}
      isHarmless
      name="cash_received"
      value={isUnpaid ? 'yes' : ''}
    >
      {isUnpaid && (
        <details class="unpaid" data-pop open={form.fieldErrors?.unpaid_reason !== undefined}>
          <summary class="button">{t.withoutPayment}</summary>
          <div class="sheet">
            <UnpaidReasonField form={form} />
            <Button tone="danger" name="cash_received" value="no" label={t.handOverUnpaid} />
          </div>
        </details>
      )}
    </Decision>
  );
}

/**
 * Asks for confirmation before an order is sent: if it is unpaid or incomplete, if its address is missing, if its
 * prescription has expired, or if a rule is against it.
 */
export function ShipPage({ leaving, form }: LeavingProps) {
  const { order } = leaving;
  const t = leavingMessages();
  const path = orderPath(order.id);
  const isByCourier = isCarried(order.shippingOption);
  return (
    <Question
      {...{ leaving, form }}
      title={isByCourier ? stepText(order, 'shipped') : t.shipTitle(order.number, customerOf(useView(), order))}
      lead={(isByCourier ? t.handOverLead : t.shipLead)(order.number, progressOf(order).packs)}
    >
      <Form action={`${path}/ship`} isGuarded>
        <Answers {...{ leaving, form }} to="shipped" />
        {dueCents(order) > 0 && (
          <>
            {order.paymentStatus !== 'paid' && <Notice tone="wait">{t.unpaid(formatMoney(dueCents(order)))}</Notice>}
            <UnpaidReasonField form={form} />
          </>
        )}
        {hasParcel(leaving) && <TrackingFields order={order} form={form} />}
        <Decision
          act={isByCourier ? stepText(order, 'shipped') : (partLabelOf(order, 'shipped') ?? t.ship)}
          back={path}
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

/** The page that asks for confirmation before goods leave: recipient, packs, notes, and open questions. */
function Question({ leaving, form, title, lead, children }: QuestionProps) {
  const { order } = leaving;
  const t = leavingMessages();
  const { fieldErrors = {} } = form;
  const difference = differenceOf(useView(), order);
  return (
    <Page
      {...{ title, fieldErrors }}
      isDialog
      head={<Recipient {...{ order, lead }} isFocused={!hasFieldErrors(fieldErrors)} />}
    >
      <Packs order={order} />
      {owedCount(order) > 0 && dueCents(order) > 0 && (
        <Notice tone="note" mark="half">
          {t.dueForAll(formatMoney(dueCents(order)))}
        </Notice>
      )}
      <Words leaving={leaving} />
      {order.paymentStatus === 'paid' && difference && (
        <Notice tone="wait">
          {difference.label}: {difference.amount}
        </Notice>
      )}
      {children}
    </Page>
  );
}

/**
 * Fields of the form that lets goods leave.
 * - Hidden fields: `seen` is the `updatedAt` of the order that the page shows, to detect later changes. `part` is set
 *   if packs are still owed.
 * - Checkboxes, which must be ticked: expired prescriptions, rules against this step, and a missing address.
 */
function Answers({ leaving: { order, expired, ruled }, form, to }: LeavingProps & { to: 'picked_up' | 'shipped' }) {
  const t = leavingMessages();
  const { isExpired, isRuled, isAddressMissing } = handOverQuestions(order, to, expired, ruled);
  const days = expired.map(({ issuedOn }) => formatDate(Date.parse(issuedOn)));
  return (
    <>
      <Hidden name="seen" value={order.updatedAt} />
      {owedCount(order) > 0 && <Hidden name="part" value="yes" />}
      {isExpired && (
        <Tick name="expiry_accepted" form={form} lead={t.expired(days.join(', '))} text={t.expiryAccepted} />
      )}
      {isRuled && <Tick name="rules_accepted" form={form} lead={ruled.join(' ')} text={t.rulesAccepted} />}
      {isAddressMissing && <Tick name="address_known" form={form} lead={t.noAddress} text={t.addressKnown} />}
    </>
  );
}

interface TickProps extends Pick<LeavingProps, 'form'> {
  name: 'address_known' | 'expiry_accepted' | 'rules_accepted';
  /** The warning above the checkbox. */
  lead: string;
  text: string;
}

/** A warning with a checkbox that must be ticked before the decision. */
function Tick({ name, form, lead, text }: TickProps) {
  const fault = form.fieldErrors?.[name];
  return (
    <div class={fault ? 'field wrong' : 'field'}>
      <Notice tone="wait">{lead}</Notice>
      <Fault name={name} text={fault} />
      <Choice
        {...{ type: 'checkbox', id: name, name, value: 'yes', label: text }}
        checked={form[name] === 'yes'}
        aria-describedby={fault && `${name}-fault`}
        data-tick
      />
    </div>
  );
}

/** Asks why the order is unpaid. */
function UnpaidReasonField({ form }: Pick<LeavingProps, 'form'>) {
  const { orders } = sharedMessages();
  return (
    <Select
      name="unpaid_reason"
      label={leavingMessages().whyUnpaid}
      options={UNPAID_REASONS.map((value) => ({ value, label: orders.unpaidReasons[value] }))}
      value={form.unpaid_reason}
      none={orders.choose}
      fieldErrors={form.fieldErrors}
    />
  );
}

/** The recipient and the shelf. `isFocused` sets the focus on the name. It is false while the page shows errors. */
function Recipient({ order, lead, isFocused }: { order: Order; lead: string; isFocused: boolean }) {
  const view = useView();
  const t = leavingMessages();
  const born = birthDateOf(view, order);
  const town = [order.addressPostalCode, order.addressCity].filter(Boolean).join(' ');
  const address = [order.addressStreet, town].filter(Boolean).join(', ');
  return (
    <div class="recipient">
      <div>
        <h1 tabindex={-1} data-focus={isFocused}>
          <small>{lead}</small> <bdi>{customerOf(view, order)}</bdi>
        </h1>
        <p>
          {born !== null && (
            <>
              {t.born} <b dir="auto">{born.text}</b>
            </>
          )}
          {born !== null && address !== '' && '\u00a0· '}
          <bdi>{address}</bdi>
          {born === null && address === '' && t.unknownPerson}
        </p>
      </div>
      <Place order={order} />
    </div>
  );
}

/** The shelf and the number of bags. Shows nothing if there is one bag and no shelf. */
function Place({ order }: { order: Order }) {
  const packing = packingMessages();
  const { bags } = order;
  if (!order.shelf && (bags ?? 1) === 1) return null;
  return (
    <p class="place">
      {order.shelf && (
        <>
          <small>{packing.shelf}</small>
          <b dir="auto">{order.shelf}</b>
        </>
      )}
      <small>{packing.bagCount(bags ?? 1)}</small>
    </p>
  );
}

/** The packs in the pharmacy, each with the name of the product that is handed out. */
function Packs({ order }: { order: Order }) {
  return (
    <ul class="parcel" aria-label={packingMessages().packCount(progressOf(order).packs)}>
      {order.items.map(({ name, productName, prescriptionRequired, unit }, place) => (
        <li class={inHouseOf(order, place) === 0 ? 'quiet' : undefined}>
          <b>{amountText({ quantity: inHouseOf(order, place), unit })}</b>
          <span>
            <bdi>{kept(productName ?? name)}</bdi>
            {prescriptionRequired && (
              <>
                {' '}
                <abbr class="rx" title={sharedMessages().orders.prescriptionRequired}>
                  Rx
                </abbr>
              </>
            )}
            <ComesLater order={order} place={place} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** How many packs of a line come later, and how many have left before. */
function ComesLater({ order, place }: { order: Order; place: number }) {
  const t = supplyMessages();
  const { owed, expectedOn, supplied } = supplyOf(order, place);
  if (owed === 0 && supplied === 0) return null;
  const later = expectedOn && t.comesOn(owed, onDay(expectedOn), order.items[place]?.unit);
  return (
    <small>
      {[
        supplied > 0 && t.leftBefore(quantityText(supplied, order.items[place]?.unit)),
        later && `${later}: ${isPickup(order.shippingOption) ? t.giveSlip : t.ships}`,
      ]
        .filter(Boolean)
        .join('\u00a0· ')}
    </small>
  );
}

/** The most details of the platform that are shown unfolded. */
const DETAILS_OPEN_MAX = 6;

/** The customer's note, open questions, and the platform's details. */
function Words({ leaving: { order, questions } }: { leaving: LeavingOrder }) {
  const details = shownDetails(order);
  return (
    <>
      <PersonWords note={order.note} details={order.platformDetails} />
      <OpenQuestions questions={questions} />
      <PlatformDetails details={details} isOpen={details.length <= DETAILS_OPEN_MAX} />
    </>
  );
}

/** Asks for confirmation before a delivery at the customer's door. A second form records that nobody was there. */
export function DeliverPage({ leaving, form }: LeavingProps) {
  const { order } = leaving;
  const t = tourMessages();
  const path = `${TOUR}/${order.id}`;
  return (
    <Question
      {...{ leaving, form }}
      title={t.handOverTitle(order.number, customerOf(useView(), order))}
      lead={t.handOverLead(order.number, order.bags ?? 1)}
    >
      <Form action={path} isGuarded>
        <Answers {...{ leaving, form }} to="shipped" />
        <Field name="collected_by" label={t.takenBy} form={form} value={form.collected_by ?? ''} data-amount />
        <HandOverEnds {...{ leaving, form }} back={TOUR} act={t.yes} />
      </Form>
      <details class="fold absent">
        <summary>{t.absent}</summary>
        <Form action={`${path}/absent`} isGuarded once>
          <Field name="absent_note" label={t.absentNote} data-note />
          <button type="submit">{t.noteAbsent}</button>
        </Form>
      </details>
    </Question>
  );
}
