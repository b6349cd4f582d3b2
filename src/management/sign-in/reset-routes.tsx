import { Hono } from 'hono';
import { getReset, useReset } from '../../auth/staff/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { SIGN_IN } from '../http/paths';
import { callerOf } from '../http/session';
import { type FieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondForm, viewOf } from '../ui/view';
import { ResetPage } from './reset-page';
import { tokenOf, unlessGone } from './responses';

/** Sets a new password. Needs no session: the link is the permission, and works once. It does not sign in. */
export const resetRoutes = new Hono<ManageEnv>()
  .get(
    '/reset/:token',
    unlessGone('resets', (c) => respondReset(c)),
  )
  .post('/reset/:token', unlessGone('resets', reset));

async function reset(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const { common } = sharedMessages(c.var);
  const password = form.secret('password');
  if (!password) return respondReset(c, { password: common.required(common.newPassword) });
  const input = { token: tokenOf(c), password, caller: callerOf(c) };
  const { fieldErrors } = await tryForm(c.var, {}, () => useReset(ctx, input));
  return fieldErrors ? respondReset(c, fieldErrors) : redirectWithFlash(c, 'password_reset', SIGN_IN);
}

async function respondReset(c: ManageContext, fieldErrors?: FieldErrors): Promise<Response> {
  const reset = await getReset(c.var.ctx, tokenOf(c));
  return respondForm(c, <ResetPage {...{ view: await viewOf(c), reset, fieldErrors }} />, fieldErrors);
}
