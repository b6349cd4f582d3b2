import type { Child } from '../../platform/markup/markup';
import { pathOf } from './document';

/** A description; text between backticks is shown as code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

/** The same as a paragraph; nothing without a text. */
export function Paragraph({ text = '' }: { text?: string }) {
  if (!text) return null;
  return (
    <p>
      <Prose text={text} />
    </p>
  );
}

/** The parts with something between them. */
export function joined(parts: readonly Child[], between: string): Child[] {
  return parts.flatMap((part, index) => (index > 0 ? [between, part] : [part]));
}

interface CodeProps {
  label: string;
  text: string;
  /** A name to keep it under. */
  file?: string;
  whole?: boolean;
}

/**
 * A block to copy. Wide lines scroll inside it, also by keyboard (WCAG 2.1.1). With `whole`, one click selects all of
 * it.
 */
export function Code({ label, text, file, whole = false }: CodeProps) {
  return (
    <figure class="code">
      <figcaption>{label}</figcaption>
      <pre tabindex={0} class={whole ? 'whole' : ''} data-file={file}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

export function Json({ label, value }: { label: string; value: unknown }) {
  return <Code label={label} text={JSON.stringify(value, null, 2)} />;
}

interface TabsProps {
  /** Read out before the names of the tabs. */
  label: string;
  /** Of the group of tabs; unique on its page. */
  name: string;
  /** The same in several languages, by their names. */
  blocks: readonly (readonly [language: string, text: string, file?: string])[];
}

/** Blocks of which one is shown, chosen without a script; the script makes one choice hold for all, and remembers it. */
export function Tabs({ label, name, blocks }: TabsProps) {
  return (
    <fieldset class="code tabs" aria-label={label}>
      <div class="languages">
        {blocks.map(([language], index) => (
          <label>
            <input type="radio" name={`tabs-${name}`} value={language} checked={index === 0} />
            {language}
          </label>
        ))}
      </div>
      {blocks.map(([, text, file]) => (
        <pre tabindex={0} class="whole" data-file={file}>
          <code>{text}</code>
        </pre>
      ))}
    </fieldset>
  );
}

interface TableProps {
  label: string;
  /** Selects the widths of the columns. */
  kind: 'fields' | 'errors' | 'headers' | 'text';
  columns: string[];
  rows: readonly (readonly Child[])[];
}

/** A table whose rows are shown as cards on a narrow screen. */
export function Table({ label, kind, columns, rows }: TableProps) {
  return (
    <table aria-label={label} class={kind}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, index) => (
              <td data-label={kind === 'text' && columns.length > 2 && index > 0 ? columns[index] : undefined}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function HeaderTable({ headers }: { headers: readonly (readonly [name: string, text: string])[] }) {
  const rows = headers.map(([name, text]) => [<code class="field">{name}</code>, <Prose text={text} />]);
  return <Table label="Headers" kind="headers" columns={['Header', 'What it is']} rows={rows} />;
}

export function ErrorLink({ code }: { code: string }) {
  return (
    <a href={pathOf.error(code)}>
      <code>{code}</code>
    </a>
  );
}
