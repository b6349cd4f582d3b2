import { bearer, operatorApi } from '../api.ts';
import type { Demo } from '../demo.ts';
import { pick, send, variablesOf } from '../example-calls.ts';
import { type Answer, call } from '../http.ts';
import { EXAMPLES } from '../reference/examples/calls.ts';
import type { Call } from '../reference/examples/snippets.ts';
import { maskKeyIds } from './mask.ts';

/** Headers that the server adds by itself or that contain a time. */
const LEFT_OUT = /^(date|connection|keep-alive|transfer-encoding|x-request-id|content-length|last-modified|etag|x-mf-)/;
const UNKNOWN_ID = '019aa0b0-1f00-7aaa-8c01-0c9be1b2a301';
/** Bodies that every command refuses. */
const WRONG_BODIES = ['{}', '[]', '{', '{"unknown_member":1}', '{"items":"text","status":7,"quantity":-1}'];
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** The most entries of a list that are read one by one. */
const READ_MAX = 60;

/** Writes the text of a file. */
export type Write = (path: string, text: string) => void;

interface OpenApi {
  paths: Record<string, Record<string, unknown>>;
}

/** Returns an answer as text. */
export function told(
  what: string,
  { status, headers, body }: Pick<Answer, 'status' | 'body'> & { headers: object },
): string {
  const shown = Object.entries(headers).filter(([name]) => !LEFT_OUT.test(name));
  const lines = shown.map(([name, value]) => `${name}: ${value}`).sort();
  const isJson = /^[{[]/.test(body) && !body.includes('\n');
  return [
    `# ${what}`,
    String(status),
    ...lines,
    '',
    isJson ? JSON.stringify(JSON.parse(body), null, 1) : body,
    '',
  ].join('\n');
}

/** Calls every GET route. A route of a single entry is called for each entry of its list. */
export async function recordReads(demo: Demo, write: Write): Promise<void> {
  const { TOKEN = '' } = await variablesOf(demo);
  const ids = new Map<string, string[]>();
  const { paths } = await document(demo);
  const reads = Object.keys(paths).filter((path) => paths[path]?.get && path.startsWith('/api/v2'));
  // Lists come before their entries.
  for (const path of reads.sort((a, b) => a.split('{').length - b.split('{').length || (a < b ? -1 : 1))) {
    const [before = '', name] = path.replace('{orgId}', demo.org_id).split(/\/\{\w+\}/, 2);
    const targets = path.split('{').length > 2 ? (ids.get(before) ?? [UNKNOWN_ID]) : [''];
    const texts: string[] = [];
    for (const id of targets) {
      const base = id ? `${before}/${id}${name ?? ''}` : before;
      for (const query of id ? [''] : ['', '?limit=100', '?limit=3&cursor=x', '?shop_id=x', '?unknown=1']) {
        const answer = await call('GET', demo.base_url + base + query, bearer(TOKEN));
        texts.push(told(`GET ${base}${query}`, answer));
        if (query === '?limit=100') ids.set(before, idsIn(answer.body));
      }
    }
    write(`api/read/${nameOf(path)}.txt`, texts.join('\n'));
  }
}

function idsIn(body: string): string[] {
  const { data = [] } = JSON.parse(body) as { data?: Record<string, string>[] };
  return data.slice(0, READ_MAX).map((each) => each.id ?? each.p1_id ?? each.shop_id ?? '');
}

/**
 * Makes the calls of the reference's examples, which take orders through their life. Each command is sent twice with
 * one key.
 * @param settled waits until every delivery has ended
 */
export async function recordExamples(demo: Demo, write: Write, settled: () => Promise<void>): Promise<void> {
  const known = await variablesOf(demo);
  for (const [id, { setUp = [], settleMs, ...example }] of Object.entries(EXAMPLES)) {
    const variables = { ...known };
    const texts: string[] = [];
    const run = async (step: Call) => {
      // What these calls return is complete only once deliveries have ended.
      if (settleMs || step.path.includes('/webhooks/')) await settled();
      const answer = await send(step, variables);
      texts.push(told(`${step.method ?? ''} ${step.path} ${JSON.stringify(step.body ?? null)}`, answer));
      return answer;
    };
    for (const step of setUp) {
      const { body } = await run(step);
      if (step.save) variables[step.save.variable] = pick(body, step.save);
    }
    const headers = { ...example.headers, 'Idempotency-Key': `record-${id}` };
    await run({ ...example, headers });
    await run({ ...example, headers });
    if (example.body) await run({ ...example, headers, body: { ...example.body, another_member: 1 } });
    write(`api/examples/${id}.txt`, texts.join('\n'));
  }
}

/**
 * Records how each operation is refused: without a token, without the scope, for an unknown id, and with wrong bodies.
 */
export async function recordRefusals(demo: Demo, write: Write): Promise<void> {
  const { TOKEN = '', SHOP_URL = '' } = await variablesOf(demo);
  const operate = operatorApi(demo.base_url, demo.operator_token);
  const key = { name: 'Record', scopes: ['products.read'] };
  const { api_key } = await operate('POST', `/organizations/${demo.org_id}/api-keys`, key);
  maskKeyIds(api_key, '');
  const narrow = (await variablesOf({ ...demo, api_key })).TOKEN ?? '';
  const { paths } = await document(demo);
  for (const [path, item] of Object.entries(paths)) {
    const isConnector = path.startsWith('/api/v1');
    const at = path.replace('{orgId}', demo.org_id).replace(/\{\w+\}/g, UNKNOWN_ID);
    const url = (isConnector ? SHOP_URL : demo.base_url) + at;
    const good = isConnector ? { apikey: demo.integration_key } : bearer(TOKEN);
    const narrower = isConnector ? { apikey: demo.api_key } : bearer(narrow);
    const texts: string[] = [];
    for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
      const verb = method.toUpperCase();
      const run = async (what: string, headers: Record<string, string>, body?: string) =>
        texts.push(told(`${verb} ${at} ${what}`, await call(verb, url, headers, body)));
      await run('as a stranger', {});
      if (!item[method]) continue;
      await run('with a wrong key', isConnector ? { apikey: 'ofz_wrong' } : bearer('wrong'));
      const hasBody = method !== 'get' && method !== 'delete';
      await run('with a narrow key', { ...narrower, ...(hasBody && JSON_TYPE) }, hasBody ? '{}' : undefined);
      if (!hasBody) await run('for an unknown thing', good);
      else for (const body of WRONG_BODIES) await run(body, { ...good, ...JSON_TYPE }, body);
      if (hasBody) await run('as text', { ...good, 'Content-Type': 'text/plain' }, 'text');
    }
    write(`api/refused/${nameOf(path)}.txt`, texts.join('\n'));
  }
}

async function document({ base_url }: Demo): Promise<OpenApi> {
  return JSON.parse((await call('GET', `${base_url}/api/v2/public/openapi.json`, {})).body);
}

function nameOf(path: string): string {
  return path.replace('/api/v2/public/orgs/{orgId}', '').replace(/\W+/g, '-').replace(/^-|-$/g, '');
}
