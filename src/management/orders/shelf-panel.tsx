import { orderPath } from '../http/paths';
import { Field, Form, type FormState } from '../ui/fields';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import type { DetailProps } from './order-props';
import { packingMessages } from './packing-messages';

const SHOWN_IN = new Set(['awaiting_packing', 'ready_pickup', 'ready_shipping']);

/** Where the order waits, in how many bags. */
export function ShelfPanel({ view, detail: { order }, state }: DetailProps & { state: FormState<'shelf' | 'bags'> }) {
  const t = packingMessages(view);
  if (!SHOWN_IN.has(order.status)) return null;
  const { fieldErrors } = state;
  return (
    <Panel title={t.shelfAndBags}>
      <Form view={view} action={`${orderPath(order.id)}/shelf`} class="shelf-form" isGuarded>
        <Field name="shelf" label={t.shelf} value={state.shelf ?? order.shelf ?? ''} fieldErrors={fieldErrors} />
        <Field
          name="bags"
          label={t.bags}
          value={state.bags ?? String(order.bags ?? 1)}
          fieldErrors={fieldErrors}
          inputmode="numeric"
        />
        <button type="submit">{sharedMessages(view).common.save}</button>
      </Form>
    </Panel>
  );
}
