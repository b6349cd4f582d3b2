import { sentWith, startVariablesOf, stepsOf } from './blocks.ts';
import { camelCase, type Language, literal } from './literals.ts';
import { type Example, methodOf } from './shell.ts';

const TYPESCRIPT: Language = {
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)),
  text: quoted,
  template: (parts) => `\`${parts.map((part, index) => (index % 2 === 1 ? `\${${part}}` : escaped(part))).join('')}\``,
  constant: String,
  name: camelCase,
  space: ' ',
  indent: '  ',
};

/** An example for Node.js, which runs TypeScript as it is. It stands beside `start.ts`. */
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
${isDemo ? DEMO : OWN}export const API = \`${baseUrl}/api/v2/public/orgs/\${ORG_ID}\`;

/** One call. An error ends the program with its problem document. */
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
  const value: any = await answer.json();
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
const DEMO = `import dns from 'node:dns';
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

const OWN = `
// The organization API; GET /shops lists the shops.
export const [ORG_ID, API_KEY, SHOP_ID] = ['…', '…', '…'];
// The connector.
export const [SHOP_URL, INTEGRATION_KEY] = ['https://…', '…'];

`;

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function escaped(text: string): string {
  return text.replace(/[\\`]|\$\{/g, '\\$&');
}
