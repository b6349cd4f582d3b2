import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { generateX25519Identity } from 'age-encryption';
import { expect, onTestFinished, test } from 'vitest';
import { withIds } from '../../scripts/deploy/config.ts';
import { SecretFile } from '../../scripts/deploy/secret-file.ts';
import { StartError } from '../../scripts/errors.ts';
import { expectDeployed, FILLED, NEXT_SHA, openCloud, WORKER } from './support/deployment.ts';
import { standInWrangler } from './support/stand-in-wrangler.ts';

const ROOT = resolve(import.meta.dirname, '../..');
test('the first run ends with a smoke order that was delivered, the second one changes nothing of the account', async () => {
  const { cloud, run } = await openCloud();
  const first = await run();
  expect(first.code, first.text).toBe(0);
  expectDeployed(cloud);
  expect(first.text).toMatch(/^database offizin +made, in the EU$/m);
  expect(first.text).toMatch(/^smoke order +taken, known again, delivered to the receiver, deleted$/m);
  const reached = cloud.account.text;
  const second = await run();
  expect([second.code, cloud.account.text]).toEqual([0, reached]);
});

test('the next commit is ready at 0 % of the traffic before it gets all of it', async () => {
  const { cloud, run } = await openCloud();
  await run();
  const seen: string[] = [];
  const wrangler = standInWrangler(cloud, FILLED, WORKER);
  const { code, text } = await run({
    sha: NEXT_SHA,
    wrangler: (args, stdin) => {
      seen.push(args.join(' ').replace(/ --.*$/, ''));
      return wrangler(args, stdin);
    },
  });
  expect(code, text).toBe(0);
  expectDeployed(cloud, NEXT_SHA);
  const [before = '', version = ''] = cloud.account.script(WORKER).versions.map(({ id }) => id);
  expect(seen.slice(-5)).toEqual([
    'versions upload',
    `versions deploy ${version}@0% ${before}@100%`,
    `versions deploy ${version}@100%`,
    'triggers deploy',
    // The Worker that checks signatures.
    'deploy',
  ]);
  const asked = cloud.requests.findIndex((request) => request.endsWith('/readyz'));
  const promoted = cloud.requests.findLastIndex(
    (request) => request.endsWith('/deployments') && request.startsWith('POST'),
  );
  expect(asked).toBeLessThan(promoted);
});

test('another machine goes on with the account and the encrypted file alone', async () => {
  const { cloud, dir, run } = await openCloud();
  await run();
  const other = mkdtempSync(join(tmpdir(), 'offizin-deploy-'));
  onTestFinished(() => rmSync(other, { recursive: true }));
  const lost = await run({ dir: other, sha: NEXT_SHA });
  expect([lost.code, cloud.writes]).toEqual([1, []]);
  expect(lost.text).toContain('The Worker has secrets that');
  copyFileSync(join(dir, 'production.age'), join(other, 'production.age'));
  const { code, text } = await run({ dir: other, sha: NEXT_SHA });
  expect(code, text).toBe(0);
  expectDeployed(cloud, NEXT_SHA);
  expect(cloud.service.organizations).toHaveLength(1);
});

