import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { ownerNames } from '../../auth/staff/members';
import { conflict, isLostRace } from '../../platform/conflict';
import type { CodeOf, ErrorCode, ErrorKind } from '../../platform/errors/error-codes';
import { AppError } from '../../platform/errors/errors';
import { answerError, type HttpContext } from '../../platform/http/http';
import { ASSETS, FAVICON, LOGO } from '../../platform/markup/assets';
import type { StoppedSubscription } from '../../webhooks/log/store';
import type { ManageContext } from '../http/env';
import { UNDONE } from '../http/flash-messages';
import type { Reader } from '../http/language';
import { cameFrom, HOME, orderPath, requestPath, WEBHOOKS } from '../http/paths';
import { ErrorSummary, FormButton } from './fields';
import { formatAge, formatExact, formatSecond, formatTime, isoTime, kept } from './format';
import { LanguageSwitch, Rail, ScriptStatus, SettingsTabs, Shortcuts, TEST, TopLine } from './frame';
import { type SharedMessages, sharedMessages } from './messages';
import { ButtonLink, Icon, MARK_OF_TONE, Mark, type MarkName, Notice, SYMBOLS, type Tone } from './parts';
import { type FieldErrors, render, textFor, useView, type View, viewOf } from './view';

interface PageProps {
  title: string;
  /** Errors of the page's form, shown at the top. */
  fieldErrors?: FieldErrors;
  /** A number that the title of the browser tab begins with, in parentheses. A 0 is not shown. */
  badge?: number;
  /** The heading, if it differs from the tab's title. */
  heading?: Child;
  /** The heading on paper, if it differs. */
  onPaper?: string;
  /** The link to the parent page, before the title. */
  back?: { path: string; label: string };
  /** A line about the page's content, beside the title. */
  lead?: Child;
  /** Links and buttons at the end of the title's line. */
  acts?: Child;
  /** Whether the page is a question, shown as a dialog in the middle. */
  isDialog?: boolean;
  /** Replaces the title's line; must contain the page's `h1`. */
  head?: Child;
  children: Child;
}

/** A page for a signed-in person: navigation, top line, content. */
export function Page({ title, fieldErrors = {}, badge, isDialog, head, children, ...line }: PageProps) {
  const { session, now } = useView();
  if (!session) return <BarePage {...{ title, fieldErrors }}>{children}</BarePage>;
  const content = (
    <>
      {/* The person whose page it is, and the time of printing. */}
      <p class="on-paper">{`${session.organizationName} · ${formatTime(now)}`}</p>
      {head ?? <Head title={title} {...line} />}
      <ErrorSummary fieldErrors={fieldErrors} />
      {children}
    </>
  );
  return (
    <Document title={badge ? `(${badge}) ${title}` : title} class="desk">
      <Rail session={session} />
      <TopLine session={session} />
      <main id="main" tabindex={-1}>
        <SettingsTabs session={session} />
        <Notices />
        {isDialog ? <div class="dialog">{content}</div> : content}
      </main>
      <ScriptStatus />
      <Shortcuts />
    </Document>
  );
}

/**
 * A page whose content fills the window, for a signed-in person. The content must include `Notices`.
 * @param class the class of the content, which has its own layout
 */
export function FullPage({ title, class: name, children }: { title: string; class: string; children: Child }) {
  const { session } = useView();
  if (!session) return <BarePage title={title}>{children}</BarePage>;
  return (
    <Document title={title} class="desk full">
      <Rail session={session} />
      <TopLine session={session} />
      <main id="main" class={name} tabindex={-1}>
        {children}
      </main>
      <ScriptStatus />
      <Shortcuts />
    </Document>
  );
}

/** The message about the previous action, and notices for the reader. */
export function Notices(): JSX.Element {
  return html`<div class="notices" data-swap="notices">${[IntakeOff(), StoppedWebhooks(), FlashMessage()]}</div>`;
}

function IntakeOff() {
  const { intakeOff } = sharedMessages();
  return useView().isIntakeOff ? (
    <Notice tone="wait" mark="held" label={intakeOff.title} class="screen">
      <p>{intakeOff.text}</p>
    </Notice>
  ) : null;
}

type HeadProps = Pick<PageProps, 'title' | 'heading' | 'onPaper' | 'back' | 'lead' | 'acts'>;

function Head({ title, heading = title, onPaper, back, lead, acts }: HeadProps): JSX.Element {
  return html`<div class="head">
    ${back && html`<a class="back" href="${back.path}" title="${back.label}">${Icon({ name: 'left' })}<span class="unseen">${back.label}</span></a>`}
    <h1>${onPaper ? html`<span class="screen">${heading}</span><span class="on-paper">${onPaper}</span>` : typeof heading === 'string' ? kept(heading) : heading}</h1>
    ${lead && html`<span class="quiet">${lead}</span>`}
    ${acts && html`<div class="acts">${acts}</div>`}
  </div>`;
}

