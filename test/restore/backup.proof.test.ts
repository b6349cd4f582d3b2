import { env as bound } from 'cloudflare:workers';
import { Decrypter } from 'age-encryption';
import { journalSince } from '../../src/audit/journal';
import { readHealth } from '../../src/health/watch';
import { actingAs } from '../../src/platform/context';
import { backUp } from '../../src/restore/organization/backup';
import { writeExports } from '../../src/restore/organization/write';
import { allKeys } from '../support/files';
import { openRich } from '../support/moving';
import { ask } from '../support/operator';
import { openPrescribed } from '../support/order-flow';
import { begin, importFrom, newKey, openedFile } from '../support/organization-file';
import { outsideAnswers } from '../support/outbound';
import { problemOf } from '../support/probe';
import { openSeller, placeOrder } from '../support/seller';
import { beforeEach, expect, test, vi } from '../support/test';
import { BASE, call, envelope, rows, submit, systemContext } from '../support/world';

// Against a real S3 server: test/node/backup.extended.test.ts.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const URL_OF_BUCKET = 'https://s3.eu.backups.example/bucket';

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await bound.FILES.put('installation', 'test');
  const old = [...(await allKeys('backups/')), ...(await allKeys('exports/')), ...(await allKeys('journal/'))];
  if (old.length > 0) await bound.FILES.delete(old);
});

/** A deployment with a bucket of backups, and what lies in it. */
async function backedUp() {
  const { identity, public_key } = await newKey();
  const env = {
    BACKUP_URL: URL_OF_BUCKET,
    BACKUP_PUBLIC_KEY: public_key,
    BACKUP_ACCESS_KEY: 'id:secret',
  } as Partial<Env>;
  const bucket = new Map<string, Uint8Array>();
  let refusal: (() => Response) | null = null;
  let puts = 0;
  const calls = outsideAnswers(({ url, bytes }) => {
    puts += 1;
    if (refusal) return refusal();
    bucket.set(url.slice(URL_OF_BUCKET.length + 1), bytes);
    return new Response();
  });
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      const { ctx } = systemContext({ env });
      await writeExports(ctx);
      await backUp(ctx);
      vi.setSystemTime(Date.now() + MINUTE);
    }
  };
  /** The names of an organization's backups, in the order in which they were made; whole ones only. */
  const of = (orgId: string) =>
    [...bucket.keys()].filter(
      (name) => name.startsWith(`organizations/${orgId}/`) && name.endsWith('manifest.json.age'),
    );
  const open = async (manifest: string) => {
    const folder = manifest.replace(/[^/]+$/, '');
    const names = [...bucket.keys()].filter((name) => name.startsWith(folder) && name !== manifest).toSorted();
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const parts = new Map<string, Uint8Array>();
    for (const name of [manifest, ...names]) {
      parts.set(name.slice(folder.length), await decrypter.decrypt(bucket.get(name) as Uint8Array));
    }
    return openedFile(parts);
  };
  const check = async () => {
    const { ctx } = systemContext({ env });
    return (await readHealth(actingAs(ctx, { kind: 'operator', name: 'test' }))).checks.backup;
  };
  const refuse = (answer: (() => Response) | null) => {
    refusal = answer;
  };
  return { env, bucket, calls, minutes, of, open, check, refuse, puts: () => puts };
}

const REFUSED = () =>
  new Response('<Error><Code>SignatureDoesNotMatch</Code><Message>x</Message></Error>', { status: 403 });

test('each organization that has changed is backed up once a day, whole, and goes back to it beside others', async () => {
  const rich = await openRich();
  const { orgId } = rich;
  await openPrescribed(rich);
  const other = await openSeller();
  // After those, whose receivers of webhooks answer as well.
  const at = await backedUp();
  await at.minutes(12);
  expect([at.of(orgId), at.of(other.orgId)]).toEqual([[expect.any(String)], [expect.any(String)]]);
  expect(await at.check()).toEqual({ status: 'ok', figure: 0 });
  // Nothing of it stays in the bucket of the service but when it was.
  expect((await allKeys('exports/')).filter((key) => !key.startsWith('exports/ends'))).toEqual([]);

  vi.setSystemTime(Date.now() + DAY);
  expect((await submit(other, envelope())).status).toBe(200);
  await at.minutes(12);
  expect([at.of(orgId).length, at.of(other.orgId).length]).toEqual([1, 2]);
  // Its last one would otherwise be deleted some day.
  vi.setSystemTime(Date.now() + 15 * DAY);
  await at.minutes(12);
  expect(at.of(orgId)).toHaveLength(2);

  const others = await rows('select * from orders where org_id = ?', other.orgId);
  const orders = await rows<{ id: string }>('select id from orders where org_id = ?', orgId);
  await rows("update orders set note = 'spoiled' where org_id = ?", orgId);
  const file = await at.open(at.of(orgId).at(-1) ?? '');
  vi.setSystemTime(Date.now() + MINUTE);
  expect(await importFrom(orgId, file, { replace: true })).toMatchObject({ mode: 'replace', state: 'done' });
  const after = await rows<{ id: string; note: string }>('select id, note from orders where org_id = ?', orgId);
  expect(after.map(({ id }) => id)).toEqual(orders.map(({ id }) => id));
  expect(after.filter(({ note }) => note === 'spoiled')).toEqual([]);
  expect(await rows('select * from orders where org_id = ?', other.orgId)).toEqual(others);
});

