import type { OrderableProduct } from '../../inventory/service';
import { isPriceOff } from '../../order-requests/service';
import { ordersFields, PATCHED_FIELDS } from '../../orders/fields';
import type { Order, OrderDetail } from '../../orders/service';
import { ORDERS, orderPath, requestPath } from '../http/paths';
import type { FormState } from '../ui/fields';
import { formatMoney, shortIdOf } from '../ui/format';
import { Chip, Page } from '../ui/layout';
import { LineName } from '../ui/line-name';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import { PrescriptionPanel } from '../ui/prescription-panel';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { OrderDecision } from './decision';
import { OrderHistory } from './history';
import { messages } from './messages';
import { PackingPanel, ShelfPanel } from './packing-panel';

export function OrderPage({ view, detail, state }: { view: View; detail: OrderDetail; state: FormState }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const { order } = detail;
  return (
    <Page
      view={view}
      title={t.one(String(order.number))}
      fieldErrors={state.fieldErrors}
      back={{ path: ORDERS, label: shared.nav.orders }}
    >
      <div class="two-columns decide-first">
        <div>
          <PackingPanel view={view} detail={detail} state={state} />
          <Panel title={shared.orders.fields.items}>
            <OrderLines view={view} detail={detail} />
          </Panel>
          {needsPrescription(detail) && (
            <PrescriptionPanel
              view={view}
              path={orderPath(order.id)}
              prescriptions={detail.prescriptions}
              names={namesOf(detail)}
              isUncovered={detail.isUncovered}
              isOpen={order.status !== 'cancelled'}
              fieldErrors={state.fieldErrors}
            />
          )}
          <ShelfPanel view={view} detail={detail} state={state} />
          <Panel title={t.address}>
            <Person view={view} detail={detail} />
          </Panel>
          <Panel title={shared.common.history}>
            <OrderHistory view={view} detail={detail} />
          </Panel>
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
          { label: shared.common.quantity, class: 'number' },
          { label: shared.orders.unitPrice, class: 'number' },
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
  const isPrescription = item.prescriptionRequired || product?.prescriptionRequired === true;
  const isOff = product && !isPrescription && isPriceOff(item.priceCents, product.priceCents);
  const facts = [
    item.p1Id,
    product && `${messages(view).ownPrice} ${formatMoney(view.language, product.priceCents)}`,
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
    [shared.orders.address, [order.addressStreet, town].filter(Boolean).join(', ') || t.noAddress],
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
