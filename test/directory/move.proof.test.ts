import { env } from 'cloudflare:workers';
import { sweepLeft } from '../../src/directory/move/left';
import { withDatabase } from '../../src/platform/context';
import { newId } from '../../src/platform/ids';
import { sweepFetches, sweepFileDeletions, sweepTrash } from '../../src/prescriptions/sweep';
import { writeExports } from '../../src/restore/organization/write';
import { endOldEvents } from '../../src/webhooks/events/feed';
import { consumeDeliveries, sweepDeliveries } from '../../src/webhooks/sweep';
import { addedSince, close, DATABASES, everything, moveTo, openRich, pass, statesOf } from '../support/moving';
import { ask } from '../support/operator';
import { callApi, expectProblem, signedTokenFor, succeeded } from '../support/organization';
import { beginImport, importFrom, newKey, type OpenFile, type Progress, sendPart } from '../support/organization-file';
import { d1Down, outsideAnswers } from '../support/outbound';
import { problemOf } from '../support/probe';
import { beforeEach, expect, test, vi } from '../support/test';
import { envelope, openPharmacy, rows, submit, systemContext } from '../support/world';

const DAY_SECONDS = 24 * 60 * 60;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
/** A sweep or a consumer on one database. */
async function onShard(shard: number, work: typeof sweepDeliveries) {
  const { ctx, deliveriesEnqueued, settled } = systemContext();
  await work(withDatabase(ctx, ctx.databases.at(shard)));
  await settled();
  return deliveriesEnqueued;
}

test('the rows that are left behind are deleted after a day, and no row of anybody else', async () => {
  await openRich();
  const others = await everything(0);
  const { orgId } = await openRich();
  await moveTo(orgId, 1);
  const left = await everything(0);
  pass(DAY_SECONDS - 60);
  await onShard(0, sweepLeft);
  expect(await everything(0)).toEqual(left);
  pass(120);
  await onShard(0, sweepLeft);
  expect(await statesOf(orgId)).toEqual([null, 'active']);
  expect(await everything(0)).toEqual(others);
});

test('what cannot be deleted keeps nothing else that was left behind from being deleted', async () => {
  const stuck = await Promise.all(Array.from({ length: 6 }, () => openPharmacy()));
  const [refused, ...home] = stuck.map(({ orgId }) => orgId) as [string, ...string[]];
  await moveTo(refused, 1);
  // Left says the database, but the directory does not lead elsewhere.
  for (const orgId of home) await rows("update organizations set state = 'gone', updated_at = 1 where id = ?", orgId);
  const { orgId } = await openPharmacy();
  await moveTo(orgId, 1);
  pass(DAY_SECONDS + 60);
  const { ctx } = systemContext({ env: { DB: refusingDeletes(refused) } });
  await sweepLeft(ctx);
  expect(await statesOf(orgId)).toEqual([null, 'active']);
  for (const each of home) expect(await statesOf(each)).toEqual(['gone', null]);
  expect(await statesOf(refused)).toEqual(['gone', 'active']);
  await onShard(0, sweepLeft);
  expect(await statesOf(refused)).toEqual([null, 'active']);
  for (const each of home) await rows("update organizations set state = 'active' where id = ?", each);
});

/** `DB`, which cannot delete what is of one organization. */
function refusingDeletes(orgId: string): D1Database {
  const prepare = (query: string) => {
    const statement = DATABASES[0].prepare(query);
    const bind = (...values: unknown[]) => {
      const isRefused = query.startsWith('delete from') && values.includes(orgId);
      return Object.assign(statement.bind(...values), { isRefused });
    };
    return { bind };
  };
  const batch = async (statements: (D1PreparedStatement & { isRefused?: boolean })[]) => {
    if (statements.some(({ isRefused }) => isRefused)) throw d1Down();
    return DATABASES[0].batch(statements);
  };
  // SAFETY: the tested code calls only `prepare` and `batch`.
  return { prepare, batch } as unknown as D1Database;
}

