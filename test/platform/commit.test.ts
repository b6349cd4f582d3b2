import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { recordAudit } from '../../src/audit/record';
import { commit, type OutboxEntry, organizationMustExist, outboxEntry, tryCommit } from '../../src/platform/commit';
import { retryOnConflict } from '../../src/platform/conflict';
import type { Context } from '../../src/platform/context';
import { assertInBatch, mustChangeOneRow } from '../../src/platform/data/db';
import { orm } from '../../src/platform/data/statements';
import { AppError } from '../../src/platform/errors/errors';
import { newId } from '../../src/platform/ids';
import { secretCanaries, subscriptions } from '../../src/webhooks/tables';
import { faultyDatabase } from '../support/faults';
import { doctoredDb } from '../support/probe';
import { rows, systemContext } from '../support/world';

interface World {
  ctx: Context;
  /** Deferred work, in order. */
  deferred: Promise<unknown>[];
  /** Names of logged events. */
  logged: string[];
}

function open(env: Partial<Env> = {}): World {
  const deferred: Promise<unknown>[] = [];
  const logged: string[] = [];
  const ctx: Context = {
    ...systemContext({ env }).ctx,
    defer: (work) => deferred.push(work),
    log: (_level, event) => logged.push(event),
    wait: async () => undefined,
  };
  return { ctx, deferred, logged };
}

/** A statement that gives rows with these ids. */
function giving(ids: readonly string[]) {
  return orm.select({ id: sql<string>`value`.as('id') }).from(sql`json_each(${JSON.stringify(ids)})`);
}

function audit(ctx: Context, entityId: string) {
  return recordAudit(ctx, { orgId: newId(), action: 'organization.created', entityId });
}

/** A row of a small table. */
function adding(keyId: string) {
  return orm.insert(secretCanaries).values({ keyId, fingerprint: 'new', createdAt: 0 });
}

/** Changes each of these rows. */
function changing(keyIds: readonly string[]) {
  return orm
    .update(secretCanaries)
    .set({ fingerprint: 'changed' })
    .where(sql`${secretCanaries.keyId} in (select value from json_each(${JSON.stringify(keyIds)}))`);
}

function written(entityId: string) {
  return rows('select entity_id from audit_log where entity_id = ?', entityId);
}

/** An after-commit function that keeps what it is called with. */
function recorder() {
  const calls: string[][] = [];
  const afterCommit = async (_ctx: Context, due: readonly { id: string }[]) => {
    calls.push(due.map(({ id }) => id));
  };
  return { calls, afterCommit };
}

const refusal = () => new AppError('changed_meanwhile', 'Read it again.');

test('what entries start is started once for a batch, with the rows of all of them', async () => {
  const { ctx, deferred } = open();
  const [deliveries, fetches] = [recorder(), recorder()];
  const entityId = newId();
  await commit(ctx, {
    first: outboxEntry([audit(ctx, entityId), giving(['a', 'b'])], deliveries),
    others: [outboxEntry([giving(['c'])], deliveries), outboxEntry([giving(['f'])], fetches)],
  });
  await Promise.all(deferred);
  expect(deliveries.calls).toEqual([['a', 'b', 'c']]);
  expect(fetches.calls).toEqual([['f']]);
  expect(await written(entityId)).toHaveLength(1);
});

test('entries without rows start nothing', async () => {
  const { ctx, deferred } = open();
  const { calls, afterCommit } = recorder();
  await commit(ctx, { none: outboxEntry([giving([])], { afterCommit }), absent: undefined });
  expect(deferred).toEqual([]);
  expect(calls).toEqual([]);
});

test('each entry’s rows are given under its name, whatever stands between them', async () => {
  const { ctx } = open();
  const keyId = newId();
  await commit(ctx, { row: adding(keyId) });
  const done = await commit(ctx, {
    guarded: mustChangeOneRow(changing([keyId]).returning({ changed: secretCanaries.keyId })),
    list: [audit(ctx, newId()), assertInBatch(sql`1`)],
    absent: undefined,
    entry: outboxEntry([audit(ctx, newId()), giving(['x'])], recorder()),
    last: giving(['y', 'z']),
  });
  expect(done).toEqual({
    guarded: [{ changed: keyId }],
    list: undefined,
    absent: undefined,
    entry: [{ id: 'x' }],
    last: [{ id: 'y' }, { id: 'z' }],
  });
});

test('a batch is one round trip, and an empty one none', async () => {
  const { ctx } = open();
  await commit(ctx, { a: giving(['a']), b: assertInBatch(sql`1`) });
  expect(ctx.db.meter).toMatchObject({ roundTrips: 1, statements: 2 });
  await commit(ctx, { none: undefined, list: [] });
  expect(ctx.db.meter).toMatchObject({ roundTrips: 1, statements: 2 });
});

