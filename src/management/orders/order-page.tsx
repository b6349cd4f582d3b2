import type { OrderableProduct } from '../../inventory/service';
import { isPriceOff } from '../../order-requests/service';
import { ordersFields, PATCHED_FIELDS } from '../../orders/fields';
import type { Order, OrderDetail } from '../../orders/service';
import { ORDERS, orderPath, requestPath } from '../http/paths';
import { ErrorSummary } from '../ui/fields';
import { formatMoney, shortIdOf } from '../ui/format';
import { Chip, Page } from '../ui/layout';
import { LineName } from '../ui/line-name';
import { sharedMessages } from '../ui/messages';
import { PrescriptionPanel } from '../ui/prescription-panel';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { OrderDecision, type OrderState } from './decision';
import { OrderHistory } from './history';
import { messages } from './messages';

export function OrderPage({ view, detail, state }: { view: View; detail: OrderDetail; state: OrderState }) {
  const t = messages(view);
  const { order } = detail;
  return (
    <Page
      view={view}
      title={t.one(shortIdOf(order.id))}
      back={{ path: ORDERS, label: sharedMessages(view).orders.title }}
    >
      <ErrorSummary view={view} fieldErrors={state.fieldErrors ?? {}} />
      <div class="two-columns decide-first">
        <div>
          <section class="panel">
            <h2>{t.lines}</h2>
            <OrderLines view={view} detail={detail} />
          </section>
          {needsPrescription(detail) && (
            <PrescriptionPanel
              view={view}
              path={orderPath(order.id)}
              prescriptions={detail.prescriptions}
              names={namesOf(detail)}
              isUncovered={detail.isUncovered}
              isOpen={order.status !== 'cancelled'}
              isShown={false}
              fieldErrors={state.fieldErrors}
            />
          )}
          <section class="panel">
            <h2>{t.address}</h2>
            <Person view={view} detail={detail} />
          </section>
          <section class="panel">
            <h2>{t.history}</h2>
            <OrderHistory view={view} detail={detail} />
          </section>
        </div>
        <OrderDecision view={view} order={order} state={state} />
      </div>
    </Page>
  );
}

/** What the lines call their products. */
function namesOf({ order }: OrderDetail): Map<string, string> {
  return new Map(order.items.map(({ p1Id, productName, name }) => [p1Id ?? '', productName ?? name]));
}

function needsPrescription({ order, prescriptions }: OrderDetail): boolean {
  return prescriptions.length > 0 || order.items.some((item) => item.prescriptionRequired);
}

/** The lines: the product that is handed out, and what was ordered. */
export function OrderLines({ view, detail: { order, products } }: { view: View; detail: OrderDetail }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <table class="lines">
      <TableHead
        columns={[
          t.article,
          { label: t.quantity, class: 'number' },
          { label: t.unitPrice, class: 'number' },
          { label: t.lineTotal, class: 'number' },
        ]}
      />
      <tbody>
        {order.items.map((item) => (
          <tr>
            <td>
              <OrderItem view={view} item={item} product={products.get(item.p1Id ?? '')} />
            </td>
            <td class="number">{item.quantity}</td>
            <td class="number">{formatMoney(view.language, item.priceCents)}</td>
            <td class="number">{formatMoney(view.language, item.priceCents * item.quantity)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colspan={3}>
            {shared.orders.total}
          </th>
          <td class="number">
            <strong>{formatMoney(view.language, order.totalCents)}</strong>
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

interface OrderItemProps {
  view: View;
  item: Order['items'][number];
  /** The product as the shop has it now; undefined after it left the inventory. */
  product: OrderableProduct | undefined;
}

function OrderItem({ view, item, product }: OrderItemProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const isPrescription = item.prescriptionRequired || product?.prescriptionRequired === true;
  const isOff = product && !isPrescription && isPriceOff(item.priceCents, product.priceCents);
  const facts = [
    item.p1Id,
    product && `${t.ownPrice} ${formatMoney(view.language, product.priceCents)}`,
    product && shared.requests.inStock(product.stockQuantity),
    isPrescription && shared.orders.prescriptionRequired,
  ];
  return (
    <>
      <LineName view={view} name={item.name} productName={item.productName ?? product?.name} />
      <small>{facts.filter(Boolean).join(' · ')}</small>
      {isOff && <Chip tone="wait">{shared.requests.warningTexts.price_mismatch}</Chip>}
    </>
  );
}

/** Have a place of their own on the page; any other text that the API changes stands under its label. */
const PLACED = ['shippingOption', 'customerName', 'customerEmail', 'holdReason'];
const OTHER_TEXTS = PATCHED_FIELDS.filter((key) => !PLACED.includes(key) && !key.startsWith('address'));

/** Customer, delivery address and notes. */
export function Person({ view, detail: { order, shopName } }: { view: View; detail: OrderDetail }) {
  const shared = sharedMessages(view);
  const labels = shared.orders.fields;
  const t = messages(view);
  const town = [order.addressPostalCode, order.addressCity].filter(Boolean).join(' ');
  const facts: [string, string | null][] = [
    [shared.orders.customer, order.customerName ?? shared.orders.noName],
    [labels.customer_email, order.customerEmail],
    [labels.address_phone, order.addressPhone],
    [t.addressLine, [order.addressStreet, town].filter(Boolean).join(', ') || t.noAddress],
    [labels.shipping_option, order.shippingOption ?? 'Abholung'],
    [shared.orders.shop, shopName],
    [t.externalId, order.externalId],
    ...OTHER_TEXTS.map((key): [string, string | null] => [labels[ordersFields[key].wire], order[key]]),
  ];
  return (
    <dl>
      {facts.map(
        ([label, value]) =>
          value && (
            <>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </>
          ),
      )}
      {order.orderRequestId && (
        <>
          <dt class="screen">{t.request}</dt>
          <dd class="screen">
            <a href={requestPath(order.orderRequestId)}>{shortIdOf(order.orderRequestId)}</a>
          </dd>
        </>
      )}
    </dl>
  );
}
