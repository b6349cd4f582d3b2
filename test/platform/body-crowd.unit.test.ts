import { expect, test } from 'vitest';
import { Claim } from '../../src/platform/http/body-memory';
import { fillLarge, heldBy, isOver, isolate, KIB, keyed, MIB, STRANGER } from '../support/bodies';

type Isolate = ReturnType<typeof isolate>;
/** A PDF of 10 MiB in base64, and what is around it. */
const LARGEST = 13_720 * KIB;

type Body = ReturnType<Isolate['open']>;

/** Sends a body that is read at once, without any waiting. */
async function isTakenAtOnce({ open }: Isolate, bytes: number): Promise<void> {
  const body = open(bytes, { key: 'other' });
  await body.send(bytes);
  void body.end();
  expect(await isOver(body.outcome)).toBe(true);
  (await body.body).release();
}

/** Sends this much of each body every second, for so long. */
async function slowly({ clock }: Isolate, bodies: readonly Body[], kibPerSecond: number, seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    for (const body of bodies) await body.send(kibPerSecond * KIB);
    await clock.pass(1_000);
  }
}

/** A body that has the kept part of the memory for large ones, while everything else is taken. */
function openWithKept(isolated: Isolate, declared: number | null): Body {
  const [, , kept] = fillLarge(isolated);
  if (kept) isolated.memory.large.giveBack(kept);
  return isolated.open(declared);
}

test('two slow bodies of 14 MiB under two keys of an organization keep nobody else’s prescription waiting', async () => {
  const isolated = isolate();
  const { memory, open } = isolated;
  const attackers = ['1', '2'].map((key) => open(14 * MIB, { actor: keyed(key, 'attacker') }));
  for (const each of attackers) await each.send(70 * KIB);
  for (let time = 0; time < 10; time += 1) {
    await slowly(isolated, attackers, 17, 1);
    await isTakenAtOnce(isolated, MIB);
  }
  expect(heldBy(memory)).toEqual([0, 2 * 320 * KIB]);
  for (const each of attackers) expect(await isOver(each.outcome)).toBe(false);
});

test('all strangers together hold 2 MiB, none of it of the large pool, and what others send is read at once', async () => {
  const isolated = isolate();
  const { memory, open } = isolated;
  const strangers = Array.from({ length: 900 }, () => open(64 * KIB, { actor: STRANGER }));
  for (const each of strangers) await each.send(4_100);
  expect(heldBy(memory)).toEqual([2 * MIB, 0]);
  for (const bytes of [5 * KIB, 200 * KIB, MIB]) await isTakenAtOnce(isolated, bytes);
  const short = open(4 * KIB, { actor: STRANGER });
  await short.send(4 * KIB);
  expect(await short.end()).toBe(4 * KIB);
});

test('one principal’s bodies take half of the places in which bodies wait, and leave the others to others', async () => {
  const isolated = isolate();
  const { memory, open } = isolated;
  fillLarge(isolated);
  const flood = Array.from({ length: 102 }, () => open(MIB, { key: 'flood' }));
  for (const each of flood) await each.send(64 * KIB);
  const refused = await Promise.all(flood.map(({ outcome }) => isOver(outcome)));
  expect(refused.filter(Boolean)).toHaveLength(2);
  expect(memory.large.waitingCount()).toBe(100);
  const other = open(MIB, { key: 'other' });
  await other.send(64 * KIB);
  expect(await isOver(other.outcome)).toBe(false);
});

test('bodies that each hold half never wait for each other alone: the oldest gets room for all of it', async () => {
  const isolated = isolate();
  const { memory, clock, open } = isolated;
  const bodies = Array.from({ length: 6 }, (_, index) => open(LARGEST, { key: String(index) }));
  for (const each of bodies) {
    await each.send(2_560 * KIB);
    await clock.pass(1);
  }
  expect(memory.large.reservedBytes).toBeGreaterThan(13 * MIB);
  for (const each of bodies) {
    await each.send(LARGEST - 2_560 * KIB);
    void each.end();
    await clock.pass(60);
    expect(await isOver(each.outcome)).toBe(true);
    (await each.body).release();
  }
  expect(await Promise.all(bodies.map(({ outcome }) => outcome))).toEqual(bodies.map(() => LARGEST));
  expect(heldBy(memory)).toEqual([0, 0]);
});

