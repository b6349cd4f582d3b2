import { expect, test } from 'vitest';
import { Claim, MemoryPool } from '../../src/platform/http/body-memory';

const claims = (pool: MemoryPool, ...sizes: [string, number][]) =>
  sizes.map(([principal, bytes]) => {
    const claim = new Claim(principal, bytes);
    return { claim, isTaken: pool.tryTake(claim, 0) };
  });

test('whoever came first goes first: a small claim does not overtake a large one', () => {
  const pool = new MemoryPool(100, 100);
  const [first, large, small] = claims(pool, ['a', 60], ['b', 60], ['c', 10]);
  expect([first?.isTaken, large?.isTaken, small?.isTaken]).toEqual([true, false, false]);
  if (first) pool.giveBack(first.claim);
  expect(small && pool.tryTake(small.claim, 1)).toBe(true);
  expect(large && pool.tryTake(large.claim, 1)).toBe(true);
});

test('a claim that nobody asks for any more keeps nobody waiting, and one that was never given back ends', () => {
  const pool = new MemoryPool(100, 100);
  claims(pool, ['a', 60], ['b', 60]);
  const late = new Claim('c', 40);
  expect(pool.tryTake(late, 1_000)).toBe(false);
  expect(pool.tryTake(late, 2_001)).toBe(true);
  expect(pool.tryTake(new Claim('d', 60), 180_000)).toBe(true);
  expect(pool.reservedBytes).toBe(100);
});

test('a principal holds no more than its share, however little it held before', () => {
  const pool = new MemoryPool(100, 50);
  const [large, fits, other] = claims(pool, ['a', 51], ['a', 50], ['b', 30]);
  expect([large?.isTaken, fits?.isTaken, other?.isTaken]).toEqual([false, false, true]);
  if (large) pool.leave(large.claim);
  expect(fits && pool.tryTake(fits.claim, 0)).toBe(true);
});

test('whoever waits keeps the place by asking again, for two seconds after each time', () => {
  const pool = new MemoryPool(100, 100);
  const [, waiting] = claims(pool, ['a', 60], ['b', 60]);
  const late = new Claim('c', 40);
  expect(waiting && pool.tryTake(waiting.claim, 1_000)).toBe(false);
  expect(pool.tryTake(late, 3_000)).toBe(false);
  expect(pool.tryTake(late, 3_001)).toBe(true);
});

test('a share is exact: what fits to the byte is taken, a byte more waits', () => {
  const pool = new MemoryPool(100, 50);
  const [first, toTheByte, over] = claims(pool, ['a', 1], ['a', 49], ['a', 1]);
  expect([first?.isTaken, toTheByte?.isTaken, over?.isTaken]).toEqual([true, true, false]);
});

test('what a principal waits for counts as its own for whatever it sends next', () => {
  const pool = new MemoryPool(100, 50);
  const [full, , first, second] = claims(pool, ['b', 50], ['c', 40], ['a', 40], ['a', 20]);
  if (!full || !first || !second) throw new Error('no claims');
  pool.giveBack(full.claim);
  expect(pool.tryTake(second.claim, 1)).toBe(false);
  expect(pool.tryTake(first.claim, 1)).toBe(true);
});

const since = (pool: MemoryPool, ...began: [principal: string, bytes: number, at: number][]) =>
  began.map(([principal, bytes, at]) => {
    const claim = new Claim(principal, bytes, bytes, at);
    return { claim, isTaken: pool.tryTake(claim, 10) };
  });

test('of those that wait the body that began first is served first, whenever it began to wait', () => {
  const pool = new MemoryPool(100, 100);
  const [full, young, old, older] = since(pool, ['a', 100, 0], ['b', 60, 5], ['c', 60, 3], ['d', 60, 2]);
  if (!full || !young || !old || !older) throw new Error('no claims');
  expect(pool.waitingCount()).toBe(3);
  pool.giveBack(full.claim);
  for (const { claim } of [young, old]) expect(pool.tryTake(claim, 11)).toBe(false);
  expect(pool.tryTake(older.claim, 11)).toBe(true);
  pool.giveBack(older.claim);
  expect(pool.tryTake(young.claim, 11)).toBe(false);
  expect(pool.tryTake(old.claim, 11)).toBe(true);
});

