import { sentWith, startVariablesOf, stepsOf } from './blocks.ts';
import { type Language, literal, snakeCase } from './literals.ts';
import { type Example, methodOf } from './shell.ts';

const CONSTANTS: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
const WIDTH_MAX = 88;

const PYTHON: Language = {
  key: (name) => JSON.stringify(name),
  text: (text) => JSON.stringify(text),
  template: (parts) => `f"${parts.map((part, index) => (index % 2 === 1 ? `{${part}}` : escaped(part))).join('')}"`,
  constant: (value) => CONSTANTS[String(value)] ?? String(value),
  name: snakeCase,
  space: '',
  indent: '    ',
};

/** An example for Python 3 and its standard library. It stands beside `start.py`. */
export function pythonText(example: Example): string {
  const calls = stepsOf(example).map((step) => {
    const { save, why, isLast } = step;
    const sent = Object.entries(sentWith(step));
    const [before, after] = isLast
      ? ['print(json.dumps(', ', indent=2))']
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

${isDemo ? DEMO : OWN}API = f"${baseUrl}/api/v2/public/orgs/{ORG_ID}"


def call(method, url, headers=None, body=None):
    """One call. An error ends the program with its problem document."""
    data = None if body is None else json.dumps(body).encode()
    # Firewalls refuse the User-Agent of urllib.
    sent = {"User-Agent": "my-platform/1.0", **(headers or {}), **({"Content-Type": "application/json"} if data else {})}
    try:
        with urlopen(Request(url, data, sent, method=method)) as answer:
            return json.load(answer)
    except HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode()}")


# Valid for an hour.
TOKEN = call("POST", f"{API}/auth/token", headers={"X-API-Key": API_KEY})["access_token"]`;
}

/** To be run in the directory of `npm start`. */
const DEMO = `# What npm start wrote.
with open(os.environ.get("DEMO_JSON", ".wrangler/demo.json")) as file:
    demo = json.load(file)
ORG_ID, API_KEY, INTEGRATION_KEY = demo["org_id"], demo["api_key"], demo["integration_key"]
SHOP_ID, SHOP_URL = demo["shops"][0]["shop_id"], demo["shops"][0]["url"]

# Names below localhost are this machine; not every system knows that.
lookup = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: lookup(
    "127.0.0.1" if str(host).endswith(".localhost") else host, *rest, **more)

`;

const OWN = `# The organization API; GET /shops lists the shops.
ORG_ID, API_KEY, SHOP_ID = "…", "…", "…"
# The connector.
SHOP_URL, INTEGRATION_KEY = "https://…", "…"

`;

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1).replace(/[{}]/g, '$&$&');
}
