import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/platform/time';
import { checkHosts } from '../../src/tenants/domain-check';
import { sweepAll } from '../directory/shards';
import { openOwned } from '../management/browser';
import { ask, freshHost } from '../support/operator';
import { captureLogs, doctoredDb, problemOf } from '../support/probe';
import { call, operate, rows, systemContext } from '../support/world';
import { DNS_ALONE, DOMAINS, TARGET, Zone } from './zone';

type Owned = Awaited<ReturnType<typeof openOwned>>;

/** An owner of a deployment that makes custom hostnames by itself. */
async function openOwner(env: Partial<Env> = DOMAINS): Promise<Owned> {
  const owned = await openOwned();
  owned.browser.env = env;
  return owned;
}

async function addHost({ browser, path }: Owned, host = freshHost()): Promise<string> {
  expect(await browser.submit(`${path}/hosts`, { host }, path)).toMatchObject({ status: 303 });
  return host;
}

/** The value of the TXT record that the owner's page shows. */
async function proofOf({ browser, path }: Owned, host: string): Promise<string> {
  const { text } = await browser.get(path);
  expect(text).toContain(`<code>_offizin.${host}</code>`);
  expect(text).toContain(`>${TARGET}<`);
  return /id="proof-0"[^>]*>([^<]+)</.exec(text)?.[1] ?? '';
}

/** The cron, so many minutes from now. */
async function later(minutes: number, env: Partial<Env> = DOMAINS): Promise<void> {
  await sweepAll(checkHosts, { env, now: () => Date.now() + minutes * MINUTE_MS });
}

function statusOf({ shopId }: Owned, host: string) {
  return rows(
    `select 'active' as status, moved_at is not null as moved from shop_hosts where shop_id = ?1 and host = ?2
      union all select status, 0 from pending_hosts where shop_id = ?1 and host = ?2`,
    shopId,
    host,
  );
}

/** Until the host is active. */
async function activate(zone: Zone, owner: Owned, host: string): Promise<void> {
  zone.cnames.set(host, TARGET);
  zone.texts.set(`_offizin.${host}`, ['v=other', await proofOf(owner, host)]);
  await later(0);
  zone.says(host, 'active');
  await later(2);
  expect(await statusOf(owner, host)).toEqual([{ status: 'active', moved: 0 }]);
}

test('an owner’s host becomes active by itself: both records, then the host and its certificate at Cloudflare', async () => {
  const [zone, owner] = [new Zone(), await openOwner()];
  const host = await addHost(owner);
  await later(0);
  expect([await statusOf(owner, host), zone.callsOf(host)]).toEqual([[{ status: 'pending', moved: 0 }], []]);
  zone.cnames.set(host, TARGET);
  await later(2);
  const page = await owner.browser.get(owner.path);
  expect(page.text.match(/<small>gefunden/g)).toHaveLength(1);
  expect(page.text.match(/<small>noch nicht gefunden/g)).toHaveLength(1);
  zone.texts.set(`_offizin.${host}`, [await proofOf(owner, host)]);
  await later(4);
  expect(await statusOf(owner, host)).toEqual([{ status: 'verifying', moved: 0 }]);
  expect(zone.callsOf(host)).toEqual([`GET ${host}`, `POST ${host}`]);
  expect((await owner.browser.get(owner.path)).text).toContain('Wird geprüft');
  zone.says(host, 'active', 'pending_issuance');
  await later(6);
  expect(await statusOf(owner, host)).toEqual([{ status: 'verifying', moved: 0 }]);
  expect((await call(`http://${host}:8787/healthz`)).status).toBe(404);
  zone.says(host, 'active');
  await later(8);
  expect(await statusOf(owner, host)).toEqual([{ status: 'active', moved: 0 }]);
  expect((await call(`http://${host}:8787/healthz`)).status).toBe(200);
  expect(zone.callsOf(host).filter((made) => made.startsWith('POST'))).toHaveLength(1);
});

test.each([1, 2])(
  'a host of %i more labels whose provider answers with the target’s address goes on; one with another address waits',
  async (labels) => {
    const owner = await openOwner();
    const zone = new Zone();
    const name = freshHost().split('.')[0];
    const host = await addHost(owner, labels === 1 ? `${name}.co.at` : `rx.${name}.example.de`);
    zone.texts.set(`_offizin.${host}`, [await proofOf(owner, host)]);
    zone.addresses.set(TARGET, '2001:db8::7').set(host, '2001:db8::8');
    await later(0);
    expect(await statusOf(owner, host)).toEqual([{ status: 'pending', moved: 0 }]);
    zone.addresses.set(host, '2001:db8::7');
    await later(2);
    expect(await statusOf(owner, host)).toEqual([{ status: 'verifying', moved: 0 }]);
  },
);