/** A page without a session: one narrow column. */
export function BarePage({ title, fieldErrors = {}, children }: PageProps) {
  return (
    <Document title={title} class="bare">
      <header class="top">
        <span class="brand">
          {LOGO}
          {sharedMessages().product}
        </span>
        <div class="tools">
          <LanguageSwitch />
        </div>
      </header>
      <main id="main" tabindex={-1}>
        <FlashMessage />
        <h1>{title}</h1>
        <section class="panel">
          <ErrorSummary fieldErrors={fieldErrors} />
          {children}
        </section>
      </main>
    </Document>
  );
}

interface DocumentProps {
  title: string;
  class?: string;
  children: Child;
}

export function Document({ title, class: name, children }: DocumentProps): JSX.Element {
  const view = useView();
  const shared = sharedMessages();
  const isTest = view.session?.isTest === true;
  // Papers have no frame, so they show the test mark themselves.
  const isBare = isTest && !name?.startsWith('desk');
  const classes = [name, isTest && 'test'].filter(Boolean).join(' ');
  // A template, because every page has this part, and Hono's head elements search the whole page for their place.
  return html`<html lang="${view.language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${isTest && `${TEST} · `}${title} · ${shared.product}</title>
    <link rel="stylesheet" href="${ASSETS['manage.css']}">
    <link rel="icon" href="${FAVICON}" type="image/svg+xml">
    <script src="${ASSETS['manage.js']}" defer></script>
  </head>
  <body class="${classes}">
    <a class="skip" href="#main">${shared.common.skip}</a>
    ${isBare && html`<p class="test-paper">${TEST}</p>`}
    ${children}
    ${SYMBOLS}
  </body>
</html>`;
}

function FlashMessage() {
  const view = useView();
  if (!view.flash) return null;
  if (view.decided) return <DecidedMessage flash={view.flash} decided={view.decided} />;
  return (
    <Notice tone={UNDONE.has(view.flash) ? 'wait' : 'good'} role="status">
      {sharedMessages().flash[view.flash]}
    </Notice>
  );
}

type DecidedProps = Required<Pick<View, 'flash' | 'decided'>>;

/**
 * The message about the request that was just decided. It names that request, because the page shows the next request
 * or the inbox.
 */
function DecidedMessage({ flash, decided }: DecidedProps) {
  const shared = sharedMessages();
  const what = textFor(shared.decided.did, flash, shared.flash[flash]);
  const path = requestPath(decided.id);
  const isThere = decided.status !== 'deleted';
  return (
    <Notice tone="off" mark="done" role="status" label={shared.decided.title}>
      <small>{shared.decided.title}</small>
      <div class="inline">
        <span>
          <strong dir="auto">{decided.customer ?? shared.decided.nameless}</strong> {what}
          {isThere && ' · '}
          {isThere &&
            (decided.orderId ? (
              <a href={orderPath(decided.orderId)}>{shared.common.toOrder}</a>
            ) : (
              <a href={path}>{shared.decided.toRequest}</a>
            ))}
        </span>
        {decided.status === 'rejected' && <FormButton action={`${path}/reopen`} label={shared.decided.reopen} />}
      </div>
    </Notice>
  );
}

interface ChipProps {
  tone: Tone;
  /** The shape; by default that of the tone. */
  mark?: MarkName;
  /** Whether the chip has a colored background; for headings only. */
  isFilled?: boolean;
  children: Child;
}

/**
 * A status as a shape and a word. The color adds no information. It is a template, not a component, because lists have
 * hundreds of chips and templates render faster.
 */
export function Chip({ tone, mark = MARK_OF_TONE[tone], isFilled, children }: ChipProps): JSX.Element {
  return html`<span class="${isFilled ? 'chip fill' : 'chip'} ${tone}">${Mark({ name: mark })}<span>${children}</span></span>`;
}

/** Relative time. The tooltip has the full time. */
export function Time({ at }: { at: number }) {
  return (
    <time datetime={isoTime(at)} title={formatTime(at)}>
      {formatAge(at)}
    </time>
  );
}

/** A time with seconds, for records. The date is left out if it is the date of `now`. */
export function Second({ at, now }: { at: number; now?: number }) {
  const view = useView();
  return (
    <time datetime={isoTime(at)} title={formatSecond(at)}>
      {formatExact(at, now === undefined ? view : { ...view, now })}
    </time>
  );
}

/**
 * A notice that names the stopped webhook subscriptions. Subscriptions with the same text share one line, whose link
 * leads to all subscriptions; any other line links to its subscription. Every page of an owner has the notice, except
 * reviews, which need the room. The pages of a stopped subscription say themselves that it is stopped, so their notice
 * leaves it out.
 */
