import { Hono } from 'hono';
import {
  changePassword,
  confirmSecondFactor,
  disableSecondFactor,
  type SecondFactorStart,
  signOutEverywhere,
  startSecondFactor,
} from '../../auth/staff/service';
import { setNotices, wantsNotices } from '../../messages/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { showOnce, takeMade } from '../http/once';
import { ACCOUNT, SIGN_IN } from '../http/paths';
import { dropSessionCookie, keepSessionCookie, sessionCookieOf, signedIn } from '../http/session';
import { switchShortcuts } from '../http/shortcuts';
import { type FieldErrors, tryForm } from '../ui/form-errors';
import { respondForm, respondPage, viewOf } from '../ui/view';
import { AccountPage } from './account-page';
import { SecondFactorSetup } from './second-factor-page';

const SETUP = `${ACCOUNT}/second-factor`;

/** The signed-in person's own settings. */
export const accountRoutes = new Hono<ManageEnv>()
  .get('/', (c) => respondAccount(c))
  .post('/shortcuts', (c) => switchShortcuts(c))
  .post('/notices', async (c) => {
    await setNotices(c.var.ctx, c.var.form.text('notices') === 'on');
    return redirectWithFlash(c, 'notices_saved', ACCOUNT);
  })
  .post('/password', async (c) => {
    const { form, ctx } = c.var;
    const [current, next] = [form.secret('current'), form.secret('next')];
    const input = { about: signedIn(c), current, next };
    const result = await tryForm(c.var, {}, () => changePassword(ctx, input));
    if (result.fieldErrors) return respondAccount(c, result.fieldErrors);
    keepSessionCookie(c, result.value);
    return redirectWithFlash(c, 'password_changed', ACCOUNT);
  })
  .post('/second-factor', async (c) => {
    const input = { email: signedIn(c).email, password: c.var.form.secret('password') };
    const result = await tryForm(c.var, {}, () => startSecondFactor(c.var.ctx, input));
    if (result.fieldErrors) return respondAccount(c, result.fieldErrors);
    return showOnce(c, SETUP, result.value);
  })
  .get('/second-factor', async (c) => {
    const made = await takeMade<SecondFactorStart>(c);
    const start = typeof made === 'object' ? made : undefined;
    if (!start && signedIn(c).hasSecondFactor) return c.redirect(ACCOUNT, 303);
    return respondPage(c, <SecondFactorSetup view={await viewOf(c)} start={start} />);
  })
  .post('/second-factor/confirm', async (c) => {
    const input = { session: sessionCookieOf(c), code: c.var.form.text('code').replaceAll(' ', '') };
    const result = await tryForm(c.var, {}, () => confirmSecondFactor(c.var.ctx, input));
    if (result.fieldErrors) {
      const view = await viewOf(c, SETUP);
      return respondPage(c, <SecondFactorSetup view={view} fieldErrors={result.fieldErrors} />, 400);
    }
    if (result.value) keepSessionCookie(c, result.value);
    return redirectWithFlash(c, 'second_factor_on', ACCOUNT);
  })
  .post('/second-factor/disable', async (c) => {
    const input = { session: sessionCookieOf(c), password: c.var.form.secret('password') };
    const result = await tryForm(c.var, {}, () => disableSecondFactor(c.var.ctx, input));
    if (result.fieldErrors) return respondAccount(c, result.fieldErrors);
    keepSessionCookie(c, result.value);
    return redirectWithFlash(c, 'second_factor_off', ACCOUNT);
  })
  .post('/sign-out-everywhere', async (c) => {
    await signOutEverywhere(c.var.ctx);
    dropSessionCookie(c);
    return redirectWithFlash(c, 'signed_out_everywhere', SIGN_IN);
  });

async function respondAccount(c: ManageContext, fieldErrors: FieldErrors = {}): Promise<Response> {
  const session = signedIn(c);
  const isTold = session.role === 'owner' && !session.isTest;
  const notices = isTold ? await wantsNotices(c.var.ctx) : null;
  const page = <AccountPage {...{ session, fieldErrors }} view={await viewOf(c, ACCOUNT)} wantsNotices={notices} />;
  return respondForm(c, page, fieldErrors);
}
