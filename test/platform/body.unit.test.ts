import { expect, it } from 'vitest';
import { readBody } from '../../src/platform/body';
import { BodyMemory, type Clock } from '../../src/platform/body-memory';
import type { Actor, Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors';
import { Claim, type MemoryPool } from '../../src/platform/memory-pool';

const KIB = 1024;
const MIB = 1024 * KIB;
const LIMIT = 15 * MIB;

/** A clock that moves when the test says so. */
class TestClock implements Clock {
  private time = 1_000_000;
  private readonly alarms = new Set<{ at: number; ring: () => void }>();
  readonly now = () => this.time;
  readonly alarm = (ms: number, ring: () => void) => {
    const alarm = { at: this.time + ms, ring };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  };

  get pending(): number {
    return this.alarms.size;
  }

  /** Lets this much time pass, an alarm at a time, with everything that follows from each. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await settled();
    for (;;) {
      const [next] = [...this.alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.alarms.delete(next);
      this.time = Math.max(this.time, next.at);
      next.ring();
      await settled();
    }
    this.time = end;
  }
}

/** Everything that waits for no clock has run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

const keyed = (keyId: string): Actor => ({ kind: 'api_key', keyId, familyId: keyId, orgId: 'o', scopes: [] });

/** One isolate's memory and clock, and bodies that the test sends piece by piece. */
function isolate() {
  const [memory, clock] = [new BodyMemory(), new TestClock()];
  /** What outlives the answers. */
  const deferred: Promise<unknown>[] = [];
  const open = (declared: number | null, { key = 'a', actor = keyed(key), limit = LIMIT, address = '' } = {}) => {
    // Nothing else of a context is asked for.
    const ctx = { actor, defer: (work: Promise<unknown>) => deferred.push(work) } as unknown as Context;
    // SAFETY: `start` is called at once.
    let sender = null as unknown as ReadableByteStreamController;
    const stream = new ReadableStream({
      type: 'bytes',
      start(controller) {
        sender = controller;
      },
    });
    const headers: Record<string, string> = {
      ...(declared !== null && { 'Content-Length': String(declared) }),
      ...(address && { 'CF-Connecting-IP': address }),
    };
    // Node wants to be told that it need not wait for an answer while it sends.
    const init = { method: 'POST', headers, body: stream, duplex: 'half' };
    const body = readBody(ctx, new Request('https://shop.example/', init), limit, { memory, clock });
    const outcome = body.then(
      ({ bytes }) => bytes.length,
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
    return {
      body,
      outcome,
      /** How many bytes the read that waits has room for. */
      room: () => sender.byobRequest?.view?.byteLength,
      async send(bytes: number, fill = 0) {
        sender.enqueue(new Uint8Array(bytes).fill(fill));
        await settled();
      },
      async end() {
        sender.close();
        // A read that waits for bytes is told that there are no more.
        sender.byobRequest?.respond(0);
        await settled();
        return outcome;
      },
      async breakOff() {
        sender.error(new Error('gone'));
        await settled();
        return outcome;
      },
    };
  };
  return { memory, clock, deferred, open };
}

const heldBy = ({ small, large }: BodyMemory) => [small.reservedBytes, large.reservedBytes];

it('a body that is only announced holds nothing, and is given up after five seconds', async () => {
  const { memory, clock, open } = isolate();
  const body = open(12 * MIB);
  await clock.pass(4_999);
  expect(heldBy(memory)).toEqual([0, 0]);
  await clock.pass(1);
  expect(await body.outcome).toBe('body_too_slow');
  expect(clock.pending).toBe(0);
});

it('a small body holds nothing at its beginning, then 64 KiB, and all of its size once 64 KiB of it are there', async () => {
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

it('a body of less than 64 KiB never holds more than its size', async () => {
  const { memory, open } = isolate();
  const body = open(10 * KIB);
  await body.send(4 * KIB);
  expect(heldBy(memory)).toEqual([10 * KIB, 0]);
  await body.send(6 * KIB);
  expect(await body.end()).toBe(10 * KIB);
  expect(heldBy(memory)).toEqual([10 * KIB, 0]);
});

it('a larger body holds all of its size once 64 KiB of it are there', async () => {
  const { memory, open } = isolate();
  const body = open(MIB);
  await body.send(63 * KIB);
  expect(heldBy(memory)).toEqual([64 * KIB, 0]);
  await body.send(KIB);
  expect(heldBy(memory)).toEqual([0, MIB]);
  await body.send(960 * KIB);
  expect(await body.end()).toBe(MIB);
});

it('a body without a length is small until it is not, and holds what it has in the end', async () => {
  const { memory, open } = isolate();
  const body = open(null);
  await body.send(255 * KIB);
  expect(heldBy(memory)).toEqual([256 * KIB, 0]);
  await body.send(2 * KIB);
  expect(heldBy(memory)).toEqual([0, LIMIT]);
  await body.end();
  expect(heldBy(memory)).toEqual([0, 257 * KIB]);
});

it.each([1, 4 * KIB + 1, 64 * KIB, 100 * KIB])(
  'a body of %i bytes without a length holds as many in the end',
  async (sent) => {
    const { memory, open } = isolate();
    const body = open(null);
    await body.send(sent);
    expect(await body.end()).toBe(sent);
    expect(heldBy(memory)).toEqual([sent, 0]);
  },
);

it('memory is given back once, however often that is asked for', async () => {
  const { memory, open } = isolate();
  const [first, second] = [open(MIB), open(MIB)];
  for (const each of [first, second]) {
    await each.send(MIB);
    await each.end();
  }
  const { release } = await first.body;
  release();
  release();
  expect(heldBy(memory)).toEqual([0, MIB]);
});

it.each<[string, (body: ReturnType<ReturnType<typeof isolate>['open']>) => Promise<unknown>, string]>([
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

it('without free memory a body waits unread, and is read once there is some', async () => {
  const { memory, clock, open } = isolate();
  const others = [open(14 * MIB, { key: 'a' }), open(14 * MIB, { key: 'b' })];
  for (const each of others) await each.send(14 * MIB);
  const waiting = open(10 * MIB, { key: 'c' });
  await waiting.send(64 * KIB);
  await clock.pass(9_000);
  // What was there before the whole size had to be reserved.
  expect(heldBy(memory)).toEqual([64 * KIB, 28 * MIB]);
  await others[0]?.end();
  (await others[0]?.body)?.release();
  await clock.pass(100);
  expect(heldBy(memory)).toEqual([0, 24 * MIB]);
  // Nine seconds in which nobody read are not the sender's.
  await waiting.send(10 * MIB - 64 * KIB);
  expect(await waiting.end()).toBe(10 * MIB);
});

it('after ten seconds without free memory the answer is busy, with Retry-After', async () => {
  const { clock, open } = isolate();
  for (const key of ['a', 'b']) await open(14 * MIB, { key }).send(14 * MIB);
  const waiting = open(MIB, { key: 'c' });
  await waiting.send(64 * KIB);
  await clock.pass(9_900);
  const small = open(100, { key: 'c' });
  await small.send(100);
  expect(await small.end()).toBe(100);
  await clock.pass(200);
  expect(await waiting.outcome).toBe('busy');
});

it('a principal may use half of the memory, and beyond that waits only for itself', async () => {
  const { memory, clock, open } = isolate();
  const [first, second] = [open(10 * MIB), open(10 * MIB)];
  await first.send(10 * MIB);
  await second.send(64 * KIB);
  const other = open(14 * MIB, { key: 'b' });
  await other.send(64 * KIB);
  expect(heldBy(memory)[1]).toBe(24 * MIB);
  await first.end();
  (await first.body).release();
  await clock.pass(100);
  expect(heldBy(memory)[1]).toBe(24 * MIB);
});

it.each([
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

it('a large body has two minutes, however steadily it comes', async () => {
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

/** Has the memory full of what others sent, so that everybody else waits. */
async function fillLarge(open: ReturnType<typeof isolate>['open']): Promise<void> {
  for (const key of ['full-1', 'full-2']) await open(14 * MIB, { key }).send(14 * MIB);
}

function isOver(work: Promise<unknown> | undefined): Promise<boolean> {
  return Promise.race([Promise.resolve(work).then(() => true), settled().then(() => false)]);
}

/** How a body ends that nobody can read. */
async function refusalOf(body: Promise<unknown>): Promise<unknown> {
  const error = await body.catch((reason: unknown) => reason);
  if (!(error instanceof AppError)) throw new Error('the body was read');
  const { kind, code, detail, details } = error;
  return { kind, code, detail, ...details };
}

it('an isolate holds 4 MiB of small bodies and 28 MiB of large ones, and half of each for one principal', () => {
  const fits = (pool: MemoryPool, principal: string, bytes: number) => {
    const claim = new Claim(principal, bytes);
    const isTaken = pool.tryTake(claim, 0);
    pool.leave(claim);
    return isTaken;
  };
  for (const [name, bytesMax] of [['small', 4 * MIB] as const, ['large', 28 * MIB] as const]) {
    const { [name]: pool } = new BodyMemory();
    expect(fits(pool, 'a', 1)).toBe(true);
    expect(fits(pool, 'a', bytesMax / 2)).toBe(false);
    expect(fits(pool, 'a', bytesMax / 2 - 1)).toBe(true);
    expect(fits(pool, 'b', bytesMax / 2 + 1)).toBe(false);
    expect(fits(pool, 'c', bytesMax / 2)).toBe(true);
  }
});

it('what was sent is what is read, piece by piece', async () => {
  const { open } = isolate();
  const body = open(null);
  for (const fill of [1, 2, 3]) await body.send(2, fill);
  await body.end();
  expect([...(await body.body).bytes]).toEqual([1, 1, 2, 2, 3, 3]);
});

it('a long body is what was sent, whatever pieces it comes in', async () => {
  const { open } = isolate();
  const body = open(300 * KIB);
  const sizes = [1, 4 * KIB - 1, 5, 100 * KIB, 3 * KIB, 150 * KIB, 43 * KIB - 5];
  for (const [fill, size] of sizes.entries()) await body.send(size, fill);
  expect(await body.end()).toBe(300 * KIB);
  const sent = sizes.flatMap((size, fill) => Array<number>(size).fill(fill));
  expect((await body.body).bytes).toEqual(new Uint8Array(sent));
});

it.each([12 * MIB, null])(
  'a body of %j bytes gets room for 4 KiB, and for 64 KiB once those are there',
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

it('a body without a length gets room for twice as much each time', async () => {
  const { open } = isolate();
  const body = open(null);
  await body.send(64 * KIB);
  expect(body.room()).toBe(64 * KIB);
  await body.send(64 * KIB);
  expect(body.room()).toBe(128 * KIB);
});

it('a body whose memory is reserved gets room for all of it, and for one byte too many', async () => {
  const { open } = isolate();
  const body = open(MIB);
  await body.send(64 * KIB);
  expect(body.room()).toBe(MIB - 64 * KIB + 1);
  await body.send(MIB - 64 * KIB);
  expect(await isOver(body.outcome)).toBe(false);
  await body.send(1);
  expect(await body.outcome).toBe('body_incomplete');
});

it('a request without a body is an empty one', async () => {
  const { memory, clock } = isolate();
  const ctx = { actor: keyed('a'), defer: () => undefined } as unknown as Context;
  const request = new Request('https://shop.example/', { method: 'POST' });
  expect((await readBody(ctx, request, 10, { memory, clock })).bytes).toEqual(new Uint8Array());
});

it('the invocation is kept alive until the memory is given back', async () => {
  const { deferred, open } = isolate();
  const body = open(5 * KIB);
  await body.send(5 * KIB);
  await body.end();
  expect(deferred).toHaveLength(1);
  expect(await isOver(deferred[0])).toBe(false);
  (await body.body).release();
  expect(await isOver(deferred[0])).toBe(true);
});

it('a body that says that it is too long is refused before anything of it is read', async () => {
  const { clock, deferred, open } = isolate();
  expect(await refusalOf(open(1_001, { limit: 1_000 }).body)).toEqual({
    kind: 'too_large',
    code: 'body_too_large',
    detail: 'The body may hold 1000 bytes at most.',
  });
  expect([deferred, clock.pending]).toEqual([[], 0]);
});

it.each([
  [1_000, 1_000],
  [1_001, 'body_too_large'],
])('of a body without a length %i of at most 1000 bytes give %j', async (bytes, outcome) => {
  const { open } = isolate();
  const body = open(null, { limit: 1_000 });
  await body.send(bytes);
  expect(await body.end()).toBe(outcome);
});

it('a body of one byte is read', async () => {
  const { open } = isolate();
  const body = open(1);
  await body.send(1);
  expect(await body.end()).toBe(1);
});

it('a body of exactly the largest size is read', async () => {
  const { open } = isolate();
  const body = open(1_000, { limit: 1_000 });
  await body.send(1_000);
  expect(await body.end()).toBe(1_000);
});

it.each([
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

it('a body that is not what its length says is to be sent again', async () => {
  const { open } = isolate();
  const body = open(10);
  await body.send(9);
  await body.end();
  expect(await refusalOf(body.body)).toMatchObject({ kind: 'invalid', code: 'body_incomplete' });
});

it.each([
  ['a body that stops', 2 * MIB, 0, 5_000],
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
    detail: expect.stringMatching(/at least 16 KiB a second, 256 KiB within 20 s and anything larger within 120 s\.$/),
  });
});

it('a body that waits for memory tries again every 50 ms, and is refused after ten seconds', async () => {
  const { memory, clock, open } = isolate();
  await fillLarge(open);
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
  expect(memory.large.waitingCount).toBe(0);
});

it('two hundred bodies may wait for memory; the next is refused at once, even a small one while no pool has memory, but not one of 4 KiB', async () => {
  const { memory, open } = isolate();
  await fillLarge(open);
  const waiting = Array.from({ length: 200 }, (_, index) => open(MIB, { key: `waits-${index}` }));
  for (const each of waiting) await each.send(MIB);
  expect(memory.large.waitingCount).toBe(200);
  const late = open(MIB, { key: 'late' });
  await late.send(MIB);
  expect(await late.outcome).toBe('busy');
  for (const key of ['small-1', 'small-2']) {
    for (let count = 0; count < 8; count += 1) await open(256 * KIB, { key }).send(256 * KIB);
  }
  expect(heldBy(memory)).toEqual([4 * MIB, 28 * MIB]);
  const small = open(5 * KIB, { key: 'late' });
  await small.send(5 * KIB);
  expect(await small.outcome).toBe('busy');
  const short = open(4 * KIB, { key: 'late' });
  await short.send(4 * KIB);
  expect(await short.end()).toBe(4 * KIB);
  for (const each of waiting) expect(await isOver(each.outcome)).toBe(false);
});

interface Sender {
  actor: Actor;
  address?: string;
}

const member = (memberId: string): Actor => ({ kind: 'staff', memberId, orgId: 'o', role: 'owner' });

it.each<[string, Sender, Sender, boolean]>([
  ['two keys', { actor: keyed('1') }, { actor: keyed('2') }, false],
  ['one key from two addresses', { actor: keyed('1'), address: '192.0.2.1' }, { actor: keyed('1') }, true],
  ['two members', { actor: member('1') }, { actor: member('2') }, false],
  ['one member', { actor: member('1') }, { actor: member('1') }, true],
  ['a key and a member of the same id', { actor: keyed('1') }, { actor: member('1') }, false],
  [
    'strangers at two addresses',
    { actor: { kind: 'anonymous' }, address: '192.0.2.1' },
    { actor: { kind: 'anonymous' }, address: '192.0.2.2' },
    false,
  ],
  [
    'strangers at one address',
    { actor: { kind: 'anonymous' }, address: '192.0.2.1' },
    { actor: { kind: 'anonymous' }, address: '192.0.2.1' },
    true,
  ],
  [
    'the operator from two addresses',
    { actor: { kind: 'operator' }, address: '192.0.2.1' },
    { actor: { kind: 'operator' }, address: '192.0.2.2' },
    true,
  ],
  ['the operator and a stranger', { actor: { kind: 'operator' } }, { actor: { kind: 'anonymous' } }, false],
])('%s: by %j and %j; they share what one principal may hold: %j', async (_, first, second, isShared) => {
  const { memory, open } = isolate();
  for (const who of [first, second]) await open(10 * MIB, who).send(10 * MIB);
  expect(memory.large.reservedBytes).toBe(isShared ? 10 * MIB : 20 * MIB);
});
