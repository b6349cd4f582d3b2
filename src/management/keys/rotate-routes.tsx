import { Hono } from 'hono';
import { type ApiKey, isActiveKey, listApiKeys, rotateApiKey } from '../../auth/keys/service';
import { notFound } from '../../platform/errors';
import { dayOf } from '../../platform/pharmacy-time';
import type { ManageContext, ManageEnv } from '../http/env';
import { once, showOnce } from '../http/once';
import { KEYS } from '../http/paths';
import { type FieldErrors, hasFieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { OVERLAPS, readOverlap } from '../ui/overlap';
import { respondForm, viewOf } from '../ui/view';
import { readExpiry } from './expiry';
import type { MadeKey } from './list-page';
import { RotatePage, type TypedRotation } from './rotate-page';

export const rotateRoutes = new Hono<ManageEnv>()
  .get('/:id/rotate', (c) => respondRotate(c, c.req.param('id')))
  .post('/:id/rotate', once(KEYS, rotate));

/** Asks how long the old key stays valid and when the new one ends. */
async function respondRotate(
  c: ManageContext,
  keyId: string,
  typed?: TypedRotation,
  fieldErrors: FieldErrors = {},
): Promise<Response> {
  const key = await activeKey(c, keyId);
  const suggested = { overlap: 'day', expiresAt: key.expiresAt === null ? '' : dayOf(key.expiresAt) };
  const page = <RotatePage view={await viewOf(c)} apiKey={key} typed={typed ?? suggested} fieldErrors={fieldErrors} />;
  return respondForm(c, page, fieldErrors);
}

/** Creates the new key; the list of keys shows it once. */
async function rotate(c: ManageContext): Promise<Response> {
  const keyId = c.req.param('id') ?? '';
  const { form, ctx } = c.var;
  const { fieldErrors: t } = sharedMessages(c.var);
  const typed = { overlap: form.text('overlap'), expiresAt: form.text('expires_at') };
  const overlap = readOverlap(typed.overlap);
  const { expiresAt, fieldErrors } = readExpiry(typed.expiresAt, ctx.now(), c.var);
  if (!overlap || hasFieldErrors(fieldErrors)) {
    return respondRotate(c, keyId, typed, { ...(!overlap && { overlap: t.overlap }), ...fieldErrors });
  }
  const key = await activeKey(c, keyId);
  const until = ctx.now() + OVERLAPS[overlap];
  const result = await tryForm(c.var, { key_overlap_running: 'overlap' }, () =>
    rotateApiKey(ctx, { keyId, overlapMs: OVERLAPS[overlap], expiresAt }),
  );
  if (result.fieldErrors) return respondRotate(c, keyId, typed, result.fieldErrors);
  const previousUntil = overlap === 'none' ? null : Math.min(until, key.expiresAt ?? until);
  return showOnce(c, KEYS, { name: key.name, key: result.value.apiKey, previousUntil } satisfies MadeKey);
}

async function activeKey(c: ManageContext, keyId: string): Promise<ApiKey> {
  const keys = await listApiKeys(c.var.ctx);
  const key = keys.find(({ id }) => id === keyId);
  if (!key || !isActiveKey(key, c.var.ctx.now())) throw notFound();
  return key;
}
