import { mailtoLink } from '../../messages/service';
import { ordersFields, PATCHED_FIELDS } from '../../orders/fields';
import type { OrderDetail } from '../../orders/service';
import type { Child } from '../../platform/markup/markup';
import { telOf } from '../../platform/markup/phone';
import { requestPath } from '../http/paths';
import { birthDateOf } from '../ui/birth-date';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel } from '../ui/parts';
import { OpenQuestions, PersonWords, PlatformFacts, shownDetails } from '../ui/platform-details';
import { Shipping } from '../ui/shipping';
import type { View } from '../ui/view';
import { messages } from './messages';
import type { DetailProps } from './order-props';

/** What the customer and the platform say, what is open to ask, and where it goes. */
export function CustomerPanel({ view, detail }: DetailProps) {
  const { order, questions } = detail;
  const t = messages(view);
  return (
    <Panel title={t.customerData}>
      <PersonWords view={view} note={order.note} details={order.platformDetails} />
      <OpenQuestions view={view} questions={questions} />
      <Facts
        entries={[
          ...personFacts(view, detail),
          [t.request, order.orderRequestId && <a href={requestPath(order.orderRequestId)}>{t.toRequest}</a>],
        ]}
      />
      <PlatformDetails view={view} details={shownDetails(view, order.platformDetails)} />
    </Panel>
  );
}

interface DetailsProps {
  view: View;
  details: readonly [name: string, text: string][];
  isOpen?: boolean;
}

/** What the platform sent with the order, folded unless `isOpen`. */
export function PlatformDetails({ view, details, isOpen = false }: DetailsProps) {
  if (details.length === 0) return null;
  return (
    <details class="fold" open={isOpen}>
      <summary>{messages(view).platformDetails(details.length)}</summary>
      <PlatformFacts details={details} />
    </details>
  );
}

/** Have a place of their own on the page; any other text that the API changes stands under its label. */
const PLACED = [
  ...['shippingOption', 'customerName', 'customerEmail', 'addressPhone', 'holdReason', 'note'],
  ...['trackingNumber', 'trackingUrl', 'withdrawal'],
];
const OTHER_TEXTS = PATCHED_FIELDS.filter((key) => !PLACED.includes(key) && !key.startsWith('address'));

/** Who it is and where it goes. */
export function personFacts(view: View, { order, shopName }: OrderDetail): [string, Child][] {
  const { orders, messages: shared } = sharedMessages(view);
  const { fields: labels } = orders;
  const t = messages(view);
  const town = [order.addressPostalCode, order.addressCity].filter(Boolean).join(' ');
  const { addressPhone: phone, customerEmail: email, trackingNumber, trackingUrl } = order;
  const text = (value: string | null) => (value ? <bdi>{value}</bdi> : null);
  return [
    [labels.shipping_option, <Shipping view={view} option={order.shippingOption} />],
    [t.bornOn, text(birthDateOf(view, order.platformDetails)?.text ?? null)],
    [orders.address, text([order.addressStreet, town].filter(Boolean).join('\n') || t.noAddress)],
    [labels.address_phone, phone ? <a href={telOf(phone)}>{phone}</a> : null],
    [shared.email, email ? <a href={mailtoLink(email)}>{breakableAddress(email)}</a> : null],
    [orders.shop, text(shopName)],
    [t.externalId, text(order.externalId)],
    [
      labels.tracking_number,
      trackingUrl ? <a href={trackingUrl}>{trackingNumber ?? trackingUrl}</a> : text(trackingNumber),
    ],
    ...OTHER_TEXTS.map((key): [string, Child] => [labels[ordersFields[key].wire], text(order[key])]),
  ];
}

/** Where it does not fit on one line, its host begins the next. */
function breakableAddress(email: string): Child {
  return email.split(/(?=@)/).flatMap((part, place) => (place > 0 ? [<wbr />, part] : [part]));
}
