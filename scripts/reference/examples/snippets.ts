/**
 * A call of the API that the reference shows as a command for a POSIX shell. Values that differ between callers are
 * variables, set by "Getting started" (`startText`) or by an earlier command of the same block (`save`).
 */
export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with `$API` (organization API) or `$SHOP_URL` (connector). */
  path: string;
  /** Additional headers. Texts in headers and body may contain variables. */
  headers?: Record<string, string>;
  body?: object;
}

/** A command that creates what the example needs. */
export interface SetUp extends Call {
  /** Shown as a comment above the command. */
  why: string;
  save?: Save;
}

/** Stores a text of the response in a variable. */
export interface Save {
  variable: string;
  /**
   * The path of the text: `id`, `customer.id`, `data[0].id`. The shell takes the first text with the last name, after
   * the last member with the name before it, unless that is `data`.
   */
  at: string;
}

export interface Example extends Call {
  why?: string;
  setUp?: readonly SetUp[];
  /** Time in ms that the recording waits before the call, until webhook deliveries have ended. */
  settleMs?: number;
}

/** The method of a call: the given one, otherwise POST with a body and GET without. */
export function methodOf({ method, body }: Call): string {
  return method ?? (body ? 'POST' : 'GET');
}

/** The headers of a call, except `Content-Type`. */
export function headersOf(call: Call): Record<string, string> {
  const [name, value] = credentialsOf(call);
  return { [name]: value, ...call.headers };
}

/** The header with the caller's credentials, as a variable. */
function credentialsOf({ path }: Call): [name: string, value: string] {
  if (path.startsWith('$SHOP_URL')) return ['apikey', '$INTEGRATION_KEY'];
  return path.endsWith('/auth/token') ? ['X-API-Key', '$API_KEY'] : ['Authorization', 'Bearer $TOKEN'];
}

/** The block of an example: the preparing commands, then the call. */
export function blockText({ setUp = [], why, ...call }: Example): string {
  const last = commandText(call, { indent: 2 });
  return [...setUp.map(setUpText), why ? `# ${why}\n${last}` : last].join('\n\n');
}

function setUpText(call: SetUp): string {
  return `# ${call.why}\n${commandText(call, { indent: 0, save: call.save })}`;
}

function commandText(call: Call, { indent, save }: { indent: number; save?: Save }): string {
  const { path, body } = call;
  const verb = methodOf(call) === (body ? 'POST' : 'GET') ? '' : `-X ${methodOf(call)} `;
  const headers = Object.entries(headersOf(call)).map(
    ([name, value]) => `-H "${name}: ${value.replaceAll('"', '\\"')}"`,
  );
  const lines = [`curl -sS ${verb}"${path}"`, ...headers];
  const json = body && JSON.stringify(body, null, indent);
  // Shells replace variables in a here-document, but not between single quotes.
  const isHereDocument = json?.includes('$') ?? false;
  if (json) lines.push(`-H 'Content-Type: application/json'`, `-d ${isHereDocument ? '@- <<JSON' : quoted(json)}`);
  const command = lines.join(' \\\n  ');
  const pipe = save ? ` | ${pick(save)}` : '';
  const text = `${command}${pipe}${isHereDocument ? `\n${json}\nJSON` : ''}`;
  if (!save) return text;
  return `${save.variable}=$(${text}${isHereDocument ? '\n' : ''})`;
}