test('the kept part goes whole to the first that waits, to one at a time, and counts for nobody’s share', () => {
  const pool = new MemoryPool(100, 50, 80);
  const whole = (principal: string, bytes: number, wholeBytes: number) => new Claim(principal, bytes, wholeBytes);
  expect(pool.tryTake(whole('a', 50, 80), 0)).toBe(true);
  expect(pool.reservedBytes).toBe(50);
  const [first, second] = [whole('a', 10, 80), whole('a', 10, 80)];
  expect(pool.tryTake(first, 0)).toBe(true);
  expect([first.bytes, pool.reservedBytes]).toEqual([80, 130]);
  expect(pool.tryTake(second, 0)).toBe(false);
  expect(pool.tryTake(whole('b', 50, 50), 0)).toBe(true);
  pool.giveBack(first);
  expect(pool.reservedBytes).toBe(100);
  const late = whole('c', 10, 10);
  expect(pool.tryTake(late, 0)).toBe(false);
  expect(pool.tryTake(second, 0)).toBe(true);
  expect([second.bytes, pool.reservedBytes, pool.waitingCount()]).toEqual([80, 180, 1]);
});

test('what does not fit into the kept part waits for the shared one', () => {
  const pool = new MemoryPool(100, 50, 80);
  claims(pool, ['a', 50], ['b', 50]);
  const [tooLarge, next] = [new Claim('c', 10, 81), new Claim('d', 10, 80)];
  expect(pool.tryTake(tooLarge, 0)).toBe(false);
  expect(pool.tryTake(next, 0)).toBe(false);
  pool.leave(tooLarge);
  expect(pool.tryTake(next, 0)).toBe(true);
});

test('a claim is waited for by its own principal, and by others that have a share left', () => {
  const pool = new MemoryPool(100, 50);
  const [ofA, ofB] = claims(pool, ['a', 50], ['b', 50]);
  if (!ofA || !ofB) throw new Error('no claims');
  const waitedFor = () => [ofA, ofB].map(({ claim }) => pool.isWaitedFor(claim, 0));
  expect(waitedFor()).toEqual([false, false]);
  const own = new Claim('a', 1);
  pool.tryTake(own, 0);
  expect(waitedFor()).toEqual([true, false]);
  pool.leave(own);
  expect(waitedFor()).toEqual([false, false]);
  pool.tryTake(new Claim('c', 50), 0);
  expect(waitedFor()).toEqual([true, true]);
});

test('the kept part is waited for by all that wait', () => {
  const pool = new MemoryPool(100, 50, 80);
  const [, , kept] = claims(pool, ['a', 50], ['b', 50], ['c', 80]);
  if (!kept) throw new Error('no claim');
  expect(pool.isWaitedFor(kept.claim, 0)).toBe(false);
  pool.tryTake(new Claim('a', 1), 0);
  expect(pool.isWaitedFor(kept.claim, 0)).toBe(true);
});

test('nobody waits any more that has stopped asking', () => {
  const pool = new MemoryPool(100, 100);
  const [first] = claims(pool, ['a', 60], ['b', 60]);
  expect(first && pool.isWaitedFor(first.claim, 2_000)).toBe(true);
  expect(first && pool.isWaitedFor(first.claim, 2_001)).toBe(false);
});

test('behind a claim of the same principal that fits, another one fits that keeps to the share', () => {
  const pool = new MemoryPool(100, 50);
  const [full, , first, second] = claims(pool, ['b', 50], ['c', 40], ['a', 40], ['a', 10]);
  if (full) pool.giveBack(full.claim);
  expect(second && pool.tryTake(second.claim, 1)).toBe(true);
  expect(first && pool.tryTake(first.claim, 1)).toBe(true);
});
