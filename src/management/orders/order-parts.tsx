import type { OrderableProduct } from '../../inventory/browse';
import type { OrderDetail } from '../../orders/detail';
import type { PlannedSubstitution } from '../../orders/packing/substitute';
import {
  allowedTransitions,
  isLeaving,
  isNothingHere,
  owedCount,
  packCount,
  prescribedOf,
  progressOf,
  type ReasonCode,
  waitsForPacking,
} from '../../orders/rules';
import type { Order } from '../../orders/store';
import type { OrderStatus } from '../../orders/tables';
import { isPickup, shippingOptionsOf } from '../../tenants/rules';
import { type ShippingShop, wayOf } from '../../tenants/shipping';
import { orderPath, TOUR } from '../http/paths';
import { ConfirmPage, type ConfirmProps } from '../ui/confirm';
import { Button, Field, Form, type FormState, Hidden, RadioGroup, ReasonField } from '../ui/fields';
import { kept } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { customerOf, isCarried, itemNamesOf, shippingWord } from '../ui/order-summary';
import { ButtonLink, Menu, Panel } from '../ui/parts';
import { type FieldErrors, textFor, useView } from '../ui/view';
import { tourMessages } from './list-messages';
import { leavingMessages, messages } from './messages';
import { packingMessages, supplyMessages } from './packing/messages';
import type { ScanRefusal } from './packing/scan-field';

/** Props of the parts of an order's page. */
export interface DetailProps {
  detail: OrderDetail;
}

/** The refused form values with their errors, or the refused scan. */
export interface OrderState extends FormState<'note' | 'withdrawal_reason'> {
  refused?: ScanRefusal;
}

/** Typed values of the form for another product. */
export type TypedExchange = FormState<'line' | 'q' | 'p1_id' | 'quantity' | 'reason'>;

export interface ExchangeProps {
  order: Order;
  /** Index of the line. */
  place: number;
  typed: TypedExchange;
  /** Search results. */
  found: readonly OrderableProduct[];
  /** Preview of the exchange; null until a product is chosen. */
  planned: PlannedSubstitution | null;
  acknowledged: readonly string[];
}

/**
 * The menu of papers, and the button for the next step. While packs are missing, the button is disabled and shows the
 * progress. There is no button for an order on hold.
 */
export function NextStep({ detail }: DetailProps) {
  const { order } = detail;
  const t = packingMessages();
  const path = orderPath(order.id);
  const isPrescribed = order.items.some(({ prescriptionRequired }) => prescriptionRequired);
  return (
    <>
      <Menu icon="print" label={t.printSlip}>
        <a href={`${path}/slip#print`}>{t.slip}</a>
        <a href={`${path}/label#print`}>{t.label}</a>
        {owedCount(order) > 0 && (
          <a href={`${path}/rest-slip#print`}>{supplyMessages().slip(isPickup(order.shippingOption))}</a>
        )}
        {isPrescribed && <a href={`${path}/dispensing-record#print`}>{t.dispensingShort}</a>}
      </Menu>
      <div class="next-step" data-swap="next">
        <Next detail={detail} />
      </div>
    </>
  );
}

function Next({ detail }: DetailProps) {
  const { order } = detail;
  const step = nextStep(order);
  if (step === undefined || order.onHold) return null;
  const isParcel = step === 'shipped' && hasParcel(detail);
  const isDelivery = step === 'shipped' && isCarried(order.shippingOption) && !isParcel;
  const label = partLabelOf(order, step) ?? (isDelivery ? tourMessages().given : stepText(order, step));
  const isNothing = isNothingHere(order);
  const isUnpacked = !isNothing && waitsForPacking(order, step);
  if (isNothing || isUnpacked || (order.originalMissing && isLeaving(step))) {
    const { packed, packs } = progressOf(order);
    return (
      <button type="button" disabled aria-describedby={isUnpacked ? 'left' : undefined}>
        {isNothing ? stepText(order, step) : label}
        {isUnpacked && (
          <span class="far">
            {packed}/{packs}
          </span>
        )}
      </button>
    );
  }
  const path = orderPath(order.id);
  if (step === 'picked_up' || isDelivery) {
    const question = isDelivery ? `${TOUR}/${order.id}` : `${path}/hand-over`;
    return <ButtonLink path={question} tone="primary" data-decide label={label} />;
  }
  if (isParcel) {
    return (
      <Button
        tone="primary"
        form={PARCEL_FORM}
        formaction={`${path}/ship`}
        name="status"
        value={step}
        data-decide
        label={label}
      />
    );
  }
  return (
    <Form action={`${path}/status`}>
      <Button tone="primary" name="status" value={step} data-decide label={label} />
    </Form>
  );
}

