import { orderPath } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Field, Form, type FormState } from '../ui/fields';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { OrderProps } from './confirm-page';
import { leavingMessages } from './leaving-messages';

/** Before an order is held: until somebody lifts it, nothing of it leaves. */
export function HoldPage({ view, order, form }: OrderProps & { form: FormState<'hold_reason'> }) {
  const { common } = sharedMessages(view);
  const t = leavingMessages(view);
  const path = orderPath(order.id);
  return (
    <Page view={view} title={t.holdTitle(order.number)} fieldErrors={form.fieldErrors} isDialog>
      <p>{t.holdLead}</p>
      <Form view={view} action={`${path}/hold`} isGuarded>
        <Field name="hold_reason" label={common.optional(common.reason)} form={form} data-note />
        <Decision view={view} act={t.hold} back={path} isHarmless />
      </Form>
    </Page>
  );
}
