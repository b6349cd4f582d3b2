/**
 * Calls as the reference shows them: commands for a POSIX shell. What differs from one caller to the next stands in
 * variables, which "Getting started" sets (`setUpText`) or an earlier command of the same block (`save`).
 */
export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with `$API` (organization API) or `$SHOP_URL` (connector). */
  path: string;
  /** Texts in it may name variables. */
  body?: object;
}

/** A command that makes what the example needs. */
export interface SetUp extends Call {
  /** Said in a comment above the command. */
  why: string;
  save?: Save;
}

/** Keeps the first text of that name in the answer; with `after`, the first one behind the last `"after"`. */
export interface Save {
  variable: string;
  name: string;
  after?: string;
}

export interface Example extends Call {
  why?: string;
  setUp?: readonly SetUp[];
  /** How long the recording waits before the call, in ms: deliveries of webhooks are under way. */
  settleMs?: number;
}

/** Method of a call: as given, else POST with a body and GET without one. */
export function methodOf({ method, body }: Call): string {
  return method ?? (body ? 'POST' : 'GET');
}

/** The header that says who calls, with the caller's variable in it. */
export function credentialsOf({ path }: Call): [name: string, value: string] {
  if (path.startsWith('$SHOP_URL')) return ['apikey', '$INTEGRATION_KEY'];
  return path.endsWith('/auth/token') ? ['X-API-Key', '$API_KEY'] : ['Authorization', 'Bearer $TOKEN'];
}

/** The whole block of an example: what makes things ready, then the call. */
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
  const lines = [`curl -sS ${verb}"${path}"`, `-H "${credentialsOf(call).join(': ')}"`];
  const json = body && JSON.stringify(body, null, indent);
  // A here-document replaces variables; between apostrophes a shell leaves everything as it is.
  const isHereDocument = json?.includes('$') ?? false;
  if (json) lines.push(`-H 'Content-Type: application/json'`, `-d ${isHereDocument ? '@- <<JSON' : quoted(json)}`);
  const command = lines.join(' \\\n  ');
  const pipe = save ? ` | ${pick(save)}` : '';
  const text = `${command}${pipe}${isHereDocument ? `\n${json}\nJSON` : ''}`;
  if (!save) return text;
  return `${save.variable}=$(${text}${isHereDocument ? '\n' : ''})`;
}

function pick({ name, after }: Save): string {
  return after ? `sed 's/.*"${after}"//' | field ${name}` : `field ${name}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Reads one value of JSON without a tool that is not on every machine. */
const FIELD = `field() { grep -o "\\"$1\\": *\\"[^\\"]*\\"" | head -n 1 | cut -d '"' -f 4; }   # first text of that name in JSON`;

/** What has to stand in the shell before the examples: once a session, since a token lives an hour. */
export function startText(baseUrl: string): string {
  const isDemo = new URL(baseUrl).hostname === 'localhost';
  return [
    FIELD,
    ...(isDemo ? DEMO : OWN),
    `API="${baseUrl}/api/v2/public/orgs/$ORG_ID"`,
    `TOKEN=$(curl -sS -X POST "$API/auth/token" -H "X-API-Key: $API_KEY" | field access_token)`,
  ].join('\n');
}

/** In the directory in which `npm start` runs. */
const DEMO = [
  `demo() { field "$1" < "\${DEMO_JSON:-.wrangler/demo.json}"; }   # what npm start wrote`,
  'ORG_ID=$(demo org_id) API_KEY=$(demo api_key) SHOP_ID=$(demo shop_id)      # the organization API',
  'SHOP_URL=$(demo url) INTEGRATION_KEY=$(demo integration_key)               # the connector',
];

const OWN = [
  'ORG_ID=… API_KEY=… SHOP_ID=…                # the organization API; GET /shops lists the shops',
  'SHOP_URL=https://… INTEGRATION_KEY=…        # the connector',
];