test('while it is moved its requests get 503 with Retry-After, and go through afterwards with the same key and token', async () => {
  const rich = await openRich();
  const { fetch } = await close(rich.orgId, 1);
  expect(await statesOf(rich.orgId)).toEqual(['moving', null]);
  const read = await callApi(rich, 'GET', '/orders');
  expectProblem(read, 503, 'organization_moving');
  expect(read.headers.get('Retry-After')).toBe('30');
  const page = await rich.browser.get('/manage/orders');
  expect(page.status).toBe(503);
  expect(page.text).toContain('Die Daten Ihrer Apotheke ziehen um');
  const submission = envelope();
  const refused = await submit(rich, submission);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '30']);
  pass(121);
  const file = await fetch();
  // The isolate has just asked for the route, and keeps it: the old one.
  expectProblem(await callApi(rich, 'GET', '/orders'), 503, 'organization_moving');
  expect((await submit(rich, submission)).status).toBe(503);
  expect(await importFrom(rich.orgId, file)).toMatchObject({ state: 'done', shard: 1 });
  expect((await submit(rich, submission)).status).toBe(200);
  succeeded(await callApi(rich, 'GET', '/orders'));
  const reference = submission.external_reference;
  const found = await Promise.all(
    DATABASES.map((db) =>
      db.prepare('select id from order_requests where external_reference = ?').bind(reference).all(),
    ),
  );
  expect(found.map(({ results }) => results.length)).toEqual([0, 1]);
  const again = await submit(rich, submission);
  expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
});

test('nothing new is begun for it while it is moved; what waits is posted once, from its new database', async () => {
  const rich = await openRich();
  const posts = outsideAnswers();
  pass(3600);
  const due = (
    await rows<{ id: string }>("select id from deliveries where org_id = ? and status = 'pending'", rich.orgId)
  ).map(({ id }) => id);
  expect(due.length).toBeGreaterThan(0);
  const mine = (messages: readonly { id: string }[]) => messages.map(({ id }) => id).filter((id) => due.includes(id));
  const consume = (shard: number) => onShard(shard, (ctx) => consumeDeliveries(ctx, due));
  const { fetch } = await close(rich.orgId, 1);
  const ofOrganization = async () => [...(await everything(0))].filter((row) => row.includes(rich.orgId));
  const fenced = await ofOrganization();
  expect(mine(await onShard(0, sweepDeliveries))).toEqual([]);
  await consume(0);
  await onShard(0, endOldEvents);
  await onShard(0, sweepFetches);
  expect(await ofOrganization()).toEqual(fenced);
  pass(121);
  await importFrom(rich.orgId, await fetch());
  expect(posts).toEqual([]);
  expect(mine(await onShard(0, sweepDeliveries))).toEqual([]);
  await consume(0);
  expect(posts).toEqual([]);
  for (let runs = 0; runs < due.length; runs += 1) {
    const sent = mine(await onShard(1, sweepDeliveries));
    await onShard(1, (ctx) => consumeDeliveries(ctx, sent));
    pass(61);
  }
  const ids = posts.map(({ headers }) => headers.get('X-Service-Delivery-Id') ?? '');
  expect(ids.toSorted()).toEqual(due.toSorted());
});

