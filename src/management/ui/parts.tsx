import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { LOGO_SHAPES } from '../../platform/markup/assets';
import { kept } from './format';

interface NoticeProps {
  tone: Tone;
  /** The shape; by default that of the tone. */
  mark?: MarkName;
  role?: 'status' | 'alert';
  /** The name for screen readers. With a name, the banner is a section. */
  label?: string;
  /** Whether the script sets the focus here. */
  isFocused?: boolean;
  /** Whether the script sounds an alarm. */
  isAlarm?: boolean;
  class?: string;
  children: Child;
}

/** A banner for a result, a warning, or an error. */
export function Notice({
  tone,
  mark = MARK_OF_TONE[tone],
  role,
  label,
  isFocused = false,
  isAlarm = false,
  children,
  ...more
}: NoticeProps) {
  const Box = label === undefined ? 'div' : 'section';
  return (
    <Box
      class={['notice', tone, more.class].filter(Boolean).join(' ')}
      role={role}
      aria-label={label}
      tabindex={isFocused ? -1 : undefined}
      data-focus={isFocused || undefined}
      data-alarm={isAlarm || undefined}
    >
      <Mark name={mark} />
      <div>{children}</div>
    </Box>
  );
}

/** A quote of a customer's note. */
export function Quote({ children }: { children: Child }) {
  return (
    <div class="quote">
      <Icon name="note" />
      <div>{children}</div>
    </div>
  );
}

interface PanelProps {
  title: string;
  /** The HTML id of the panel, if links lead to it, for example from errors. */
  id?: string;
  /** Shown beside the title. */
  beside?: Child;
  isWide?: boolean;
  /** The panel's name among the parts that the scripts replace (client/README.md). */
  swap?: string;
  children: Child;
}

/** A framed part of a page. */
export function Panel({ title, id, beside, isWide = false, swap, children }: PanelProps) {
  return (
    <section
      class={isWide ? 'panel wide' : 'panel'}
      id={id}
      tabindex={id === undefined ? undefined : -1}
      data-swap={swap}
    >
      {beside ? (
        <div class="titled">
          <h2>{kept(title)}</h2>
          {beside}
        </div>
      ) : (
        <h2>{kept(title)}</h2>
      )}
      {children}
    </section>
  );
}

/** The content in place of a list without entries. It says what the empty list means and where to go on. */
export function Nothing({ title, text, children }: { title: string; text?: string; children?: Child }) {
  return (
    <section class="panel empty">
      <h2>{title}</h2>
      {text && <p class="quiet">{text}</p>}
      {children && <div class="acts">{children}</div>}
    </section>
  );
}

/** A list of names and values. Skips entries whose value is null. */
export function Facts({ entries }: { entries: readonly (readonly [name: Child, value: Child])[] }) {
  return (
    <dl>
      {entries.map(
        ([name, value]) =>
          value !== null && (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ),
      )}
    </dl>
  );
}

/** The text, which may wrap after each dot and underscore. */
export function Wrapping({ text }: { text: string }) {
  return <>{text.split(/(?<=[._])/).map((part, at) => [at > 0 && <wbr />, part])}</>;
}

/** A figure with small print, for a `dl` of class `tiles`. */
export function Tile({ label, value, children }: { label: string; value: string; children?: Child }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        {children}
      </dd>
    </div>
  );
}

/** An email address in which a line may break before the `@`. */
export function breakableAddress(email: string): Child {
  return email.split(/(?=@)/).flatMap((part, place) => (place > 0 ? [<wbr />, part] : [part]));
}

/** A button that opens a list of links. */
export function Menu({ icon, label, children }: { icon: IconName; label: string; children: Child }) {
  return (
    <details class="menu">
      <summary class="button">
        <Icon name={icon} />
        {label}
        <Icon name="down" />
      </summary>
      <div class="sheet">{children}</div>
    </details>
  );
}

interface ButtonLinkProps {
  path: string;
  label: Child;
  tone?: 'primary' | 'danger' | 'ghost';
  icon?: IconName;
  rel?: 'next';
  title?: string;
  download?: boolean;
  /** Attributes for the scripts: client/README.md. */
  'data-decide'?: boolean;
  'data-written'?: string;
}

/** A link that looks like a button. In the head of a page, phones show only its icon. */
export function ButtonLink({ path, label, tone, icon, ...attributes }: ButtonLinkProps) {
  return (
    <a class={tone ? `button ${tone}` : 'button'} href={path} {...attributes}>
      {icon && <Icon name={icon} />}
      {icon ? <span class="name">{label}</span> : label}
    </a>
  );
}

/** The button that prints the page. Without scripts, it is hidden. */
export function PrintButton({ label, tone = 'primary' }: { label: string; tone?: 'primary' | 'button' }) {
  return (
    <button type="button" class={tone} hidden data-print>
      <Icon name="print" />
      {label}
    </button>
  );
}

