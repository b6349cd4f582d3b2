import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { bearer } from '../../scripts/api';
import { databasePaths, openDatabases } from '../../scripts/database';
import { call } from '../../scripts/http';
import { verifyWithEveryLibrary } from './support/catcher';
import { ownCatcher, ownService } from './support/own-service';
import { openPharmacyAt, SUBMITS } from './support/pharmacy';
import { post } from './support/service';

/** A bound for a hang. */
const HANG_MS = 600_000;
/** From a fault to `/readyz`; the post may take a minute more, that of one run of the cron to which somebody else's is under way. */
const SEEN_MS = 120_000;
const TOLD_MS = 90_000;
/** Longer than a run of the cron has for its posts: a second one would have come by then. */
const QUIET_MS = 30_000;
const POLL_MS = 500;

const WATCH = 'watch-token-of-somebody-who-may-only-ask-ready';
const ALERT_SECRET = `whsec_${Buffer.from('alert-secret-alert-secret-alert!').toString('base64')}`;
const OTHER_KEY = Buffer.from('another-key-another-key-another!').toString('base64');

const catcher = await ownCatcher();
const { service } = await ownService({ isStarted: false });
const secretsPath = join(service.dir, '.dev.vars');
const receiver = catcher.url('/receiver');
let pharmacy: Awaited<ReturnType<typeof openPharmacyAt>>;
let order: string;
let orders = 0;

beforeAll(async () => {
  service.env.ALERT_URL = catcher.url('/alerts');
  mkdirSync(service.dir);
  writeFileSync(
    secretsPath,
    `OPERATOR_TOKENS=demo:ready+read+write+restore:${'demo-'.repeat(8)},watch:ready:${WATCH}\nALERT_SECRET=${ALERT_SECRET}\n`,
  );
  await service.start();
  order = service.curl.body;
  pharmacy = await openPharmacyAt(service, { fields: { shard: 1 }, keys: [SUBMITS], urls: [receiver] });
  await eventually(async () => expect((await readyz()).status).toBe('ok'), SEEN_MS);
}, HANG_MS);

/** What the checks say; undefined while the service is away. */
interface Report {
  status: string;
  checks: Record<string, { status: string; code?: string; names?: string[]; shard?: number }>;
}

async function readyz(): Promise<Report & { http: number }> {
  const answer = await call('GET', `${service.demo.base_url}/readyz`, bearer(WATCH));
  return { http: answer.status, ...JSON.parse(answer.body) };
}