test('objects are signed, locked for 30 days and sent once, the manifest last', async ({ seller }) => {
  const at = await backedUp();
  await at.minutes(12);
  const mine = at.calls.filter(({ url }) => url.includes(seller.orgId));
  expect(mine.length).toBeGreaterThan(4);
  expect(new Set(mine.map(({ url }) => url)).size).toBe(mine.length);
  expect(mine.at(-1)?.url).toContain('/manifest.json.age');
  const { headers, method, init } = mine[0] ?? {};
  expect([method, init?.redirect, init?.cache]).toEqual(['PUT', 'manual', 'no-store']);
  expect(headers?.get('Authorization')).toMatch(
    /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=content-md5;/,
  );
  const days = (Date.parse(headers?.get('X-Amz-Object-Lock-Retain-Until-Date') ?? '') - Date.now()) / DAY;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThanOrEqual(30);
  expect(JSON.stringify([...at.bucket.keys()])).not.toMatch(/Mustermann|secret/);
});

test('while the bucket refuses or is down nothing is lost: it goes on where it was, and readiness says so', async ({
  seller,
}) => {
  const at = await backedUp();
  await at.minutes(2);
  const sent = at.of(seller.orgId).length;
  at.refuse(REFUSED);
  await placeOrder(seller);
  await bound.FILES.put('journal/2026-11-29/019ad000-0000-7000-8000-000000000001', '{"v":1}');
  await ask('/backups', {}, { env: at.env });
  await at.minutes(3);
  const told = await (await ask('/backups', undefined, { method: 'GET', env: at.env })).json();
  expect(told).toMatchObject({ state: 'running', failure: 'SignatureDoesNotMatch' });
  expect((await at.check())?.status).toBe('ok');
  vi.setSystemTime(Date.now() + DAY);
  await at.minutes(1);
  expect(await at.check()).toMatchObject({ status: 'warning', names: ['SignatureDoesNotMatch'] });
  at.refuse(null);
  await at.minutes(15);
  expect(await at.check()).toEqual({ status: 'ok', figure: 0 });
  expect(at.of(seller.orgId).length).toBeGreaterThan(sent);
  expect([...at.bucket.keys()]).toContain('journal/2026-11-29/019ad000-0000-7000-8000-000000000001');
});

const HANGING = () => {
  throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
};

test.each([
  ['refuses', REFUSED, 'SignatureDoesNotMatch', true],
  ['hangs', HANGING, 'timeout', false],
] as const)(
  'a bucket that %s in the middle of a round is told, until it takes the files',
  async (_, answer, code, areAllTried) => {
    await openSeller();
    await openSeller();
    const at = await backedUp();
    const failure = async () =>
      (await (await ask('/backups', undefined, { method: 'GET', env: at.env })).json<{ failure: string }>()).failure;
    at.refuse(null);
    await at.minutes(1);
    expect(await failure()).toBeNull();
    // The round has begun, and nothing else is sent than the files of two organizations.
    at.refuse(answer);
    await at.minutes(2);
    const before = at.puts();
    await at.minutes(1);
    expect([await failure(), at.puts() - before > 1]).toEqual([code, areAllTried]);
    at.refuse(null);
    await ask('/backups', {}, { env: at.env });
    expect(await failure()).toBeNull();
    await at.minutes(12);
    expect([await failure(), await at.check()]).toEqual([null, { status: 'ok', figure: 0 }]);
  },
);

