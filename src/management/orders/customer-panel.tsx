import { ordersFields, PATCHED_FIELDS } from '../../orders/fields';
import type { OrderDetail } from '../../orders/service';
import type { Child } from '../../platform/markup/markup';
import { requestPath } from '../http/paths';
import { birthDateOf } from '../ui/birth-date';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel, Said } from '../ui/parts';
import { platformWords } from '../ui/platform-words';
import { Shipping } from '../ui/shipping';
import type { View } from '../ui/view';
import { messages } from './messages';
import type { DetailProps } from './order-props';

/** What the customer and the platform say, what is open to ask, and where it goes. */
export function CustomerPanel({ view, detail }: DetailProps) {
  const { order, questions } = detail;
  const { orders } = sharedMessages(view);
  const t = messages(view);
  const details = Object.entries(order.platformDetails ?? {});
  return (
    <Panel title={t.customerData}>
      {[...new Set([order.note, ...platformWords(order.platformDetails)])].map(
        (text) =>
          text && (
            <Said>
              <b>{orders.fields.note}:</b> <q>{text}</q>
            </Said>
          ),
      )}
      {questions
        .filter(({ answeredAt }) => answeredAt === null)
        .map(({ code, text }) => (
          <Said>
            <b>{t.openQuestion(orders.questionCodes[code])}:</b> <q>{text}</q>
          </Said>
        ))}
      <Facts
        entries={[
          ...personFacts(view, detail),
          [t.request, order.orderRequestId && <a href={requestPath(order.orderRequestId)}>{t.toRequest}</a>],
        ]}
      />
      {details.length > 0 && (
        <details class="fold">
          <summary>{t.platformDetails(details.length)}</summary>
          <Facts entries={details.map(([name, text]) => [<code>{name}</code>, <bdi>{text}</bdi>])} />
        </details>
      )}
    </Panel>
  );
}

/** Have a place of their own on the page; any other text that the API changes stands under its label. */
const PLACED = ['shippingOption', 'customerName', 'customerEmail', 'addressPhone', 'holdReason', 'note'];
const OTHER_TEXTS = PATCHED_FIELDS.filter((key) => !PLACED.includes(key) && !key.startsWith('address'));

/** Who it is and where it goes. */
export function personFacts(view: View, { order, shopName }: OrderDetail): [string, Child][] {
  const { orders } = sharedMessages(view);
  const { fields: labels } = orders;
  const t = messages(view);
  const town = [order.addressPostalCode, order.addressCity].filter(Boolean).join(' ');
  const { addressPhone: phone, customerEmail: email } = order;
  const text = (value: string | null) => (value ? <bdi>{value}</bdi> : null);
  return [
    [labels.shipping_option, <Shipping view={view} option={order.shippingOption} />],
    [t.bornOn, text(birthDateOf(view, order.platformDetails)?.text ?? null)],
    [orders.address, text([order.addressStreet, town].filter(Boolean).join('\n') || t.noAddress)],
    [labels.address_phone, phone ? <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a> : null],
    [t.email, email ? <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a> : null],
    [orders.shop, text(shopName)],
    [t.externalId, text(order.externalId)],
    ...OTHER_TEXTS.map((key): [string, Child] => [labels[ordersFields[key].wire], text(order[key])]),
  ];
}
