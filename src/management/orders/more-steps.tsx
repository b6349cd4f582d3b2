import {
  allowedTransitions,
  overpaidOf,
  owedCount,
  receivedOf,
  suppliedCount,
  takesReturns,
} from '../../orders/service';
import { orderPath } from '../http/paths';
import { Form } from '../ui/fields';
import { Hidden } from '../ui/hidden';
import type { OrderProps } from './confirm-page';
import { otherSteps } from './decision';
import { messages } from './messages';
import { supplyMessages } from './supply-messages';

const FLAGS = ['express', 'archived'] as const;

/** What is rarely done: behind a fold, away from the next step. */
export function MoreSteps({ view, order }: OrderProps) {
  const t = messages(view);
  const path = orderPath(order.id);
  const steps = allowedTransitions(order);
  const others = otherSteps(order);
  return (
    <details class="panel fold more-steps" id="flags">
      <summary>{t.moreSteps}</summary>
      <ul>
        {others.length > 0 && (
          <li>
            <Form view={view} action={`${path}/status`}>
              {others.map((step) => (
                <button class="plain" type="submit" name="status" value={step}>
                  {t.steps[step]}
                </button>
              ))}
            </Form>
          </li>
        )}
        {!order.onHold && (
          <li>
            <a href={`${path}/hold`}>{t.turnOn.on_hold}</a>
          </li>
        )}
        {FLAGS.map((flag) => (
          <li>
            <Form view={view} action={`${path}/flags`}>
              <Hidden name="flag" value={flag} />
              <button class="plain" type="submit" name="value" value={order[flag] ? 'off' : 'on'}>
                {order[flag] ? t.turnOff[flag] : t.turnOn[flag]}
              </button>
            </Form>
          </li>
        ))}
        {((order.paymentStatus === 'paid' && receivedOf(order) > order.refundedCents) || overpaidOf(order) > 0) && (
          <li>
            <a href={`${path}/refund`}>{t.refund}</a>
          </li>
        )}
        {owedCount(order) > 0 && (
          <li>
            <a href={`${path}/cancel-rest`}>{supplyMessages(view).cancelRest}</a>
          </li>
        )}
        {takesReturns(order) && (
          <li>
            <a href={`${path}/return`}>{t.steps.returned}</a>
          </li>
        )}
        {steps.includes('cancelled') && (
          <li>
            <a class="bad-link" href={`${path}/cancel`} data-key="r">
              {t.steps.cancelled}
            </a>
          </li>
        )}
        {order.status === 'cancelled' && suppliedCount(order) === 0 && (
          <li>
            <a class="bad-link" href={`${path}/delete`}>
              {t.remove}
            </a>
          </li>
        )}
      </ul>
    </details>
  );
}