/** The text of a link or button in a list. Only screen readers get the name of the object as well. */
export function labelFor(text: string, of: string) {
  return (
    <>
      {text}
      <span class="unseen">: {of}</span>
    </>
  );
}

/** Paths on a 24 × 24 grid, with a stroke width of 1.5. */
const ICONS = {
  bag: '<path d="M5.6 8.5h12.8l1 11.5H4.6zM9 11V7a3 3 0 0 1 6 0v4"/>',
  bell: '<path d="M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5zM10.3 20.5h3.4"/>',
  bike: '<circle cx="6.3" cy="15.8" r="3.4"/><circle cx="17.7" cy="15.8" r="3.4"/><path d="m6.3 15.8 3.9-6.6h5l2.5 6.6M10.2 9.2l3.4 6.6H6.3M9 6.5h2.4M15.2 9.2l-.8-2.7h2.4"/>',
  bolt: '<path d="M13 3.5 6 13.4h5l-1 7.1 7-10h-5z"/>',
  box: '<path d="m12 3.8 7.8 4v8.4l-7.8 4-7.8-4V7.8zM4.4 8 12 12l7.6-4M12 12v8"/>',
  cash: '<path d="M3.5 7h17v10h-17zM6.5 10v4M17.5 10v4"/><circle cx="12" cy="12" r="2.3"/>',
  card: '<path d="M3.5 6.5h17v11h-17zM3.5 10.5h17M6.5 14.5h3"/>',
  chart: '<path d="M4 20h16M7 16.5v-5M12 16.5v-10M17 16.5V9"/>',
  clock: '<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>',
  copy: '<path d="M9 9h10.5v10.5H9zM15 9V4.5H4.5V15H9"/>',
  down: '<path d="m6 9.5 6 6 6-6"/>',
  download: '<path d="M12 4.5v11M7.5 11.3l4.5 4.4 4.5-4.4M4.5 19.5h15"/>',
  info: '<circle cx="12" cy="12" r="8"/><path d="M12 11.2V16M12 8v.2"/>',
  inherit: '<path d="M6 5v6a4 4 0 0 0 4 4h8M14.5 11.5 18 15l-3.5 3.5"/>',
  key: '<circle cx="8" cy="15.5" r="3.6"/><path d="m10.6 12.9 8.4-8.4M15.5 8l2.8 2.8"/>',
  keys: '<path d="M3.5 7h17v10.5h-17zM7 10.5v.1M10.3 10.5v.1M13.7 10.5v.1M17 10.5v.1M8 14.2h8"/>',
  left: '<path d="m14.5 6-6 6 6 6"/>',
  mail: '<path d="M4 6.5h16v11H4zM4.4 7l7.6 6 7.6-6"/>',
  minus: '<path d="M5.5 12h13"/>',
  more: '<path d="M5.5 12h.1M12 12h.1M18.5 12h.1" stroke-width="2.5"/>',
  note: '<path d="M5 4.5h14v10.3L14.8 19.5H5zM14.6 19.2v-4.6H19M8.5 9h7M8.5 12.5h3.5"/>',
  out: '<path d="M13.5 4.5h6v6M19.2 4.8 11.5 12.5M17 14v5.5H4.5V7H10"/>',
  pencil: '<path d="m5 19 .9-3.7 9.6-9.6 2.8 2.8-9.6 9.6zM13.4 7.7l2.8 2.8"/>',
  pill: '<path d="M9.9 4.6a4.4 4.4 0 0 1 6.2 0l3.3 3.3a4.4 4.4 0 0 1 0 6.2l-5.3 5.3a4.4 4.4 0 0 1-6.2 0l-3.3-3.3a4.4 4.4 0 0 1 0-6.2zM7.3 7.3l9.5 9.4"/>',
  pin: '<path d="M12 20.5c4.2-4.4 6.5-7.3 6.5-10.5a6.5 6.5 0 0 0-13 0c0 3.2 2.3 6.1 6.5 10.5z"/><circle cx="12" cy="10" r="2.2"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  print: '<path d="M7.5 9V4h9v5M7.5 16.5H4.5V9h15v7.5h-3M7.5 13.5h9V20h-9z"/>',
  right: '<path d="m9.5 6 6 6-6 6"/>',
  scan: '<path d="M4 8V5h3M17 5h3v3M20 16v3h-3M7 19H4v-3M8 9v6M11 9v6M13.5 9v6M16 9v6"/>',
  search: '<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5 5"/>',
  sheet: '<path d="M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 15.5h4"/>',
  sliders:
    '<path d="M4 8h7.5M16.5 8H20M4 16h3.5M12.5 16H20"/><circle cx="14" cy="8" r="2.4"/><circle cx="10" cy="16" r="2.4"/>',
  tag: '<path d="M4 5h7.2l8.8 8.8-6.2 6.2L4 11.2z"/><circle cx="8" cy="8.6" r="1"/>',
  tray: '<path d="M4 13.5 6.3 5h11.4l2.3 8.5V19H4zM4 13.5h4.6L10 16h4l1.4-2.5H20"/>',
  truck:
    '<path d="M3 6.5h10.5V16H3zM13.5 10h4l3 3.2V16h-7"/><circle cx="7.2" cy="17" r="2"/><circle cx="16.8" cy="17" r="2"/>',
  turn: '<path d="M18.8 13.5a7 7 0 1 1-1.9-6.4l2.1 2M19.5 4.5v4.8h-4.8"/>',
  up: '<path d="m6 14.5 6-6 6 6"/>',
  wide: '<path d="M4 5h16v14H4zM13 5v14M16 9.5l1.5 2.5-1.5 2.5"/>',
  upload: '<path d="M12 15.5V4.5M7.5 8.7 12 4.3l4.5 4.4M4.5 15v4.5h15V15"/>',
} as const;