test('the journal is copied in the same minute, again where it was replaced, and once otherwise', async ({
  seller,
}) => {
  const at = await backedUp();
  await at.minutes(12);
  const order = await placeOrder(seller);
  const erased = await rows<{ customer_id: string }>('select customer_id from orders where id = ?', order.id);
  const entry = `journal/2026-11-29/019ad000-0000-7000-8000-${erased[0]?.customer_id.slice(-12)}`;
  await bound.FILES.put(entry, '{"v":1,"kind":"order"}');
  await at.minutes(1);
  expect(new TextDecoder().decode(at.bucket.get(entry))).toBe('{"v":1,"kind":"order"}');
  await bound.FILES.put(entry, '{"v":1,"kind":"order","order_ids":["a"]}');
  await at.minutes(1);
  expect(new TextDecoder().decode(at.bucket.get(entry))).toContain('order_ids');
  const puts = at.calls.filter(({ url }) => url.includes('journal/')).length;
  await at.minutes(45);
  expect(at.calls.filter(({ url }) => url.includes('journal/'))).toHaveLength(puts);
});

test('a new deployment replaces no time since when a journal was kept, and of copied ones the oldest counts', async () => {
  const at = await backedUp();
  const timesIn = () => [...at.bucket].filter(([name]) => name.startsWith('journal-since/'));
  const since = () => journalSince(systemContext().ctx);
  const first = await since();
  await at.minutes(1);
  // The account is lost, and the bucket of the new one is empty.
  await bound.FILES.delete([...(await allKeys('backups/')), ...(await allKeys('exports/'))]);
  await bound.FILES.put('journal-since/2026', new Date(Number(first) + DAY).toISOString());
  await at.minutes(1);
  const times = timesIn();
  expect(times.map(([, text]) => Date.parse(new TextDecoder().decode(text)))).toEqual([first, Number(first) + DAY]);
  await bound.FILES.delete('journal-since/2026');
  for (const [name, text] of times) await bound.FILES.put(name, text);
  expect(await since()).toBe(first);
  await bound.FILES.delete(times.map(([name]) => name));
});

test('an organization that is being ended is not backed up; one whose end was stopped is', async ({ seller }) => {
  const at = await backedUp();
  const end = (body: unknown) => ask(`/organizations/${seller.orgId}/end`, body);
  await at.minutes(1);
  // Its file was begun, and its end comes before it is sent.
  await bound.FILES.delete(await allKeys('backups/'));
  for (const name of at.bucket.keys()) at.bucket.delete(name);
  expect((await end({ public_key: (await newKey()).public_key })).status).toBe(202);
  await at.minutes(12);
  expect([...at.bucket.keys()].filter((name) => name.includes(seller.orgId))).toEqual([]);
  await end({ stop: true });
  vi.setSystemTime(Date.now() + DAY);
  await at.minutes(12);
  expect(at.of(seller.orgId)).toHaveLength(1);
});

test('a database that is away keeps no other from its backup, and the round is not whole', async () => {
  const at = await backedUp();
  const { orgId } = await openSeller({ shard: 1 });
  const { DB_1 } = bound;
  const away = {
    prepare: () => {
      throw new Error('D1_ERROR: away');
    },
    batch: () => Promise.reject(new Error('D1_ERROR: away')),
  };
  Object.assign(at.env, { DB: away, DB_1 });
  await at.minutes(3);
  Object.assign(at.env, { DB: bound.DB });
  expect(await at.check()).toMatchObject({ status: 'ok' });
  await at.minutes(75);
  expect(at.of(orgId)).toHaveLength(1);
  expect(await at.check()).toEqual({ status: 'ok', figure: 0 });
});

test('an export for the same key is a file of its own, and a backup is not fetched as one', async ({ seller }) => {
  const at = await backedUp();
  const { ctx } = systemContext({ env: at.env });
  await backUp(ctx);
  const [key = ''] = await allKeys(`exports/records/${seller.orgId}/`);
  const { export_id } = await begin(seller.orgId, String(at.env.BACKUP_PUBLIC_KEY));
  expect(export_id).not.toBe(key.split('/').at(-1));
});

test('without a bucket the operator is told, and only the scope `restore` may ask', async () => {
  await problemOf(await ask('/backups', {}), 409, 'conflict');
  const token = 'w'.repeat(40);
  const env = { OPERATOR_TOKENS: `anna:read+write:${token}` };
  const headers = { Authorization: `Bearer ${token}` };
  await problemOf(await call(`${BASE}/api/operator/v1/backups`, { headers }, env), 403, 'insufficient_scope');
});