test('a host whose CNAME still points here cannot be taken over by another organization', async () => {
  const zone = new Zone();
  const [first, second] = [await openOwner(), await openOwner()];
  const host = await addHost(first);
  await activate(zone, first, host);
  const refused = await second.browser.submit(`${second.path}/hosts`, { host }, second.path);
  expect(refused).toMatchObject({ status: 400 });
  // Removed here, and its DNS left as it was.
  expect(await first.browser.submit(`${first.path}/hosts/${host}/remove`, { status: 'active' })).toMatchObject({
    status: 303,
  });
  await addHost(second, host);
  for (const minutes of [2, 20, 2 * DAY_MS]) await later(minutes);
  expect(await statusOf(second, host)).toEqual([{ status: 'pending', moved: 0 }]);
  expect(zone.hostnames.has(host)).toBe(false);
  expect((await call(`http://${host}:8787/healthz`)).status).toBe(404);
  // Nor by pressing the button.
  await second.browser.submit(`${second.path}/hosts/${host}/check`, {}, second.path);
  expect(await statusOf(second, host)).toEqual([{ status: 'pending', moved: 0 }]);
});

test('removing a host deletes it at Cloudflare, and adding it again wants another TXT record', async () => {
  const [zone, owner] = [new Zone(), await openOwner()];
  const host = await addHost(owner);
  const before = await proofOf(owner, host);
  await activate(zone, owner, host);
  await owner.browser.submit(`${owner.path}/hosts/${host}/remove`, { status: 'active' });
  await addHost(owner, host);
  const proof = await proofOf(owner, host);
  expect(proof).not.toBe(before);
  zone.texts.set(`_offizin.${host}`, [before, proof]);
  zone.isCloudflareDown = true;
  await later(2);
  // Until the old one is gone, no new one is made, and the old one is not taken for it.
  expect([await statusOf(owner, host), zone.hostnames.size]).toEqual([[{ status: 'verifying', moved: 0 }], 1]);
  zone.isCloudflareDown = false;
  await later(4);
  expect([zone.hostnames.has(host), await rows('select host from released_hosts where host = ?', host)]).toEqual([
    false,
    [],
  ]);
  await later(6);
  zone.says(host, 'active');
  await later(8);
  expect(await statusOf(owner, host)).toEqual([{ status: 'active', moved: 0 }]);
});

test('a host that points elsewhere is told to owner and operator and stays with its shop; here again, it is active', async () => {
  const [zone, owner] = [new Zone(), await openOwner()];
  const host = await addHost(owner);
  await activate(zone, owner, host);
  zone.says(host, 'moved');
  const { lines } = captureLogs();
  await later(120);
  await later(240);
  expect(await statusOf(owner, host)).toEqual([{ status: 'active', moved: 1 }]);
  expect(lines.map((line) => JSON.parse(line)).filter(({ org_id }) => org_id === owner.orgId)).toMatchObject([
    { event: 'host_moved', org_id: owner.orgId, shop_id: owner.shopId },
  ]);
  const page = await owner.browser.get(owner.path);
  expect(page.text).toContain('Zeigt woanders hin');
  expect(page.text).toContain(`${host} zeigt nicht mehr hierher`);
  const told = await (await ask('/hosts?status=moved', undefined, { method: 'GET' })).json<{ data: object[] }>();
  const listed = { org_id: owner.orgId, shop_id: owner.shopId, host, status: 'moved' };
  expect(told.data).toContainEqual(expect.objectContaining(listed));
  const other = await openOwner();
  expect(await other.browser.submit(`${other.path}/hosts`, { host }, other.path)).toMatchObject({ status: 400 });
  await problemOf(await ask(`/organizations/${other.orgId}/shops/${other.shopId}/hosts`, { host }), 409, 'host_taken');
  expect((await call(`http://${host}:8787/healthz`)).status).toBe(200);
  zone.says(host, 'active');
  await later(360);
  expect(await statusOf(owner, host)).toEqual([{ status: 'active', moved: 0 }]);
  const acts = await rows(
    "select action from audit_log where org_id = ? and action like 'shop_host.%' order by id",
    owner.orgId,
  );
  expect(acts.map(({ action }) => action).slice(-2)).toEqual(['shop_host.moved', 'shop_host.returned']);
});

