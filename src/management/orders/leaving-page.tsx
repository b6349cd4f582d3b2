import { handOverQuestions, type Order, progressOf, UNPAID_REASONS } from '../../orders/service';
import { orderPath } from '../http/paths';
import { Fault, Field, Form, type FormState, Labeled, Options } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import type { View } from '../ui/view';
import { leavingMessages } from './leaving-messages';
import { packingMessages } from './packing-messages';

export interface LeavingProps {
  view: View;
  order: Order;
  form: FormState<'collected_by' | 'unpaid_reason' | 'address_known'>;
}

/** Before goods leave the counter: who gets what, from which shelf, and whether it was paid. */
export function HandOverPage({ view, order, form }: LeavingProps) {
  const t = leavingMessages(view);
  const { isUnpaid } = handOverQuestions(order, 'picked_up');
  const path = orderPath(order.id);
  return (
    <Page view={view} title={t.handOverTitle(order.number, customerOf(view, order))} fieldErrors={form.fieldErrors}>
      <Parcel view={view} order={order} />
      <p>{t.counsel}</p>
      <Form view={view} action={`${path}/hand-over`} class="wide" isGuarded>
        <Field name="collected_by" label={t.collectedBy} form={form} value={form.collected_by ?? ''} />
        <div class="buttons">
          <button class="primary" type="submit" name="cash_received" value={isUnpaid ? 'yes' : ''} data-key="a">
            {isUnpaid ? t.received(formatMoney(view.language, order.totalCents)) : t.handOver}
          </button>
          <a class="button" href={path}>
            {t.notNow}
          </a>
        </div>
        {isUnpaid && (
          <details open={form.fieldErrors?.unpaid_reason !== undefined}>
            <summary>{t.withoutPayment}</summary>
            <UnpaidReasonField view={view} form={form} />
            <button class="danger" type="submit" name="cash_received" value="no">
              {t.handOverUnpaid}
            </button>
          </details>
        )}
      </Form>
    </Page>
  );
}

/** Before goods are sent that nobody paid, or that have no address. */
export function ShipPage({ view, order, form }: LeavingProps) {
  const t = leavingMessages(view);
  const { isUnpaid, isAddressMissing } = handOverQuestions(order, 'shipped');
  const path = orderPath(order.id);
  return (
    <Page view={view} title={t.shipTitle(order.number, customerOf(view, order))} fieldErrors={form.fieldErrors}>
      <Parcel view={view} order={order} />
      <Form view={view} action={`${path}/ship`} class="wide" isGuarded>
        {isAddressMissing && (
          <div class={form.fieldErrors?.address_known ? 'field wrong' : 'field'}>
            <p>{t.noAddress}</p>
            <Fault name="address_known" text={form.fieldErrors?.address_known} />
            <label class="choice">
              <input
                type="checkbox"
                id="address_known"
                name="address_known"
                value="yes"
                checked={form.address_known === 'yes'}
                aria-describedby={form.fieldErrors?.address_known && 'address_known-fault'}
              />
              <span>{t.addressKnown}</span>
            </label>
          </div>
        )}
        {isUnpaid && (
          <>
            <p>{t.unpaid(formatMoney(view.language, order.totalCents))}</p>
            <UnpaidReasonField view={view} form={form} />
          </>
        )}
        <div class="buttons">
          <button class="primary" type="submit" data-key="a">
            {t.ship}
          </button>
          <a class="button" href={path}>
            {t.notShipped}
          </a>
        </div>
      </Form>
    </Page>
  );
}

function UnpaidReasonField({ view, form }: Pick<LeavingProps, 'view' | 'form'>) {
  const { orders } = sharedMessages(view);
  const reasons = UNPAID_REASONS.map((value) => ({ value, label: orders.unpaidReasons[value] }));
  return (
    <Labeled
      name="unpaid_reason"
      label={leavingMessages(view).whyUnpaid}
      error={form.fieldErrors?.unpaid_reason}
      control={(attributes) => (
        <select {...attributes}>
          <Options options={reasons} value={form.unpaid_reason} none={orders.choose} />
        </select>
      )}
    />
  );
}

/** The person with address, where the packs wait, and each pack under the name that leaves the shop. */
function Parcel({ view, order }: { view: View; order: Order }) {
  const t = leavingMessages(view);
  const packing = packingMessages(view);
  const { orders } = sharedMessages(view);
  const town = [order.addressPostalCode, order.addressCity].filter(Boolean).join(' ');
  const where = [order.shelf && t.shelf(order.shelf), packing.bagCount(order.bags ?? 1)];
  return (
    <>
      <p>
        <strong>
          <bdi>{customerOf(view, order)}</bdi>
        </strong>
        <br />
        <bdi>{[order.addressStreet, town].filter(Boolean).join(', ')}</bdi>
      </p>
      <p>
        <strong>
          <bdi>{where.filter(Boolean).join(' · ')}</bdi>
        </strong>{' '}
        · {packing.packCount(progressOf(order).packs)}
      </p>
      <ul class="packs">
        {order.items.map(({ quantity, name, productName, prescriptionRequired }) => (
          <li>
            <strong>{quantity} ×</strong> <bdi>{productName ?? name}</bdi>
            {prescriptionRequired && ` · ${orders.prescriptionRequired}`}
          </li>
        ))}
      </ul>
      {order.note && (
        <p>
          {orders.fields.note}: <bdi>{order.note}</bdi>
        </p>
      )}
    </>
  );
}
