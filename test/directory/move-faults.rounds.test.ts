import { beforeEach, expect, test, vi } from 'vitest';
import { addedSince, DATABASES, everything, move, openRich, pass, progressOf, statesOf } from '../support/moving';
import { d1Down } from '../support/outbound';
import { rounds } from '../support/rounds';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
interface Death {
  /** The batch at which the invocation ends, from 1 on, counted over all databases. */
  batch: number;
  /** Whether that batch is still carried out. */
  isCarriedOut: boolean;
}

/** The databases of one invocation, which may end in the middle. */
function mortal(death?: Death): { env: Partial<Env>; batches: () => number } {
  let batches = 0;
  const through = (db: D1Database) => {
    const batch = async (statements: D1PreparedStatement[]) => {
      batches += 1;
      if (!death || batches < death.batch) return db.batch(statements);
      if (batches === death.batch && death.isCarriedOut) await db.batch(statements);
      throw d1Down();
    };
    // SAFETY: the tested code calls only `prepare` and `batch`.
    return { prepare: (query: string) => db.prepare(query), batch } as unknown as D1Database;
  };
  return { env: { DB: through(DATABASES[0]), DB_1: through(DATABASES[1]) }, batches: () => batches };
}

/** `count` deaths spread over a call of so many batches, and each of its last ones. */
function deathsOf(batches: number, count: number, last: number): Death[] {
  const spread = Array.from({ length: count }, (_, index) => 1 + Math.floor((index * batches) / count));
  const end = Array.from({ length: last }, (_, index) => batches - index);
  return [
    ...spread.map((batch, index) => ({ batch, isCarriedOut: index % 2 === 0 })),
    ...end.flatMap((batch) => [
      { batch, isCarriedOut: false },
      { batch, isCarriedOut: true },
    ]),
  ];
}

test('a move whose invocation ends at any write is completed by the next: nothing is lost or doubled, and never are both active', async () => {
  const before = [await everything(0), await everything(1)] as const;
  const { orgId } = await openRich();
  const was = await addedSince(before[0], 0);
  let home = 0;
  const moveAway = async (begin?: Death, copy?: Death) => {
    const to = 1 - home;
    const [first, second] = [mortal(begin), mortal(copy)];
    await move(orgId, to, first.env);
    if (begin) {
      expect((await statesOf(orgId)).filter((state) => state === 'active').length).toBeLessThanOrEqual(1);
      pass(61);
      await move(orgId, to);
    }
    pass(121);
    await move(orgId, to, second.env);
    if (copy) {
      expect((await statesOf(orgId)).filter((state) => state === 'active').length).toBeLessThanOrEqual(1);
      pass(61);
      await move(orgId, to);
    }
    // A call carries out so many pages and no more.
    while ((await progressOf(orgId)).state === 'moving') await move(orgId, to);
    expect(await progressOf(orgId), JSON.stringify({ begin, copy })).toMatchObject({ state: 'settled', shard: to });
    expect((await statesOf(orgId))[to]).toBe('active');
    expect((await statesOf(orgId))[home]).toBe('gone');
    const there = await addedSince(before[to] as ReadonlySet<string>, to);
    expect(there, JSON.stringify({ begin, copy })).toEqual(was);
    home = to;
    return [first.batches(), second.batches()] as const;
  };
  // There and back, so that each move finds what an earlier stay left behind.
  await moveAway();
  const [begins, copies] = await moveAway();
  expect(copies).toBeGreaterThan(30);
  for (const death of deathsOf(begins, 0, rounds(0, begins))) await moveAway(death);
  for (const death of deathsOf(copies, rounds(2, 60), rounds(0, 12))) await moveAway(undefined, death);
});
