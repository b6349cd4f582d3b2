import {
  allowedTransitions,
  isLeaving,
  isNothingHere,
  type Order,
  type OrderStatus,
  owedCount,
  packCount,
  progressOf,
  waitsForPacking,
} from '../../orders/service';
import { orderPath } from '../http/paths';
import { Form } from '../ui/fields';
import { Icon } from '../ui/icons';
import type { OrderProps } from './confirm-page';
import { messages } from './messages';
import { packingMessages } from './packing-messages';
import { supplyMessages } from './supply-messages';
import { hasParcel, PARCEL_FORM } from './tracking';

/** The order's papers, and its next step: what cannot be done yet says how far it is, and on hold there is none. */
export function NextStep({ view, order }: OrderProps) {
  const t = packingMessages(view);
  const path = orderPath(order.id);
  return (
    <>
      <a class="button" href={`${path}/slip`}>
        <Icon name="print" />
        {t.slip}
      </a>
      {owedCount(order) > 0 && (
        <a class="button" href={`${path}/rest-slip`}>
          <Icon name="print" />
          {supplyMessages(view).slip}
        </a>
      )}
      <a class="button" href={`${path}/label`}>
        <Icon name="tag" />
        {t.label}
      </a>
      <div class="next-step">
        <Next view={view} order={order} />
      </div>
    </>
  );
}

function Next({ view, order }: OrderProps) {
  const t = messages(view);
  const step = nextStep(order);
  if (step === undefined || order.onHold) return null;
  const label = partLabelOf(view, order, step) ?? t.steps[step];
  const isNothing = isNothingHere(order);
  const isUnpacked = !isNothing && waitsForPacking(order, step);
  if (isNothing || isUnpacked || (order.originalMissing && isLeaving(step))) {
    const { packed, packs } = progressOf(order);
    return (
      <button type="button" disabled aria-describedby={isUnpacked ? 'left' : undefined}>
        {isNothing ? t.steps[step] : label}
        {isUnpacked && (
          <span class="far">
            {packed}/{packs}
          </span>
        )}
      </button>
    );
  }
  const path = orderPath(order.id);
  if (step === 'picked_up') {
    return (
      <a class="button primary" href={`${path}/hand-over`} data-decide>
        {label}
      </a>
    );
  }
  if (step === 'shipped' && hasParcel(order)) {
    return (
      <button
        class="primary"
        type="submit"
        name="status"
        value={step}
        form={PARCEL_FORM}
        formaction={`${path}/ship`}
        data-decide
      >
        {label}
      </button>
    );
  }
  return (
    <Form view={view} action={`${path}/status`}>
      <button class="primary" type="submit" name="status" value={step} data-decide>
        {label}
      </button>
    </Form>
  );
}

/** Of an order of which something is still to come. */
export function partLabelOf(view: OrderProps['view'], order: Order, step: OrderStatus): string | undefined {
  if (owedCount(order) === 0 || !isLeaving(step)) return undefined;
  const t = supplyMessages(view);
  return (step === 'shipped' ? t.shipPart : t.handOverPart)(progressOf(order).packs, packCount(order));
}

/** The usual next step; none for an order that can only be returned. */
function nextStep(order: Order): OrderStatus | undefined {
  if (order.status === 'awaiting_prescription' && order.paymentStatus !== 'pending') return 'awaiting_packing';
  return stepsOf(order)[0];
}

function stepsOf(order: Order): OrderStatus[] {
  return allowedTransitions(order).filter((step) => step !== 'returned' && step !== 'cancelled');
}

/** The steps beside the usual one, such as back to packing. On hold nothing goes on. */
export function otherSteps(order: Order): OrderStatus[] {
  if (order.onHold) return [];
  const next = nextStep(order);
  return stepsOf(order).filter((step) => step !== next);
}