function pick({ at }: Save): string {
  const [name = '', before = 'data'] = at.split('.').toReversed();
  const after = before.replace('[0]', '');
  return after === 'data' ? `field ${name}` : `sed 's/.*"${after}"//' | field ${name}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A shell function that reads a JSON value with standard tools. */
const FIELD = `field() { grep -o "\\"$1\\": *\\"[^\\"]*\\"" | head -n 1 | cut -d '"' -f 4; }   # first text of that name in JSON`;

/** The commands to run before the examples, once per shell session. A token is valid for an hour. */
export function startText(baseUrl: string): string {
  const isDemo = new URL(baseUrl).hostname === 'localhost';
  return [
    FIELD,
    ...(isDemo ? DEMO : OWN),
    `API="${baseUrl}/api/v2/public/orgs/$ORG_ID"`,
    `TOKEN=$(curl -sS -X POST "$API/auth/token" -H "X-API-Key: $API_KEY" | field access_token)`,
  ].join('\n');
}

/** Must run in the directory of `npm start`. */
const DEMO = [
  `demo() { field "$1" < "\${DEMO_JSON:-.wrangler/demo.json}"; }   # what npm start wrote`,
  'ORG_ID=$(demo org_id) API_KEY=$(demo api_key) SHOP_ID=$(demo shop_id)      # the organization API',
  'SHOP_URL=$(demo url) INTEGRATION_KEY=$(demo integration_key)               # the connector',
];

const OWN = [
  'ORG_ID=… API_KEY=… SHOP_ID=…                # the organization API; GET /shops lists the shops',
  'SHOP_URL=https://… INTEGRATION_KEY=…        # the connector',
];

/** A call of a block. */
interface Step extends Call {
  /** Shown as a comment above the call. */
  why?: string;
  /** Set only if a later call uses the variable and no earlier one has set it. */
  save?: Save;
  isLast: boolean;
}

/** The calls of an example in order, each with the variable that it must store. */
function stepsOf({ setUp = [], settleMs: _, ...last }: Example): Step[] {
  const all: (Call & { why?: string; save?: Save })[] = [...setUp, last];
  return all.map(({ save, ...call }, index): Step => {
    const isLast = index === all.length - 1;
    const isUsed = save !== undefined && usedBy(all.slice(index + 1)).has(save.variable);
    const isSet = all.slice(0, index).some((earlier) => earlier.save?.variable === save?.variable);
    return { ...call, isLast, ...(isUsed && !isSet && { save }) };
  });
}

/** The variables of "Getting started" that a block uses. */
function startVariablesOf(example: Example): string[] {
  const used = usedBy([...(example.setUp ?? []), example]);
  return START_VARIABLES.filter((name) => used.has(name));
}

function usedBy(calls: readonly Call[]): Set<string> {
  return new Set(calls.flatMap((call) => variablesIn(JSON.stringify([call.path, call.body, headersOf(call)]))));
}

/** The headers and body of a call. */
function sentWith(call: Call): { headers: Record<string, string>; body?: object } {
  return { headers: headersOf(call), ...(call.body && { body: call.body }) };
}

/** The notation of values in a programming language. */
interface Language {
  /** A member of an object, by its name. */
  key(name: string): string;
  /** A text without variables. */
  text(text: string): string;
  /** A text with variables. `parts` alternates between texts and variable names. */
  template(parts: readonly string[]): string;
  /** true, false, null, a number. */
  constant(value: unknown): string;
  /** A variable's name in the language's case. */
  name(variable: string): string;
  /** The space inside the brackets of a one-line object. */
  space: string;
  indent: string;
}

const WIDTH_MAX = 88;

/** The variables that "Getting started" sets. Earlier calls of the same block set all others. */
const START_VARIABLES = ['API', 'TOKEN', 'API_KEY', 'SHOP_URL', 'INTEGRATION_KEY', 'SHOP_ID', 'ORG_ID'];

const VARIABLE = /\$([A-Z0-9_]+)/g;

/** Names of the variables in a text, in order. */
function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name);
}

/**
 * A JSON value in the language's notation, on one line if that is short enough.
 * @param before number of characters before it on its line; -Infinity for one line in any case
 * @param margin prefix of each further line
 */
function literal(language: Language, value: unknown, before = 0, margin = ''): string {
  if (typeof value === 'string') return textOf(language, value);
  if (typeof value !== 'object' || value === null) return language.constant(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const members = Object.entries(value).map(([name, each]) => [isList ? '' : `${language.key(name)}: `, each] as const);
  const space = isList || members.length === 0 ? '' : language.space;
  const short = members.map(([key, each]) => key + literal(language, each, Number.NEGATIVE_INFINITY)).join(', ');
  const inOneLine = `${open}${space}${short}${space}${close}`;
  if (before + inOneLine.length <= WIDTH_MAX) return inOneLine;
  const inner = margin + language.indent;
  const lines = members.map(([key, each]) => {
    return `${inner}${key}${literal(language, each, inner.length + key.length, inner)},`;
  });
  return [open, ...lines, margin + close].join('\n');
}

function textOf(language: Language, text: string): string {
  const parts = text.split(VARIABLE);
  const [before, variable = '', after] = parts;
  if (parts.length === 1) return language.text(text);
  if (parts.length === 3 && before === '' && after === '') return language.name(variable);
  return language.template(parts.map((part, index) => (index % 2 === 1 ? language.name(part) : part)));
}

/** `REQUEST_ID` → `requestId`; variables of "Getting started" keep their names. */
function camelCase(variable: string): string {
  if (START_VARIABLES.includes(variable)) return variable;
  return variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `REQUEST_ID` → `request_id`; variables of "Getting started" keep their names. */
function snakeCase(variable: string): string {
  return START_VARIABLES.includes(variable) ? variable : variable.toLowerCase();
}

const CONSTANTS: Record<string, string> = { true: 'True', false: 'False', null: 'None' };

const PYTHON: Language = {
  key: (name) => JSON.stringify(name),
  text: (text) => JSON.stringify(text),
  template: (parts) => `f"${parts.map((part, index) => (index % 2 === 1 ? `{${part}}` : escaped(part))).join('')}"`,
  constant: (value) => CONSTANTS[String(value)] ?? String(value),
  name: snakeCase,
  space: '',
  indent: '    ',
};

/** An example for Python 3 with its standard library. Its file belongs beside `start.py`. */
export function pythonText(example: Example): string {
  const calls = stepsOf(example).map((step) => {
    const { save, why, isLast } = step;
    const sent = Object.entries(sentWith(step));
    const [before, after] = isLast
      ? // Bytes are no JSON.
        step.path.endsWith('/file')
        ? ['print(', ')']
        : ['print(json.dumps(', ', indent=2))']
      : [save ? `${snakeCase(save.variable)} = ` : '', save ? memberOf(save.at) : ''];
    const line = before + callOf(methodOf(step), literal(PYTHON, step.path), sent, before.length) + after;
    return why ? `# ${why}\n${line}` : line;
  });
  const names = [...startVariablesOf(example), 'call'];
  return [`import json\nfrom start import ${names.join(', ')}`, ...calls].join('\n\n');
}

function callOf(method: string, address: string, sent: [string, unknown][], before: number): string {
  const first = [JSON.stringify(method), address];
  const short = [...first, ...sent.map(([name, value]) => `${name}=${literal(PYTHON, value)}`)].join(', ');
  if (before + short.length + 'call()'.length <= WIDTH_MAX && !short.includes('\n')) return `call(${short})`;
  const named = sent.map(([name, value]) => {
    const begin = `${PYTHON.indent}${name}=`;
    return `${begin}${literal(PYTHON, value, begin.length, PYTHON.indent)},`;
  });
  return [`call(`, `${PYTHON.indent}${first.join(', ')},`, ...named, ')'].join('\n');
}

/** `prescriptions[0].id` → `["prescriptions"][0]["id"]`. */
function memberOf(at: string): string {
  return at.replace(/[a-z_]\w*/g, '["$&"]').replaceAll('.', '');
}

/** The module that the examples import. */
export function pythonStart(baseUrl: string): string {
  const isDemo = new URL(baseUrl).hostname === 'localhost';
  return `# start.py: the examples stand beside it. Python 3.8 or later: python3 example.py
import json, os, socket
from urllib.error import HTTPError
from urllib.request import Request, urlopen

${isDemo ? PYTHON_DEMO : PYTHON_OWN}API = f"${baseUrl}/api/v2/public/orgs/{ORG_ID}"


def call(method, url, headers=None, body=None):
    """One call: its JSON, or the bytes of a file. An error ends the program with its problem document."""
    data = None if body is None else json.dumps(body).encode()
    # Firewalls refuse the User-Agent of urllib.
    sent = {"User-Agent": "my-platform/1.0", **(headers or {}), **({"Content-Type": "application/json"} if data else {})}
    try:
        with urlopen(Request(url, data, sent, method=method)) as answer:
            content = answer.read()
            return json.loads(content) if "json" in answer.headers["Content-Type"] else content
    except HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode()}")


# Valid for an hour.
TOKEN = call("POST", f"{API}/auth/token", headers={"X-API-Key": API_KEY})["access_token"]`;
}

/** To be run in the directory of `npm start`. */
const PYTHON_DEMO = `# What npm start wrote.
with open(os.environ.get("DEMO_JSON", ".wrangler/demo.json")) as file:
    demo = json.load(file)
ORG_ID, API_KEY, INTEGRATION_KEY = demo["org_id"], demo["api_key"], demo["integration_key"]
SHOP_ID, SHOP_URL = demo["shops"][0]["shop_id"], demo["shops"][0]["url"]

# Names below localhost are this machine; not every system knows that.
lookup = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: lookup(
    "127.0.0.1" if str(host).endswith(".localhost") else host, *rest, **more)

`;

const PYTHON_OWN = `# The organization API; GET /shops lists the shops.
ORG_ID, API_KEY, SHOP_ID = "…", "…", "…"
# The connector.
SHOP_URL, INTEGRATION_KEY = "https://…", "…"

`;

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1).replace(/[{}]/g, '$&$&');
}

const TYPESCRIPT: Language = {
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quotedInTypescript(name)),
  text: quotedInTypescript,
  template: (parts) =>
    `\`${parts.map((part, index) => (index % 2 === 1 ? `\${${part}}` : escapedInTypescript(part))).join('')}\``,
  constant: String,
  name: camelCase,
  space: ' ',
  indent: '  ',
};

