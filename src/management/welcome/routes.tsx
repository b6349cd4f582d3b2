import { Hono } from 'hono';
import { sendSample } from '../../order-requests/service';
import { readOnboarding } from '../../reports/service';
import { readCookie, writeCookie } from '../http/cookies';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { HOME, requestPath, WELCOME } from '../http/paths';
import { signedIn } from '../http/session';
import { firstPage } from '../ui/navigation';
import { respondPage, viewOf } from '../ui/view';
import { WelcomePage } from './welcome-page';

const COOKIE = 'welcome';
const OFF = 'off';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** For owners only: the use cases refuse everybody else. */
export const welcomeRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const at = await readOnboarding(c.var.ctx);
    const { organizationName: name } = signedIn(c);
    return respondPage(
      c,
      <WelcomePage {...{ view: await viewOf(c), name, at, isFirst: !isOff(c) && !at.hasRequest }} />,
    );
  })
  .post('/sample', async (c) => {
    const { id } = await sendSample(c.var.ctx, { shopId: c.var.form.text('shop') });
    return redirectWithFlash(c, 'sample_sent', requestPath(id));
  })
  .post('/dismiss', (c) => {
    switchOff(c);
    return c.redirect(HOME, 303);
  });

/**
 * `/manage`: the first steps, for the owner of an organization that has not had a request yet, else the first page of the role.
 * Once it had one, or its owner asked not to, this browser looks no more.
 */
export async function leadIn(c: ManageContext): Promise<Response> {
  const { role, isTest } = signedIn(c);
  if (role === 'owner' && !isTest && !isOff(c)) {
    const { hasRequest } = await readOnboarding(c.var.ctx);
    if (!hasRequest) return c.redirect(WELCOME, 303);
    switchOff(c);
  }
  return c.redirect(firstPage(role), 303);
}

function isOff(c: ManageContext): boolean {
  return readCookie(c, COOKIE) === OFF;
}

function switchOff(c: ManageContext): void {
  writeCookie(c, COOKIE, OFF, YEAR_SECONDS);
}
