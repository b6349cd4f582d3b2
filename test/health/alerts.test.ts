import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import type { CheckStatus, WatchState } from '../../src/health/facts';
import { lookAfterCron, withChecks } from '../../src/health/watch';
import { filesWith } from '../support/files';
import { databaseDown } from '../support/outbound';
import { captureLogs } from '../support/probe';
import { beforeEach, expect, test } from '../support/test';
import { forgetAll, Watched } from './watching';

const MINUTE = 60_000;
const DOWN = { DB_1: databaseDown() };
const NOON = Date.parse('2026-11-22T12:00:00Z');

beforeEach(forgetAll);

test('a post is signed as a webhook is, in both ways', async () => {
  const watched = new Watched(Date.now());
  await watched.run();
  const [call] = watched.calls;
  const headers = Object.fromEntries(call?.headers ?? []);
  expect(new Webhook(env.ALERT_SECRET).verify(call?.text ?? '', headers)).toMatchObject({ type: 'heartbeat' });
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(env.ALERT_SECRET),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, call?.bytes ?? new Uint8Array()));
  expect(headers['x-service-signature']).toBe(`sha256=${digest.toHex()}`);
  expect(headers['webhook-id']).toBe(watched.posts[0]?.id);
});

test('a heartbeat goes out with the first run, and then once a day', async () => {
  const watched = new Watched(NOON);
  for (const hour of [0, 1, 23, 24, 25, 47, 48]) {
    watched.now = NOON + hour * 60 * MINUTE;
    await watched.run();
  }
  const beats = watched.posts.filter(({ type }) => type === 'heartbeat');
  expect(beats).toHaveLength(3);
  expect(new Set(beats.map(({ id }) => id)).size).toBe(3);
});

test('of two runs at the same moment one tells', async () => {
  const watched = new Watched(NOON);
  await watched.run();
  watched.changed = DOWN;
  watched.now += MINUTE;
  await Promise.all([watched.run(), watched.run(), watched.run()]);
  await watched.minutes(2);
  expect(watched.told).toMatchObject([{ type: 'alert_began', check: 'databases' }]);
});

test('what is not accepted is posted again, the same with the same id, and in order', async () => {
  const watched = new Watched(NOON);
  await watched.run();
  Object.assign(watched, { changed: DOWN, accepts: false });
  await watched.minutes(2);
  watched.changed = {};
  await watched.minutes(1);
  watched.accepts = true;
  const refused = watched.told;
  expect(new Set(refused.map(({ id }) => id)).size).toBe(1);
  await watched.minutes(3);
  const accepted = watched.told.slice(refused.length);
  expect(accepted).toMatchObject([{ type: 'alert_began', id: refused[0]?.id }, { type: 'alert_ended' }]);
});

test('a run that ends between its post and its note of it leads to one more post with the same id', async () => {
  const watched = new Watched(NOON);
  await watched.run();
  const put = (key: string, value: string, options?: R2PutOptions) =>
    key.startsWith('operations/sent/') ? Promise.reject(new Error('gone')) : env.FILES.put(key, value, options);
  watched.changed = { ...DOWN, FILES: filesWith({ put }) };
  await watched.minutes(1);
  watched.changed = DOWN;
  await watched.minutes(3);
  const [first, second, ...rest] = watched.told;
  expect(rest).toEqual([]);
  expect(second).toEqual(first);
});

test('a warning that becomes a failure is told once more, and ends once', () => {
  const none = { ranAt: null, pausedSince: null, heartbeatDay: null, told: {}, waiting: [], postingUntil: 0 };
  const course: CheckStatus[] = ['ok', 'warning', 'warning', 'failing', 'warning', 'failing', 'ok', 'ok', 'warning'];
  const after = course.reduce<WatchState>(
    (state, status, minute) => withChecks(state, { size: { status, figure: 1 } }, minute),
    { v: 1, since: 0, ...none },
  );
  expect(after.waiting.map(({ type, status, at, since }) => [type, status, at, since])).toEqual([
    ['alert_began', 'warning', 1, 1],
    ['alert_began', 'failing', 3, 1],
    ['alert_ended', 'ok', 6, 1],
    ['alert_began', 'warning', 8, 8],
  ]);
});

test('a dead database silences nothing: all of them down, and it is told', async () => {
  const watched = new Watched(NOON);
  await watched.run();
  watched.changed = { DB: databaseDown(), DB_1: databaseDown() };
  await watched.minutes(2);
  expect(watched.told).toMatchObject([{ type: 'alert_began', check: 'databases', status: 'failing' }]);
});

test('a cron that never ran is ok for the first five minutes', async () => {
  const watched = new Watched(NOON);
  watched.isStopped = true;
  expect((await watched.checks()).checks.cron).toEqual({ status: 'ok', figure: 0 });
  await watched.minutes(5);
  expect((await watched.checks()).checks.cron).toEqual({ status: 'ok', figure: 300 });
  await watched.minutes(1);
  expect((await watched.checks()).checks.cron).toEqual({ status: 'failing', figure: 360 });
});

test('requests look after the cron once a minute at most, and not at all where nobody is told', async () => {
  const watched = new Watched(NOON);
  await watched.run();
  let reads = 0;
  const get = (key: string) => {
    reads += 1;
    return env.FILES.get(key);
  };
  const FILES = filesWith({ get });
  watched.changed = { FILES };
  for (let request = 0; request < 50; request += 1) {
    const { ctx, settled } = watched.context;
    lookAfterCron(ctx);
    await settled();
  }
  expect(reads).toBe(1);
  watched.changed = { FILES, ALERT_URL: '' };
  watched.now += 5 * MINUTE;
  lookAfterCron(watched.context.ctx);
  expect(reads).toBe(1);
});

test('without ALERT_URL the log says what begins and ends', async () => {
  const watched = new Watched(NOON);
  watched.changed = { ALERT_URL: '' };
  await watched.run();
  const { lines } = captureLogs();
  watched.changed = { ...DOWN, ALERT_URL: '' };
  await watched.minutes(3);
  watched.changed = { ALERT_URL: '' };
  await watched.minutes(2);
  const told = lines.map((line) => JSON.parse(line)).filter(({ event }) => event.startsWith('alert_'));
  expect(told).toMatchObject([
    { level: 'error', event: 'alert_began', code: 'databases failing unreachable' },
    { level: 'warn', event: 'alert_ended', code: 'databases ok' },
  ]);
  expect(watched.posts).toEqual([]);
});

test('nothing of a secret or a person is in what the checks store or post', async () => {
  const watched = new Watched(NOON);
  await watched.run();
  watched.changed = DOWN;
  await watched.minutes(1);
  const { objects } = await env.FILES.list({ prefix: 'operations/' });
  const texts = await Promise.all(objects.map(async ({ key }) => (await env.FILES.get(key))?.text()));
  const all = JSON.stringify([texts, watched.posts]);
  expect(all).not.toContain(env.ROOT_SECRETS.split(':')[1]);
  expect(all).not.toContain(env.ALERT_SECRET.slice(6, 20));
});
