import { html, raw } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { WAITING_COUNTED_MAX } from '../../order-requests/inbox/store';
import { TO_PACK_COUNTED_MAX } from '../../orders/store';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageContext } from '../http/env';
import { LANGUAGES } from '../http/language';
import { ACCOUNT, HOME, LEAVE_TEST, RAIL, SEARCH, SIGN_IN, withQuery } from '../http/paths';
import { signedIn } from '../http/session';
import { Form, Hidden } from './fields';
import { perLanguage } from './format';
import { sharedMessages } from './messages';
import { AREA_ICONS, type Area, type Entry, navigationOf } from './navigation';
import { Facts, FRAME_LOGO, Icon } from './parts';
import { personOf, useView, type View } from './view';

const LANGUAGE_NAMES = { de: 'Deutsch', en: 'English' } as const;

/** Mark on pages and papers of a test organization, in every language. */
export const TEST = 'TEST';

type Session = NonNullable<View['session']>;

/** The navigation: words, icons, or a bar at the bottom, depending on the window's width (client/frame.css). */
export function Rail({ session }: { session: Session }) {
  const view = useView();
  const shared = sharedMessages();
  const { areas, settings } = navigationOf(session.role);
  const isInSettings = settings.some((entry) => isCurrent(view, entry));
  return (
    <nav class="rail" aria-label={shared.common.menu}>
      <a class="brand" href={HOME}>
        {FRAME_LOGO}
        <span class="name">
          {session.organizationName}
          <small>{shared.product}</small>
        </span>
      </a>
      <ul>
        {areas.map((area) => (
          <li>
            <a href={keepingShop(view, area)} aria-current={isCurrent(view, area) ? 'page' : undefined}>
              {areaNames(view.language)[area.name]}
              {area.name === 'orderRequests' && <WaitingCount />}
              {area.name === 'orders' && <PackingCount />}
            </a>
          </li>
        ))}
        <li>
          <a class="last" href={settings[0]?.path ?? view.path} aria-current={isInSettings ? 'true' : undefined}>
            {areaNames(view.language).settings}
          </a>
          {isInSettings && (
            <ul class="sub">
              {settings.map((entry) => (
                <li>
                  <SettingsLink entry={entry} />
                </li>
              ))}
            </ul>
          )}
        </li>
      </ul>
      <Currency />
    </nav>
  );
}

/** The age of the counts, or that the connection is lost; the script writes it (client/alive.js). */
function Currency() {
  const view = useView();
  const { current, lost, signedOut, signIn } = sharedMessages().frame;
  return (
    <p
      class="alive"
      aria-live="polite"
      data-alive={RAIL}
      data-current={current}
      data-lost={lost}
      data-out={signedOut}
      data-sign-in={SIGN_IN}
      data-sign-in-text={signIn}
      data-person={view.session && personOf(view.session)}
    ></p>
  );
}

const areaNames = perLanguage((_, language) => {
  const { nav, navShort } = sharedMessages({ language });
  const nameOf = (name: Area['name']) =>
    raw(
      String(
        <>
          <Icon name={AREA_ICONS[name]} />
          <span class="name">{nav[name]}</span>
          <span class="short" aria-hidden="true">
            {navShort[name]}
          </span>
        </>,
      ),
    );
  // SAFETY: one for each name.
  const names = Object.keys(AREA_ICONS) as Area['name'][];
  return Object.fromEntries(names.map((name) => [name, nameOf(name)]));
});

function SettingsLink({ entry }: { entry: Entry }) {
  return (
    <a href={entry.path} aria-current={isCurrent(useView(), entry) ? 'page' : undefined}>
      {sharedMessages().nav[entry.name]}
    </a>
  );
}

/** The settings pages as tabs, for widths at which the navigation has no words. */
export function SettingsTabs({ session }: { session: Session }) {
  const view = useView();
  const { settings } = navigationOf(session.role);
  if (!settings.some((entry) => isCurrent(view, entry))) return null;
  return (
    <nav class="tabs sub-tabs" aria-label={sharedMessages().nav.settings}>
      {settings.map((entry) => (
        <SettingsLink entry={entry} />
      ))}
    </nav>
  );
}

/** The number of waiting order requests; the script updates it on pages that it refreshes. */
function WaitingCount() {
  const { waiting } = useView();
  return (
    <span class="count" id="waiting" data-live>
      {waiting > 0 && counted(waiting, WAITING_MAX, sharedMessages().requests.waiting)}
    </span>
  );
}

