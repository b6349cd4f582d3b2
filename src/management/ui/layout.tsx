import { WAITING_COUNTED_MAX } from '../../order-requests/service';
import type { Child } from '../../platform/markup/markup';
import { LANGUAGES } from '../http/language';
import { ACCOUNT, HOME, orderPath, requestPath, withQuery } from '../http/paths';
import { ErrorSummary, Form } from './fields';
import type { FieldErrors } from './form-errors';
import { formatAge, formatTime, isoTime } from './format';
import { GlobalSearch } from './global-search';
import { textFor } from './lookup';
import { sharedMessages } from './messages';
import { type Entry, navigationOf } from './navigation';
import { Said, Shortcuts } from './shortcuts';
import { StoppedWebhooks } from './stopped-webhooks';
import type { View } from './view';

interface PageProps {
  view: View;
  title: string;
  /** Errors of the page's form, said at its top. */
  fieldErrors?: FieldErrors;
  /** Prefix of the browser tab's title. */
  badge?: number;
  children: Child;
}

const LANGUAGE_NAMES = { de: 'Deutsch', en: 'English' } as const;

/** A page for a signed-in person: header, navigation, content. */
export function Page({ view, title, fieldErrors = {}, badge, children }: PageProps) {
  const { session } = view;
  const shared = sharedMessages(view);
  if (!session) return <BarePage {...{ view, title, fieldErrors }}>{children}</BarePage>;
  const { areas, settings } = navigationOf(session.role);
  const isInSettings = settings.some((entry) => isCurrent(view, entry));
  const opensAt = settings[0]?.path ?? view.path;
  return (
    <Document view={view} title={badge ? `(${badge}) ${title}` : title}>
      <header class="top">
        <a class="brand" href={HOME}>
          {session.organizationName}
        </a>
        <GlobalSearch view={view} />
        <div class="tools">
          <LanguageSwitch view={view} />
          <details class="menu">
            <summary>
              <span class="name">{session.name}</span>
            </summary>
            <div class="card">
              <p>
                {session.name}
                <small>{session.email}</small>
                <small>{shared.roles[session.role]}</small>
              </p>
              <a href={ACCOUNT}>{shared.nav.account}</a>
              <button class="plain" type="button" hidden data-opens-shortcuts>
                {shared.shortcuts.title}
              </button>
              <Form view={view} action="/manage/sign-out">
                <button class="plain" type="submit">
                  {shared.common.signOut}
                </button>
              </Form>
            </div>
          </details>
        </div>
      </header>
      <div class="frame">
        <nav class="rail" aria-label={shared.common.menu}>
          <ul>
            {areas.map((entry) => (
              <NavEntry view={view} entry={entry} />
            ))}
            <li>
              <a href={opensAt} aria-current={isInSettings ? 'true' : undefined}>
                {shared.nav.settings}
              </a>
              {isInSettings && (
                <ul>
                  {settings.map((entry) => (
                    <NavEntry view={view} entry={entry} />
                  ))}
                </ul>
              )}
            </li>
          </ul>
        </nav>
        <main id="main" tabindex={-1}>
          <StoppedWebhooks view={view} />
          <FlashMessage view={view} />
          <h1>{title}</h1>
          <ErrorSummary view={view} fieldErrors={fieldErrors} />
          {children}
        </main>
      </div>
      <Said />
      <Shortcuts view={view} />
    </Document>
  );
}

/** A page without a session: one narrow column. */
export function BarePage({ view, title, fieldErrors = {}, children }: PageProps) {
  return (
    <Document view={view} title={title}>
      <header class="top">
        <span class="brand">{sharedMessages(view).product}</span>
        <div class="tools">
          <LanguageSwitch view={view} />
        </div>
      </header>
      <main id="main" class="narrow" tabindex={-1}>
        <FlashMessage view={view} />
        <h1>{title}</h1>
        <ErrorSummary view={view} fieldErrors={fieldErrors} />
        {children}
      </main>
    </Document>
  );
}

