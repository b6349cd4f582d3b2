import { app } from '../../src/app';
import { newId } from '../../src/platform/ids';
import { ask } from '../support/operator';
import { problemOf } from '../support/probe';
import { expect, test } from '../support/test';
import { BASE, call, rows } from '../support/world';

const TOKEN_OF = (name: string) => `${name}-`.padEnd(40, 'x');
const OPERATOR_TOKENS = ['ready', 'read', 'write', 'restore', 'read+write']
  .map((scopes) => `${scopes.replace('+', '-')}:${scopes}:${TOKEN_OF(scopes.replace('+', '-'))}`)
  .join(',');

const PREFIX = '/base/api/operator/v1';
/** Every call of the operator API, from the router: `[method, path]`. */
const CALLS = [...new Set(app.routes.filter(({ path }) => path.startsWith(`${PREFIX}/`)).map(callOf))]
  .map((text) => text.split(' ') as [string, string])
  .filter(([method]) => method !== 'ALL');

function callOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.slice(PREFIX.length).replaceAll(/:\w+/g, newId())}`;
}

/** The one call with the token of an operator. */
function as(name: string, method: string, path: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${TOKEN_OF(name)}` };
  return call(`${BASE}${path}`, { method, headers }, { OPERATOR_TOKENS });
}

const api = (path: string) => `/api/operator/v1${path}`;

test('a token with `ready` asks /readyz, and gets 403 on everything else', async () => {
  expect((await as('ready', 'GET', '/readyz')).status).toBeLessThan(504);
  expect(CALLS.length).toBeGreaterThan(10);
  for (const [method, path] of [...CALLS, ['GET', '/nowhere']] as const) {
    await problemOf(await as('ready', method, api(path)), 403, 'insufficient_scope');
  }
});

test.each(['read', 'write', 'restore', 'read-write'])(
  'a token without `ready` (%s) does not ask /readyz',
  async (name) => {
    const answer = await as(name, 'GET', '/readyz');
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope", scope="ready"');
    await problemOf(answer, 403, 'insufficient_scope');
  },
);

test('`read` changes nothing, `write` reads nothing, and a restore is for `restore` alone', async () => {
  const isRefused = async (name: string, [method, path]: readonly [string, string]) =>
    (await as(name, method, api(path))).status === 403;
  for (const each of CALLS) {
    const [method, path] = each;
    const ofRestore = /^\/(erasures|restores)\/|^\/backups$|\/((exports|imports)\b|end$)/.test(path);
    expect(await isRefused('read', each), `read ${method} ${path}`).toBe(method !== 'GET' || ofRestore);
    expect(await isRefused('write', each), `write ${method} ${path}`).toBe(method === 'GET' || ofRestore);
    expect(await isRefused('restore', each), `restore ${method} ${path}`).toBe(!ofRestore && path !== '/switches');
  }
});

test('the audit log names the operator who acted', async ({ orgId }) => {
  const headers = { Authorization: `Bearer ${TOKEN_OF('read-write')}` };
  const answer = await ask(
    `/organizations/${orgId}`,
    { name: 'Neu' },
    { method: 'PATCH', headers, env: { OPERATOR_TOKENS } },
  );
  expect(answer.status).toBe(200);
  const [row] = await rows('select * from audit_log where org_id = ? order by id desc limit 1', orgId);
  expect(row).toMatchObject({ action: 'organization.updated', actor_kind: 'operator', actor_id: 'read-write' });
});