/** Tries again until nothing is thrown. @throws what it threw last */
async function eventually<T>(attempt: () => Promise<T>, timeoutMs: number): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; ; await delay(POLL_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

async function submit() {
  orders += 1;
  const body = JSON.stringify({ ...JSON.parse(order), external_reference: `seen-${orders}` });
  return post(pharmacy.connector, { apikey: pharmacy.keys[0] ?? '', 'Content-Type': 'application/json' }, body);
}

interface Alert {
  id: string;
  type: 'alert_began' | 'alert_ended' | 'heartbeat';
  check: string;
  status: string;
  code: string | null;
  since: string;
}

/**
 * What was posted to ALERT_URL, each once, as `alert_began check status` or `alert_ended check ok`; each post is signed. Left out: heartbeats,
 * what came again with the id of a post whose answer was late, and databases that were slow, which a busy machine makes them.
 */
async function alerts(): Promise<string[]> {
  const posts = catcher.at('/alerts');
  for (const each of posts.slice(verified)) await verifyWithEveryLibrary(each, ALERT_SECRET);
  verified = posts.length;
  const all: Alert[] = posts.map(({ body }) => JSON.parse(body));
  const each = [...new Map(all.map((alert) => [alert.id, alert])).values()].filter(({ type }) => type !== 'heartbeat');
  const ofDatabases = each.filter(({ check }) => check === 'databases');
  const isSlow = ({ check, since }: Alert) =>
    check === 'databases' &&
    ofDatabases.every((other) => other.since !== since || other.type === 'alert_ended' || other.code === 'slow');
  return each
    .filter((alert) => !isSlow(alert) && alert.code !== 'slow')
    .map(({ type, check, status }) => `${type} ${check} ${status}`);
}

let verified = 0;

/** Starts the service again after this. */
async function restartWith(change: () => void): Promise<void> {
  expect(await service.stop()).toBe(0);
  change();
  await service.start();
}

/** The root becomes another one with the same id. */
function exchangeRoot(): Promise<void> {
  return restartWith(() => {
    const exchanged = kept.replace(/^(ROOT_SECRETS=\w+:).*$/m, `$1${OTHER_KEY}`);
    expect(exchanged).not.toBe(kept);
    writeFileSync(secretsPath, exchanged);
  });
}

let kept = '';
const restoreSecrets = () => restartWith(() => writeFileSync(secretsPath, kept));

function onSecond<T>(work: (database: DatabaseSync) => T): T {
  const [first, second] = openDatabases(service.dir, { isWritten: true });
  first?.close();
  if (!second) throw new Error('There is no second database.');
  try {
    second.exec('pragma busy_timeout = 20000');
    return work(second);
  } finally {
    second.close();
  }
}

/** What waited for the receiver is delivered, and it is no longer on hold. */
async function receiverRecovers(): Promise<void> {
  catcher.answering('/receiver', () => ({ status: 204 }));
  // As if the wait until the next attempt were over.
  onSecond((database) => database.exec('update subscriptions set next_probe_at = 1 where next_probe_at is not null'));
  await submit();
}

interface Row {
  check: string;
  status: 'warning' | 'failing';
  code?: string;
  names?: string[];
  shard?: number;
  begin: () => Promise<unknown> | unknown;
  /** What else is true while it lasts. */
  meanwhile?: () => Promise<unknown>;
  end: () => Promise<unknown> | unknown;
}

let locked: DatabaseSync | undefined;
const ROWS: Record<string, Row> = {
  'the cron stopped': {
    check: 'cron',
    status: 'failing',
    // The process that fires it stands still; the Worker goes on.
    begin: () => process.kill(service.pid, 'SIGSTOP'),
    end: () => process.kill(service.pid, 'SIGCONT'),
  },
  'a receiver hangs': {
    check: 'deliveries',
    status: 'warning',
    begin: async () => {
      catcher.answering('/receiver', () => null);
      expect((await submit()).status).toBe(200);
    },
    end: receiverRecovers,
  },
  'a receiver is dead': {
    check: 'deliveries',
    status: 'warning',
    begin: async () => {
      catcher.answering('/receiver', () => ({ status: 500 }));
      for (let count = 0; count < 6; count += 1) expect((await submit()).status).toBe(200);
    },
    meanwhile: async () => {
      const { checks } = await readyz();
      expect(checks.deliveries?.code).toBe('receivers_on_hold');
      const log = readFileSync(join(service.dir, 'dev.log'), 'utf8');
      for (const event of ['delivery_exhausted', 'subscription_held']) {
        expect(log).toMatch(new RegExp(`"event":"${event}".*"org_id":"${pharmacy.orgId}"`));
      }
    },
    end: receiverRecovers,
  },
  'another root under the same id': {
    check: 'canaries',
    status: 'failing',
    names: ['ROOT_SECRETS'],
    begin: exchangeRoot,
    meanwhile: async () => expect((await submit()).status).toBe(401),
    end: restoreSecrets,
  },
  'a database is locked': {
    check: 'databases',
    status: 'failing',
    code: 'unreachable',
    shard: 1,
    begin: () => {
      const [first, second] = openDatabases(service.dir, { isWritten: true });
      first?.close();
      locked = second;
      locked?.exec('pragma busy_timeout = 20000');
      locked?.exec('begin exclusive');
    },
    meanwhile: async () => expect((await submit()).status).toBe(502),
    end: () => locked?.close(),
  },
  'a table that the code needs is missing': {
    check: 'schema',
    status: 'failing',
    shard: 1,
    begin: () => onSecond((database) => database.exec('alter table idempotency_keys rename to away')),
    end: () => onSecond((database) => database.exec('alter table away rename to idempotency_keys')),
  },
  'DB_1 was exchanged by an empty database': {
    check: 'directory',
    status: 'failing',
    code: 'database_exchanged',
    shard: 1,
    begin: () => restartWith(() => moveSecond('', '.away')),
    meanwhile: async () => {
      const answer = await submit();
      expect(answer.status).toBe(503);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'organization_unavailable' });
      expect(answer.headers['retry-after']).toBe('300');
    },
    end: () => restartWith(() => moveSecond('.away', '')),
  },
};

/** Moves the files of DB_1. */
function moveSecond(from: string, to: string): void {
  const path = databasePaths(service.dir)[1] ?? '';
  for (const part of ['', '-wal', '-shm']) {
    try {
      renameSync(`${path}${part}${from}`, `${path}${part}${to}`);
    } catch {
      // A database that was closed has but one file.
    }
  }
}

afterEach(() => catcher.answering('/receiver', () => ({ status: 204 })));

test.for(Object.entries(ROWS))(
  '%s: /readyz says so within two minutes, one signed post when it begins, one when it ends, none between',
  { timeout: HANG_MS },
  async ([_, { check, status, code, names, shard, begin, meanwhile, end }]) => {
    kept = readFileSync(secretsPath, 'utf8');
    const before = (await alerts()).length;
    const told = async () => (await alerts()).slice(before);
    const began = `alert_began ${check} ${status}`;
    try {
      await begin();
      const seen = { status, ...(code && { code }), ...(names && { names }), ...(shard !== undefined && { shard }) };
      await eventually(async () => {
        expect(await readyz()).toMatchObject({
          http: status === 'failing' ? 503 : 200,
          status,
          checks: { [check]: seen },
        });
      }, SEEN_MS);
      await eventually(async () => {
        // Where the cron has stopped, requests alone can tell it.
        await readyz();
        expect(await told()).toEqual([began]);
      }, TOLD_MS);
      await delay(QUIET_MS);
      await meanwhile?.();
    } finally {
      await end();
    }
    const ended = `alert_ended ${check} ok`;
    await eventually(async () => expect(await told()).toEqual([began, ended]), SEEN_MS);
    await eventually(async () => expect(await readyz()).toMatchObject({ http: 200, status: 'ok' }), SEEN_MS);
    await delay(QUIET_MS);
    expect(await told()).toEqual([began, ended]);
  },
);

test('a token that may only ask /readyz is refused by everything else', async () => {
  const api = `${service.demo.base_url}/api/operator/v1`;
  for (const [method, path] of [
    ['GET', '/switches'],
    ['PUT', '/switches'],
    ['GET', '/hosts'],
    ['POST', '/organizations'],
    ['POST', `/organizations/${pharmacy.orgId}/members/reset`],
    ['POST', '/erasures/replay'],
  ] as const) {
    expect((await call(method, api + path, bearer(WATCH), method === 'GET' ? undefined : '{}')).status).toBe(403);
  }
});
