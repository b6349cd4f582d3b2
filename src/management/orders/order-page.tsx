import type { OrderDetail } from '../../orders/service';
import { orderPath } from '../http/paths';
import { birthDateOf } from '../ui/birth-date';
import { formatMoment } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, OrderFlagChips } from '../ui/order-summary';
import { PrescriptionPanel } from '../ui/prescription-panel';
import { CustomerPanel } from './customer-panel';
import { NextStep } from './decision';
import { OrderHistory } from './history';
import { MessageToCustomer } from './message-to-customer';
import { messages } from './messages';
import { MoreSteps } from './more-steps';
import type { DetailProps, OrderState } from './order-props';
import { OrderSteps } from './order-steps';
import { PackingPanel } from './packing-panel';
import { PaymentPanel } from './payment-panel';
import { RefusedScan } from './refused-scan';
import { ShelfPanel } from './shelf-panel';
import { Stopped } from './stopped';
import { ParcelPanel } from './tracking';

/** An order: packing and its history, and beside them the person, where it waits, its payment and rare steps. */
export function OrderPage({ view, detail, state, back }: DetailProps & { state: OrderState; back: string }) {
  const { order } = detail;
  const t = messages(view);
  return (
    <Page
      view={view}
      title={`${t.one(String(order.number))}, ${customerOf(view, order)}`}
      heading={
        <>
          <span class="unseen">{sharedMessages(view).orders.id} </span>
          <span class="order-number">{order.number}</span>
        </>
      }
      fieldErrors={state.fieldErrors}
      back={{ path: back, label: sharedMessages(view).nav.orders }}
      lead={<Whose view={view} detail={detail} />}
      acts={<NextStep view={view} order={order} />}
    >
      {state.refused && <RefusedScan view={view} refused={state.refused} />}
      <Stopped view={view} detail={detail} state={state} />
      <OrderSteps view={view} detail={detail} />
      <div class="order">
        <div>
          <PackingPanel view={view} detail={detail} />
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
        </div>
        <aside>
          <CustomerPanel view={view} detail={detail} />
          <ShelfPanel view={view} detail={detail} state={state} />
          <ParcelPanel view={view} detail={detail} state={state} />
          <MessageToCustomer view={view} detail={detail} />
          <PaymentPanel view={view} detail={detail} state={state} />
          <MoreSteps view={view} order={order} />
        </aside>
        <OrderHistory view={view} detail={detail} state={state} />
      </div>
    </Page>
  );
}

/** Whose order it is, since when, where, and what is unusual about it. */
function Whose({ view, detail: { order, shopName } }: DetailProps) {
  const born = birthDateOf(view, order.platformDetails)?.text;
  const facts = [born && messages(view).born(born), formatMoment(view.language, order.createdAt, view.now), shopName];
  return (
    <span class="whose">
      <span>
        <b>
          <bdi>{customerOf(view, order)}</bdi>
        </b>
        <small>{facts.filter(Boolean).join(' · ')}</small>
      </span>
      <OrderFlagChips view={view} order={order} isFilled />
    </span>
  );
}

/** What the lines call their products, of those that need a prescription. */
function namesOf({ order }: OrderDetail): Map<string, string> {
  const prescribed = order.items.filter(({ prescriptionRequired }) => prescriptionRequired);
  return new Map(prescribed.map(({ p1Id, productName, name }) => [p1Id ?? '', productName ?? name]));
}

function needsPrescription({ order, prescriptions }: OrderDetail): boolean {
  return prescriptions.length > 0 || order.items.some((item) => item.prescriptionRequired);
}
