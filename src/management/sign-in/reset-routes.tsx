import { Hono } from 'hono';
import { getReset, type OpenReset, useReset } from '../../auth/staff/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { SIGN_IN } from '../http/paths';
import { callerOf } from '../http/session';
import { type FieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondPage, viewOf } from '../ui/view';
import { messages } from './messages';
import { ResetPage } from './reset-page';
import { unlessGone } from './responses';

/** Sets a new password. Needs no session: the link is the permission, and works once. It does not sign in. */
export const resetRoutes = new Hono<ManageEnv>()
  .get('/reset/:token', (c) =>
    unlessGone(c, 'reset_not_found', messages(c.var).resets, async () =>
      respondReset(c, await getReset(c.var.ctx, c.req.param('token'))),
    ),
  )
  .post('/reset/:token', (c) =>
    unlessGone(c, 'reset_not_found', messages(c.var).resets, async () => {
      const { form, ctx } = c.var;
      const shared = sharedMessages(c.var);
      const t = messages(c.var);
      const token = c.req.param('token');
      const password = form.secret('password');
      const missing = { password: shared.common.required(t.resets.next) };
      if (!password) return respondReset(c, await getReset(ctx, token), missing);
      const input = { token, password, caller: callerOf(c) };
      const { fieldErrors } = await tryForm(c.var, {}, () => useReset(ctx, input));
      if (!fieldErrors) return redirectWithFlash(c, 'password_reset', SIGN_IN);
      return respondReset(c, await getReset(ctx, token), fieldErrors);
    }),
  );

async function respondReset(c: ManageContext, reset: OpenReset, fieldErrors?: FieldErrors): Promise<Response> {
  const page = <ResetPage view={await viewOf(c)} reset={reset} fieldErrors={fieldErrors} />;
  return respondPage(c, page, fieldErrors ? 400 : 200);
}