test('a dry run shows every call and every command of wrangler that the first run makes, and writes nothing', async () => {
  const { cloud, dir, run } = await openCloud();
  const { code, text } = await run({ isDryRun: true });
  expect([code, cloud.writes, readdirSync(dir)]).toEqual([0, [], []]);
  const planned = text
    .split('\n')
    .flatMap((line) => /\b(GET|POST|PUT|PATCH|DELETE) (\S+)/.exec(line)?.slice(1, 3).join(' ') ?? []);
  const wrangler = standInWrangler(cloud, FILLED, WORKER);
  // Secrets are made by the run: the plan has another digest of them.
  const undigested = (line: string) => line.replace(/(--tag \w{12})-\w{8}/g, '$1');
  const ofWrangler = new Set<number>();
  await run({
    wrangler: async (args, stdin) => {
      expect(undigested(text)).toContain(undigested(`would  wrangler ${args.join(' ')}`));
      const from = cloud.requests.length;
      await wrangler(args, stdin);
      for (let at = from; at < cloud.requests.length; at += 1) ofWrangler.add(at);
    },
  });
  const isPlanned = (request: string) =>
    planned.some((plan) => shapeOf(plan) === shapeOf(request.replace(/^(\w+) \/service\//, '$1 https://')));
  const own = cloud.requests.filter((_, at) => !ofWrangler.has(at));
  expect(own.filter((request) => !isPlanned(request))).toEqual([]);
  expect(own.length).toBeGreaterThan(50);
});

/** A call without what differs from one account to the next: ids, and which page of a list. */
function shapeOf(call: string): string {
  const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
  return call
    .replace(/[?&](page|per_page)=\d+/g, '')
    .replace(new RegExp(`${uuid}|\\{[^}]*\\}`, 'g'), '…')
    .replace(/[,?&].*$/, '');
}

test('without a token the whole plan is printed, with what is a placeholder marked', () => {
  const { CLOUDFLARE_API_TOKEN: _, CLOUDFLARE_ACCOUNT_ID: __, ...env } = process.env;
  const args = ['scripts/deploy.ts', '--env', 'production', '--dry-run'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env });
  expect(status, stdout + stderr).toBe(0);
  for (const part of [
    'POST /accounts/{CLOUDFLARE_ACCOUNT_ID}/d1/database {"name":"offizin","jurisdiction":"eu"}',
    'cf-r2-jurisdiction: eu {"name":"offizin-files"}',
    '{"queue_name":"webhook-deliveries-dead","jurisdiction":"eu"}',
    'custom_hostnames/fallback_origin {"origin":"connect.offizin-shops.example"}',
    'PATCH /accounts/{CLOUDFLARE_ACCOUNT_ID}/workers/scripts/offizin-production/script-settings',
    'wrangler d1 migrations apply offizin --remote',
    'POST https://smoke.offizin-shops.example/api/v1/external-order',
    '"api.offizin.example" is a placeholder',
  ])
    expect(stdout).toContain(part);
});

test('the command of the README refuses a wrangler.toml that nobody filled in', () => {
  const args = ['scripts/deploy.ts', '--env', 'production'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toContain('Nothing was migrated or deployed to production');
  expect(stdout).toContain('BASE_URL');
});

test('a commit that turned out bad serves nobody: it is not ready, and the version before has all the traffic', async () => {
  const { cloud, run } = await openCloud();
  await run();
  const before = cloud.account.script(WORKER).versions[0]?.id;
  const ask: typeof cloud.ask = (method, url, headers, body) => {
    // Of the one that serves nothing is wrong.
    cloud.service.isReady = Object.values(headers).some((value) => value.includes(before ?? ''));
    return cloud.ask(method, url, headers, body);
  };
  const { code, text } = await run({ sha: NEXT_SHA, ask });
  expect([code, text]).toEqual([1, expect.stringMatching(/is not ready: 503, version [\w-]+, failing: schema/)]);
  const { versions, traffic } = cloud.account.script(WORKER);
  expect(traffic).toEqual([{ version_id: versions[0]?.id, percentage: 100 }]);
  expect(text).toContain(`The version before it serves again: ${versions[0]?.id}`);
});

test('what failed before does not keep a version back that may mend it', async () => {
  const { cloud, run } = await openCloud();
  await run();
  cloud.service.failing.push('cron');
  const { code, text } = await run({ sha: NEXT_SHA });
  expect([code, text]).toEqual([0, expect.stringContaining('failing before, too: cron')]);
  expectDeployed(cloud, NEXT_SHA);
});

test('a smoke order whose webhook does not arrive gives the traffic back to the version before', async () => {
  const { cloud, run } = await openCloud();
  await run();
  cloud.service.isDelivering = false;
  const { code, text } = await run({ sha: NEXT_SHA });
  expect([code, text]).toEqual([1, expect.stringContaining('SMOKE_WEBHOOK_URL')]);
  const { versions, traffic } = cloud.account.script(WORKER);
  expect(traffic).toEqual([{ version_id: versions[0]?.id, percentage: 100 }]);
  cloud.service.isDelivering = true;
  expect((await run({ sha: NEXT_SHA })).code).toBe(0);
  expectDeployed(cloud, NEXT_SHA);
  expect(cloud.account.script(WORKER).versions).toHaveLength(2);
});

test.each([
  [/^GET .*\/versions/, 502],
  [/^GET .*\/queues/, 429],
  [/script-settings/, 429],
  [/^POST .*\/external-order/, 503],
  [/^GET .*\/webhooks\/deliveries/, 502],
  [/^GET .*\/readyz/, 503],
])('one answer that says nothing of the version takes none back: %s %i', async (fits, status) => {
  const { cloud, run } = await openCloud();
  await run();
  cloud.fleeting = { fits, status };
  const { code, text } = await run({ sha: NEXT_SHA });
  expect([code, text]).toEqual([0, expect.not.stringContaining('serves again')]);
  expect(cloud.fleeting).toBeNull();
  expectDeployed(cloud, NEXT_SHA);
});

test('a secret that was changed comes with a version that is ready before it gets the traffic, and once', async () => {
  const { cloud, run, dir } = await openCloud();
  await run();
  const secrets = await SecretFile.open(dir, 'production', cloud.env.DEPLOY_KEY);
  await secrets.keep('ROOT_SECRETS', `r2:${btoa('k'.repeat(32))},${secrets.values.ROOT_SECRETS}`);
  const uploaded: string[] = [];
  const wrangler = standInWrangler(cloud, FILLED, WORKER);
  const { code } = await run({
    wrangler: (args, stdin) => {
      if (args[1] === 'upload') uploaded.push(JSON.parse(stdin ?? '{}').ROOT_SECRETS);
      return wrangler(args, stdin);
    },
  });
  expect([code, uploaded]).toEqual([0, [secrets.values.ROOT_SECRETS]]);
  expect(cloud.account.script(WORKER).versions).toHaveLength(2);
  const reached = cloud.account.text;
  await run();
  expect(cloud.account.text).toBe(reached);
});

test('a version goes on to serve whose last settings Cloudflare does not tell', async () => {
  const { cloud, run } = await openCloud();
  await run();
  const wrangler = standInWrangler(cloud, FILLED, WORKER);
  const { code, text } = await run({
    sha: NEXT_SHA,
    wrangler: async (args, stdin) => {
      await wrangler(args, stdin);
      if (args.some((each) => each.endsWith('@100%')) && args.length < 9) cloud.forbidden = /script-settings/;
    },
  });
  expect([code, text]).toEqual([1, expect.not.stringContaining('serves again')]);
  cloud.forbidden = null;
  expect((await run({ sha: NEXT_SHA })).code).toBe(0);
  expectDeployed(cloud, NEXT_SHA);
});

test('a migration that fails ends it before any code is uploaded, and says how the database is had back as it was', async () => {
  const { cloud, run } = await openCloud();
  await run();
  const before = cloud.account.script(WORKER).versions.length;
  const wrangler = standInWrangler(cloud, FILLED, WORKER);
  const { code, text } = await run({
    sha: NEXT_SHA,
    wrangler: async (args, stdin) => {
      if (args[1] === 'migrations') throw new StartError('wrangler d1 migrations apply ended with 1');
      return wrangler(args, stdin);
    },
  });
  expect([code, text]).toEqual([1, expect.stringMatching(/Time Travel has offizin as it was before: \d{4}-/)]);
  expect(text).toContain('No code was deployed');
  expect(cloud.account.script(WORKER).versions).toHaveLength(before);
});

test('a token that may not write is named with the permission, and the run goes on once it may', async () => {
  const { cloud, run } = await openCloud();
  cloud.forbidden = /^POST .*\/queues/;
  const { code, text } = await run();
  expect([code, text]).toEqual([1, expect.stringContaining('give it "Account › Queues › Edit"')]);
  cloud.forbidden = null;
  expect((await run()).code).toBe(0);
  expectDeployed(cloud);
});

test('invocation logs that stay on are said and not passed over', async () => {
  const { cloud, run } = await openCloud();
  cloud.account.keepsInvocationLogs = true;
  const { code, text } = await run();
  expect([code, text]).toEqual([1, expect.stringContaining('Invocation logs stay on')]);
});

test('zone settings that change answers are told with what to set; where they cannot be read, the release goes out', async () => {
  const { cloud, run } = await openCloud();
  const { code, text } = await run();
  expect(code, text).toBe(0);
  for (const zone of ['api.offizin.de', 'offizin-shops.de']) {
    expect(text).toMatch(
      new RegExp(`^settings of the zone of ${zone} +CHANGE browser_check is on: set it to off`, 'm'),
    );
    expect(text).toMatch(
      new RegExp(`^settings of the zone of ${zone} +CHANGE email_obfuscation is on: set it to off`, 'm'),
    );
    expect(text).toMatch(
      new RegExp(`^settings of the zone of ${zone} +CHANGE min_tls_version is 1.0: set it to 1.2`, 'm'),
    );
  }
  Object.assign(cloud.account.settings, { browser_check: 'off', email_obfuscation: 'off', min_tls_version: '1.2' });
  expect((await run()).text).toMatch(/^settings of the zone of offizin-shops.de +as they have to be$/m);
  cloud.account.fightsBots = true;
  cloud.account.settings.security_level = 'under_attack';
  const attacked = (await run()).text;
  expect(attacked).toContain('CHANGE Bot Fight Mode is on');
  expect(attacked).toContain('CHANGE security_level is under_attack');
  cloud.forbidden = /^GET \/zones\/.*\/settings/;
  const unread = await run({ sha: NEXT_SHA });
  expect([unread.code, unread.text]).toEqual([0, expect.stringContaining('"Zone › Zone Settings › Read"')]);
});

test('no secret stands in any output, nor in any file but the encrypted one', async () => {
  const { cloud, dir, run } = await openCloud();
  const uploaded: string[] = [];
  const wrangler = standInWrangler(cloud, FILLED, WORKER);
  const { text } = await run({
    wrangler: (args, stdin) => {
      if (stdin !== undefined) uploaded.push(...Object.values<string>(JSON.parse(stdin)));
      return wrangler(args, stdin);
    },
  });
  const kept = (await SecretFile.open(dir, 'production', cloud.env.DEPLOY_KEY)).values;
  expect(Object.values(kept)).toEqual(expect.arrayContaining(uploaded));
  expect(uploaded.length).toBe(FILLED.secrets?.required?.length);
  const files = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'latin1'));
  expect(files).toHaveLength(1);
  const secretValues = Object.entries(kept).flatMap(([name, value]) => (name === 'SMOKE_ORG_ID' ? [] : [value]));
  const secrets = [
    ...secretValues,
    ...secretValues.flatMap((value) => value.split(':').at(-1) ?? []),
    'whsec_',
    'ofz_',
    cloud.env.CLOUDFLARE_API_TOKEN ?? '',
  ];
  for (const secret of secrets.filter(({ length }) => length > 3))
    for (const place of [text, ...files, ...cloud.requests]) expect(place.includes(secret)).toBe(false);
  const other = SecretFile.open(dir, 'production', await generateX25519Identity());
  await expect(other).rejects.toThrow(/DEPLOY_KEY/);
});

test('the ids of an account come into the configuration of its environment alone', () => {
  const text = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
  const written = withIds(text, 'staging', { 'offizin-staging': 'id-of-staging' }, 'zone-of-staging');
  const changed = written.split('\n').filter((line, at) => line !== text.split('\n')[at]);
  expect(changed).toEqual(['SHOP_ZONE_ID = "zone-of-staging"', 'database_id = "id-of-staging"']);
});