test.each([
  ['a write that must change one row and changes none', () => mustChangeOneRow(changing([]))],
  ['a condition that does not hold', () => assertInBatch(sql`0`)],
])('%s gives the refusal, writes nothing and starts nothing', async (_, guard) => {
  const { ctx, deferred } = open();
  const { calls, afterCommit } = recorder();
  const entityId = newId();
  const batch = () => ({
    event: outboxEntry([audit(ctx, entityId), giving(['a'])], { afterCommit }),
    guard: guard(),
    audit: audit(ctx, entityId),
  });
  await expect(commit(ctx, batch(), { refused: async () => refusal() })).rejects.toEqual(refusal());
  expect(await tryCommit(ctx, batch())).toBeNull();
  expect(await written(entityId)).toEqual([]);
  expect(deferred).toEqual([]);
  expect(calls).toEqual([]);
});

test('a write that must change one row changes neither two nor none', async () => {
  const { ctx } = open();
  const [one, other] = [newId(), newId()];
  await commit(ctx, { rows: [adding(one), adding(other)] });
  expect(await tryCommit(ctx, { both: mustChangeOneRow(changing([one, other])) })).toBeNull();
  const changed = `select key_id from secret_canaries where key_id in (?, ?) and fingerprint = 'changed'`;
  expect(await rows(changed, one, other)).toEqual([]);
});

test('a guard that holds asks for no refusal', async () => {
  const { ctx } = open();
  const refused = () => {
    throw new Error('asked');
  };
  await commit(ctx, { guard: assertInBatch(sql`1`) }, { refused });
});

test('another constraint gives the refusal of its name or of its kind, and none of theirs is a failed guard', async () => {
  const { ctx } = open();
  const orphan = {
    ...{ id: newId(), orgId: newId(), url: 'https://example.com', host: 'example.com', eventTypes: [] },
    ...{ status: 'active' as const, secretCiphertext: '', createdAt: 0, updatedAt: 0 },
  };
  const batch = () => ({ subscription: orm.insert(subscriptions).values(orphan) });
  const constraints = organizationMustExist;
  const refused = () => new AppError('conflict', 'not this one');
  await expect(commit(ctx, batch(), { refused, constraints })).rejects.toMatchObject({
    code: 'organization_not_found',
  });
  await expect(commit(ctx, batch(), { refused })).rejects.toMatchObject({ kind: 'foreign_key' });
  await expect(tryCommit(ctx, batch())).rejects.toMatchObject({ kind: 'foreign_key' });
});

test('a lost race is decided again by the caller, and only the try that wins starts anything', async () => {
  const { ctx, deferred } = open();
  const { calls, afterCommit } = recorder();
  let tries = 0;
  const run = async () => {
    tries += 1;
    await commit(ctx, {
      event: outboxEntry([giving([`try ${tries}`])], { afterCommit }),
      guard: assertInBatch(tries > 2 ? sql`1` : sql`0`),
    });
    return tries;
  };
  expect(await retryOnConflict(ctx, run)).toBe(3);
  await Promise.all(deferred);
  expect(calls).toEqual([['try 3']]);
  tries = -100;
  await expect(retryOnConflict(ctx, run, 2)).rejects.toMatchObject({ code: 'conflict' });
  expect(tries).toBe(-98);
});

test('of a batch that D1 carries out twice what gives rows again is started once', async () => {
  const { DB, sizes } = faultyDatabase({ batch: 1, how: 'is carried out and its answer lost, a transient error' });
  const { ctx, deferred } = open({ DB });
  const { calls, afterCommit } = recorder();
  // As an insert that finds its row there already: it gives it the first time alone.
  const once = adding(newId()).onConflictDoNothing().returning({ id: secretCanaries.keyId });
  await commit(ctx, {
    once: outboxEntry([once], { afterCommit }),
    selected: outboxEntry([giving(['a'])], { afterCommit }),
  });
  await Promise.all(deferred);
  expect(sizes).toHaveLength(2);
  expect(calls).toEqual([['a']]);
});

test('a batch that D1 does not carry out starts nothing', async () => {
  const DB = doctoredDb(() => Promise.reject(new Error('D1_ERROR: internal error; reference = 0')));
  const { ctx, deferred } = open({ DB });
  const batch = { event: outboxEntry([giving(['a'])], recorder()) };
  await expect(commit(ctx, batch)).rejects.toMatchObject({ code: 'backend_unreachable' });
  await expect(tryCommit(ctx, batch)).rejects.toMatchObject({ code: 'backend_unreachable' });
  expect(deferred).toEqual([]);
});

test('what fails after the commit is logged and fails nothing', async () => {
  const { ctx, deferred, logged } = open();
  const entityId = newId();
  const fails = () => {
    throw new Error('no');
  };
  await commit(ctx, { event: outboxEntry([audit(ctx, entityId), giving(['a'])], { afterCommit: fails }) });
  await Promise.all(deferred);
  expect(logged).toEqual(['after_commit_failed']);
  expect(await written(entityId)).toHaveLength(1);
});

test('an outbox entry is taken by a commit alone', () => {
  const { ctx } = open();
  const entry: OutboxEntry<{ id: string }[]> = outboxEntry([giving(['a'])], recorder());
  // @ts-expect-error its statements run through `commit`, with what follows
  const run = () => ctx.db.run({ entry });
  expect(run).toBeTypeOf('function');
  expect(Object.keys(entry)).toEqual([]);
});