export function Document({ view, title, children }: PageProps) {
  const { assets } = view;
  const shared = sharedMessages(view);
  return (
    <html lang={view.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${shared.product}`}</title>
        <link rel="stylesheet" href={assets.styles} />
        <link rel="icon" href="data:," />
        <script src={assets.script} defer></script>
      </head>
      <body>
        <a class="skip" href="#main">
          {shared.common.skip}
        </a>
        {children}
      </body>
    </html>
  );
}

function NavEntry({ view, entry }: { view: View; entry: Entry }) {
  return (
    <li>
      <a href={keepingShop(view, entry)} aria-current={isCurrent(view, entry) ? 'page' : undefined}>
        {sharedMessages(view).nav[entry.name]}
        {entry.name === 'orderRequests' && <WaitingCount view={view} />}
      </a>
    </li>
  );
}

/** The number of waiting order requests; the script updates it on pages that it refreshes. */
function WaitingCount({ view }: { view: View }) {
  const { waiting } = view;
  const count = waiting >= WAITING_COUNTED_MAX ? `${WAITING_COUNTED_MAX - 1}+` : String(waiting);
  return (
    <span class="count waiting" id="waiting" data-live>
      {waiting > 0 && (
        <>
          {count}
          <span class="unseen"> {sharedMessages(view).requests.waiting}</span>
        </>
      )}
    </span>
  );
}

/** The shop chosen in one list stays chosen in the other. */
function keepingShop(view: View, { name, path }: Entry): string {
  const isFiltered = name === 'orderRequests' || name === 'orders';
  const shop = isFiltered && new URLSearchParams(view.path.split('?')[1]).get('shop');
  return withQuery(path, { shop: shop || undefined });
}

function isCurrent(view: View, { path, others = [] }: Entry): boolean {
  const at = view.path.split('?')[0] ?? '';
  return at === path || at.startsWith(`${path}/`) || others.includes(at);
}

function LanguageSwitch({ view }: { view: View }) {
  const others = LANGUAGES.filter((language) => language !== view.language);
  return (
    <Form view={view} action="/manage/language" class="languages">
      <input type="hidden" name="next" value={view.path} />
      {others.map((language) => (
        <button class="plain" type="submit" name="language" value={language} lang={language}>
          {LANGUAGE_NAMES[language]}
        </button>
      ))}
    </Form>
  );
}

function FlashMessage({ view }: { view: View }) {
  if (!view.flash) return null;
  if (view.decided) return <DecidedMessage view={view} flash={view.flash} decided={view.decided} />;
  return (
    <p class="flash" role="status">
      {sharedMessages(view).flash[view.flash]}
    </p>
  );
}

type DecidedProps = { view: View } & Required<Pick<View, 'flash' | 'decided'>>;

/** The result of the previous request. It names that request, so that nobody confuses it with the one on the page. */
function DecidedMessage({ view, flash, decided }: DecidedProps) {
  const shared = sharedMessages(view);
  const what = textFor(shared.decided.did, flash, shared.flash[flash]);
  const path = requestPath(decided.id);
  const isThere = decided.status !== 'deleted';
  return (
    <section class="flash decided" role="status" aria-label={shared.decided.title}>
      <small>{shared.decided.title}</small>
      <div class="inline">
        <span>
          <strong>
            <bdi>{decided.customer ?? shared.decided.nameless}</bdi>
          </strong>{' '}
          {what}
          {isThere && ' · '}
          {isThere &&
            (decided.orderId ? (
              <a href={orderPath(decided.orderId)}>{shared.decided.toOrder}</a>
            ) : (
              <a href={path}>{shared.decided.toRequest}</a>
            ))}
        </span>
        {decided.status === 'rejected' && (
          <Form view={view} action={`${path}/reopen`}>
            <button type="submit">{shared.decided.reopen}</button>
          </Form>
        )}
      </div>
    </section>
  );
}

/** A status: always a word; the color of its dot only repeats it. */
export function Chip({ tone, children }: { tone: 'good' | 'wait' | 'bad' | 'quiet'; children: Child }) {
  return <span class={`chip ${tone}`}>{children}</span>;
}

/** Relative time; the tooltip has the full time. */
export function Time({ view, at }: { view: View; at: number }) {
  return (
    <time datetime={isoTime(at)} title={formatTime(view.language, at)}>
      {formatAge(view.language, at, view.now)}
    </time>
  );
}