/** An example for Node.js, which runs TypeScript directly. Its file belongs beside `start.ts`. */
export function typescriptText(example: Example): string {
  const calls = stepsOf(example).map((step) => {
    const { save, why, isLast } = step;
    const [before, after] = isLast
      ? ['console.log(await ', ');']
      : save
        ? [`const ${camelCase(save.variable)} = (await `, `).${save.at};`]
        : ['await ', ';'];
    const begin = `${before}call('${methodOf(step)}', ${literal(TYPESCRIPT, step.path)}, `;
    const line = `${begin}${literal(TYPESCRIPT, sentWith(step), begin.length)})${after}`;
    return why ? `// ${why}\n${line}` : line;
  });
  const names = [...startVariablesOf(example), 'call'];
  return [`import { ${names.join(', ')} } from './start.ts';`, ...calls].join('\n\n');
}

/** The file that the examples import. */
export function typescriptStart(baseUrl: string): string {
  const isDemo = new URL(baseUrl).hostname === 'localhost';
  return `// start.ts: the examples stand beside it. Node.js 22.18 or later runs them: node example.ts
${isDemo ? TYPESCRIPT_DEMO : TYPESCRIPT_OWN}export const API = \`${baseUrl}/api/v2/public/orgs/\${ORG_ID}\`;

/** One call: its JSON, or the bytes of a file. An error ends the program with its problem document. */
export async function call(method: string, url: string, { headers = {}, body }: Sent = {}): Promise<any> {
  const answer = await fetch(url, {
    method,
    headers: {
      'User-Agent': 'my-platform/1.0',
      ...headers,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  const isJson = answer.headers.get('Content-Type')?.includes('json');
  const value: any = isJson ? await answer.json() : new Uint8Array(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(\`\${answer.status} \${JSON.stringify(value)}\`);
  return value;
}
interface Sent {
  headers?: Record<string, string>;
  body?: object;
}

/** Valid for an hour. */
export const TOKEN: string = (await call('POST', \`\${API}/auth/token\`, { headers: { 'X-API-Key': API_KEY } })).access_token;`;
}

/** To be run in the directory of `npm start`. */
const TYPESCRIPT_DEMO = `import dns from 'node:dns';
import { readFileSync } from 'node:fs';

// What npm start wrote.
const demo = JSON.parse(readFileSync(process.env.DEMO_JSON ?? '.wrangler/demo.json', 'utf8'));
export const { org_id: ORG_ID, api_key: API_KEY, integration_key: INTEGRATION_KEY } = demo;
export const { shop_id: SHOP_ID, url: SHOP_URL } = demo.shops[0];

// Names below localhost are this machine; not every system knows that.
const { lookup } = dns;
dns.lookup = ((host: string, ...rest: [any, any]) =>
  lookup(host.endsWith('.localhost') ? '127.0.0.1' : host, ...rest)) as typeof lookup;

`;

const TYPESCRIPT_OWN = `
// The organization API; GET /shops lists the shops.
export const [ORG_ID, API_KEY, SHOP_ID] = ['…', '…', '…'];
// The connector.
export const [SHOP_URL, INTEGRATION_KEY] = ['https://…', '…'];

`;

function quotedInTypescript(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function escapedInTypescript(text: string): string {
  return text.replace(/[\\`]|\$\{/g, '\\$&');
}
