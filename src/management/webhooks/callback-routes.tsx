import { Hono } from 'hono';
import { type ApiKey, isActiveKey, listApiKeys, setCallback } from '../../auth/keys/service';
import { notFound } from '../../platform/errors';
import type { ManageContext, ManageEnv } from '../http/env';
import { once, showOnce, takeMade } from '../http/once';
import { callbackPathOf } from '../http/paths';
import { type FieldErrors, tryForm } from '../ui/form-errors';
import { respondForm, viewOf } from '../ui/view';
import { CallbackPage } from './callback-page';
import type { MadeSecret } from './list-page';

/** The callback of an integration, below the page of keys. */
export const callbackRoutes = new Hono<ManageEnv>()
  .get('/:id/callback', async (c) => {
    const made = await takeMade<MadeSecret>(c);
    return respondCallback(c, { made });
  })
  .post('/:id/callback', once(callbackPath, create));

function callbackPath(c: ManageContext): string {
  return callbackPathOf(c.req.param('id') ?? '');
}

async function create(c: ManageContext): Promise<Response> {
  const url = c.var.form.text('url');
  const fields = { callback_limit_reached: 'url', subscription_changed: 'url' };
  const result = await tryForm(c.var, fields, () => setCallback(c.var.ctx, { keyId: c.req.param('id') ?? '', url }));
  if (result.fieldErrors) return respondCallback(c, { url, fieldErrors: result.fieldErrors });
  return showOnce(c, callbackPath(c), { url, secret: result.value.signingSecret } satisfies MadeSecret);
}

interface CallbackState {
  url?: string;
  fieldErrors?: FieldErrors;
  made?: MadeSecret | 'gone';
}

async function respondCallback(c: ManageContext, state: CallbackState): Promise<Response> {
  const apiKey = await integrationKey(c);
  return respondForm(c, <CallbackPage {...{ view: await viewOf(c), apiKey, ...state }} />, state.fieldErrors);
}

async function integrationKey(c: ManageContext): Promise<ApiKey> {
  const keys = await listApiKeys(c.var.ctx);
  const key = keys.find(({ id }) => id === c.req.param('id'));
  const isUsable = key && isActiveKey(key, c.var.ctx.now()) && key.scopes.includes('external_orders.submit');
  if (!isUsable) throw notFound();
  return key;
}
