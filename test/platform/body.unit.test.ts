import { expect, test, vi } from 'vitest';
import type { Actor, Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors/errors';
import { isLong, readAhead, readBody } from '../../src/platform/http/body';
import { BodyMemory, BodyReservation, Claim, type MemoryPool } from '../../src/platform/http/body-memory';
import {
  fillLarge,
  heldBy,
  isOver,
  isolate,
  KIB,
  keyed,
  LIMIT,
  MIB,
  STRANGER,
  settled,
  TestClock,
} from '../support/bodies';

test('a body that is only announced holds nothing, and is given up after five seconds', async () => {
  const { memory, clock, open } = isolate();
  const body = open(12 * MIB);
  await clock.pass(4_999);
  expect(heldBy(memory)).toEqual([0, 0]);
  await clock.pass(1);
  expect(await body.outcome).toBe('body_too_slow');
  expect(clock.pending).toBe(0);
});

test('a small body holds nothing at its beginning, then 64 KiB, and all of its size once 64 KiB of it are there', async () => {
  const { memory, open } = isolate();
  const body = open(200 * KIB);
  await body.send(4 * KIB - 1);
  expect(heldBy(memory)).toEqual([0, 0]);
  await body.send(1);
  expect(heldBy(memory)).toEqual([64 * KIB, 0]);
  await body.send(60 * KIB - 1);
  expect(heldBy(memory)).toEqual([64 * KIB, 0]);
  await body.send(1);
  expect(heldBy(memory)).toEqual([200 * KIB, 0]);
  await body.send(136 * KIB);
  expect(heldBy(memory)).toEqual([200 * KIB, 0]);
  expect(await body.end()).toBe(200 * KIB);
  (await body.body).release();
  expect(heldBy(memory)).toEqual([0, 0]);
});

test('a body of 256 KiB is a small one, and one byte more makes it a large one', async () => {
  const { memory, open } = isolate();
  await open(256 * KIB).send(64 * KIB);
  expect(heldBy(memory)).toEqual([256 * KIB, 0]);
  await open(256 * KIB + 1).send(64 * KIB);
  expect(heldBy(memory)).toEqual([256 * KIB, 256 * KIB + 1]);
});

test.each([14 * MIB, null])(
  'a large body of %j bytes holds twice what has arrived at most, or 256 KiB more, and all of its size in the end',
  async (declared) => {
    const { memory, open } = isolate();
    const body = open(declared);
    await body.send(63 * KIB);
    expect(heldBy(memory)).toEqual([64 * KIB, 0]);
    await body.send(KIB);
    expect(heldBy(memory)).toEqual([0, 320 * KIB]);
    await body.send(255 * KIB);
    expect(heldBy(memory)).toEqual([0, 320 * KIB]);
    for (const [sent, held] of [
      [1, 640],
      [320, 1_280],
      [640, 2_560],
    ] as const) {
      await body.send(sent * KIB);
      expect(heldBy(memory)).toEqual([0, held * KIB]);
    }
    await body.send(14 * MIB - 1_280 * KIB);
    expect(await body.end()).toBe(14 * MIB);
    expect(heldBy(memory)).toEqual([0, declared ?? LIMIT]);
  },
);

test.each([
  [1, 0],
  [4 * KIB, 64 * KIB],
  [64 * KIB - 1, 64 * KIB],
  [100 * KIB, 320 * KIB],
])('a body of %i bytes without a length holds the %i of its buffer', async (sent, held) => {
  const { memory, open } = isolate();
  const body = open(null);
  await body.send(sent);
  expect(await body.end()).toBe(sent);
  expect(heldBy(memory).reduce((sum, bytes) => sum + bytes)).toBe(held);
});

test('a buffer and the larger one that it is copied into are both counted, and the smaller one no longer than that', async () => {
  const { memory, open } = isolate();
  const body = open(2 * MIB);
  const taken: number[] = [];
  const take = memory.large.tryTake.bind(memory.large);
  vi.spyOn(memory.large, 'tryTake').mockImplementation((claim, now) => {
    const isTaken = take(claim, now);
    taken.push(memory.small.reservedBytes + memory.large.reservedBytes);
    return isTaken;
  });
  await body.send(2 * MIB);
  expect(taken).toEqual([64 + 320, 320 + 640, 640 + 1_280, 1_280 + 2_048].map((kib) => kib * KIB));
  expect(heldBy(memory)).toEqual([0, 2 * MIB]);
});

test('a buffer is freed as soon as it was copied into a larger one', async () => {
  const freed: unknown[] = [];
  const { transfer } = ArrayBuffer.prototype;
  vi.spyOn(ArrayBuffer.prototype, 'transfer').mockImplementation(function (this: ArrayBuffer, bytes) {
    freed.push([this.byteLength, bytes]);
    return transfer.call(this, bytes);
  });
  const { open } = isolate();
  await open(MIB).send(MIB);
  expect(freed).toEqual([4, 64, 320, 640].map((kib) => [kib * KIB, 0]));
});

test('a body that ends while it has two buffers gives both back', async () => {
  const [memory, clock] = [new BodyMemory(), new TestClock()];
  const reservation = new BodyReservation(memory, clock, 'a', MIB);
  expect([reservation.bytes, reservation.isWaitedFor()]).toEqual([0, false]);
  await reservation.reserve(64 * KIB);
  await reservation.reserve(320 * KIB);
  expect(reservation.bytes).toBe(320 * KIB);
  expect(heldBy(memory)).toEqual([64 * KIB, 320 * KIB]);
  reservation.giveBack();
  expect(heldBy(memory)).toEqual([0, 0]);
});

test.each<[string, (body: ReturnType<ReturnType<typeof isolate>['open']>) => Promise<unknown>, string]>([
  ['breaks off', (body) => body.breakOff(), 'body_incomplete'],
  ['ends before its length', (body) => body.end(), 'body_incomplete'],
  ['goes on behind its length', (body) => body.send(2 * MIB), 'body_incomplete'],
])('a body that %s holds nothing any more', async (_, end, code) => {
  const { memory, clock, open } = isolate();
  const body = open(MIB);
  await body.send(100 * KIB);
  await end(body);
  expect(await body.outcome).toBe(code);
  expect(heldBy(memory)).toEqual([0, 0]);
  expect(clock.pending).toBe(0);
});

test('without free memory a body waits unread, and is read once there is some', async () => {
  const { memory, clock, open } = isolate();
  const [first] = fillLarge({ memory, clock });
  const waiting = open(2 * MIB);
  await waiting.send(64 * KIB);
  await clock.pass(9_000);
  // What was there before more had to be reserved.
  expect(heldBy(memory)).toEqual([64 * KIB, 28 * MIB]);
  if (first) memory.large.giveBack(first);
  await clock.pass(100);
  expect(heldBy(memory)).toEqual([0, 21.5 * MIB + 320 * KIB]);
  // Nine seconds in which nobody read are not the sender's.
  await waiting.send(2 * MIB - 64 * KIB);
  expect(await waiting.end()).toBe(2 * MIB);
});

test('memory goes to the body that began first, whichever asked first', async () => {
  const { memory, clock, open } = isolate();
  const [, , kept] = fillLarge({ memory, clock });
  const early = open(MIB, { key: 'early' });
  await clock.pass(10);
  const late = open(MIB, { key: 'late' });
  for (const each of [late, early]) await each.send(MIB);
  // There is room for one of them.
  if (kept) memory.large.giveBack(kept);
  await clock.pass(100);
  for (const each of [late, early]) void each.end();
  expect(await isOver(early.outcome)).toBe(true);
  expect(await isOver(late.outcome)).toBe(false);
});

test.each([
  ['15 KiB/s', 15, 5_000, 'body_too_slow'],
  ['17 KiB/s', 17, 100_000, 1_024_000],
])('a body of 1,000 KiB at %s', async (_, kibPerSecond, untilMs, outcome) => {
  const { clock, open } = isolate();
  const body = open(1_000 * KIB);
  let left = 1_000;
  for (let ms = 0; ms < untilMs && left > 0; ms += 1_000) {
    const next = Math.min(left, kibPerSecond);
    await body.send(next * KIB);
    left -= next;
    await clock.pass(1_000);
  }
  if (left === 0) await body.end();
  expect(await body.outcome).toBe(outcome);
});

test('a large body has two minutes, however steadily it comes', async () => {
  const { clock, open } = isolate();
  const body = open(15 * MIB);
  for (let second = 0; second < 119; second += 1) {
    await body.send(100 * KIB);
    await clock.pass(1_000);
  }
  await body.send(100 * KIB);
  await clock.pass(1_001);
  expect(await body.outcome).toBe('body_too_slow');
});

/** How a body ends that nobody can read. */
async function refusalOf(body: Promise<unknown>): Promise<unknown> {
  const error = await body.catch((reason: unknown) => reason);
  if (!(error instanceof AppError)) throw new Error('the body was read');
  const { kind, code, detail, details } = error;
  return { kind, code, detail, ...details };
}

test('an isolate holds 4 MiB of small bodies and 28 MiB of large ones, 15 MiB of it for one at a time, and half of the rest for one principal', () => {
  const fits = (pool: MemoryPool, principal: string, bytes: number, whole?: number) => {
    const claim = new Claim(principal, bytes, whole);
    const isTaken = pool.tryTake(claim, 0);
    pool.leave(claim);
    return isTaken;
  };
  for (const [name, bytesMax, kept] of [['small', 4 * MIB, 0] as const, ['large', 28 * MIB, 15 * MIB] as const]) {
    const { [name]: pool } = new BodyMemory();
    const half = (bytesMax - kept) / 2;
    expect(fits(pool, 'a', 1)).toBe(true);
    expect(fits(pool, 'a', half, LIMIT + 1)).toBe(false);
    expect(fits(pool, 'a', half - 1)).toBe(true);
    expect(fits(pool, 'b', half + 1, LIMIT + 1)).toBe(false);
    expect(fits(pool, 'c', half)).toBe(true);
    expect(fits(pool, 'd', 1, LIMIT)).toBe(kept > 0);
    expect(fits(pool, 'd', 1)).toBe(false);
    expect(pool.reservedBytes).toBe(bytesMax);
  }
});

test('a long body is what was sent, whatever pieces it comes in', async () => {
  const { open } = isolate();
  const body = open(300 * KIB);
  const sizes = [1, 4 * KIB - 1, 5, 100 * KIB, 3 * KIB, 150 * KIB, 43 * KIB - 5];
  for (const [fill, size] of sizes.entries()) await body.send(size, fill);
  expect(await body.end()).toBe(300 * KIB);
  const sent = sizes.flatMap((size, fill) => Array<number>(size).fill(fill));
  expect((await body.body).bytes).toEqual(new Uint8Array(sent));
});

test.each([12 * MIB, null])(
  'a body of %j bytes gets room for 4 KiB, for 64 KiB once they are there',
  async (declared) => {
    const { open } = isolate();
    const body = open(declared);
    await settled();
    expect(body.room()).toBe(4 * KIB);
    await body.send(1);
    expect(body.room()).toBe(4 * KIB - 1);
    await body.send(4 * KIB - 1);
    expect(body.room()).toBe(60 * KIB);
    await body.send(28 * KIB);
    expect(body.room()).toBe(32 * KIB);
  },
);

test('the last buffer of a body has room for one byte too many', async () => {
  const { open } = isolate();
  const body = open(300 * KIB);
  await body.send(64 * KIB);
  expect(body.room()).toBe(236 * KIB + 1);
  await body.send(236 * KIB);
  expect(await isOver(body.outcome)).toBe(false);
  await body.send(1);
  expect(await body.outcome).toBe('body_incomplete');
});

test('a request without a body is an empty one', async () => {
  const { memory, clock } = isolate();
  const ctx = { actor: keyed('a'), defer: () => undefined } as unknown as Context;
  const request = new Request('https://shop.example/', { method: 'POST' });
  expect((await readBody(ctx, request, 10, { memory, clock })).bytes).toEqual(new Uint8Array());
});

test('the invocation is kept alive until the memory is given back', async () => {
  const { deferred, open } = isolate();
  const body = open(5 * KIB);
  await body.send(5 * KIB);
  await body.end();
  expect(deferred).toHaveLength(1);
  expect(await isOver(deferred[0])).toBe(false);
  (await body.body).release();
  expect(await isOver(deferred[0])).toBe(true);
});

test('a body that says that it is too long is refused before anything of it is read', async () => {
  const { clock, deferred, open } = isolate();
  expect(await refusalOf(open(1_001, { limit: 1_000 }).body)).toEqual({
    kind: 'too_large',
    code: 'body_too_large',
    detail: 'The body may hold 1000 bytes at most.',
  });
  expect([deferred, clock.pending]).toEqual([[], 0]);
});

test.each([
  [1_000, 1_000],
  [1_001, 'body_too_large'],
])('of a body without a length %i of at most 1000 bytes give %j', async (bytes, outcome) => {
  const { open } = isolate();
  const body = open(null, { limit: 1_000 });
  await body.send(bytes);
  expect(await body.end()).toBe(outcome);
});

test.each([
  ['gzip', false],
  ['br', false],
  ['identity, gzip', false],
  ['identity', true],
  [' Identity ', true],
  ['', true],
])('a body with Content-Encoding %j is read: %j', async (coding, isRead) => {
  const { memory, clock } = isolate();
  const ctx = { actor: keyed('a'), defer: () => undefined } as unknown as Context;
  const headers = { 'Content-Encoding': coding };
  const read = readBody(ctx, new Request('https://shop.example/', { method: 'POST', headers, body: 'x' }), 10, {
    memory,
    clock,
  });
  if (isRead) expect((await read).bytes).toHaveLength(1);
  else
    expect(await refusalOf(read)).toMatchObject({
      kind: 'unsupported_media_type',
      code: 'unsupported_content_encoding',
      headers: { 'Accept-Encoding': 'identity' },
    });
});

test.each([
  ['a body that stops', 2 * MIB, 0, 5_000],
  ['a short body that stops', 100, 50, 5_000],
  ['a body that stops at 16 KiB a second for 10 seconds', 2 * MIB, 160 * KIB, 10_000],
  ['a small body that stops right before its end', 200 * KIB, 192 * KIB, 12_000],
  ['a large body that came quicker, at two minutes', 15 * MIB, 2_000 * KIB, 120_000],
])('%s is given up to the millisecond', async (_, declared, sent, ms) => {
  const { clock, open } = isolate();
  const body = open(declared);
  if (sent > 0) await body.send(sent);
  await clock.pass(ms - 1);
  expect(await isOver(body.outcome)).toBe(false);
  await clock.pass(1);
  expect(await refusalOf(body.body)).toEqual({
    kind: 'too_slow',
    code: 'body_too_slow',
    detail: expect.stringMatching(
      /at least 16 KiB a second, 256 KiB within 20 s and anything larger within 120 s, at 128 KiB a second while others wait\.$/,
    ),
  });
});

test.each([
  ['a small body', 100 * KIB],
  ['a large body', 2 * MIB],
])('time in which the isolate was busy with something else is not the sender’s: %s', async (_, declared) => {
  const { clock, open } = isolate();
  const body = open(declared);
  await body.send(10 * KIB);
  await clock.passBusy(30_000);
  await clock.pass(4_000);
  expect(await isOver(body.outcome)).toBe(false);
  await clock.pass(1_000);
  expect(await body.outcome).toBe('body_too_slow');
});

test('a body that waits for memory tries again every 50 ms, and is refused after ten seconds', async () => {
  const { memory, clock, open } = isolate();
  fillLarge({ memory, clock });
  const body = open(MIB, { key: 'c' });
  await body.send(MIB);
  await clock.pass(9_999);
  expect(await isOver(body.outcome)).toBe(false);
  await clock.pass(1);
  expect(await refusalOf(body.body)).toMatchObject({
    kind: 'rate_limited',
    code: 'busy',
    headers: { 'Retry-After': '1' },
  });
  expect(memory.large.waitingCount()).toBe(0);
});

test('two hundred bodies may wait for memory; the next is refused at once, even a small one while no pool has memory, but not one of 4 KiB', async () => {
  const { memory, clock, open } = isolate();
  fillLarge({ memory, clock });
  const waiting = Array.from({ length: 200 }, (_, index) => open(MIB, { key: `waits-${index}` }));
  for (const each of waiting) await each.send(64 * KIB);
  expect(memory.large.waitingCount()).toBe(200);
  const late = open(MIB, { key: 'late' });
  await late.send(MIB);
  expect(await late.outcome).toBe('busy');
  const rest = 4 * MIB - memory.small.reservedBytes;
  for (const who of ['small-1', 'small-2']) memory.small.tryTake(new Claim(who, rest / 2), clock.now());
  expect(heldBy(memory)).toEqual([4 * MIB, 28 * MIB]);
  const small = open(5 * KIB, { key: 'late' });
  await small.send(5 * KIB);
  expect(await small.outcome).toBe('busy');
  const short = open(4 * KIB, { key: 'late' });
  await short.send(4 * KIB);
  expect(await short.end()).toBe(4 * KIB);
  for (const each of waiting) expect(await isOver(each.outcome)).toBe(false);
});

const member = (memberId: string, orgId: string): Actor => ({ kind: 'staff', memberId, orgId, role: 'owner' });

test.each<[string, Actor, Actor, boolean]>([
  ['two keys of an organization', keyed('1', 'a'), keyed('2', 'a'), true],
  ['a key and a member of an organization', keyed('1', 'a'), member('1', 'a'), true],
  ['two members of an organization', member('1', 'a'), member('2', 'a'), true],
  ['keys of two organizations', keyed('1', 'a'), keyed('1', 'b'), false],
  ['members of two organizations', member('1', 'a'), member('1', 'b'), false],
  ['the operator twice', { kind: 'operator', name: 'test' }, { kind: 'operator', name: 'other' }, true],
  ['the operator and an organization', { kind: 'operator', name: 'test' }, keyed('1', 'a'), false],
  ['the operator and the system', { kind: 'operator', name: 'test' }, { kind: 'system' }, false],
])('%s share what one principal may hold: %4$j', async (_, first, second, isShared) => {
  const { memory, clock, open } = isolate();
  // What is kept is not shared out.
  memory.large.tryTake(new Claim('other', 7 * MIB, LIMIT), clock.now());
  for (const actor of [first, first, second]) await open(2 * MIB, { actor }).send(2 * MIB);
  // Of an organization's half of 6.5 MiB the third would take 1,280 KiB and then, beside them, 2 MiB.
  expect(memory.large.reservedBytes - LIMIT).toBe(isShared ? 4 * MIB + 1_280 * KIB : 6 * MIB);
});

test.each([64 * KIB + 1, null])('of a stranger no more than 64 KiB is read: %j', async (declared) => {
  const { open } = isolate();
  const body = open(declared, { actor: STRANGER });
  if (declared === null) await body.send(64 * KIB + 1);
  expect(await body.outcome).toBe('body_too_large');
  const largest = open(64 * KIB, { actor: STRANGER });
  await largest.send(64 * KIB);
  expect(await largest.end()).toBe(64 * KIB);
});

test.each([
  ['4096', false],
  ['4097', true],
  ['many', false],
  [null, false],
])('a body with Content-Length %j is long: %j', (length, expected) => {
  const headers: HeadersInit = length === null ? {} : { 'Content-Length': length };
  expect(isLong(new Request('https://shop.example/', { method: 'POST', headers }))).toBe(expected);
});

function short(body: BodyInit): Request {
  // Node wants to be told that it need not wait for an answer while it sends.
  const init = { method: 'POST', headers: { 'Content-Length': '3' }, body, duplex: 'half' };
  return new Request('https://shop.example/', init);
}
// Nothing else of a context is asked for.
const sender = { actor: keyed('a') } as Context;

test('a short body that arrived while its sender was looked up needs no timer', async () => {
  const clock = new TestClock();
  const alarm = vi.spyOn(clock, 'alarm');
  const request = short('{ }');
  await readAhead(request).reading;
  const { bytes } = await readBody(sender, request, LIMIT, { memory: new BodyMemory(), clock });
  expect(new TextDecoder().decode(bytes)).toBe('{ }');
  expect(alarm).not.toHaveBeenCalled();
});

test('a short body whose rest never comes is given up five seconds after its sender is known', async () => {
  const clock = new TestClock();
  const request = short(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }));
  readAhead(request);
  await clock.pass(60_000);
  const outcome = readBody(sender, request, LIMIT, { memory: new BodyMemory(), clock }).catch((error) => error.code);
  await clock.pass(4_999);
  expect(await Promise.race([outcome, 'waiting'])).toBe('waiting');
  await clock.pass(1);
  expect(await outcome).toBe('body_too_slow');
});

test('a short body that breaks off while its sender is looked up is incomplete', async () => {
  const clock = new TestClock();
  const request = short(new ReadableStream({ start: (controller) => controller.error(new Error('gone')) }));
  readAhead(request);
  await settled();
  const outcome = readBody(sender, request, LIMIT, { memory: new BodyMemory(), clock }).catch((error) => error.code);
  expect(await outcome).toBe('body_incomplete');
});
