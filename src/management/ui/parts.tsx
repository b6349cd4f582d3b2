import type { Child } from '../../platform/markup/markup';
import { Icon, MARK_OF_TONE, Mark, type MarkName, type Tone } from './icons';

interface SayProps {
  tone: Tone;
  /** The shape, if it is not the usual one of the tone. */
  mark?: MarkName;
  role?: 'status' | 'alert';
  /** Its name for screen readers; makes it a section. */
  label?: string;
  /** The script sets the focus here. */
  isFocused?: boolean;
  /** The script sounds an alarm. */
  isAlarm?: boolean;
  class?: string;
  children: Child;
}

/** A banner: what happened, what waits, what is wrong. */
export function Say({
  tone,
  mark = MARK_OF_TONE[tone],
  role,
  label,
  isFocused = false,
  isAlarm = false,
  children,
  ...more
}: SayProps) {
  const Box = label === undefined ? 'div' : 'section';
  return (
    <Box
      class={['say', tone, more.class].filter(Boolean).join(' ')}
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

/** What a person wrote. */
export function Said({ children }: { children: Child }) {
  return (
    <div class="said">
      <Icon name="note" />
      <div>{children}</div>
    </div>
  );
}

interface PanelProps {
  title: string;
  /** Leads here: the place of an error, say. */
  id?: string;
  /** In the line of the title. */
  beside?: Child;
  isWide?: boolean;
  children: Child;
}

/** A framed part of a page. */
export function Panel({ title, id, beside, isWide = false, children }: PanelProps) {
  return (
    <section class={isWide ? 'panel wide' : 'panel'} id={id} tabindex={id === undefined ? undefined : -1}>
      {beside ? (
        <div class="titled">
          <h2>{title}</h2>
          {beside}
        </div>
      ) : (
        <h2>{title}</h2>
      )}
      {children}
    </section>
  );
}

/** Names and their values; nothing is shown of an entry whose value is null. */
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

/** The text of a link or button in a list, which says for screen readers what it is about. */
export function labelFor(text: string, of: string) {
  return (
    <>
      {text}
      <span class="unseen">: {of}</span>
    </>
  );
}
