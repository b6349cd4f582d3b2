import { expect, it } from 'vitest';
import { Claim, MemoryPool } from '../../src/platform/memory-pool';

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
  expect(pool.reservedBytes).toBe(100);
});

it('a principal that holds nothing gets one claim of any size that fits', () => {
  const pool = new MemoryPool(100, 50);
  const [large, more, other] = claims(pool, ['a', 70], ['a', 1], ['b', 30]);
  expect([large?.isTaken, more?.isTaken, other?.isTaken]).toEqual([true, false, true]);
});

it('whoever waits keeps the place by asking again, for two seconds after each time', () => {
  const pool = new MemoryPool(100, 100);
  const [, waiting] = claims(pool, ['a', 60], ['b', 60]);
  const late = new Claim('c', 40);
  expect(waiting && pool.tryTake(waiting.claim, 1_000)).toBe(false);
  expect(pool.tryTake(late, 3_000)).toBe(false);
  expect(pool.tryTake(late, 3_001)).toBe(true);
});

it('whoever leaves waits no longer, whoever took no longer either', () => {
  const pool = new MemoryPool(100, 100);
  const [first, second] = claims(pool, ['a', 60], ['b', 60]);
  expect(pool.waitingCount).toBe(1);
  if (second) pool.leave(second.claim);
  expect(pool.waitingCount).toBe(0);
  if (first) pool.leave(first.claim);
  expect([pool.reservedBytes, pool.tryTake(new Claim('c', 40), 0)]).toEqual([60, true]);
});

it('a claim is given back once, and as much of it as is left', () => {
  const pool = new MemoryPool(100, 100);
  const [first, other] = claims(pool, ['a', 60], ['b', 40]);
  if (!first || !other) throw new Error('no claims');
  pool.shrink(first.claim, 60);
  pool.shrink(first.claim, 70);
  expect(pool.reservedBytes).toBe(100);
  pool.shrink(first.claim, 25);
  expect(pool.reservedBytes).toBe(65);
  pool.giveBack(first.claim);
  pool.giveBack(first.claim);
  pool.shrink(first.claim, 5);
  expect(pool.reservedBytes).toBe(40);
});

it('a claim that was not taken has nothing to give back', () => {
  const pool = new MemoryPool(100, 100);
  const [, waiting] = claims(pool, ['a', 60], ['b', 60]);
  if (!waiting) throw new Error('no claim');
  pool.giveBack(waiting.claim);
  pool.shrink(waiting.claim, 10);
  expect(pool.reservedBytes).toBe(60);
});

it('a share is exact: what fits to the byte is taken, a byte of one’s own makes a larger claim wait', () => {
  const pool = new MemoryPool(100, 50);
  const [first, toTheByte, over] = claims(pool, ['a', 1], ['a', 49], ['a', 1]);
  expect([first?.isTaken, toTheByte?.isTaken, over?.isTaken]).toEqual([true, true, false]);
  const other = new MemoryPool(100, 50);
  expect(claims(other, ['a', 1], ['a', 70]).map(({ isTaken }) => isTaken)).toEqual([true, false]);
});

it('whoever gave all back may take a claim of any size again', () => {
  const pool = new MemoryPool(100, 50);
  const [first] = claims(pool, ['a', 30]);
  if (first) pool.giveBack(first.claim);
  expect(pool.tryTake(new Claim('a', 100), 0)).toBe(true);
});

it('memory is reserved for the body that came first, even if others try before it', () => {
  const pool = new MemoryPool(100, 100);
  const [full, first, second] = claims(pool, ['a', 100], ['b', 60], ['c', 60]);
  if (!full || !first || !second) throw new Error('no claims');
  pool.giveBack(full.claim);
  expect(pool.tryTake(second.claim, 1)).toBe(false);
  expect(pool.tryTake(first.claim, 1)).toBe(true);
});

it('what a principal waits for counts as its own for whatever it sends next', () => {
  const pool = new MemoryPool(100, 50);
  const [full, first, second] = claims(pool, ['b', 80], ['a', 40], ['a', 20]);
  if (!full || !first || !second) throw new Error('no claims');
  pool.giveBack(full.claim);
  expect(pool.tryTake(second.claim, 1)).toBe(false);
  expect(pool.tryTake(first.claim, 1)).toBe(true);
});