test('the outcome of a post that was under way when it was fenced is recorded, and moves along', async () => {
  const { orgId, ...rest } = await openRich();
  const rich = { orgId, ...rest };
  await rows('update subscriptions set is_healthy = 1 where org_id = ?', orgId);
  await rows("update deliveries set status = 'succeeded', next_attempt_at = 0 where org_id = ?", orgId);
  let closed: Awaited<ReturnType<typeof close>> | undefined;
  const posts = outsideAnswers(async () => {
    closed = await close(orgId, 1);
    return new Response(null, { status: 204 });
  });
  expect((await submit(rich, envelope())).status).toBe(200);
  expect(posts).toHaveLength(1);
  expect(await statesOf(orgId)).toEqual(['moving', null]);
  const [last] = await rows(
    'select status, attempt_count from deliveries where org_id = ? order by id desc limit 1',
    orgId,
  );
  expect(last).toEqual({ status: 'succeeded', attempt_count: 1 });
  pass(121);
  await importFrom(orgId, (await closed?.fetch()) as OpenFile);
  pass(3600);
  const mine = new Set(
    (await rows<{ id: string }>('select id from deliveries where org_id = ?', orgId)).map(({ id }) => id),
  );
  expect((await onShard(1, sweepDeliveries)).filter(({ id }) => mine.has(id))).toEqual([]);
});

test('a file that is given up after the move stays in the trash, whatever the rows say that were left behind', async () => {
  const { orgId } = await openRich();
  const [named] = await rows<{ key: string }>('select file_key as key from prescriptions where org_id = ?', orgId);
  const fileKey = named?.key ?? '';
  await moveTo(orgId, 1);
  await DATABASES[1].batch([
    DATABASES[1].prepare("update prescriptions set status = 'erased', file_key = null where org_id = ?").bind(orgId),
    DATABASES[1].prepare('insert into file_deletions (file_key, created_at) values (?, ?)').bind(fileKey, Date.now()),
  ]);
  expect(await env.FILES.head(fileKey)).not.toBeNull();
  await onShard(1, sweepFileDeletions);
  expect(await env.FILES.head(fileKey)).toBeNull();
  await onShard(0, sweepTrash);
  expect(await env.FILES.head(fileKey)).toBeNull();
});

test('a move that nobody goes on with is given up an hour after the file was ready', async () => {
  const before = await everything(0);
  const rich = await openRich();
  const { orgId } = rich;
  const was = await addedSince(before, 0);
  const { fetch } = await close(orgId, 1);
  pass(121);
  const file = await fetch();
  const begun = await (await beginImport(orgId, file.manifest)).json<Progress>();
  await sendPart(orgId, begun.import_id, 0, file.parts[0] as Uint8Array);
  pass(3_500);
  await writeExports(systemContext().ctx);
  expect(await statesOf(orgId)).toEqual(['moving', 'moving']);
  pass(200);
  await writeExports(systemContext().ctx);
  expect(await statesOf(orgId)).toEqual(['active', 'moving']);
  rich.token = await signedTokenFor(rich);
  succeeded(await callApi(rich, 'GET', '/orders'));
  // The file is of a fence that is over.
  await expect(importFrom(orgId, file)).rejects.toThrow();
  expect(await statesOf(orgId)).toEqual(['active', 'moving']);
  const isNews = (row: string) => /organization\.export_begun/.test(row);
  expect((await addedSince(before, 0)).filter((row) => !isNews(row))).toEqual(was);
  expect(await moveTo(orgId, 1)).toMatchObject({ state: 'done', shard: 1 });
});