/** The label of a step: what staff do, not the status that follows. */
export function stepText({ shippingOption }: Order, step: OrderStatus): string {
  const { steps, carriedSteps } = messages();
  return textFor(isCarried(shippingOption) ? { ...steps, ...carriedSteps } : steps, step);
}

/** The label of a step by which goods leave, if the order then still owes packs. Otherwise undefined. */
export function partLabelOf(order: Order, step: OrderStatus): string | undefined {
  if (owedCount(order) === 0 || !isLeaving(step)) return undefined;
  const t = supplyMessages();
  const isShipped = step === 'shipped' && !isCarried(order.shippingOption);
  return (isShipped ? t.shipPart : t.handOverPart)(progressOf(order).packs, packCount(order));
}

/** The usual next step; undefined if the order can only be returned or cancelled. */
function nextStep(order: Order): OrderStatus | undefined {
  if (order.status === 'awaiting_prescription' && order.paymentStatus !== 'pending') return 'awaiting_packing';
  return stepsOf(order)[0];
}

function stepsOf(order: Order): OrderStatus[] {
  return allowedTransitions(order).filter((step) => step !== 'returned' && step !== 'cancelled');
}

/** Steps other than the usual one, such as back to packing. Empty for an order on hold. */
export function otherSteps(order: Order): OrderStatus[] {
  if (order.onHold) return [];
  const next = nextStep(order);
  // The usual step of a courier's order is the delivery at the door. Giving it to the courier is an extra step.
  const isCouriers = isCarried(order.shippingOption);
  return stepsOf(order).filter((step) => step !== next || (step === 'shipped' && isCouriers));
}

export interface OrderProps {
  order: Order;
}

interface QuestionProps extends OrderProps, Omit<ConfirmProps, 'title' | 'action' | 'back'> {
  /** Makes the title from the order's number and customer. */
  title: (id: string, customer: string) => string;
  /** The last part of the action's path. */
  step: 'cancel' | 'delete' | 'refund' | 'shipping';
}

/** Asks for confirmation before an order is changed. Lists the items unless `about` is given. */
export function OrderQuestion({ order, title, step, ...question }: QuestionProps) {
  const path = orderPath(order.id);
  return (
    <ConfirmPage
      about={<bdi>{kept(itemNamesOf(order).join('; '))}</bdi>}
      {...question}
      title={title(String(order.number), customerOf(useView(), order))}
      action={`${path}/${step}`}
      back={path}
    />
  );
}

/** Reasons for cancelling an order. Those of customers and of the pharmacy come first. */
const CANCELLED_FOR: readonly ReasonCode[] = [
  ...(['customer_withdrew', 'out_of_stock', 'not_available', 'payment_problem', 'duplicate_order'] as const),
  ...(['address_invalid', 'outside_delivery_area', 'clinical_concern', 'suspected_fraud'] as const),
];
/** More reasons for orders with prescribed lines. */
const OF_PRESCRIPTION = [
  ...(['prescription_missing', 'prescription_expired', 'prescription_already_used'] as const),
  ...(['prescription_signature_invalid', 'patient_mismatch'] as const),
];
const LAST = ['test', 'other'] as const;

export function CancelPage({ order, fieldErrors }: OrderProps & { fieldErrors?: FieldErrors }) {
  const t = messages();
  const texts = { title: t.cancelTitle, lead: t.cancelLead, act: t.cancelNow };
  return (
    <OrderQuestion {...{ order, fieldErrors, ...texts }} step="cancel">
      <ReasonField
        fieldErrors={fieldErrors}
        codes={[...CANCELLED_FOR, ...(prescribedOf(order.items).size > 0 ? OF_PRESCRIPTION : []), ...LAST]}
        value={order.withdrawal === 'requested' ? 'customer_withdrew' : undefined}
      />
    </OrderQuestion>
  );
}

