import { ordersFields, PATCHED_FIELDS } from '../../orders/fields';
import type { OrderDetail } from '../../orders/service';
import { requestPath } from '../http/paths';
import { birthDateOf } from '../ui/birth-date';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel, Said } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';
import type { DetailProps } from './order-page';

/** What the customer and the platform say, what is open to ask, and where it goes. */
export function CustomerPanel({ view, detail }: DetailProps) {
  const { order, questions } = detail;
  const { orders } = sharedMessages(view);
  const t = messages(view);
  const details = Object.entries(order.platformDetails ?? {});
  return (
    <Panel title={t.customerData}>
      {order.note && (
        <Said>
          <b>{orders.fields.note}:</b> <q>{order.note}</q>
        </Said>
      )}
      {questions
        .filter(({ answeredAt }) => answeredAt === null)
        .map(({ code, text }) => (
          <Said>
            <b>{t.openQuestion(orders.questionCodes[code])}:</b> <q>{text}</q>
          </Said>
        ))}
      <Facts entries={personFacts(view, detail)} />
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
export function personFacts(view: View, { order, shopName }: OrderDetail) {
  const { orders } = sharedMessages(view);
  const { fields: labels } = orders;
  const t = messages(view);
  const town = [order.addressPostalCode, order.addressCity].filter(Boolean).join(' ');
  const texts: [string, string | null][] = [
    [labels.shipping_option, order.shippingOption ?? 'Abholung'],
    [t.bornOn, birthDateOf(view, order.platformDetails)?.text ?? null],
    [orders.address, [order.addressStreet, town].filter(Boolean).join('\n') || t.noAddress],
    [labels.address_phone, order.addressPhone],
    [labels.customer_email, order.customerEmail],
    [orders.shop, shopName],
    [t.externalId, order.externalId],
    ...OTHER_TEXTS.map((key): [string, string | null] => [labels[ordersFields[key].wire], order[key]]),
  ];
  const { orderRequestId } = order;
  return [
    ...texts.map(([label, text]) => [label, text ? <bdi>{text}</bdi> : null] as const),
    [t.request, orderRequestId === null ? null : <a href={requestPath(orderRequestId)}>{t.toRequest}</a>] as const,
  ];
}
