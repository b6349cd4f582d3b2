import { html, raw } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { WAITING_COUNTED_MAX } from '../../order-requests/limits';
import { TO_PACK_COUNTED_MAX } from '../../orders/limits';
import type { Role } from '../../platform/access';
import { SEARCH_MAX } from '../../platform/limits';
import { dayOf } from '../../platform/pharmacy-time';
import type { ManageContext } from '../http/env';
import { LANGUAGES } from '../http/language';
import {
  ACCOUNT,
  AUDIT,
  CATALOG,
  DESK,
  EXPECTED,
  HOME,
  INVENTORY_IMPORT,
  KEYS,
  LEAVE_TEST,
  MEMBERS,
  ORDERS,
  ORGANIZATION,
  PRODUCTS,
  RAIL,
  REPORTS,
  REQUESTS,
  SEARCH,
  SHOPS,
  SIGN_IN,
  WEBHOOKS,
  withQuery,
} from '../http/paths';
import { signedIn } from '../http/session';
import { Button, Form, Hidden } from './fields';
import { countBelow, perLanguage } from './format';
import { type SharedMessages, sharedMessages } from './messages';
import { Facts, FRAME_LOGO, Icon, type IconName } from './parts';
import { personOf, useView, type View } from './view';

const LANGUAGE_NAMES = { de: 'Deutsch', en: 'English' } as const;

/** Mark on pages and papers of a test organization, in every language. */
export const TEST = 'TEST';

type Session = NonNullable<View['session']>;

/**
 * The navigation: words, icons, or a bar at the bottom, depending on the window's width (client/frame.css). Every page
 * has the frame, so its parts are templates, which render three times as fast as components.
 */
export function Rail({ session }: { session: Session }): JSX.Element {
  const view = useView();
  const shared = sharedMessages();
  const { areas, settings } = navigationOf(session.role);
  const names = areaNames(view.language);
  const isInSettings = settings.some((entry) => isCurrent(view, entry));
  const counts = new Map<Area['name'], JSX.Element>([
    ['orderRequests', liveCount('waiting', view.waiting, WAITING_COUNTED_MAX, shared.requests.waiting)],
    ['orders', liveCount('to-pack', view.toPack, TO_PACK_COUNTED_MAX, shared.frame.toPack)],
  ]);
  const links = areas.map((area) => {
    const href = keepingShop(view, area);
    return html`<li><a href="${href}"${current(view, area)}>${names[area.name]}${counts.get(area.name)}</a></li>`;
  });
  const sub = settings.map((entry) => html`<li>${SettingsLink({ entry })}</li>`);
  return html`<nav class="rail" aria-label="${shared.common.menu}">
    <a class="brand" href="${HOME}">${FRAME_LOGO}<span class="name">${session.organizationName}<small>${shared.product}</small></span></a>
    <ul>
      ${links}
      <li>
        <a class="last" href="${settings[0]?.path ?? view.path}"${isInSettings && raw(' aria-current="true"')}>${names.settings}</a>
        ${isInSettings && html`<ul class="sub">${sub}</ul>`}
      </li>
    </ul>
    ${Currency()}
  </nav>`;
}

/**
 * The empty element in which the script shows how current the counts are: their time, or a message (client/alive.js).
 * The messages say that the connection is lost, that the session has ended, or that the page is from an earlier day.
 */
