import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Cloudflare } from '../../scripts/cloudflare/client.ts';
import { applyMigrations, openDatabases } from '../../scripts/database.ts';
import { Operator } from '../../scripts/operator.ts';
import { databasesOfAccount } from '../../scripts/restore/cloudflare.ts';
import type { Databases } from '../../scripts/restore/databases.ts';
import { localDatabases, saveLocal } from '../../scripts/restore/local.ts';
import { ProgressFile } from '../../scripts/restore/progress.ts';
import { tellLosses } from '../../scripts/restore/report.ts';
import { restore } from '../../scripts/restore/steps.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const AT = new Date('2026-11-20T10:00:00Z');
const STEPS = [
  'intake',
  'bookmark',
  'export',
  'restore',
  'migrate',
  'marker',
  'replay',
  'files',
  'intake',
  'deletions',
];

/** A folder with the databases of a local service. @returns also a connection to the first of them */
function localService(): { dir: string; connected: DatabaseSync } {
  const dir = folder();
  applyMigrations(dir);
  const [connected] = openDatabases(dir, { isWritten: true });
  if (!connected) throw new Error('no database');
  return { dir, connected };
}

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'offizin-restore-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test.each(['production', 'staging', 'local'])(
  'without a token, --dry-run prints the plan of %s and ends with 0',
  (environment) => {
    const dir = folder();
    const args = ['scripts/restore.ts', '--env', environment, '--at', AT.toISOString(), '--dry-run'];
    const { CLOUDFLARE_API_TOKEN: _, OPERATOR_TOKEN: __, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', ...args], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...env, OFFIZIN_STATE_DIR: dir },
    });
    expect(status, stderr).toBe(0);
    expect([...stdout.matchAll(/^ ?\d+\. (\w+)/gm)].map(([, name]) => name)).toEqual(STEPS);
    expect(stdout).toContain(AT.toISOString());
    expect(readdirSync(dir)).toEqual([]);
  },
);

/** A service and its two databases, as far as a restore sees them. The run ends with call number `kill`. */
class StandIn {
  readonly calls: string[] = [];
  switches = { intake: 'on', deletions: 'on' };
  kill = Number.POSITIVE_INFINITY;
  isCarriedOut = false;
  private made = 0;

  private do<T>(name: string, work: () => T): T {
    this.made += 1;
    if (this.made > this.kill) throw new Error('killed');
    const isLast = this.made === this.kill;
    if (isLast && !this.isCarriedOut) throw new Error('killed');
    this.calls.push(name);
    const result = work();
    if (isLast) throw new Error('killed');
    return result;
  }

  readonly databases: Databases = {
    names: ['a', 'b'],
    settleMs: 0,
    calls: { bookmark: [], restore: [], migrate: [] },
    bookmark: async (name, at) => this.do(`bookmark ${name} ${at ? 'then' : 'now'}`, () => (at ? 'then' : 'now')),
    restore: async (name, bookmark) => this.do(`restore ${name} ${bookmark}`, () => undefined),
    migrate: async () => this.do('migrate', () => undefined),
  };

  readonly call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const name = `${method} ${path.replace(/[0-9a-f-]{36}/, 'id')} ${body === undefined ? '' : JSON.stringify(body)}`;
    return this.do(name.trim(), () => this.answer(method, path, body)) as T;
  };

  private answer(method: string, path: string, body: unknown): unknown {
    if (path === '/switches') {
      if (method === 'PUT') this.switches = { ...this.switches, ...(body as object) };
      return { ...this.switches };
    }
    if (method === 'PUT') return { organizations: 1 };
    const page = { data: [], exact: true, rows: 1, unreadable_databases: [], organizations: 1, touched: 0 };
    if (!path.endsWith('/replay'))
      return { ...page, next_cursor: JSON.stringify(body ?? {}) === '{}' && method === 'POST' ? '2' : null };
    const { step } = body as { step: string };
    const next = { holds: { step: 'access' }, access: { step: 'erasures' } }[step] ?? null;
    return { step, entries: 1, unreadable: 0, passwords_ended: [], second_factors_lost: [], held: null, next };
  }

  run(dir: string): Promise<void> {
    this.made = 0;
    const file = new ProgressFile(join(dir, 'progress.json'));
    const wait = async () => undefined;
    return restore({
      environment: 'x',
      at: AT,
      databases: this.databases,
      call: this.call,
      file,
      say: () => undefined,
      wait,
    });
  }
}