/** The number of orders to pack; the script updates it too. */
function PackingCount() {
  const { toPack } = useView();
  return (
    <span class="count" id="to-pack" data-live>
      {toPack > 0 && counted(toPack, PACKING_MAX, sharedMessages().frame.toPack)}
    </span>
  );
}

const WAITING_MAX = WAITING_COUNTED_MAX;
const PACKING_MAX = TO_PACK_COUNTED_MAX;

/** @param max the number at which counting stopped @returns empty for none */
function countText(count: number, max: number): string {
  return count === 0 ? '' : count >= max ? `${max - 1}+` : String(count);
}

function counted(count: number, max: number, of: string) {
  return (
    <>
      {countText(count, max)}
      <span class="unseen"> {of}</span>
    </>
  );
}

/** An area's path. Between requests and orders, it keeps the chosen shop. */
function keepingShop(view: View, { name, path }: Entry): string {
  const isFiltered = name === 'orderRequests' || name === 'orders';
  const shop = isFiltered && new URLSearchParams(view.path.split('?')[1]).get('shop');
  return withQuery(path, { shop: shop || undefined });
}

function isCurrent(view: View, { path, others = [] }: Entry): boolean {
  const at = view.path.split('?')[0] ?? '';
  return [path, ...others].some((each) => at === each || at.startsWith(`${each}/`));
}

/** The top line: search, keyboard shortcuts, language, person. */
export function TopLine({ session }: { session: Session }) {
  const shared = sharedMessages();
  const { title } = shared.shortcuts;
  return (
    <header class="top">
      <a class="brand" href={HOME}>
        {FRAME_LOGO}
        <span class="clip">{session.organizationName}</span>
      </a>
      {session.isTest && <TestMark />}
      <GlobalSearch />
      <div class="tools">
        <a class="button tool lens" href={SEARCH} aria-label={shared.search.open}>
          <Icon name="search" />
        </a>
        <button class="tool" type="button" hidden data-camera aria-label={shared.search.camera}>
          <Icon name="scan" />
        </button>
        <button class="tool" type="button" hidden data-opens-shortcuts aria-label={title} title={title}>
          <Icon name="keys" />
        </button>
        <LanguageSwitch />
        <PersonMenu session={session} />
      </div>
    </header>
  );
}

/** The mark on every page of a test organization. */
function TestMark() {
  return (
    <div class="test-mark">
      <strong title={sharedMessages().frame.testLead}>{TEST}</strong>
      <LeaveTest />
    </div>
  );
}

function LeaveTest() {
  if (!useView().isFromLive) return null;
  return (
    <Form action={LEAVE_TEST}>
      <button class="plain" type="submit">
        {sharedMessages().frame.leaveTest}
      </button>
    </Form>
  );
}

function PersonMenu({ session }: { session: Session }) {
  const shared = sharedMessages();
  const { name, email, role } = session;
  return (
    <details class="menu">
      <summary>
        <span class="initials" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <span class="name">{name}</span>
        <Icon name="down" />
      </summary>
      <div class="sheet">
        <p>
          {name}
          <small>{email}</small>
          <small>{shared.roles[role]}</small>
        </p>
        <a href={ACCOUNT}>{shared.nav.account}</a>
        <LeaveTest />
        <Form action="/manage/sign-out">
          <button class="plain" type="submit">
            {shared.common.signOut}
          </button>
        </Form>
      </div>
    </details>
  );
}

/** The first letters of the first and the last word of a name. */
function initialsOf(name: string): string {
  const words = name.trim().split(' ');
  const letters = new Set([words[0], words.at(-1)].map((word) => [...(word ?? '')][0]?.toUpperCase()));
  return [...letters].join('');
}

export function LanguageSwitch() {
  const view = useView();
  const others = LANGUAGES.filter((language) => language !== view.language);
  return (
    <Form action="/manage/language">
      <Hidden name="next" value={view.path} />
      {others.map((language) => (
        <button
          class="tool"
          type="submit"
          name="language"
          value={language}
          lang={language}
          title={LANGUAGE_NAMES[language]}
        >
          <span aria-hidden="true">{language.toUpperCase()}</span>
          <span class="unseen">{LANGUAGE_NAMES[language]}</span>
        </button>
      ))}
    </Form>
  );
}

