import * as z from 'zod';
import { type MessageSettings, messageRules } from '../../messages/fields';
import { saveMessageSettings } from '../../messages/service';
import type { ManageContext } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { shopPath } from '../http/paths';
import { Checkbox } from '../ui/checkboxes';
import { readFields } from '../ui/copy-field';
import { Field, Form, type FormState } from '../ui/fields';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';

const schema = z.object(messageRules);

/** What was typed into the form and refused. */
export type TypedMessages = FormState<'replyTo'>;

interface Props {
  view: View;
  shopId: string;
  settings: MessageSettings;
  state: TypedMessages;
}

/** Whether the service itself sends the shop's messages. */
export function MessageSettingsPanel({ view, shopId, settings, state }: Props) {
  const { common } = sharedMessages(view);
  const t = messages(view);
  const form = { replyTo: settings.replyTo ?? '', ...state };
  return (
    <Panel title={t.messages} id="messages">
      <Form view={view} action={`${shopPath(shopId)}/messages`}>
        <Checkbox name="isSending" label={t.sendEmails} hint={t.sendEmailsHint} isOn={settings.isSending} />
        <Field name="replyTo" label={common.optional(t.replyTo)} form={form} inputmode="email" />
        <button type="submit">{common.save}</button>
      </Form>
    </Panel>
  );
}

/** @param refused shows the page again, with what was typed */
export async function submitMessages(
  c: ManageContext,
  shopId: string,
  refused: (state: TypedMessages) => Promise<Response>,
): Promise<Response> {
  const { replyTo } = c.var.form.texts('replyTo');
  const given = { replyTo: replyTo || null, isSending: c.var.form.text('isSending') === 'on' };
  const read = readFields(schema, given, { replyTo: sharedMessages(c.var).fieldErrors.email });
  if (read.fieldErrors) return refused({ replyTo, fieldErrors: read.fieldErrors });
  await saveMessageSettings(c.var.ctx, shopId, read.value);
  return redirectWithFlash(c, 'shop_saved', shopPath(shopId));
}