/**
 * The shapes of statuses. A shape is filled, and its parts of class `cut` are left out; parts of class `ring` are
 * outlines.
 */
const MARKS = {
  question:
    '<path d="M12 2.8 21.2 12 12 21.2 2.8 12z"/><path d="M10 10a2 2 0 1 1 2.8 2c-.6.3-.8.7-.8 1.3M12 16v.1" class="cut"/>',
  held: '<rect x="6.5" y="5" width="4" height="14" rx="1"/><rect x="13.5" y="5" width="4" height="14" rx="1"/>',
  aside: '<path d="M6 12h12" class="ring"/>',
  done: '<circle cx="12" cy="12" r="8.5"/><path d="m8 12.3 2.8 2.8L16 9.6" class="cut"/>',
  half: '<circle cx="12" cy="12" r="7" class="ring"/><path d="M12 5a7 7 0 0 1 0 14z"/>',
  failed: '<circle cx="12" cy="12" r="8.5"/><path d="m9 9 6 6M15 9l-6 6" class="cut"/>',
  blocked: '<path d="M8.3 3.3h7.4l5 5v7.4l-5 5H8.3l-5-5V8.3z"/><path d="M12 7.5v5.5M12 16.3v.1" class="cut"/>',
  open: '<circle cx="12" cy="12" r="7" class="ring"/>',
  todo: '<rect x="5" y="5" width="14" height="14" rx="2.5" class="ring"/>',
  look: '<path d="M12 3.5 21.5 20h-19z"/><path d="M12 9.5v4.8M12 17.2v.1" class="cut"/>',
} as const;

export type IconName = keyof typeof ICONS;
export type MarkName = keyof typeof MARKS;

/** `good`: as it should be; `wait`: needs a look; `bad`: blocked or failed; `note`: a note; `off`: past or neutral. */
export type Tone = 'good' | 'wait' | 'bad' | 'note' | 'off';

/** The default shape of each tone. */
export const MARK_OF_TONE = {
  good: 'done',
  wait: 'look',
  bad: 'blocked',
  note: 'question',
  off: 'open',
} as const satisfies Record<Tone, MarkName>;

/** An icon. Screen readers skip it, so it must be beside a text or in a control that has a name. */
export function Icon({ name }: { name: IconName }): JSX.Element {
  return ICON[name];
}

/** The shape of a status. */
export function Mark({ name }: { name: MarkName }): JSX.Element {
  return MARK[name];
}

const ICON = drawn(ICONS, 'i');
const MARK = drawn(MARKS, 'm');

/**
 * The element of each icon or mark. The elements are made only once, because lists show hundreds of them. They need no
 * escaping, because they are constants.
 */
function drawn<Name extends string>(of: Record<Name, string>, kind: 'i' | 'm'): Record<Name, JSX.Element> {
  const names = Object.keys(of) as Name[];
  const draw = (name: Name) => raw(`<svg class="${kind}" aria-hidden="true"><use href="#${kind}-${name}"/></svg>`);
  // SAFETY: there is one for each name.
  return Object.fromEntries(names.map((name) => [name, draw(name)])) as Record<Name, JSX.Element>;
}

/** The logo for pages that contain `SYMBOLS`. It refers to the drawing there. */
export const FRAME_LOGO = raw('<svg class="logo" aria-hidden="true"><use href="#m-logo"/></svg>');

/**
 * The drawings of all icons, marks and the logo. A page that shows any of them has these drawings at its end, about 1
 * KB when compressed.
 */
export const SYMBOLS = raw(
  `<svg class="symbols" aria-hidden="true">${[
    ...Object.entries(ICONS).map(([name, drawing]) => [`i-${name}`, drawing]),
    ...Object.entries(MARKS).map(([name, drawing]) => [`m-${name}`, drawing]),
    ['m-logo', LOGO_SHAPES],
  ]
    .map(([id, drawing]) => `<symbol id="${id}" viewBox="0 0 24 24">${drawing}</symbol>`)
    .join('')}</svg>`,
);
