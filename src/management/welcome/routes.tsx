import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { sendSample } from '../../order-requests/intake/intake';
import { type Onboarding, readOnboarding } from '../../reports/figures';
import { readCookie, writeCookie } from '../http/cookies';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { CATALOG, HOME, KEYS, MEMBERS, REQUESTS, requestPath, SHOPS, shopPath, WELCOME } from '../http/paths';
import { signedIn } from '../http/session';
import { CHOICE_KEPT_SECONDS } from '../limits';
import { Form, FormButton, Hidden, Submit } from '../ui/fields';
import { firstPage } from '../ui/frame';
import { Page } from '../ui/layout';
import { ButtonLink, Mark, Panel } from '../ui/parts';
import { respondPage } from '../ui/view';
import { messages } from './messages';

const COOKIE = 'welcome';
const OFF = 'off';

/** Routes of the first steps. They are for owners only: the use cases refuse all other roles. */
export const welcomeRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const at = await readOnboarding(c.var.ctx);
    const { organizationName: name } = signedIn(c);
    return respondPage(c, <WelcomePage {...{ name, at, isFirst: !isOff(c) && !at.hasRequest }} />);
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
 * Answers `/manage` with a redirect. An owner goes to the first steps as long as the organization has no order request
 * and is no test organization. Everybody else goes to the first page of their role. A cookie in this browser records
 * that an order request was found, or that the owner dismissed the steps. With this cookie, an owner goes to the first
 * page without another check.
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
  writeCookie(c, COOKIE, OFF, CHOICE_KEPT_SECONDS);
}

/**
 * The page of the first steps. It shows which steps are done, which is next, and which come later.
 * @param isFirst whether `/manage` still redirects to this page
 */
function WelcomePage({ name, at, isFirst }: { name: string; at: Onboarding; isFirst: boolean }) {
  const t = messages();
  const { shop } = at;
  const isReady = shop !== null && shop.host !== null && at.hasKey;
  return (
    <Page title={t.title(name)} lead={at.hasRequest && isReady ? t.done : t.lead}>
      <section class="panel ladder-panel">
        <ol class="ladder">
          <Step {...{ ...t.shop }} there={shop && <bdi>{shop.name}</bdi>} isNext={!shop}>
            <ButtonLink path={SHOPS} tone="primary" label={t.shop.act} />
          </Step>
          <Step {...{ ...t.host }} there={shop?.host && t.host.there(shop.host)} isNext={shop?.host === null}>
            {shop && <ButtonLink path={shopPath(shop.id)} tone="primary" label={t.host.act} />}
          </Step>
          <Step {...{ ...t.key }} there={at.hasKey && t.key.there} isNext={Boolean(shop?.host) && !at.hasKey}>
            <ButtonLink path={KEYS} tone="primary" label={t.key.act} />
          </Step>
          <Step {...{ ...t.request }} there={at.hasRequest && t.request.there} isNext={isReady && !at.hasRequest}>
            {shop && (
              <Form action={`${WELCOME}/sample`}>
                <Hidden name="shop" value={shop.id} />
                <Submit>{t.request.act}</Submit>
              </Form>
            )}
          </Step>
        </ol>
      </section>
      <div class="halves">
        <Panel title={t.assortment.title}>
          <p class="quiet">{at.hasProducts ? t.assortment.some : t.assortment.none}</p>
          <ButtonLink path={CATALOG} label={t.assortment.act} />
        </Panel>
        <Panel title={t.team.title}>
          <p class="quiet">{at.hasTeam ? t.team.some : t.team.none}</p>
          <ButtonLink path={MEMBERS} label={t.team.act} />
        </Panel>
      </div>
      <div class="acts">
        {at.hasRequest && <ButtonLink path={REQUESTS} label={t.request.toAll} />}
        {isFirst && <FormButton action={`${WELCOME}/dismiss`} label={t.dismiss} />}
      </div>
    </Page>
  );
}

interface StepProps {
  title: string;
  text: string;
  /** The result of the step; empty until it is done. */
  there: Child;
  isNext: boolean;
  /** The action of the step. Only the next step shows its action, because each step needs the previous ones. */
  children: Child;
}

function Step({ title, text, there, isNext, children }: StepProps) {
  const t = messages();
  const isDone = Boolean(there);
  return (
    <li class={isDone ? 'ok' : isNext ? 'now' : undefined} aria-current={isNext ? 'step' : undefined}>
      {isDone && <Mark name="done" />}
      <div>
        <h2>
          {title}
          {isDone && <span class="unseen">, {t.isDone}</span>}
          {isNext && <span class="unseen">, {t.isNext}</span>}
        </h2>
        <p class="quiet">{isDone ? there : text}</p>
      </div>
      {isNext && children}
    </li>
  );
}
