import type { Child } from '../../platform/markup/markup';
import type { Onboarding } from '../../reports/service';
import { CATALOG, KEYS, MEMBERS, REQUESTS, SHOPS, shopPath, WELCOME } from '../http/paths';
import { Form, Submit } from '../ui/fields';
import { Hidden } from '../ui/hidden';
import { Mark } from '../ui/icons';
import { Page } from '../ui/layout';
import { Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';

interface WelcomeProps {
  view: View;
  name: string;
  at: Onboarding;
  /** Whether `/manage` still leads here. */
  isFirst: boolean;
}

/** The first steps of an organization: what is done, what is next, and the rest. */
export function WelcomePage({ view, name, at, isFirst }: WelcomeProps) {
  const t = messages(view);
  const { shop } = at;
  const isReady = shop !== null && shop.host !== null && at.hasKey;
  return (
    <Page view={view} title={t.title(name)} lead={at.hasRequest && isReady ? t.done : t.lead}>
      <section class="panel ladder-panel">
        <ol class="ladder">
          <Step {...{ view, ...t.shop }} there={shop && <bdi>{shop.name}</bdi>} isNext={!shop}>
            <Lead path={SHOPS}>{t.shop.act}</Lead>
          </Step>
          <Step {...{ view, ...t.host }} there={shop?.host && t.host.there(shop.host)} isNext={shop?.host === null}>
            {shop && <Lead path={shopPath(shop.id)}>{t.host.act}</Lead>}
          </Step>
          <Step {...{ view, ...t.key }} there={at.hasKey && t.key.there} isNext={Boolean(shop?.host) && !at.hasKey}>
            <Lead path={KEYS}>{t.key.act}</Lead>
          </Step>
          <Step {...{ view, ...t.request }} there={at.hasRequest && t.request.there} isNext={isReady && !at.hasRequest}>
            {shop && (
              <Form view={view} action={`${WELCOME}/sample`}>
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
          <a class="button" href={CATALOG}>
            {t.assortment.act}
          </a>
        </Panel>
        <Panel title={t.team.title}>
          <p class="quiet">{at.hasTeam ? t.team.some : t.team.none}</p>
          <a class="button" href={MEMBERS}>
            {t.team.act}
          </a>
        </Panel>
      </div>
      <div class="acts">
        {at.hasRequest && (
          <a class="button" href={REQUESTS}>
            {t.request.toAll}
          </a>
        )}
        {isFirst && (
          <Form view={view} action={`${WELCOME}/dismiss`}>
            <button type="submit">{t.dismiss}</button>
          </Form>
        )}
      </div>
    </Page>
  );
}

interface StepProps {
  view: View;
  title: string;
  text: string;
  /** What there is; nothing while the step is not done. */
  there: Child;
  isNext: boolean;
  /** What does it. Shown where it is next, since each step needs those before it. */
  children: Child;
}

function Step({ view, title, text, there, isNext, children }: StepProps) {
  const t = messages(view);
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

function Lead({ path, children }: { path: string; children: Child }) {
  return (
    <a class="button primary" href={path}>
      {children}
    </a>
  );
}