test('ended at any of its calls, carried out or not, the same command goes on and does every step in its order', async () => {
  const whole = new StandIn();
  await whole.run(folder());
  const { length } = whole.calls;
  expect(length).toBeGreaterThan(20);
  for (let kill = 1; kill <= length; kill += 1) {
    for (const isCarriedOut of [false, true]) {
      const dir = folder();
      const each = new StandIn();
      Object.assign(each, { kill, isCarriedOut });
      await expect(each.run(dir)).rejects.toThrow('killed');
      each.kill = Number.POSITIVE_INFINITY;
      await each.run(dir);

      // What was sent again aside, the calls are those of a run that nothing ended.
      const once = each.calls.filter((name, index) => each.calls.indexOf(name) === index);
      expect(once).toEqual(whole.calls.filter((name, index) => whole.calls.indexOf(name) === index));
      const first = (begin: string) => each.calls.findIndex((name) => name.startsWith(begin));
      const last = (begin: string) => each.calls.findLastIndex((name) => name.startsWith(begin));
      expect(last('bookmark a now')).toBeLessThan(first('restore'));
      expect(last('POST /restores/id/export')).toBeLessThan(first('restore'));
      expect(last('restore')).toBeLessThan(first('POST /restores/id/marker'));
      expect(first('PUT /switches {"intake":"off","writes":"off"')).toBeLessThan(first('bookmark'));
      expect(last('POST /restores/id/replay')).toBeLessThan(first('PUT /switches {"intake":"on","writes":"on"'));
      expect(each.switches).toEqual({ intake: 'on', writes: 'on', deletions: 'on' });
      expect(readdirSync(dir)).toEqual([]);
    }
  }
});

test('what was switched before is put back, however often the run was ended', async () => {
  const each = new StandIn();
  each.switches.deletions = 'paused';
  const dir = folder();
  for (let kill = 1; kill < 6; kill += 1) {
    each.kill = kill;
    await expect(each.run(dir)).rejects.toThrow('killed');
  }
  each.kill = Number.POSITIVE_INFINITY;
  await each.run(dir);
  expect(each.switches).toEqual({ intake: 'on', writes: 'on', deletions: 'paused' });
});

