import * as z from 'zod';
import { type MessageSettings, messageRules } from '../../messages/fields';
import { saveMessageSettings } from '../../messages/service';
import type { ManageContext } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { shopPath } from '../http/paths';
import { readFields } from '../ui/copy-field';
import { Field, Form, type FormState } from '../ui/fields';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';

const TEXTS = ['address', 'phone', 'openingHours'] as const;
const schema = z.object(messageRules);

/** What was typed into the form and refused. */
export type TypedMessages = FormState<(typeof TEXTS)[number]>;

interface Props {
  view: View;
  shopId: string;
  settings: MessageSettings;
  state: TypedMessages;
}

/** What the shop says about itself in messages to customers. */
export function MessageSettingsPanel({ view, shopId, settings, state }: Props) {
  const { common } = sharedMessages(view);
  const t = messages(view);
  const stored = Object.fromEntries(TEXTS.map((name) => [name, settings[name] ?? '']));
  const form = { ...stored, ...state };
  return (
    <Panel title={t.messages} id="messages">
      <p class="hint">{t.messagesHint}</p>
      <Form view={view} action={`${shopPath(shopId)}/messages`}>
        {TEXTS.map((name) => (
          <Field name={name} label={common.optional(t.messageFields[name])} form={form} />
        ))}
        <button type="submit">{common.save}</button>
      </Form>
    </Panel>
  );
}

/** @param refused shows the page again, with what was typed */
export async function submitMessages(
  c: ManageContext,
  { shopId, settings }: { shopId: string; settings: MessageSettings },
  refused: (state: TypedMessages) => Promise<Response>,
): Promise<Response> {
  const typed = c.var.form.texts(...TEXTS);
  const given = { ...settings, ...Object.fromEntries(TEXTS.map((name) => [name, typed[name] || null])) };
  const fault = sharedMessages(c.var).fieldErrors.text_too_long;
  const read = readFields(schema, given, Object.fromEntries(TEXTS.map((name) => [name, fault])));
  if (read.fieldErrors) return refused({ ...typed, fieldErrors: read.fieldErrors });
  await saveMessageSettings(c.var.ctx, shopId, read.value);
  return redirectWithFlash(c, 'shop_saved', shopPath(shopId));
}