function StoppedWebhooks() {
  const view = useView();
  const { stopped: t } = sharedMessages();
  const path = view.path.split('?')[0];
  const stopped = view.stopped.filter(({ id }) => !`${path}/`.startsWith(`${WEBHOOKS}/${id}/`));
  if (stopped.length === 0 || path?.startsWith(requestPath(''))) return null;
  return (
    <Notice tone="wait" mark="held" label={t.title} class="screen">
      {[...Map.groupBy(stopped, (each) => stoppedText(t, each))].map(([text, [first, ...others]]) => (
        <p>
          <a class="clip" title={text} href={first && others.length === 0 ? `${WEBHOOKS}/${first.id}` : WEBHOOKS}>
            {text}
          </a>
        </p>
      ))}
    </Notice>
  );
}

/** The text about a stopped subscription. It names the subscription by the host of its URL. */
function stoppedText(t: SharedMessages['stopped'], { url, status, holdReason }: StoppedSubscription): string {
  const { host } = new URL(url);
  if (status === 'paused') return t.gone(host);
  if (status === 'disabled') return t.disabled(host);
  return holdReason === 'receiver_failing' ? t.failing(host) : t.ours(host);
}

const TEXT_OF_KIND: Record<ErrorKind, keyof SharedMessages['errors']> = {
  invalid: 'invalid',
  unauthenticated: 'forbidden',
  forbidden: 'forbidden',
  not_found: 'not_found',
  method_not_allowed: 'not_found',
  conflict: 'conflict',
  precondition_failed: 'conflict',
  reused: 'conflict',
  too_slow: 'invalid',
  too_large: 'invalid',
  unsupported_media_type: 'invalid',
  rate_limited: 'rate_limited',
  unavailable: 'unavailable',
  not_now: 'missing',
};

/**
 * Responds with an error page. It has the status and the headers of the API's response to the same error. It reveals
 * nothing about internal errors.
 */
export async function respondErrorPage(error: unknown, c: ManageContext): Promise<Response> {
  // SAFETY: a page's context has every variable that an API's context has.
  const problem = answerError(error, c as unknown as HttpContext);
  if (!c.var.language) c.set('language', 'de');
  const [title, text] = errorText(error, c.var);
  const view = await viewOf(c, '/manage');
  const shared = sharedMessages(c.var);
  const isForbidden = error instanceof AppError && error.kind === 'forbidden' && view.session !== undefined;
  // The page must not fail because the names cannot be read.
  const owners = isForbidden ? await ownerNames(c.var.ctx).catch(() => []) : [];
  const back = backPath(c);
  const page = (
    <Page title={title}>
      <p>
        {text} {owners.length > 0 && shared.errors.owners(new Intl.ListFormat(view.language).format(owners))}
      </p>
      <p class="quiet">
        {shared.errors.requestId}: <code>{c.var.ctx.requestId}</code>
      </p>
      <p class="acts">
        {back && <ButtonLink path={back} label={shared.common.back} />}
        <ButtonLink path={HOME} label={shared.errors.home} />
      </p>
    </Page>
  );
  const headers = new Headers(problem.headers);
  headers.set('Content-Type', 'text/html; charset=UTF-8');
  return new Response(`<!doctype html>${render(view, page)}`, { status: problem.status, headers });
}

/** The path of the page of this interface to go back to; undefined if the person came from elsewhere or from here. */
function backPath(c: ManageContext): string | undefined {
  const from = cameFrom(c);
  const { pathname, search } = new URL(c.req.url);
  const isHere = c.req.method === 'GET' && from === pathname + search;
  return from?.startsWith(`${HOME}/`) && !isHere ? from : undefined;
}

/**
 * The codes of conflicts that need no text of their own. No page can cause them, or the text "the page is out of date"
 * is enough.
 */
type PlainConflict =
  | 'conflict'
  | 'out_of_stock'
  | 'open_orders'
  | 'external_reference_conflict'
  | 'supplement_limit_reached'
  | 'api_key_not_rotatable'
  | 'signature_check_pending';

/** The texts of conflicts on the error page. The type requires a text for every conflict that is no `PlainConflict`. */
function conflictTexts(shared: SharedMessages): Record<Exclude<CodeOf<'conflict'>, PlainConflict>, string> {
  return { ...shared.requests.conflicts, ...shared.fieldErrors, ...shared.conflicts };
}

function errorText(thrown: unknown, reader: Reader): readonly [title: string, text: string] {
  const error = isLostRace(thrown) ? conflict() : thrown;
  const shared = sharedMessages(reader);
  if (error instanceof AppError && error.kind === 'conflict') {
    const [title = '', text = ''] = shared.errors.conflict;
    const texts: Partial<Record<ErrorCode, string>> = conflictTexts(shared);
    return [title, texts[error.code] ?? text];
  }
  const name = !(error instanceof AppError)
    ? 'internal'
    : error.code === 'stale_form' || error.code === 'organization_suspended' || error.code === 'organization_moving'
      ? error.code
      : TEXT_OF_KIND[error.kind];
  // SAFETY: every entry is a title and a text, except `requestId` and `home`, which `name` cannot be.
  return shared.errors[name] as unknown as readonly [string, string];
}
