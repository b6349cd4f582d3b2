/** How a language writes values. */
export interface Language {
  /** A member of an object, by its name. */
  key(name: string): string;
  /** A text without variables. */
  text(text: string): string;
  /** A text with variables: what stands between them, in turns with their names. */
  template(parts: readonly string[]): string;
  /** true, false, null, a number. */
  constant(value: unknown): string;
  /** A variable in the case of the language. */
  name(variable: string): string;
  /** Between the brackets of an object and what it holds, on one line. */
  space: string;
  indent: string;
}

const WIDTH_MAX = 88;

/** The variables that "Getting started" sets; all others are set by an earlier call of the same block. */
export const START_VARIABLES = ['API', 'TOKEN', 'API_KEY', 'SHOP_URL', 'INTEGRATION_KEY', 'SHOP_ID', 'ORG_ID'];

const VARIABLE = /\$([A-Z0-9_]+)/g;

/** Names of the variables in a text, in their order. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name);
}

/**
 * A JSON value as the language writes it, on one line if that is short enough.
 * @param before characters that stand before it on its line
 * @param margin what each further line begins with
 */
export function literal(language: Language, value: unknown, before = 0, margin = ''): string {
  if (typeof value === 'string') return textOf(language, value);
  if (typeof value !== 'object' || value === null) return language.constant(value);
  const inOneLine = oneLine(language, value);
  if (before + inOneLine.length <= WIDTH_MAX) return inOneLine;
  const inner = margin + language.indent;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const entries = Object.entries(value).map(([name, each]) => {
    const key = Array.isArray(value) ? '' : `${language.key(name)}: `;
    return `${inner}${key}${literal(language, each, inner.length + key.length, inner)},`;
  });
  return [open, ...entries, margin + close].join('\n');
}

function oneLine(language: Language, value: unknown): string {
  if (typeof value === 'string') return textOf(language, value);
  if (typeof value !== 'object' || value === null) return language.constant(value);
  if (Array.isArray(value)) return `[${value.map((each) => oneLine(language, each)).join(', ')}]`;
  const entries = Object.entries(value).map(([name, each]) => `${language.key(name)}: ${oneLine(language, each)}`);
  return entries.length === 0 ? '{}' : `{${language.space}${entries.join(', ')}${language.space}}`;
}

function textOf(language: Language, text: string): string {
  const parts = text.split(VARIABLE);
  const [before, variable = '', after] = parts;
  if (parts.length === 1) return language.text(text);
  if (parts.length === 3 && before === '' && after === '') return language.name(variable);
  return language.template(parts.map((part, index) => (index % 2 === 1 ? language.name(part) : part)));
}

/** `REQUEST_ID` → `requestId`; what the start sets keeps its name. */
export function camelCase(variable: string): string {
  if (START_VARIABLES.includes(variable)) return variable;
  return variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `REQUEST_ID` → `request_id`; what the start sets keeps its name. */
export function snakeCase(variable: string): string {
  return START_VARIABLES.includes(variable) ? variable : variable.toLowerCase();
}