/** The search on every page: finds requests, orders, and products by details that a customer can give by phone. */
function GlobalSearch() {
  const view = useView();
  const { search: t } = sharedMessages();
  return (
    <search class="find">
      <form method="get" action={SEARCH}>
        <Icon name="search" />
        <input
          name="q"
          type="search"
          value={searchedIn(view)}
          aria-label={t.label}
          aria-keyshortcuts={view.hasShortcuts ? '/' : undefined}
          placeholder={t.hint}
          maxlength={SEARCH_MAX}
          autocomplete="off"
          autofocus={view.path === SEARCH}
          data-search="codes"
        />
        {view.hasShortcuts && (
          <span class="kbd" aria-hidden="true">
            /
          </span>
        )}
      </form>
    </search>
  );
}

/** A link from a list's search to the global search; null if nothing was typed. */
export function SearchEverywhere({ typed }: { typed: string | undefined }) {
  if (!typed) return null;
  return <a href={withQuery(SEARCH, { q: typed })}>{sharedMessages().search.everywhere(typed)}</a>;
}

function searchedIn({ path }: View): string | undefined {
  const [page, query] = path.split('?');
  return page === SEARCH ? (new URLSearchParams(query).get('q') ?? undefined) : undefined;
}

/**
 * `GET /manage/rail`, which every page polls. It costs no more than reading the session.
 * @returns JSON: the navigation's counts by element id, each with the number (empty for none) and what is counted; the
 *   session's person and form token. 304 if nothing changed
 */
export function respondRail(c: ManageContext): Response {
  const { waiting = 0, toPack = 0, language, formToken } = c.var;
  const session = signedIn(c);
  const person = personOf(session);
  const tag = `"${waiting}-${toPack}-${language}-${person}"`;
  const headers = { ETag: tag, 'Cache-Control': 'no-store' };
  if (c.req.header('If-None-Match') === tag) return c.body(null, 304, headers);
  const { requests, frame } = sharedMessages(c.var);
  const counts = {
    waiting: [countText(waiting, WAITING_MAX), requests.waiting],
    'to-pack': [countText(toPack, PACKING_MAX), frame.toPack],
  };
  const name = `${session.name}, ${session.organizationName}`;
  return c.json({ counts, person, name, formToken }, 200, headers);
}

/** Status messages of the scripts (client/page.js). Their texts are attributes of the shortcuts dialog. */
export function ScriptStatus() {
  return <p class="told" role="status" data-said></p>;
}

/** The attributes with the texts of the scripts, and the part of the dialog that is always the same. */
const shortcutParts = perLanguage((_, language) => {
  const { shortcuts: t, scripts } = sharedMessages({ language });
  const said = Object.entries(scripts).map(([name, text]) => html`data-${name}="${text}"`);
  const entries = t.keys.map(([key = '', what = '']): [JSX.Element, string] => [<kbd>{key}</kbd>, what]);
  const text = (
    <>
      <h2 id="shortcuts-title" tabindex={-1} autofocus>
        {t.title}
      </h2>
      <Facts entries={entries} />
      <p class="hint">{t.hint}</p>
    </>
  );
  return { said: raw(said.join(' ')), text: raw(String(text)) };
});

/** Dialog with the keys of client/keys.js. Without the script, the dialog and its button are hidden. */
export function Shortcuts() {
  const { hasShortcuts: isOn, language } = useView();
  const { said, text } = shortcutParts(language);
  return html`<dialog class="dialog" data-shortcuts="${isOn ? 'on' : 'off'}" ${said} aria-labelledby="shortcuts-title">
    ${text}${<ShortcutsChoice />}
    <form method="dialog"><button type="submit">${sharedMessages().shortcuts.close}</button></form>
  </dialog>`;
}

/** Switches shortcuts on or off for this browser; a cookie stores it. */
export function ShortcutsChoice() {
  const view = useView();
  const { shortcuts: t } = sharedMessages();
  return (
    <Form action="/manage/account/shortcuts">
      <Hidden name="next" value={view.path} />
      <p>{view.hasShortcuts ? t.areOn : t.areOff}</p>
      <button type="submit" name="shortcuts" value={view.hasShortcuts ? 'off' : 'on'}>
        {view.hasShortcuts ? t.turnOff : t.turnOn}
      </button>
    </Form>
  );
}
