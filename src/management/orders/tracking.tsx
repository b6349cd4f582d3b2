import { isPickup, type Order } from '../../orders/service';
import { orderPath } from '../http/paths';
import { Field, Form, type FormState } from '../ui/fields';
import { Hidden } from '../ui/hidden';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { leavingMessages } from './leaving-messages';
import type { DetailProps } from './order-props';

export type TrackingField = 'carrier' | 'tracking_number' | 'tracking_url';

/** What a field showed when its page was made: one that still holds that changes nothing. */
export const shownField = (name: TrackingField) => `shown_${name}`;

const SHOWN_IN = new Set(['ready_shipping', 'shipped', 'delivered']);

/** The form of the parcel: what is typed there also goes with the step by which it leaves. */
export const PARCEL_FORM = 'parcel';

export function hasParcel({ status, shippingOption, erasedAt }: Order): boolean {
  return SHOWN_IN.has(status) && !isPickup(shippingOption) && erasedAt === null;
}

/** With whom a parcel goes, and where it can be followed; also once it is gone. */
export function ParcelPanel({ view, detail: { order }, state }: DetailProps & { state: FormState<TrackingField> }) {
  if (!hasParcel(order)) return null;
  return (
    <Panel title={leavingMessages(view).parcel}>
      <Form view={view} id={PARCEL_FORM} action={`${orderPath(order.id)}/parcel`} isGuarded>
        <TrackingFields view={view} order={order} form={state} />
        <button type="submit">{sharedMessages(view).common.save}</button>
      </Form>
    </Panel>
  );
}

/** @param form what was typed and refused; else the fields show what the order has */
export function TrackingFields({ view, order, form }: { view: View; order: Order; form: FormState<TrackingField> }) {
  const { fields } = sharedMessages(view).orders;
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
