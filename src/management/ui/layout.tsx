import { ASSETS, FAVICON } from '../../platform/markup/assets';
import { LOGO } from '../../platform/markup/logo';
import type { Child } from '../../platform/markup/markup';
import { Markup, textOf } from '../../platform/markup/markup';
import { UNDONE } from '../http/flash-messages';
import { orderPath, requestPath } from '../http/paths';
import { ErrorSummary, Form } from './fields';
import type { FieldErrors } from './form-errors';
import { formatAge, formatExact, formatSecond, formatTime, isoTime } from './format';
import { LanguageSwitch, Rail, SettingsTabs, TEST, TopLine } from './frame';
import { Icon, MARK_OF_TONE, Mark, type MarkName, Symbols, type Tone } from './icons';
import { textFor } from './lookup';
import { sharedMessages } from './messages';
import { Say } from './parts';
import { ScriptStatus, Shortcuts } from './shortcuts';
import { StoppedWebhooks } from './stopped-webhooks';
import type { View } from './view';

interface PageProps {
  view: View;
  title: string;
  /** Errors of the page's form, said at its top. */
  fieldErrors?: FieldErrors;
  /** Prefix of the browser tab's title. */
  badge?: number;
  /** What the heading shows, where the title of the tab says more. */
  heading?: Child;
  /** Where the page belongs to: a link before the title. */
  back?: { path: string; label: string };
  /** Beside the title: what the page shows, in one line. */
  lead?: Child;
  /** At the end of the title's line: links and buttons. */
  acts?: Child;
  /** The page is a question: a dialog in the middle. */
  isDialog?: boolean;
  /** With the page's `h1`, in place of the line that has the title. */
  head?: Child;
  children: Child;
}

/** A page for a signed-in person: navigation, top line, content. */
export function Page({ view, title, fieldErrors = {}, badge, isDialog, head, children, ...line }: PageProps) {
  const { session } = view;
  if (!session) return <BarePage {...{ view, title, fieldErrors }}>{children}</BarePage>;
  const content = (
    <>
      {head ?? <Head title={title} {...line} />}
      <ErrorSummary view={view} fieldErrors={fieldErrors} />
      {children}
    </>
  );
  return (
    <Document view={view} title={badge ? `(${badge}) ${title}` : title} class="desk">
      <Rail view={view} session={session} />
      <TopLine view={view} session={session} />
      <main id="main" tabindex={-1}>
        <SettingsTabs view={view} session={session} />
        <Notices view={view} />
        {isDialog ? <div class="dialog">{content}</div> : content}
      </main>
      <ScriptStatus />
      <Shortcuts view={view} />
    </Document>
  );
}

interface FullPageProps {
  view: View;
  title: string;
  /** Of the content: it places everything itself. */
  class: string;
  children: Child;
}

/** A page for a signed-in person whose content fills the window. It shows `Notices` where it has room for them. */
export function FullPage({ view, title, class: name, children }: FullPageProps) {
  const { session } = view;
  if (!session) return <BarePage {...{ view, title }}>{children}</BarePage>;
  return (
    <Document view={view} title={title} class="desk full">
      <Rail view={view} session={session} />
      <TopLine view={view} session={session} />
      <main id="main" class={name} tabindex={-1}>
        {children}
      </main>
      <ScriptStatus />
      <Shortcuts view={view} />
    </Document>
  );
}

/** What happened before this page, and what the owner has to know; here typed values come back after a sign-in (sign-in/restore.tsx). */
export function Notices({ view }: { view: View }) {
  return (
    <div class="notices">
      <IntakeOff view={view} />
      <StoppedWebhooks view={view} />
      <FlashMessage view={view} />
    </div>
  );
}

function IntakeOff({ view }: { view: View }) {
  const { intakeOff } = sharedMessages(view);
  return view.isIntakeOff ? (
    <Say tone="wait" mark="held" label={intakeOff.title} class="screen">
      <p>{intakeOff.text}</p>
    </Say>
  ) : null;
}

