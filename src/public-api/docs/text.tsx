import type { Child } from '../../platform/markup/markup';

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

/**
 * A block to copy. Wide lines scroll inside it, also by keyboard (WCAG 2.1.1). With `whole`, one click selects all of
 * it.
 */
export function Code({ label, text, whole = false }: { label: string; text: string; whole?: boolean }) {
  return (
    <figure class="code">
      <figcaption>{label}</figcaption>
      <pre tabindex={0} class={whole ? 'whole' : ''}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

export function Json({ label, value }: { label: string; value: unknown }) {
  return <Code label={label} text={JSON.stringify(value, null, 2)} />;
}

interface TableProps {
  label: string;
  /** Selects the widths of the columns. */
  kind: 'fields' | 'errors' | 'headers';
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
            {cells.map((cell) => (
              <td>{cell}</td>
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
    <a href={`/docs/errors#${code}`}>
      <code>{code}</code>
    </a>
  );
}
