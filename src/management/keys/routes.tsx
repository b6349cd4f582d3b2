import { Hono } from 'hono';
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey, setSubmittedEvents } from '../../auth/keys/service';
import { NAME_LENGTH_MAX } from '../../auth/limits';
import { notFound } from '../../platform/errors';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once, showOnce, takeMade } from '../http/once';
import { KEYS, keyPath } from '../http/paths';
import { signedIn } from '../http/session';
import { ticked } from '../ui/checkboxes';
import { respondConfirm } from '../ui/confirm';
import { type FieldErrors, hasFieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondForm, respondPage, viewOf } from '../ui/view';
import { readExpiry } from './expiry';
import { KeyPage } from './key-page';
import { API_SCOPES, KeysPage, type KeysState, keyLabel, type MadeKey } from './list-page';
import { messages } from './messages';
import { rotateRoutes } from './rotate-routes';

/** For owners only: the use cases refuse everybody else. */
export const keyRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => respondKeys(c, { made: await takeMade<MadeKey>(c) }))
  .post('/', once(KEYS, create))
  .get('/:id', async (c) => {
    const keys = await listApiKeys(c.var.ctx);
    const apiKey = keys.find(({ id }) => id === c.req.param('id'));
    if (!apiKey) throw notFound();
    return respondPage(c, <KeyPage {...{ view: await viewOf(c), apiKey, keys }} />);
  })
  .get('/:id/revoke', async (c) => {
    const keys = await listApiKeys(c.var.ctx);
    const key = keys.find(({ id }) => id === c.req.param('id'));
    if (!key || key.revokedAt !== null) throw notFound();
    return respondRevoke(c, key);
  })
  .post('/:id/revoke', async (c) => {
    await revokeApiKey(c.var.ctx, { orgId: signedIn(c).actor.orgId, keyId: c.req.param('id') });
    return redirectWithFlash(c, 'key_revoked', KEYS);
  })
  .route('/', rotateRoutes)
  .post('/:id/submitted-events', async (c) => {
    const isOn = c.var.form.text('on') === 'yes';
    await setSubmittedEvents(c.var.ctx, { keyId: c.req.param('id'), isOn });
    return redirectWithFlash(c, isOn ? 'submitted_events_on' : 'submitted_events_off', keyPath(c.req.param('id')));
  });

async function create(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const typed = {
    name: form.text('name'),
    kind: form.text('kind'),
    expiresAt: form.text('expires_at'),
    scopes: ticked(form, API_SCOPES),
  };
  const { expiresAt, fieldErrors: expiryErrors } = readExpiry(typed.expiresAt, ctx.now(), c.var);
  const fieldErrors = { ...fieldErrorsOf(c, typed), ...expiryErrors };
  if (hasFieldErrors(fieldErrors)) return respondKeys(c, { ...typed, fieldErrors });
  const scopes = typed.kind === 'integration' ? (['external_orders.submit'] as const) : typed.scopes;
  const result = await tryForm(c.var, { api_key_limit_reached: 'name' }, () =>
    createApiKey(ctx, {
      orgId: signedIn(c).actor.orgId,
      name: typed.name,
      scopes: [...scopes],
      ...(expiresAt !== null && { expiresAt }),
    }),
  );
  if (result.fieldErrors) return respondKeys(c, { ...typed, fieldErrors: result.fieldErrors });
  return showOnce(c, KEYS, { name: typed.name, key: result.value.apiKey } satisfies MadeKey);
}

function fieldErrorsOf(c: ManageContext, typed: Required<Pick<KeysState, 'name' | 'kind' | 'scopes'>>): FieldErrors {
  const shared = sharedMessages(c.var);
  return {
    ...(typed.name === '' && { name: shared.common.required(shared.common.name) }),
    ...(typed.name.length > NAME_LENGTH_MAX && { name: shared.fieldErrors.name_too_long }),
    ...(!['integration', 'api'].includes(typed.kind) && { kind: shared.fieldErrors.kind }),
    ...(typed.kind === 'api' && typed.scopes.length === 0 && { scopes: shared.fieldErrors.scopes }),
  };
}

async function respondKeys(c: ManageContext, state: KeysState = {}): Promise<Response> {
  const keys = await listApiKeys(c.var.ctx);
  const view = await viewOf(c, KEYS);
  return respondForm(c, <KeysPage {...{ view, keys, state }} />, state.fieldErrors);
}

function respondRevoke(c: ManageContext, key: ApiKey): Promise<Response> {
  const t = messages(c.var);
  return respondConfirm(c, {
    title: t.revokeTitle(key.name),
    about: <code>{keyLabel(c.var, key)}</code>,
    lead: key.callback ? `${t.revokeLead} ${t.revokeLastLead}` : t.revokeLead,
    action: `${KEYS}/${key.id}/revoke`,
    act: sharedMessages(c.var).common.revoke,
    back: keyPath(key.id),
  });
}