function Currency(): JSX.Element {
  const { session, now } = useView();
  const { current, lost, signedOut, signIn } = sharedMessages().frame;
  return html`<p class="alive" aria-live="polite" data-alive="${RAIL}" data-current="${current}" data-lost="${lost}" data-day="${dayOf(now)}" data-out="${signedOut}" data-sign-in="${SIGN_IN}" data-sign-in-text="${signIn}" data-person="${session && personOf(session)}"></p>`;
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

function SettingsLink({ entry }: { entry: Entry }): JSX.Element {
  return html`<a href="${entry.path}"${current(useView(), entry)}>${sharedMessages().nav[entry.name]}</a>`;
}

/** The settings pages as tabs, for window widths at which the navigation shows no words. */
export function SettingsTabs({ session }: { session: Session }) {
  const { settings } = navigationOf(session.role);
  const view = useView();
  if (!settings.some((entry) => isCurrent(view, entry))) return null;
  return (
    <nav class="tabs sub-tabs" aria-label={sharedMessages().nav.settings}>
      {settings.map((entry) => (
        <SettingsLink entry={entry} />
      ))}
    </nav>
  );
}

/**
 * A count in the navigation: waiting order requests, or orders to pack. The script updates it while the page is open.
 * @param max the number at which counting stops
 * @param of the name of the counted things, for screen readers
 */
function liveCount(id: string, count: number, max: number, of: string): JSX.Element {
  const text = count > 0 && html`${countBelow(count, max)}<span class="unseen"> ${of}</span>`;
  return html`<span class="count" id="${id}" data-live="true">${text}</span>`;
}

/** The path of an area. For requests and orders, the path keeps the shop that the current page filters by. */
function keepingShop({ path }: View, area: Entry): string {
  const isFiltered = path.includes('?') && (area.name === 'orderRequests' || area.name === 'orders');
  const shop = isFiltered && new URLSearchParams(path.split('?')[1]).get('shop');
  return shop ? withQuery(area.path, { shop }) : area.path;
}

function isCurrent({ path: at }: View, { path, others }: Entry): boolean {
  const isIn = (area: string) => at.startsWith(area) && ['', '/', '?'].includes(at.charAt(area.length));
  return isIn(path) || others?.some(isIn) === true;
}

const CURRENT = raw(' aria-current="page"');

/** The attribute `aria-current` for a link that leads to the current page or its area; false for any other link. */
function current(view: View, entry: Entry) {
  return isCurrent(view, entry) && CURRENT;
}

/** The top line: search, keyboard shortcuts, language, person. */
export function TopLine({ session }: { session: Session }): JSX.Element {
  const { search, shortcuts } = sharedMessages();
  return html`<header class="top">
    <a class="brand" href="${HOME}">${FRAME_LOGO}<span class="clip">${session.organizationName}</span></a>
    ${session.isTest && <TestMark />}
    ${GlobalSearch()}
    <div class="tools">
      <a class="button tool lens" href="${SEARCH}" aria-label="${search.open}">${Icon({ name: 'search' })}</a>
      <button class="tool" type="button" hidden data-camera="true" aria-label="${search.camera}">${Icon({ name: 'scan' })}</button>
      <button class="tool" type="button" hidden data-opens-shortcuts="true" aria-label="${shortcuts.title}" title="${shortcuts.title}">${Icon({ name: 'keys' })}</button>
      ${LanguageSwitch()}
      ${PersonMenu({ session })}
    </div>
  </header>`;
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
      <Button tone="plain" label={sharedMessages().frame.leaveTest} />
    </Form>
  );
}

function PersonMenu({ session }: { session: Session }): JSX.Element {
  const shared = sharedMessages();
  const { name, email, role } = session;
  const signOut = html`<button class="plain" type="submit">${shared.common.signOut}</button>`;
  return html`<details class="menu">
    <summary>
      <span class="initials" aria-hidden="true">${initialsOf(name)}</span><span class="name">${name}</span>${Icon({ name: 'down' })}
    </summary>
    <div class="sheet">
      <p>${name}<small>${email}</small><small>${shared.roles[role]}</small></p>
      <a href="${ACCOUNT}">${shared.nav.account}</a>
      ${<LeaveTest />}
      ${<Form action="/manage/sign-out">{signOut}</Form>}
    </div>
  </details>`;
}

/** The first letters of the first and the last word of a name. */
function initialsOf(name: string): string {
  const words = name.trim().split(' ');
  const letters = new Set([words[0], words.at(-1)].map((word) => [...(word ?? '')][0]?.toUpperCase()));
  return [...letters].join('');
}

export function LanguageSwitch(): JSX.Element {
  const view = useView();
  const others = LANGUAGES.filter((language) => language !== view.language);
  const buttons = others.map((language) => {
    const name = LANGUAGE_NAMES[language];
    return html`<button class="tool" type="submit" name="language" value="${language}" lang="${language}" title="${name}"><span aria-hidden="true">${language.toUpperCase()}</span><span class="unseen">${name}</span></button>`;
  });
  return (
    <Form action="/manage/language">
      <Hidden name="next" value={view.path} />
      {buttons}
    </Form>
  );
}

/**
 * The search field on every page. The search finds requests, orders, and products by details that a customer can tell
 * by phone.
 */
function GlobalSearch(): JSX.Element {
  const view = useView();
  const { search: t } = sharedMessages();
  const typed = searchedIn();
  return html`<search class="find"><form method="get" action="${SEARCH}">
      ${Icon({ name: 'search' })}<input name="q" type="search"${typed !== undefined && html` value="${typed}"`} aria-label="${t.label}"${
        view.hasShortcuts && raw(' aria-keyshortcuts="/"')
      } placeholder="${t.hint}" maxlength="${SEARCH_MAX}" autocomplete="off"${view.path === SEARCH && raw(' autofocus')} data-search="codes">${
        view.hasShortcuts && raw('<span class="kbd" aria-hidden="true">/</span>')
      }</form></search>`;
}

/** A link from a list's search to the global search; null if nothing was typed. */
export function SearchEverywhere({ typed }: { typed: string | undefined }) {
  if (!typed) return null;
  return <a href={withQuery(SEARCH, { q: typed })}>{sharedMessages().search.everywhere(typed)}</a>;
}

