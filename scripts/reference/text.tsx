import type { Child } from 'hono/jsx';
import { anchorOf, pathOf } from './document';

/** A description. Text between backticks is shown as code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

/** A description as a paragraph; nothing without a text. */
export function Paragraph({ text = '' }: { text?: string }) {
  if (!text) return null;
  return (
    <p>
      <Prose text={text} />
    </p>
  );
}

/** The parts with a separator between them. */
export function joined(parts: readonly Child[], between: string): Child[] {
  return parts.flatMap((part, index) => (index > 0 ? [between, part] : [part]));
}

interface CodeProps {
  label: string;
  text: string;
  /** File name of the code. */
  file?: string;
  whole?: boolean;
}

/**
 * A block of code to copy. Wide lines scroll inside it, also by keyboard (WCAG 2.1.1). With `whole`, one click selects
 * the whole block.
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
  /** Screen readers announce it before the names of the tabs. */
  label: string;
  /** Name of the group of tabs; unique on its page. */
  name: string;
  /** The same code in several languages. */
  blocks: readonly (readonly [language: string, text: string, file?: string])[];
}

/** Blocks of code as tabs, which work without a script. The script applies a choice to all tabs and remembers it. */
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

/**
 * The subset of Markdown for guides: headings, paragraphs, lists, tables, blocks of code, and `{{name}}` on its own
 * line for an insert. Consecutive blocks of code are the same code in several languages.
 */

const LANGUAGES: Record<string, string> = {
  sh: 'curl',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  json: 'JSON',
  text: 'Text',
};

/** The content for each `{{name}}`. */
export type Inserts = Readonly<Record<string, () => Child>>;

interface Block {
  language: string;
  /** The file name after the language. A test runs the file. */
  file?: string;
  text: string;
}

export function Markdown({ text, inserts = {} }: { text: string; inserts?: Inserts }) {
  const lines = text.split('\n');
  const shown: Child[] = [];
  let at = 0;
  /** Takes the next lines that belong together. */
  const take = (belongs: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && belongs(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.startsWith('```')) {
      const { found, end } = takeBlocks(lines, at);
      at = end;
      shown.push(blocks(found));
    } else if (line.startsWith('|')) shown.push(table(take((each) => each.startsWith('|'))));
    else if (line.startsWith('#') || line.startsWith('{{')) {
      at += 1;
      shown.push(line.startsWith('#') ? heading(line) : inserts[line.slice(2, -2)]?.());
    } else if (isItem(line)) shown.push(list(take((each) => isItem(each) || each.startsWith('  '))));
    else if (line === '') at += 1;
    else shown.push(<p>{inline(take((each) => each !== '' && !each.startsWith('```')).join(' '))}</p>);
  }
  return <>{shown}</>;
}

/** The headings of a text with their ids, without the title. */
export function headingsOf(text: string): { id: string; title: string }[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('## '))
    .map((line) => ({ id: anchorOf(plain(line.slice(3))), title: plain(line.slice(3)) }));
}

/** The cells of a table's line. */
export function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

/** Consecutive blocks of code, separated by at most an empty line, and the line where they end. */
function takeBlocks(lines: readonly string[], from: number): { found: Block[]; end: number } {
  const found: Block[] = [];
  let at = from;
  while (lines[at]?.startsWith('```')) {
    const [language = '', file] = (lines[at] ?? '').slice(3).split(' ');
    const end = lines.indexOf('```', at + 1);
    found.push({ language, file, text: lines.slice(at + 1, end).join('\n') });
    at = end + 1;
    // The next block follows after an empty line.
    if (lines[at] === '' && lines[at + 1]?.startsWith('```')) at += 1;
  }
  return { found, end: at };
}

function blocks(found: readonly Block[]): Child {
  const [first] = found;
  if (!first) return null;
  const label = first.file?.split('.')[0] ?? LANGUAGES[first.language] ?? '';
  if (found.length === 1) return <Code label={first.file ?? label} file={first.file} text={first.text} whole />;
  const tabs = found.map(({ language, file, text }) => [LANGUAGES[language] ?? language, text, file] as const);
  return <Tabs label={label} name={anchorOf(label)} blocks={tabs} />;
}

function heading(line: string): Child {
  const level = line.indexOf(' ');
  const words = inline(line.slice(level + 1));
  const id = anchorOf(plain(line.slice(level + 1)));
  if (level === 1) return <h1>{words}</h1>;
  return level === 2 ? <h2 id={id}>{words}</h2> : <h3 id={id}>{words}</h3>;
}

function table(lines: readonly string[]): Child {
  const [names = [], , ...rows] = lines.map(cellsOf);
  const columns = names.map(plain);
  const label = columns.join(', ');
  return <Table label={label} kind="text" columns={columns} rows={rows.map((cells) => cells.map(inline))} />;
}

function isItem(line: string): boolean {
  return line.startsWith('- ') || /^\d+\. /.test(line);
}

function list(lines: readonly string[]): Child {
  const items: string[] = [];
  for (const line of lines) {
    if (isItem(line)) items.push(line.slice(line.indexOf(' ') + 1));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const shown = items.map((item) => <li>{inline(item)}</li>);
  return lines[0]?.startsWith('- ') ? <ul>{shown}</ul> : <ol>{shown}</ol>;
}

/** Links, code, strong words. */
function inline(text: string): Child {
  const middle = text.indexOf('](');
  const open = text.lastIndexOf('[', middle);
  const close = text.indexOf(')', middle);
  if (middle < 0 || open < 0 || close < 0) return formatted(text);
  return [
    formatted(text.slice(0, open)),
    <a href={text.slice(middle + 2, close)}>{formatted(text.slice(open + 1, middle))}</a>,
    inline(text.slice(close + 1)),
  ];
}

function formatted(text: string): Child {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : emphasized(part)));
}

function emphasized(text: string): Child {
  return text.split('**').map((part, index) => (index % 2 === 1 ? <strong>{part}</strong> : part));
}

function plain(text: string): string {
  return text.replaceAll('`', '').replaceAll('**', '');
}