test('a host that pointed elsewhere until Cloudflare gave it up is made anew once it points here again', async () => {
  const [zone, owner] = [new Zone(), await openOwner()];
  const host = await addHost(owner);
  await activate(zone, owner, host);
  zone.hostnames.delete(host);
  zone.cnames.set(host, 'elsewhere.example.com');
  await later(120);
  expect([await statusOf(owner, host), zone.hostnames.size]).toEqual([[{ status: 'active', moved: 1 }], 0]);
  zone.cnames.set(host, TARGET);
  await later(240);
  // Without its certificate it is not told to be back.
  expect([await statusOf(owner, host), zone.hostnames.size]).toEqual([[{ status: 'active', moved: 1 }], 1]);
  zone.says(host, 'active');
  await later(360);
  expect(await statusOf(owner, host)).toEqual([{ status: 'active', moved: 0 }]);
});

test('a host that gets no certificate has failed until the owner tries again', async () => {
  const [zone, owner] = [new Zone(), await openOwner()];
  const host = await addHost(owner);
  zone.cnames.set(host, TARGET);
  zone.texts.set(`_offizin.${host}`, [await proofOf(owner, host)]);
  await later(0);
  zone.says(host, 'pending', 'validation_timed_out');
  await later(2);
  expect(await statusOf(owner, host)).toEqual([{ status: 'failed', moved: 0 }]);
  expect((await owner.browser.get(owner.path)).text).toContain('gab es kein Zertifikat');
  const calls = zone.callsOf(host).length;
  await later(60);
  expect(zone.callsOf(host)).toHaveLength(calls);
  zone.says(host, 'active');
  await rows('update pending_hosts set checked_at = 0 where host = ?', host);
  await owner.browser.submit(`${owner.path}/hosts/${host}/check`, {}, owner.path);
  expect(await statusOf(owner, host)).toEqual([{ status: 'active', moved: 0 }]);
});

test('without a token for the zone the operator is told which hosts have proved themselves, and activates them', async () => {
  const [zone, owner] = [new Zone(), await openOwner(DNS_ALONE)];
  const host = await addHost(owner);
  zone.cnames.set(host, TARGET);
  zone.texts.set(`_offizin.${host}`, [await proofOf(owner, host)]);
  await later(0, DNS_ALONE);
  const waiting = await (await ask('/hosts?status=verifying', undefined, { method: 'GET' })).json<{ data: object[] }>();
  expect(waiting.data).toContainEqual(expect.objectContaining({ host, org_id: owner.orgId, shop_id: owner.shopId }));
  await operate(`/organizations/${owner.orgId}/shops/${owner.shopId}/hosts`, { host });
  expect([await statusOf(owner, host), zone.calls]).toEqual([[{ status: 'active', moved: 0 }], []]);
});

test('of two runs at once one host is made, and a run that ended before it noted it finds it', async () => {
  const [zone, owner] = [new Zone(), await openOwner()];
  const host = await addHost(owner);
  zone.cnames.set(host, TARGET);
  zone.texts.set(`_offizin.${host}`, [await proofOf(owner, host)]);
  await Promise.all([later(0), later(0)]);
  expect(zone.hostnames.size).toBe(1);
  await rows('update pending_hosts set custom_hostname_id = null where host = ?', host);
  zone.says(host, 'active');
  await Promise.all([later(2), later(2)]);
  expect(await statusOf(owner, host)).toEqual([{ status: 'active', moved: 0 }]);
  expect(
    await rows("select 1 as one from audit_log where org_id = ? and action = 'shop_host.activated'", owner.orgId),
  ).toHaveLength(1);
});

test('a deployment that looks at no DNS asks nobody', async () => {
  const [zone, owner] = [new Zone(), await openOwner({})];
  const host = await addHost(owner);
  zone.cnames.set(host, TARGET);
  await later(5, {});
  await owner.browser.submit(`${owner.path}/hosts/${host}/check`, {}, owner.path);
  expect([await statusOf(owner, host), zone.calls]).toEqual([[{ status: 'pending', moved: 0 }], []]);
  expect((await owner.browser.get(owner.path)).text).not.toContain('Jetzt prüfen');
});

test('a host whose check fails keeps none of the others, and the job counts as failed', async () => {
  const owner = await openOwner(DNS_ALONE);
  new Zone();
  for (const _ of [1, 2, 3]) await addHost(owner);
  // The first batch reads the hosts, each further one notes what was found for one.
  const DB = doctoredDb((trip, send) => (trip === 2 ? Promise.reject(new Error('D1_ERROR: no such column')) : send()));
  const { ctx } = systemContext({ env: { ...DNS_ALONE, DB } });
  const { lines } = captureLogs();
  await expect(checkHosts(ctx)).rejects.toThrow('Some hosts could not be checked');
  expect(lines.filter((line) => line.includes('host_check_failed'))).toHaveLength(1);
  const unchecked = 'select host from pending_hosts where shop_id = ? and checked_at is null';
  expect((await rows(unchecked, owner.shopId)).length).toBeLessThanOrEqual(1);
});