function searchedIn(): string | undefined {
  const [page, query] = useView().path.split('?');
  return page === SEARCH ? (new URLSearchParams(query).get('q') ?? undefined) : undefined;
}

/**
 * `GET /manage/rail`, which every page polls. It costs no more than reading the session.
 * @returns JSON. `counts`: by element id, a count of the navigation as text (empty for none) and what is counted.
 *   `person`, `name` and `formToken`: those of the session. `day`: the current day. `texts`: the messages for pages
 *   from an earlier day. The status is 304 if nothing changed.
 */
export function respondRail(c: ManageContext): Response {
  const { waiting = 0, toPack = 0, language, formToken } = c.var;
  const session = signedIn(c);
  const person = personOf(session);
  const day = dayOf(c.var.ctx.now());
  const tag = `"${waiting}-${toPack}-${language}-${person}-${day}"`;
  const headers = { ETag: tag, 'Cache-Control': 'no-store' };
  if (c.req.header('If-None-Match') === tag) return c.body(null, 304, headers);
  const { requests, frame } = sharedMessages(c.var);
  const counts = {
    waiting: [waiting > 0 ? countBelow(waiting, WAITING_COUNTED_MAX) : '', requests.waiting],
    'to-pack': [toPack > 0 ? countBelow(toPack, TO_PACK_COUNTED_MAX) : '', frame.toPack],
  };
  const name = `${session.name}, ${session.organizationName}`;
  return c.json(
    { counts, person, name, formToken, day, texts: { old: frame.old, reload: frame.reload } },
    200,
    headers,
  );
}

/**
 * The element in which the scripts show status messages (client/page.js). The shortcuts dialog has the texts of these
 * messages as attributes.
 */
export function ScriptStatus() {
  return <p class="told" role="status" data-said></p>;
}

/**
 * The parts of the shortcuts dialog that are the same for everybody. `said`: attributes with the texts of the scripts.
 * `text`: the list of shortcuts.
 */
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

/** The dialog with the shortcuts of client/keys.js. Without the script, the dialog and its button are hidden. */
export function Shortcuts() {
  const { hasShortcuts: isOn, language } = useView();
  const { said, text } = shortcutParts(language);
  return html`<dialog class="dialog" data-shortcuts="${isOn ? 'on' : 'off'}" ${said} aria-labelledby="shortcuts-title">
    ${text}${<ShortcutsChoice />}
    <form method="dialog"><button type="submit">${sharedMessages().shortcuts.close}</button></form>
  </dialog>`;
}

/** The form that switches shortcuts on or off for this browser. A cookie stores the choice. */
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

interface Entry {
  name: keyof SharedMessages['nav'];
  path: string;
  /** Paths of further pages that belong to the area, although they are not below its path. */
  others?: readonly string[];
  roles: readonly Role[];
}

/** Pages under Settings. The link to Settings opens the first page that the role may see. */
const SETTINGS: readonly Entry[] = [
  { name: 'organization', path: ORGANIZATION, roles: ['owner'] },
  { name: 'shops', path: SHOPS, roles: ['owner'] },
  { name: 'members', path: MEMBERS, roles: ['owner'] },
  { name: 'keys', path: KEYS, roles: ['owner'] },
  { name: 'webhooks', path: WEBHOOKS, roles: ['owner'] },
  { name: 'audit', path: AUDIT, roles: ['owner'] },
  { name: 'account', path: ACCOUNT, roles: ['owner', 'pharmacist', 'staff'] },
];

interface Area extends Entry {
  name: 'orderRequests' | 'orders' | 'products' | 'reports' | 'settings';
}

const AREA_ICONS = {
  orderRequests: 'tray',
  orders: 'box',
  products: 'pill',
  reports: 'chart',
  settings: 'sliders',
} as const satisfies Record<Area['name'], IconName>;

/** Areas of the main navigation, in order. */
const AREAS: readonly Area[] = [
  { name: 'orderRequests', path: REQUESTS, roles: ['owner', 'pharmacist', 'staff'] },
  { name: 'orders', path: ORDERS, others: [DESK, EXPECTED], roles: ['owner', 'pharmacist', 'staff'] },
  {
    name: 'products',
    path: PRODUCTS,
    others: [CATALOG, INVENTORY_IMPORT],
    roles: ['owner', 'pharmacist', 'staff'],
  },
  { name: 'reports', path: REPORTS, roles: ['owner', 'pharmacist'] },
];

export function navigationOf(role: Role): { areas: Area[]; settings: Entry[] } {
  const isTheirs = ({ roles }: Entry) => roles.includes(role);
  return { areas: AREAS.filter(isTheirs), settings: SETTINGS.filter(isTheirs) };
}

/** The path of the page that the role sees first after a sign-in. */
export function firstPage(role: Role): string {
  const { areas, settings } = navigationOf(role);
  return [...areas, ...settings][0]?.path ?? ACCOUNT;
}
