import { expect, test } from 'vitest';
import { revokeMember, sweepEmailEntries } from '../../src/auth/staff/members';
import { emailKey, shardsOf } from '../../src/directory/emails';
import { newId } from '../../src/platform/ids';
import { MINUTE_MS } from '../../src/platform/time';
import { ask } from '../support/operator';
import { problemOf } from '../support/probe';
import { ONE_DATABASE, rows, systemContext } from '../support/world';
import { asOwner, DB_1, entriesOf, OUT_OF_REACH, openOn, sweepAll, type Tenant } from './shards';

const muchLater = () => Date.now() + 61 * MINUTE_MS;
const newEmail = () => `quitte-${newId()}@example.com`;

function invite({ orgId }: Tenant, email: string, changed?: Partial<Env>): Promise<Response> {
  return ask(`/organizations/${orgId}/members`, { email, role: 'staff' }, { env: changed });
}

async function revoke(tenant: Tenant, email: string): Promise<void> {
  const query = 'select id from members where email = ? and revoked_at is null';
  const member = await DB_1.prepare(query).bind(email).first<{ id: string }>();
  await revokeMember(await asOwner(tenant), member?.id ?? '');
}

const shardsOfEmail = (email: string) => shardsOf(systemContext().ctx, email);

test('an address leads to every database that has invited it, and the directory does not know the address', async () => {
  const [first, second] = [await openOn(0), await openOn(1)];
  const email = newEmail();
  expect(await shardsOfEmail(email)).toEqual([]);
  expect((await invite(second, email.toUpperCase())).status).toBe(201);
  expect(await shardsOfEmail(email)).toEqual([1]);
  for (const tenant of [first, second, await openOn(1)]) expect((await invite(tenant, email)).status).toBe(201);
  expect(await shardsOfEmail(email.toUpperCase())).toEqual([0, 1]);
  const stored = await rows("select * from directory where kind = 'email'");
  expect(stored).toHaveLength(3);
  expect(JSON.stringify(stored)).not.toContain(email);
});

test('with one database nobody is asked', async () => {
  const { ctx } = systemContext({ env: ONE_DATABASE });
  expect(await shardsOf(ctx, newEmail())).toEqual([0]);
  expect(ctx.db.meter.roundTrips).toBe(0);
});

test('an invitation whose database fails can be repeated', async () => {
  const tenant = await openOn(1);
  const email = newEmail();
  await problemOf(await invite(tenant, email, { DB_1: OUT_OF_REACH }), 502, 'backend_unreachable');
  expect((await invite(tenant, email)).status).toBe(201);
  expect(await shardsOfEmail(email)).toEqual([1]);
});

test('the sweep keeps whoever is invited or a member, and deletes revoked and never written ones after an hour', async () => {
  const [first, second] = [await openOn(0), await openOn(1)];
  const [invited, revoked, again, lost, elsewhere] = [newEmail(), newEmail(), newEmail(), newEmail(), newEmail()];
  await invite(second, lost, { DB_1: OUT_OF_REACH });
  for (const email of [invited, revoked, again, elsewhere]) await invite(second, email);
  await invite(first, elsewhere);
  for (const email of [revoked, again, elsewhere]) await revoke(second, email);
  await invite(second, again);
  const found = async () => Promise.all([invited, revoked, again, lost, elsewhere].map(shardsOfEmail));

  await sweepAll(sweepEmailEntries, { now: () => Date.now() + 59 * MINUTE_MS });
  expect(await found()).toEqual([[1], [1], [1], [1], [0, 1]]);
  await sweepAll(sweepEmailEntries, { now: muchLater });
  expect(await found()).toEqual([[1], [], [1], [], [0]]);
  expect(await entriesOf(await emailKey(systemContext().ctx, again))).toMatchObject([{ org_id: second.orgId }]);
});
