import { Hono } from 'hono';
import { PASSWORD_LENGTH_MIN } from '../../auth/limits';
import { getReset, type OpenReset, useReset } from '../../auth/staff/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { done } from '../http/flash';
import { SIGN_IN } from '../http/paths';
import { callerOf } from '../http/session';
import { FaultSummary, Field, Form } from '../ui/fields';
import { type Faults, tryForm } from '../ui/form-errors';
import { BarePage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { answerPage, viewOf } from '../ui/view';
import { unlessGone } from './gone-page';
import { messages } from './messages';

/** A new password for whoever lost theirs: open to whoever has the link, once. It signs nobody in. */
export const resetRoutes = new Hono<ManageEnv>()
  .get('/reset/:token', (c) =>
    unlessGone(c, 'reset_not_found', messages(c.var).resets, async () =>
      answerReset(c, await getReset(c.var.ctx, c.req.param('token'))),
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
      if (!password) return answerReset(c, await getReset(ctx, token), missing);
      const input = { token, password, caller: callerOf(c) };
      const { faults } = await tryForm(c.var, {}, () => useReset(ctx, input));
      if (!faults) return done(c, 'password_reset', SIGN_IN);
      return answerReset(c, await getReset(ctx, token), faults);
    }),
  );

async function answerReset(c: ManageContext, reset: OpenReset, faults?: Faults): Promise<Response> {
  const view = await viewOf(c);
  const shared = sharedMessages(view);
  const t = messages(view);
  const page = (
    <BarePage view={view} title={t.resets.pageTitle}>
      {faults && <FaultSummary view={view} faults={faults} />}
      <p>{t.resets.pageLead(reset.organizationName)}</p>
      {reset.hasSecondFactor && <p>{reset.endsSecondFactor ? t.resets.factorEnds : t.resets.factorStays}</p>}
      <Form view={view} action={view.path}>
        <Field name="email" type="email" label={t.signIn.email} value={reset.email} autocomplete="username" readonly />
        <Field
          name="password"
          type="password"
          label={t.resets.next}
          hint={shared.passwordHint(PASSWORD_LENGTH_MIN)}
          faults={faults}
          autocomplete="new-password"
        />
        <button class="primary" type="submit">
          {t.resets.save}
        </button>
      </Form>
    </BarePage>
  );
  return answerPage(c, page, faults ? 400 : 200);
}