export function DeletePage({ order }: OrderProps) {
  const t = messages();
  return <OrderQuestion {...{ order, title: t.removeTitle, lead: t.removeLead, act: t.removeNow }} step="delete" />;
}

/**
 * Whether staff can change an order's shipping option. They can while the order waits for something, unless one of its
 * packs is packed or the order was erased.
 */
export function mayGoOtherwise(order: Order): boolean {
  return order.status.startsWith('awaiting_') && order.erasedAt === null && progressOf(order).packed === 0;
}

export type ShippingForm = FormState<'shipping_option' | 'override_reason'>;

/** The form that changes an order's shipping option. It needs a reason if flags or rules are against the new option. */
export function ShippingPage({ detail: { order, shop }, form }: DetailProps & { form: ShippingForm }) {
  const { common, orders } = sharedMessages();
  const view = useView();
  const title = messages().changeShipping;
  const options = shop ? shippingOptionsOf(shop) : [];
  const { shipping_option = order.shippingOption ?? 'Abholung', fieldErrors } = form;
  return (
    <OrderQuestion {...{ order, fieldErrors }} title={() => title} lead={[]} act={title} step="shipping" isHarmless>
      <Hidden name="seen" value={order.updatedAt} />
      <RadioGroup
        name="shipping_option"
        label={orders.fields.shipping_option}
        options={options.map((value) => ({ value, label: shippingWord(view, value) }))}
        form={{ ...form, shipping_option }}
      />
      <Field name="override_reason" label={common.optional(orders.fields.override_reason)} form={form} data-note />
    </OrderQuestion>
  );
}

export type TrackingField = 'carrier' | 'tracking_number' | 'tracking_url';

/**
 * The name of the hidden field that holds the value of a parcel field as the page showed it. A parcel field that is
 * sent with this value is not changed.
 */
export const shownField = (name: TrackingField) => `shown_${name}`;

const SHOWN_IN = new Set(['ready_shipping', 'shipped', 'delivered']);

/** Id of the parcel form. The button for shipping submits its fields too. */
const PARCEL_FORM = 'parcel';

/**
 * Whether an order has a parcel. An order has one from when it is ready for shipping until it is erased. An order that
 * the shop's own courier brings has a parcel only if a carrier or tracking is stored.
 */
export function hasParcel({ order, shop }: OrderProps & { shop: ShippingShop | null | undefined }): boolean {
  const isSent = shop ? wayOf(order.shippingOption, shop) === 'versand' : !isPickup(order.shippingOption);
  const isTracked = Boolean(order.carrier || order.trackingNumber || order.trackingUrl);
  return SHOWN_IN.has(order.status) && order.erasedAt === null && (isSent || isTracked);
}

/** The form for the carrier and tracking of a parcel. It is shown after shipping, too. */
export function ParcelPanel({ detail, state }: DetailProps & { state: FormState<TrackingField> }) {
  const { order } = detail;
  if (!hasParcel(detail)) return null;
  return (
    <Panel title={leavingMessages().parcel}>
      <Form id={PARCEL_FORM} action={`${orderPath(order.id)}/parcel`} isGuarded>
        <TrackingFields order={order} form={state} />
        <button type="submit">{sharedMessages().common.save}</button>
      </Form>
    </Panel>
  );
}

/** The parcel fields. @param form refused values; without them, the fields show the order's values */
export function TrackingFields({ order, form }: { order: Order; form: FormState<TrackingField> }) {
  const { fields } = sharedMessages().orders;
  const { carrier, trackingNumber, trackingUrl } = order;
  const stored = { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl };
  const field = (name: TrackingField) => ({
    ...{ name, label: fields[name], value: form[name] ?? stored[name] ?? '', fieldErrors: form.fieldErrors },
  });
  return (
    <>
      {(['carrier', 'tracking_number', 'tracking_url'] as const).map((name) => (
        <Hidden name={shownField(name)} value={stored[name] ?? ''} />
      ))}
      <Field {...field('carrier')} data-amount />
      <Field {...field('tracking_number')} data-note />
      <Field {...field('tracking_url')} data-note />
    </>
  );
}
