import type { OrderDetail, OrderView } from '../../orders/service';
import { FaultSummary } from '../page/fields';
import type { Faults } from '../page/forms';
import { Heads } from '../page/heads';
import { Page } from '../page/layout';
import type { View } from '../page/view';
import { REQUESTS } from '../requests/inbox';
import { PrescriptionPanel } from '../requests/prescription';
import { OrderDecision } from './decision';
import { OrderHistory } from './history';
import { euro, orderPath, shortIdOf } from './parts';

export interface OrderState {
  faults?: Faults;
  /** The payment link that was just made. */
  linkUrl?: string;
}

export function OrderPage({ view, detail, state }: { view: View; detail: OrderDetail; state: OrderState }) {
  const words = view.words.orders;
  const { order } = detail;
  return (
    <Page view={view} title={words.one(shortIdOf(order.id))}>
      <FaultSummary view={view} faults={state.faults ?? {}} />
      <div class="two-columns decide-first">
        <div>
          <section class="panel">
            <h2>{words.lines}</h2>
            <OrderLines view={view} order={order} />
          </section>
          {needsPrescription(detail) && (
            <PrescriptionPanel
              view={view}
              path={orderPath(order.id)}
              prescriptions={detail.prescriptions}
              isOpen={order.status !== 'cancelled'}
              isShown={false}
              faults={state.faults}
            />
          )}
          <section class="panel">
            <h2>{words.address}</h2>
            <Person view={view} detail={detail} />
          </section>
          <section class="panel">
            <h2>{words.history}</h2>
            <OrderHistory view={view} detail={detail} />
          </section>
        </div>
        <OrderDecision view={view} order={order} state={state} />
      </div>
    </Page>
  );
}

function needsPrescription({ order, prescriptions }: OrderDetail): boolean {
  return prescriptions.length > 0 || order.items.some((item) => item.prescription_required);
}

export function OrderLines({ view, order }: { view: View; order: OrderView }) {
  const words = view.words.orders;
  return (
    <table class="lines">
      <Heads
        columns={[
          words.article,
          { label: words.quantity, class: 'number' },
          { label: words.unitPrice, class: 'number' },
          { label: words.lineTotal, class: 'number' },
        ]}
      />
      <tbody>
        {order.items.map(({ name, qty, price, p1_id, prescription_required }) => (
          <tr>
            <td>
              {name || '–'}
              {p1_id && <small>{p1_id}</small>}
              {prescription_required && <small>{words.prescriptionRequired}</small>}
            </td>
            <td class="number">{qty}</td>
            <td class="number">{euro(view, price)}</td>
            <td class="number">{euro(view, price * qty)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colspan={3}>
            {words.total}
          </th>
          <td class="number">
            <strong>{euro(view, order.totals.total_amount)}</strong>
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

/** Who ordered, where it goes, and what was said about it. */
export function Person({ view, detail: { order, shopName } }: { view: View; detail: OrderDetail }) {
  const words = view.words.orders;
  const { customer, address } = order;
  const town = [address.postal_code, address.city].filter(Boolean).join(' ');
  const facts: [string, string | null][] = [
    [words.customer, customer.name ?? words.noName],
    [words.email, customer.email],
    [words.phone, address.phone],
    [words.addressLine, [address.street, town].filter(Boolean).join(', ') || words.noAddress],
    [words.shipping, order.shipping_option ?? 'Abholung'],
    [words.shop, shopName],
    [words.externalId, order.external_id],
    [words.note, order.note],
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
      {order.order_request_id && (
        <>
          <dt class="screen">{words.request}</dt>
          <dd class="screen">
            <a href={`${REQUESTS}/${order.order_request_id}`}>{shortIdOf(order.order_request_id)}</a>
          </dd>
        </>
      )}
    </dl>
  );
}