test.each([
  ['at 160 KiB/s beside others that wait', 160, true, LARGEST],
  ['at 160 KiB/s alone', 160, false, LARGEST],
  ['at 127 KiB/s beside others that wait', 127, true, 'body_too_slow'],
  ['at 127 KiB/s alone', 127, false, LARGEST],
])('a PDF of 10 MiB %s', async (_, kibPerSecond, isCrowded, outcome) => {
  const isolated = isolate();
  const { memory, clock, open } = isolated;
  const body = openWithKept(isolated, LARGEST);
  await body.send(64 * KIB);
  await clock.pass(50);
  expect(memory.large.reservedBytes).toBe(13 * MIB + LARGEST);
  for (let sent = 64, second = 0; !(await isOver(body.outcome)); second += 1) {
    // Each waits for ten seconds.
    if (isCrowded && second % 5 === 0) await open(MIB, { key: `waits-${second}` }).send(64 * KIB);
    const next = Math.min(kibPerSecond, LARGEST / KIB - sent);
    await body.send(next * KIB);
    sent += next;
    if (sent === LARGEST / KIB) await body.end();
    await clock.pass(1_000);
  }
  expect(await body.outcome).toBe(outcome);
});

test('a slow large body goes on until somebody waits for its memory, then it is ended within 250 ms', async () => {
  const isolated = isolate();
  const { memory, clock, open } = isolated;
  const [first] = fillLarge(isolated);
  if (first) memory.large.giveBack(first);
  const slow = Array.from({ length: 4 }, () => open(4 * MIB, { key: 'slow' }));
  for (const each of slow) await each.send(700 * KIB);
  expect(memory.large.reservedBytes).toBe(21.5 * MIB + 4 * 1_280 * KIB);
  await slowly(isolated, slow, 17, 20);
  for (const each of slow) expect(await isOver(each.outcome)).toBe(false);
  for (const each of slow) await each.send(KIB);
  const other = open(3 * MIB, { key: 'other' });
  await other.send(3 * MIB);
  void other.end();
  await clock.pass(250);
  expect(await Promise.all(slow.map(({ outcome }) => isOver(outcome)))).toEqual([true, true, true, true]);
  await clock.pass(50);
  expect(await isOver(other.outcome)).toBe(true);
  expect(await Promise.all(slow.map(({ outcome }) => outcome))).toEqual(Array(4).fill('body_too_slow'));
});

test.each([2 * MIB, null])(
  'a large body of %j bytes that brought 200 KiB is ended after five seconds beside one that waits, and not before',
  async (declared) => {
    const isolated = isolate();
    const { clock, open } = isolated;
    const body = openWithKept(isolated, declared);
    await body.send(200 * KIB);
    await open(MIB, { key: 'waits' }).send(64 * KIB);
    await clock.pass(4_999);
    expect(await isOver(body.outcome)).toBe(false);
    await clock.pass(1);
    expect(await body.outcome).toBe('body_too_slow');
  },
);

test('a body of 256 KiB has its time, whoever waits', async () => {
  const isolated = isolate();
  const { memory, clock, open } = isolated;
  fillLarge(isolated);
  const body = open(256 * KIB);
  await body.send(64 * KIB);
  for (const who of ['full-1', 'full-2']) memory.small.tryTake(new Claim(who, 1_920 * KIB), clock.now());
  const waiting = open(200 * KIB, { key: 'waits' });
  await waiting.send(4 * KIB);
  expect([memory.small.reservedBytes, memory.small.waitingCount()]).toEqual([4 * MIB, 1]);
  await slowly(isolated, [body], 24, 8);
  expect(await isOver(waiting.outcome)).toBe(false);
  expect(await body.end()).toBe(256 * KIB);
});
