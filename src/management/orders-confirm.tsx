import { type OrderView, REASON_CODES } from '../orders/service';
import { FaultSummary, Form } from './fields';
import type { Faults } from './forms';
import { Page } from './layout';
import { customerOf, orderPath, shortIdOf } from './orders-parts';
import type { View } from './view';

export function CancelPage({ view, order, faults = {} }: { view: View; order: OrderView; faults?: Faults }) {
  const words = view.words.orders;
  const fault = faults.reason_code;
  return (
    <Page view={view} title={words.cancelTitle(shortIdOf(order.id), customerOf(view, order))}>
      <FaultSummary view={view} faults={faults} />
      <p>{words.cancelLead}</p>
      <Form view={view} action={`${orderPath(order.id)}/cancel`} class="wide">
        <div class={fault ? 'field wrong' : 'field'}>
          <label for="reason_code">{words.cancelReason}</label>
          {fault && (
            <p class="fault" id="reason_code-fault">
              {fault}
            </p>
          )}
          <select
            id="reason_code"
            name="reason_code"
            aria-invalid={fault ? 'true' : undefined}
            aria-describedby={fault && 'reason_code-fault'}
          >
            <option value="">{words.choose}</option>
            {REASON_CODES.map((code) => (
              <option value={code}>{words.reasons[code]}</option>
            ))}
          </select>
        </div>
        <div class="buttons">
          <button class="danger" type="submit">
            {words.cancelNow}
          </button>
          <a class="button" href={orderPath(order.id)}>
            {words.keep}
          </a>
        </div>
      </Form>
    </Page>
  );
}

export function DeletePage({ view, order }: { view: View; order: OrderView }) {
  const words = view.words.orders;
  return (
    <Page view={view} title={words.removeTitle(shortIdOf(order.id), customerOf(view, order))}>
      <p>{words.removeLead}</p>
      <Form view={view} action={`${orderPath(order.id)}/delete`}>
        <div class="buttons">
          <button class="danger" type="submit">
            {words.removeNow}
          </button>
          <a class="button" href={orderPath(order.id)}>
            {view.words.common.cancel}
          </a>
        </div>
      </Form>
    </Page>
  );
}
