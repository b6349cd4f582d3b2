import { expect, test } from 'vitest';
import type { DeployConfig } from '../../scripts/deploy/config.ts';
import type { Cloud } from './support/cloudflare.ts';
import { FILLED, NEXT_SHA, openCloud } from './support/deployment.ts';

type Somebody = (cloud: Cloud) => void;

test.each<[string, Somebody, string]>([
  [
    'a database',
    ({ account }) => account.databases.push({ uuid: 'u', name: 'offizin', jurisdiction: null, migrated: true }),
    'database offizin is not in the EU',
  ],
  [
    'a bucket',
    ({ account }) => account.buckets.push({ name: 'offizin-files', jurisdiction: 'default' }),
    'bucket offizin-files is not in the EU',
  ],
  [
    'a queue',
    ({ account }) =>
      account.queues.push({
        queue_id: 'q',
        queue_name: 'prescription-fetches-dead',
        jurisdiction: null,
        consumers: [],
      }),
    'queue prescription-fetches-dead is not in the EU',
  ],
  [
    'a record of the base host',
    ({ account }) =>
      account.records.push({
        zone: 'zone-base',
        name: 'api.offizin.de',
        type: 'CNAME',
        content: 'elsewhere.example',
        proxied: true,
      }),
    'api.offizin.de has a DNS record (CNAME elsewhere.example)',
  ],
  [
    'a record of the CNAME target',
    ({ account }) =>
      account.records.push({
        zone: 'zone-shops',
        name: 'connect.offizin-shops.de',
        type: 'A',
        content: '192.0.2.1',
        proxied: true,
      }),
    'connect.offizin-shops.de has a DNS record (A 192.0.2.1)',
  ],
  [
    'the base host as another Worker’s domain',
    ({ account }) => account.domains.push({ hostname: 'api.offizin.de', service: 'other' }),
    'custom domain of the Worker "other"',
  ],
  [
    'the route of the shops to another Worker',
    ({ account }) => account.routes.push({ zone: 'zone-shops', pattern: '*/*', script: 'other' }),
    'leads to the Worker "other"',
  ],
  [
    'the route of test shops to another Worker',
    ({ account }) => account.routes.push({ zone: 'zone-base', pattern: '*.api.offizin.de/*', script: 'other' }),
    'The route *.api.offizin.de/* of offizin.de leads to the Worker "other"',
  ],
  [
    'a route that no Worker takes',
    ({ account }) => account.routes.push({ zone: 'zone-shops', pattern: '*/*', script: '' }),
    'leads to no Worker',
  ],
  [
    'another fallback origin',
    ({ account }) => Object.assign(account, { fallbackOrigin: 'other.offizin-shops.de' }),
    'fallback origin of offizin-shops.de is other.offizin-shops.de',
  ],
  ['no zone for shops', ({ account }) => account.zones.pop(), 'No zone of the account has offizin-shops.de'],
  [
    'a token that may not read databases',
    (cloud) => Object.assign(cloud, { forbidden: /GET .*\/d1\// }),
    'Account › D1 › Edit',
  ],
  [
    'a token that may not read zones',
    (cloud) => Object.assign(cloud, { forbidden: /GET \/zones/ }),
    'Zone › Zone › Read',
  ],
  ['a token of nobody', (cloud) => Object.assign(cloud, { forbidden: /./ }), 'lacks a permission'],
])('%s that is not ours: nothing is written, and it is said what to do', async (_, somebody, said) => {
  const { cloud, run } = await openCloud();
  somebody(cloud);
  const { code, text } = await run();
  expect([code, cloud.writes]).toEqual([1, []]);
  expect(text).toContain(said);
  expect(text).toContain('run the same command again');
});

test('an empty database in the place of the one that was deployed is refused', async () => {
  const { cloud, run } = await openCloud();
  await run();
  Object.assign(cloud.account.databases[0] ?? {}, { uuid: 'another' });
  const { code, text } = await run({ sha: NEXT_SHA });
  expect([code, cloud.writes]).toEqual([1, []]);
  expect(text).toContain('is not the one that was deployed');
});

test.each<[string, Partial<DeployConfig> | { changes: string } | { env: object }, RegExp]>([
  ['no database', { d1_databases: [] }, /database/],
  [
    'a number left out',
    { d1_databases: [...FILLED.d1_databases, { binding: 'DB_2', database_name: 'offizin-2' }] },
    /DB_1 is missing/,
  ],
  [
    'one database under two names',
    { d1_databases: FILLED.d1_databases.flatMap((each) => [each, { ...each, binding: 'DB_1' }]) },
    /same database_name/,
  ],
  ['the base host of the example', { vars: { ...FILLED.vars, BASE_URL: 'https://api.offizin.example' } }, /BASE_URL/],
  ['a base host by plain HTTP', { vars: { ...FILLED.vars, BASE_URL: 'http://api.offizin.de' } }, /https/],
  ['a base address without a host', { vars: { ...FILLED.vars, BASE_URL: 'https://' } }, /BASE_URL/],
  [
    'a CNAME target outside of the shop zone',
    { vars: { ...FILLED.vars, SHOP_CNAME_TARGET: 'api.offizin.de' } },
    /SHOP_CNAME_TARGET/,
  ],
  ['no shop zone', { routes: [{ pattern: 'api.offizin.de', custom_domain: true }] }, /zone/],
  ['changes that are not committed', { changes: ' M src/app.ts' }, /not committed/],
  ['no token', { env: { CLOUDFLARE_API_TOKEN: undefined } }, /CLOUDFLARE_API_TOKEN/],
  ['no key', { env: { DEPLOY_KEY: 'short' } }, /DEPLOY_KEY/],
  ['no receiver', { env: { SMOKE_WEBHOOK_URL: undefined } }, /SMOKE_WEBHOOK_URL/],
])('%s: refused before anything is asked', async (_, wrong, message) => {
  const { cloud, run } = await openCloud();
  const { changes = '', env = {}, ...config } = wrong as { changes?: string; env?: object };
  const { code, text } = await run({ changes, env: { ...cloud.env, ...env }, config: { ...FILLED, ...config } });
  expect([code, cloud.requests]).toEqual([1, []]);
  expect(text).toMatch(message);
});
