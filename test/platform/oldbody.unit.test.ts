import { expect, it } from 'vitest';
import { BodyMemory, type Clock, readBody } from '../../src/platform/body';
import { type Actor, actingAs, type Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors';
import { Claim, MemoryPool } from '../../src/platform/memory-pool';

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
  const open = (declared: number | null, { key = 'a', limit = LIMIT } = {}) => {
    const ctx = actingAs({ defer: () => undefined } as unknown as Context, keyed(key));
    const piped = new TransformStream<Uint8Array, Uint8Array>();
    const writer = piped.writable.getWriter();
    const headers: Record<string, string> = declared === null ? {} : { 'Content-Length': String(declared) };
    const request = new Request('https://shop.example/', {
      method: 'POST',
      headers,
      body: piped.readable,
      duplex: 'half',
    } as RequestInit);
    const body = readBody(ctx, request, limit, { memory, clock });
    const outcome = body.then(
      ({ bytes }) => bytes.length,
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
    return {
      body,
      outcome,
      async send(bytes: number) {
        writer.write(new Uint8Array(bytes)).catch(() => undefined);
        await settled();
      },
      async end() {
        writer.close().catch(() => undefined);
        await settled();
        return outcome;
      },
      async breakOff() {
        writer.abort(new Error('gone')).catch(() => undefined);
        await settled();
        return outcome;
      },
    };
  };
  return { memory, clock, open };
}

const heldBy = ({ small, large }: BodyMemory) => [small.heldBytes, large.heldBytes];

it('a body that is only announced holds nothing, and is given up after five seconds', async () => {
  const { memory, clock, open } = isolate();
  const body = open(12 * MIB);
  await clock.pass(4_999);
  expect(heldBy(memory)).toEqual([0, 0]);
  await clock.pass(1);
  expect(await body.outcome).toBe('body_too_slow');
  expect(clock.pending).toBe(0);
});

it('a small body counts as it arrives', async () => {
  const { memory, open } = isolate();
  const body = open(200 * KIB);
  await body.send(10 * KIB);
  expect(heldBy(memory)).toEqual([10 * KIB, 0]);
  await body.send(190 * KIB);
  expect(heldBy(memory)).toEqual([200 * KIB, 0]);
  expect(await body.end()).toBe(200 * KIB);
  (await body.body).release();
  expect(heldBy(memory)).toEqual([0, 0]);
});

it('a larger body holds all of its size once 64 KiB of it are there', async () => {
  const { memory, open } = isolate();
  const body = open(MIB);
  await body.send(63 * KIB);
  expect(heldBy(memory)).toEqual([63 * KIB, 0]);
  await body.send(KIB);
  expect(heldBy(memory)).toEqual([0, MIB]);
  await body.send(960 * KIB);
  expect(await body.end()).toBe(MIB);
});

it('a body without a length is small until it is not, and holds what it has in the end', async () => {
  const { memory, open } = isolate();
  const body = open(null);
  await body.send(256 * KIB);
  expect(heldBy(memory)).toEqual([256 * KIB, 0]);
  await body.send(KIB);
  expect(heldBy(memory)).toEqual([0, LIMIT]);
  await body.end();
  expect(heldBy(memory)).toEqual([0, 257 * KIB]);
});

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

it('where there is no room a body waits unread, and goes on when there is', async () => {
  const { memory, clock, open } = isolate();
  const others = [open(14 * MIB, { key: 'a' }), open(14 * MIB, { key: 'b' })];
  for (const each of others) await each.send(14 * MIB);
  const waiting = open(10 * MIB, { key: 'c' });
  await waiting.send(64 * KIB);
  await clock.pass(9_000);
  expect(heldBy(memory)).toEqual([0, 28 * MIB]);
  await others[0]?.end();
  (await others[0]?.body)?.release();
  await clock.pass(100);
  expect(heldBy(memory)).toEqual([0, 24 * MIB]);
  // Nine seconds in which nobody read are not the sender's.
  await waiting.send(10 * MIB - 64 * KIB);
  expect(await waiting.end()).toBe(10 * MIB);
});

it('after ten seconds without room the answer is to come back', async () => {
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

it('a principal has half of the room, and waits for nobody but itself', async () => {
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

const claims = (pool: MemoryPool, ...sizes: [string, number][]) =>
  sizes.map(([principal, bytes]) => {
    const claim = new Claim(principal, bytes);
    return { claim, isTaken: pool.tryTake(claim, 0) };
  });

it('whoever came first goes first: a small claim does not overtake a large one', () => {
  const pool = new MemoryPool(100, 100);
  const [first, large, small] = claims(pool, ['a', 60], ['b', 60], ['c', 10]);
  expect([first?.isTaken, large?.isTaken, small?.isTaken]).toEqual([true, false, false]);
  if (first) pool.giveBack(first.claim);
  expect(small && pool.tryTake(small.claim, 1)).toBe(true);
  expect(large && pool.tryTake(large.claim, 1)).toBe(true);
});

it('a claim that nobody asks for any more keeps nobody waiting, and one that was never given back ends', () => {
  const pool = new MemoryPool(100, 100);
  claims(pool, ['a', 60], ['b', 60]);
  const late = new Claim('c', 40);
  expect(pool.tryTake(late, 1_000)).toBe(false);
  expect(pool.tryTake(late, 2_001)).toBe(true);
  expect(pool.tryTake(new Claim('d', 60), 180_000)).toBe(true);
  expect(pool.heldBytes).toBe(100);
});

it('a principal that holds nothing gets one claim of any size that fits', () => {
  const pool = new MemoryPool(100, 50);
  const [large, more, other] = claims(pool, ['a', 70], ['a', 1], ['b', 30]);
  expect([large?.isTaken, more?.isTaken, other?.isTaken]).toEqual([true, false, true]);
});
