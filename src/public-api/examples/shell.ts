/**
 * Calls as the reference shows them: commands for a POSIX shell. Values that differ between callers are variables, set
 * by "Getting started" (`startText`) or by an earlier command of the same block (`save`).
 */
export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with `$API` (organization API) or `$SHOP_URL` (connector). */
  path: string;
  /** Further headers. Texts in them and in the body may contain variables. */
  headers?: Record<string, string>;
  body?: object;
}

/** A command that creates what the example needs. */
export interface SetUp extends Call {
  /** Shown as a comment above the command. */
  why: string;
  save?: Save;
}

/** Stores a text of the response. */
export interface Save {
  variable: string;
  /**
   * Where it stands: `id`, `customer.id`, `data[0].id`. The shell takes the first text of that name, behind the last member of
   * the name before it unless that is `data`.
   */
  at: string;
}

export interface Example extends Call {
  why?: string;
  setUp?: readonly SetUp[];
  /** How long the recording waits before the call, in ms, until webhook deliveries have ended. */
  settleMs?: number;
}

/** The method of a call: the given one, otherwise POST with a body and GET without. */
export function methodOf({ method, body }: Call): string {
  return method ?? (body ? 'POST' : 'GET');
}

/** The headers of a call but the type of its body. */
export function headersOf(call: Call): Record<string, string> {
  const [name, value] = credentialsOf(call);
  return { [name]: value, ...call.headers };
}

/** The header with the caller's credentials, as a variable. */
function credentialsOf({ path }: Call): [name: string, value: string] {
  if (path.startsWith('$SHOP_URL')) return ['apikey', '$INTEGRATION_KEY'];
  return path.endsWith('/auth/token') ? ['X-API-Key', '$API_KEY'] : ['Authorization', 'Bearer $TOKEN'];
}

/** The whole block of an example: first the commands that prepare it, then the call. */
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
  // Variables are replaced inside a here-document, but not between single quotes.
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

/** Reads one value of JSON with tools that every machine has. */
const FIELD = `field() { grep -o "\\"$1\\": *\\"[^\\"]*\\"" | head -n 1 | cut -d '"' -f 4; }   # first text of that name in JSON`;

/** The commands to run in the shell before the examples, once per session; a token is valid for an hour. */
export function startText(baseUrl: string): string {
  const isDemo = new URL(baseUrl).hostname === 'localhost';
  return [
    FIELD,
    ...(isDemo ? DEMO : OWN),
    `API="${baseUrl}/api/v2/public/orgs/$ORG_ID"`,
    `TOKEN=$(curl -sS -X POST "$API/auth/token" -H "X-API-Key: $API_KEY" | field access_token)`,
  ].join('\n');
}

/** To be run in the same directory as `npm start`. */
const DEMO = [
  `demo() { field "$1" < "\${DEMO_JSON:-.wrangler/demo.json}"; }   # what npm start wrote`,
  'ORG_ID=$(demo org_id) API_KEY=$(demo api_key) SHOP_ID=$(demo shop_id)      # the organization API',
  'SHOP_URL=$(demo url) INTEGRATION_KEY=$(demo integration_key)               # the connector',
];

const OWN = [
  'ORG_ID=… API_KEY=… SHOP_ID=…                # the organization API; GET /shops lists the shops',
  'SHOP_URL=https://… INTEGRATION_KEY=…        # the connector',
];