test('the databases of an account are restored by Time Travel, all to the same time, and migrated with their ids', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    const name = url.searchParams.get('name') ?? '';
    const database = { uuid: `id-of-${name}`, name };
    const result = url.pathname.endsWith('/d1/database')
      ? [database]
      : url.pathname.includes('time_travel')
        ? { bookmark: `then ${url.searchParams.get('timestamp')}`, previous_bookmark: 'before' }
        : { uuid: url.pathname.split('/').at(-1), name: 'x' };
    response.writeHead(200).end(JSON.stringify({ success: true, result, result_info: { total_pages: 1 } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const commands: string[] = [];
  const written: Record<string, string>[] = [];
  const databases = databasesOfAccount({
    environment: 'production',
    config: {
      vars: {},
      d1_databases: [
        { binding: 'DB', database_name: 'one' },
        { binding: 'DB_1', database_name: 'two' },
      ],
    },
    cloudflare: new Cloudflare({
      token: 't',
      accountId: 'acc',
      baseUrl,
      isDryRun: false,
      say: () => undefined,
      wait: async () => undefined,
    }),
    wrangler: async (args) => void commands.push(args.join(' ')),
    writeConfig: (_, ids) => void written.push({ ...ids }),
  });
  for (const name of databases.names) await databases.restore(name, await databases.bookmark(name, AT));
  await databases.migrate();

  const travel = requests
    .filter((path) => path.includes('time_travel'))
    .map((path) => path.replace(/^(\w+) .*database\//, '$1 '));
  const timestamp = encodeURIComponent(AT.toISOString());
  expect(travel).toEqual(
    ['one', 'two'].flatMap((name) => [
      `GET id-of-${name}/time_travel/bookmark?timestamp=${timestamp}`,
      `POST id-of-${name}/time_travel/restore?bookmark=${encodeURIComponent(`then ${AT.toISOString()}`)}`,
    ]),
  );
  expect(written).toEqual([{ one: 'id-of-one', two: 'id-of-two' }]);
  expect(commands.map((command) => command.split(' ').slice(0, 4).join(' '))).toEqual([
    'd1 migrations apply one',
    'd1 migrations apply two',
  ]);
});

test('a local database comes back as it was saved, with its triggers, while another connection has it open', async () => {
  const { dir, connected } = localService();
  using beside = connected;
  const schemaOf = () => beside.prepare('select type, name, sql from sqlite_master order by 1, 2').all();
  const insert = (id: string) =>
    beside.exec(`insert into organizations (id, name, low_stock_threshold, request_retention_days, order_retention_days, created_at, updated_at)
      values ('${id}', 'x', 5, 90, 90, 0, 0)`);
  insert('kept');
  const schema = schemaOf();
  const at = new Date(await saveLocal(dir));
  insert('lost');
  const databases = localDatabases(dir);
  for (const name of databases.names) await databases.restore(name, await databases.bookmark(name, at));
  expect(beside.prepare('select id from organizations').all()).toEqual([{ id: 'kept' }]);
  expect(schemaOf()).toEqual(schema);
  await expect(databases.bookmark('DB', new Date(at.getTime() - 1000))).rejects.toThrow('Nothing of DB was saved');
});

test('a local database comes back once nobody writes to it', async () => {
  const { dir, connected } = localService();
  using beside = connected;
  const at = new Date(await saveLocal(dir));
  const databases = localDatabases(dir);
  const saved = await databases.bookmark('DB', at);
  beside.exec('create table later (id)');
  beside.exec('begin immediate');
  const restored = databases.restore('DB', saved);
  using copied = new DatabaseSync(saved, { readOnly: true });
  // What the restore has met by now, too.
  await expect(backup(copied, beside.location() ?? '')).rejects.toMatchObject({ errcode: 0 });
  beside.exec('commit');
  await restored;
  expect(beside.prepare("select 1 from sqlite_master where name = 'later'").all()).toEqual([]);
});

test('a call that the service does not answer yet is sent again; a refusal ends the run, without the token in its words', async () => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.writeHead([503, 200, 403][calls - 1] ?? 500).end('{"a":1}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { call } = new Operator(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'the-token', 0);
  expect(await call('GET', '/switches')).toEqual({ a: 1 });
  const refusal = await call('GET', '/switches').catch((error) => String(error));
  expect(refusal).toContain('403');
  expect(refusal).not.toContain('the-token');
  expect(calls).toBe(3);
});

test('a file that is read more slowly than it comes is read whole', async () => {
  const file = Buffer.alloc(64 * 1024, 'a');
  const server = createServer((_, response) => response.writeHead(200, { 'Content-Length': file.length }).end(file));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const operator = new Operator(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'the-token', 0);
  const answer = await operator.send('GET', '/file');
  await delay(200);
  expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
});

test('what a run notes between two steps holds ids and bookmarks alone', async () => {
  const dir = folder();
  const each = new StandIn();
  each.kill = 12;
  await expect(each.run(dir)).rejects.toThrow('killed');
  const progress = JSON.parse(readFileSync(join(dir, 'progress.json'), 'utf8'));
  expect(Object.keys(progress).sort()).toEqual(['bookmarks', 'done', 'id', 'switches']);
});

test('what is set back is printed by the names of its columns', () => {
  const back = { id: 'o-1', number: '4711', was: 'shipped', is: 'shipped', fields: ['note', 'refunded_cents'] };
  const losses = {
    org_id: 'a',
    organization_name: 'Löwen-Apotheke',
    has_owner: true,
    order_requests_lost: [],
    orders_lost: [],
    order_requests_set_back: [{ id: 'r-1', was: 'approved', is: 'pending', fields: ['order_id', 'status'] }],
    orders_set_back: [back],
    others_set_back: [
      { table: 'shops', id: 's-1', fields: ['city'] },
      { table: 'payment_links', id: 'l-1', fields: null },
    ],
  };
  expect(tellLosses([losses], []).map((line) => line.trim())).toEqual([
    'Löwen-Apotheke (a):',
    'set back: order request r-1: order_id, status was approved, is pending',
    'set back: order 4711: note, refunded_cents',
    'set back: shops s-1: city',
    'lost: payment_links l-1',
  ]);
});