test.each([0, 1, 2, 3])(
  'a move that dies after batch %i of its switch, and that no script goes on with, ends an hour later',
  async (lasts) => {
    const rich = await openRich();
    const { orgId } = rich;
    const { fetch } = await close(orgId, 1);
    pass(121);
    const file = await fetch();
    let batches = Number.POSITIVE_INFINITY;
    const dying = (db: D1Database) => {
      const batch = async (statements: D1PreparedStatement[]) => {
        batches -= 1;
        if (batches < 0) throw d1Down();
        return db.batch(statements);
      };
      // SAFETY: the tested code calls only `prepare` and `batch`.
      return { prepare: (query: string) => db.prepare(query), batch } as unknown as D1Database;
    };
    const env = { DB: dying(DATABASES[0]), DB_1: dying(DATABASES[1]) };
    const { import_id: id } = await (await beginImport(orgId, file.manifest, {}, env)).json<Progress>();
    for (const [part, bytes] of file.parts.entries()) {
      if (/prescriptions-\d+\.tar/.test(JSON.parse(file.manifest).parts[part].name)) continue;
      await sendPart(orgId, id, part, bytes, env);
    }
    batches = lasts;
    await beginImport(orgId, file.manifest, {}, env);
    const switched = [
      ['moving', 'moving'],
      ['gone', 'moving'],
      ['gone', 'moving'],
      ['gone', 'active'],
    ][lasts];
    expect(await statesOf(orgId)).toEqual(switched);
    const { public_key } = await newKey();
    // As a second run of the script begins.
    const again = await ask(`/organizations/${orgId}/exports`, { public_key, move_to: 1 });
    await (lasts < 3 ? problemOf(again, 503, 'organization_moving') : problemOf(again, 409, 'conflict'));
    pass(3_400);
    await writeExports(systemContext().ctx);
    expect(await statesOf(orgId)).toEqual(switched);
    pass(300);
    await writeExports(systemContext().ctx);
    expect(await statesOf(orgId)).toEqual(['gone', 'active']);
    pass(61);
    rich.token = await signedTokenFor(rich);
    succeeded(await callApi(rich, 'GET', '/orders'));
    expect(await moveTo(orgId, 0)).toMatchObject({ state: 'done', shard: 0 });
  },
);

test('a move whose calls die at any batch is completed by the next: nothing is lost or doubled, and never are both active', async () => {
  const before = await everything(1);
  const { orgId } = await openRich();
  const { fetch } = await close(orgId, 1);
  pass(121);
  const file = await fetch();
  const isOf = (row: string) => !/^staff_(sessions|resets|page_data)|organization\.imported/.test(row);
  const was = (await everything(0)).difference(new Set<string>());
  let batches = 0;
  const dying = (db: D1Database) => {
    const batch = async (statements: D1PreparedStatement[]) => {
      batches += 1;
      // Some are lost, some carried out without an answer.
      if (batches % 53 === 3) throw d1Down();
      const results = await db.batch(statements);
      if (batches % 53 === 50) throw d1Down();
      return results;
    };
    // SAFETY: the tested code calls only `prepare` and `batch`.
    return { prepare: (query: string) => db.prepare(query), batch } as unknown as D1Database;
  };
  const env = { DB: dying(DATABASES[0]), DB_1: dying(DATABASES[1]) };
  let next = 0;
  for (let calls = 0, state = ''; state !== 'done'; calls += 1) {
    expect(calls).toBeLessThan(300);
    const begun = await (await beginImport(orgId, file.manifest, {}, env)).json<Progress>();
    expect((await statesOf(orgId)).filter((each) => each === 'active').length).toBeLessThanOrEqual(1);
    state = begun.state ?? '';
    if (state !== 'receiving' || begun.next >= begun.parts) continue;
    next = begun.next;
    await sendPart(orgId, begun.import_id, next, file.parts[next] as Uint8Array, env);
  }
  expect(await statesOf(orgId)).toEqual(['gone', 'active']);
  const there = await addedSince(before, 1);
  expect(there.filter(isOf)).toEqual(
    [...was].filter((row) => isOf(row) && (row.includes(orgId) || there.includes(row))).toSorted(),
  );
  expect(there.length).toBeGreaterThan(50);
}, 60_000);

test('what cannot be moved is refused', async ({ pharmacy: { orgId } }) => {
  const { public_key } = await newKey();
  const begin = (shard: number, of = orgId) => ask(`/organizations/${of}/exports`, { public_key, move_to: shard });
  await problemOf(await begin(0), 409, 'conflict');
  await problemOf(await begin(2), 400, 'validation_failed');
  await problemOf(await begin(1, newId()), 404, 'organization_not_found');
  expect(await statesOf(orgId)).toEqual(['active', null]);
});