function Head({
  title,
  heading = title,
  back,
  lead,
  acts,
}: Pick<PageProps, 'title' | 'heading' | 'back' | 'lead' | 'acts'>) {
  return (
    <div class="head">
      {back && (
        <a class="back" href={back.path} title={back.label}>
          <Icon name="left" />
          <span class="unseen">{back.label}</span>
        </a>
      )}
      <h1>{heading}</h1>
      {lead && <span class="quiet">{lead}</span>}
      {acts && <div class="acts">{acts}</div>}
    </div>
  );
}

/** A page without a session: one narrow column. */
export function BarePage({ view, title, fieldErrors = {}, children }: PageProps) {
  return (
    <Document view={view} title={title} class="bare">
      <header class="top">
        <span class="brand">
          {LOGO}
          {sharedMessages(view).product}
        </span>
        <div class="tools">
          <LanguageSwitch view={view} />
        </div>
      </header>
      <main id="main" tabindex={-1}>
        <FlashMessage view={view} />
        <h1>{title}</h1>
        <section class="panel">
          <ErrorSummary view={view} fieldErrors={fieldErrors} />
          {children}
        </section>
      </main>
    </Document>
  );
}

interface DocumentProps {
  view: View;
  title: string;
  class?: string;
  children: Child;
}

export function Document({ view, title, class: name, children }: DocumentProps) {
  const shared = sharedMessages(view);
  const content = new Markup(textOf(children));
  const isTest = view.session?.isTest === true;
  // On paper there is no frame that says so.
  const isBare = isTest && !name?.startsWith('desk');
  return (
    <html lang={view.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${isTest ? `${TEST} · ` : ''}${title} · ${shared.product}`}</title>
        <link rel="stylesheet" href={ASSETS['manage.css']} />
        <link rel="icon" href={FAVICON} type="image/svg+xml" />
        <script src={ASSETS['manage.js']} defer></script>
      </head>
      <body class={isTest ? [name, 'test'].filter(Boolean).join(' ') : name}>
        <a class="skip" href="#main">
          {shared.common.skip}
        </a>
        {isBare && <p class="test-paper">{TEST}</p>}
        {content}
        <Symbols of={content} />
      </body>
    </html>
  );
}

function FlashMessage({ view }: { view: View }) {
  if (!view.flash) return null;
  if (view.decided) return <DecidedMessage view={view} flash={view.flash} decided={view.decided} />;
  return (
    <Say tone={UNDONE.has(view.flash) ? 'wait' : 'good'} role="status">
      {sharedMessages(view).flash[view.flash]}
    </Say>
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
    <Say tone="off" mark="done" role="status" label={shared.decided.title}>
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
    </Say>
  );
}

interface ChipProps {
  tone: Tone;
  /** The shape, if it is not the usual one of the tone. */
  mark?: MarkName;
  /** On a ground of its color; in headings only. */
  isFilled?: boolean;
  children: Child;
}

/** A status: a shape and a word; the color only repeats them. */
export function Chip({ tone, mark = MARK_OF_TONE[tone], isFilled, children }: ChipProps) {
  return (
    <span class={isFilled ? `chip fill ${tone}` : `chip ${tone}`}>
      <Mark name={mark} />
      <span>{children}</span>
    </span>
  );
}

/** Relative time; the tooltip has the full time. */
export function Time({ view, at }: { view: View; at: number }) {
  return (
    <time datetime={isoTime(at)} title={formatTime(view.language, at)}>
      {formatAge(view.language, at, view.now)}
    </time>
  );
}

/** With seconds, for records; without its day if that is the day of `now`. */
export function Second({ view, at, now = view.now }: { view: View; at: number; now?: number }) {
  return (
    <time datetime={isoTime(at)} title={formatSecond(view.language, at)}>
      {formatExact(view.language, at, now)}
    </time>
  );
}
