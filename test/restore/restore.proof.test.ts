import { env } from 'cloudflare:workers';
import { revokeApiKey } from '../../src/auth/keys/keys';
import { changeRole, revokeMember } from '../../src/auth/staff/members';
import { setLegalHold } from '../../src/order-requests/erasure/erase';
import { newId } from '../../src/platform/ids';
import { sweepRestores } from '../../src/restore/record';
import { deleteSubscription } from '../../src/webhooks/subscriptions/subscriptions';
import { join, memberId, PASSWORD, signIn } from '../management/browser';
import { allKeys, filesWith } from '../support/files';
import { ask } from '../support/operator';
import { deleteRequest, getOrder, patchOrder, staffContext } from '../support/order-flow';
import { askToken, callApi, succeeded } from '../support/organization';
import { databaseDown } from '../support/outbound';
import { newPerson, pdfOf, reject, request } from '../support/person';
import { Restoring, saved } from '../support/restore';
import { rowOf, rowsOf } from '../support/rows';
import { makeLink, moveOrder, openSeller, placeOrder, type Seller } from '../support/seller';
import { expect, test } from '../support/test';
import { operate, rows, SHARDS, subscribe, systemContext } from '../support/world';

const DAY = 86_400_000;

async function feed(seller: Seller, cursor: string): Promise<{ ids: string[]; next: string }> {
  const { data, next_cursor } = succeeded(
    await callApi(seller, 'GET', `/events?limit=100${cursor && `&cursor=${cursor}`}`),
  );
  return { ids: data.map(({ id }: { id: string }) => id), next: next_cursor };
}

test('no cursor of the feed skips or repeats an event, on any database, and nobody sees the marker', async () => {
  const sellers = await Promise.all(SHARDS.map((shard) => openSeller({ shard })));
  for (const seller of sellers) await request(seller, newPerson());
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  const cursors = new Map<Seller, string>();
  for (const seller of sellers) {
    for (let lost = 0; lost < 3; lost += 1) await request(seller, newPerson());
    cursors.set(seller, (await feed(seller, '')).next);
  }
  await restoring.before();
  await restore();
  await restoring.after();

  for (const seller of sellers) {
    expect((await feed(seller, cursors.get(seller) ?? '')).ids).toEqual([]);
    for (let after = 0; after < 5; after += 1) await request(seller, newPerson());
    const news = await feed(seller, cursors.get(seller) ?? '');
    expect(news.ids).toHaveLength(5);
    expect((await feed(seller, '')).ids).toEqual(expect.arrayContaining(news.ids));
    expect((await feed(seller, news.next)).ids).toEqual([]);
    expect(await rowsOf('deliveries', { org_id: seller.orgId })).toEqual([]);
  }
});

test('a second restore, to an earlier time, goes on above the first one', async ({ seller }) => {
  await request(seller, newPerson());
  const earlier = await saved();
  const at = Date.now();
  await request(seller, newPerson());
  const later = await saved();
  const first = new Restoring(Date.now());
  await first.before();
  await later();
  await first.after();
  await request(seller, newPerson());
  const { next } = await feed(seller, '');

  const second = new Restoring(at);
  await second.before();
  await earlier();
  await second.after();
  await request(seller, newPerson());
  expect((await feed(seller, next)).ids).toHaveLength(1);
});

test('where a database could not be read before, the markers of earlier restores count', async ({ seller }) => {
  await request(seller, newPerson());
  const earlier = await saved();
  const at = Date.now();
  const first = new Restoring(at);
  await first.before();
  await earlier();
  await first.after();
  await request(seller, newPerson());
  const { next } = await feed(seller, '');

  await earlier();
  const second = new Restoring(at);
  await operate(`/restores/${second.id}`, { at: new Date(at).toISOString() }, 'PUT');
  await second.after();
  await request(seller, newPerson());
  expect((await feed(seller, next)).ids).toHaveLength(1);
});

test('no order number is given twice', async ({ seller }) => {
  const kept = await placeOrder(seller);
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  const lost = [await placeOrder(seller), await placeOrder(seller)];
  const numberOf = async (id: string) => Number((await getOrder(seller, id)).number);
  const given = await Promise.all([kept, ...lost].map(({ id }) => numberOf(id)));
  await restoring.before();
  await restore();
  await restoring.after();

  const next = await numberOf((await placeOrder(seller)).id);
  expect(next).toBeGreaterThan(Math.max(...given));
  expect(await numberOf((await placeOrder(seller)).id)).toBe(next + 1);
});

test('a key that was revoked since is refused, the others are not', async ({ seller }) => {
  const { ctx } = staffContext(seller.orgId, 'owner');
  const other = await operate(`/organizations/${seller.orgId}/api-keys`, { name: 'k', scopes: ['orders.read'] });
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  await revokeApiKey(ctx, { orgId: seller.orgId, keyId: seller.keyId });
  await restoring.before();
  await restore();
  expect((await rowOf('api_keys', { id: seller.keyId })).revoked_at).toBeNull();
  await restoring.after();

  expect((await rowOf('api_keys', { id: seller.keyId })).revoked_at).not.toBeNull();
  expect((await askToken(seller.orgId, { headers: { 'X-API-Key': seller.apiKey } })).status).toBe(401);
  expect((await askToken(seller.orgId, { headers: { 'X-API-Key': other.api_key ?? '' } })).status).toBe(200);
});

test('nobody who was revoked since signs in, no session goes on, and a password that was replaced opens nothing', async ({
  orgId,
  owner,
}) => {
  const [gone, renewed] = [await join(orgId, 'staff'), await join(orgId, 'staff')];
  const emails = [gone.email, renewed.email] as const;
  expect((await signIn(gone.browser, emails[0])).status).toBe(303);
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  const { ctx } = staffContext(orgId, 'owner');
  await revokeMember(ctx, await memberId(emails[0]));
  await changeRole(ctx, { memberId: await memberId(emails[1]), role: 'pharmacist' });
  await changeRole(ctx, { memberId: await memberId(emails[1]), role: 'owner' });
  await signIn(renewed.browser, emails[1]);
  const password = 'Ein ganz anderes Kennwort 7';
  const typed = { current: PASSWORD, next: password };
  const changed = await renewed.browser.submit('/manage/account/password', typed, '/manage/account');
  expect(changed.status, changed.text).toBe(303);
  await restoring.before();
  await restore();
  const answers = await restoring.after();

  expect((await owner.browser.get('/manage/requests')).status).toBe(303);
  expect((await signIn(gone.browser, emails[0])).status).not.toBe(303);
  expect((await signIn(renewed.browser, emails[1])).status).not.toBe(303);
  const person = await rowOf('members', { email: emails[1] });
  expect(person).toMatchObject({ role: 'owner', revoked_at: null });
  expect(answers.flatMap(({ passwords_ended }) => passwords_ended)).toContainEqual({
    org_id: orgId,
    member_id: person.id,
  });

  // Set anew since: another replay leaves it.
  const { reset_url } = await operate(`/organizations/${orgId}/members/reset`, { email: emails[1] });
  const path = new URL(reset_url ?? '').pathname;
  await renewed.browser.submit(path, { password: 'Noch ein anderes Kennwort 8' });
  await restoring.replay();
  expect((await signIn(renewed.browser, emails[1], 'Noch ein anderes Kennwort 8')).status).toBe(303);
});

test('a subscription that was deleted since gets nothing', async ({ seller }) => {
  const { subscriptionId } = await subscribe(seller.orgId, 'https://gone.example/hook');
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  await deleteSubscription(staffContext(seller.orgId, 'owner').ctx, subscriptionId);
  await restoring.before();
  await restore();
  await restoring.after();
  await request(seller, newPerson());
  expect(await rowsOf('deliveries', { subscription_id: subscriptionId })).toEqual([]);
});

test('what was held since is not erased, and what was released since is', async ({ seller }) => {
  const { ctx } = staffContext(seller.orgId, 'owner');
  const [held, released] = [await request(seller, newPerson()), await request(seller, newPerson())];
  for (const id of [held, released]) await reject(seller, id);
  await setLegalHold(ctx, { requestId: released, isOnLegalHold: true });
  // Asked for, and not known whether it was carried out: it stands in the journal.
  const entry = { v: 1, org_id: seller.orgId, kind: 'order_request', customer_ids: [], order_ids: [] };
  const key = `journal/${new Date().toISOString().slice(0, 10)}/${newId()}`;
  await env.FILES.put(key, JSON.stringify({ ...entry, order_request_ids: [held] }));
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  await setLegalHold(ctx, { requestId: held, isOnLegalHold: true });
  await setLegalHold(ctx, { requestId: released, isOnLegalHold: false });
  succeeded(await deleteRequest(seller, released));
  await restoring.before();
  await restore();
  const answers = await restoring.after();

  expect(await rowOf('order_requests', { id: held })).toMatchObject({ legal_hold: 1, erased_at: null });
  expect((await rowOf('order_requests', { id: held })).customer_name).not.toBeNull();
  expect((await rowOf('order_requests', { id: released })).customer_name).toBeNull();
  const heldIds = answers.flatMap(
    (answer) => (answer.held as { order_requests: string[] } | null)?.order_requests ?? [],
  );
  expect(heldIds).toEqual([held]);
});

test('the list names exactly the PDFs whose rows are gone, and whose they are', async ({ seller }) => {
  const withPdf = () => {
    const person = newPerson();
    return request(seller, { ...person, prescription_pdf_base64: pdfOf(person) });
  };
  await withPdf();
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  const lost = [await withPdf(), await withPdf()];
  // Neither had a row that is gone: one was erased since, the other one's batch failed.
  const erased = await withPdf();
  succeeded(await deleteRequest(seller, erased));
  const day = new Date().toISOString().slice(0, 10);
  const customMetadata = { org_id: seller.orgId, shop_id: seller.shopId, order_request_id: newId() };
  await env.FILES.put(`prescriptions/${day}/${newId()}`, 'PDF', { customMetadata });
  await restoring.before();
  await restore();
  await restoring.after();

  const files = await restoring.files();
  const named = files.map(({ org_id, shop_id, order_request_id }) => ({ org_id, shop_id, order_request_id }));
  const expected = lost.map((id) => ({ org_id: seller.orgId, shop_id: seller.shopId, order_request_id: id }));
  expect(named).toHaveLength(expected.length);
  expect(named).toEqual(expect.arrayContaining(expected));
});

test('orders that are set back are listed as changed, with a version that nobody has seen, and told to the operator', async ({
  seller,
}) => {
  const kept = await placeOrder(seller);
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  await moveOrder(seller, kept.id, 'awaiting_packing');
  const lost = await placeOrder(seller);
  const lostRequest = await request(seller, newPerson());
  // Where a mirror that has read all of it goes on.
  const seen = new Date().toISOString();
  const ETag = (await callApi(seller, 'GET', `/orders/${kept.id}`)).headers.get('ETag') ?? '';
  await restoring.before();
  await restore();
  await restoring.after();

  const { data } = succeeded(await callApi(seller, 'GET', `/orders?updated_after=${seen}`));
  expect(data.map(({ id }: { id: string }) => id)).toEqual([kept.id]);
  const mine = (await restoring.losses()).filter(({ org_id }) => org_id === seller.orgId);
  succeeded(await patchOrder(seller, kept.id, { note: 'a' }));
  const asking = { body: { note: 'b' }, headers: { 'If-Match': ETag } };
  expect((await callApi(seller, 'PATCH', `/orders/${kept.id}`, asking)).status).toBe(412);
  expect(mine.flatMap(({ orders_lost }) => orders_lost.map(({ id }) => id))).toEqual([lost.id]);
  expect(mine.flatMap(({ order_requests_lost }) => order_requests_lost.map(({ id }) => id))).toEqual([lostRequest]);
  expect(mine.flatMap(({ orders_set_back }) => orders_set_back)).toEqual([
    { id: kept.id, number: expect.any(String), was: 'awaiting_packing', is: 'awaiting_payment', fields: ['status'] },
  ]);
});

test('each field of an order that is back is named, and no value', async ({ seller }) => {
  const [noted, refunded] = [await placeOrder(seller), await placeOrder(seller, { payment_status: 'paid' })];
  const same = await placeOrder(seller);
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  succeeded(await patchOrder(seller, noted.id, { note: 'Klingeln bei Geheim', customer_name: 'Anders' }));
  succeeded(
    await callApi(seller, 'POST', `/orders/${refunded.id}/refund`, { body: { reason_code: 'test', amount: 1 } }),
  );
  succeeded(await patchOrder(seller, same.id, { note: 'hin' }));
  succeeded(await patchOrder(seller, same.id, { note: null }));
  await restoring.before();
  await restore();
  await restoring.after();

  const mine = (await restoring.losses()).filter(({ org_id }) => org_id === seller.orgId);
  const byId = new Map(mine.flatMap(({ orders_set_back }) => orders_set_back).map((each) => [each.id, each]));
  expect([...byId.keys()].sort()).toEqual([noted.id, refunded.id].sort());
  expect(byId.get(noted.id)?.fields).toEqual(['customer_name', 'note']);
  expect(byId.get(refunded.id)?.fields).toContain('refunded_cents');
  expect(JSON.stringify(mine)).not.toContain('Geheim');
});

test('what is back or gone of other tables is named, too, and what is as before is not', async ({ seller }) => {
  const { ctx } = staffContext(seller.orgId, 'owner');
  const order = await placeOrder(seller);
  const { email } = await join(seller.orgId, 'staff');
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  await changeRole(ctx, { memberId: await memberId(email), role: 'pharmacist' });
  const revoked = await operate(`/organizations/${seller.orgId}/api-keys`, { name: 'k', scopes: ['orders.read'] });
  await revokeApiKey(ctx, { orgId: seller.orgId, keyId: seller.keyId });
  const link = await makeLink(seller, order.id);
  await rows(
    'insert into message_settings (shop_id, org_id, is_sending, updated_at) values (?, ?, 1, 1)',
    seller.shopId,
    seller.orgId,
  );
  await rows("update shops set city = 'Neustadt' where id = ?", seller.shopId);
  await restoring.before();
  await restore();
  await restoring.after();

  const mine = (await restoring.losses()).filter(({ org_id }) => org_id === seller.orgId);
  const others = mine.flatMap(({ others_set_back }) => others_set_back);
  expect(others).toHaveLength(4);
  expect(others).toEqual(
    expect.arrayContaining([
      { table: 'api_keys', id: revoked.key_id, fields: null },
      { table: 'shops', id: seller.shopId, fields: ['city'] },
      { table: 'message_settings', id: seller.shopId, fields: null },
      { table: 'payment_links', id: link.payment_link_id, fields: null },
    ]),
  );
});

test('rows of the lost time are kept encrypted; the restore scope reads them, and the audit log says so', async ({
  seller,
}) => {
  const restoring = new Restoring(Date.now() - 1);
  const person = newPerson();
  const id = await request(seller, person);
  await restoring.before();
  const { objects } = await env.FILES.list({ prefix: `restores/` });
  for (const { key } of objects) expect(await (await env.FILES.get(key))?.text()).not.toContain(person.customer_name);
  const query = `/restores/${restoring.id}/rows?org_id=${seller.orgId}`;
  const tables: Record<string, unknown[]> = {};
  let cursor: string | null = '';
  do {
    const page: { table: string; rows: unknown[]; next_cursor: string | null } = await operate(
      query + (cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''),
      undefined,
      'GET',
    );
    tables[page.table] = page.rows;
    cursor = page.next_cursor;
  } while (cursor);
  expect(tables.order_requests).toMatchObject([{ id, customerName: person.customer_name }]);
  expect(await rowsOf('audit_log', { org_id: seller.orgId, action: 'organization.rows_read' })).not.toEqual([]);
});

test('a step that is repeated changes nothing', async ({ seller }) => {
  await placeOrder(seller);
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  await placeOrder(seller);
  await restoring.before();
  await restoring.before();
  await restore();
  await restoring.after();
  const before = await rowsOf('events', { org_id: seller.orgId });
  const { order_number_floor } = await rowOf('organizations', { id: seller.orgId });
  await restoring.after();
  expect(await rowsOf('events', { org_id: seller.orgId })).toEqual(before);
  expect((await rowOf('organizations', { id: seller.orgId })).order_number_floor).toBe(order_number_floor);
});

test('an organization that was suspended since stays so, and one that works again since works', async () => {
  const [off, on] = [await openSeller(), await openSeller()];
  const set = (seller: Seller, status: string) => operate(`/organizations/${seller.orgId}`, { status }, 'PATCH');
  await set(on, 'suspended');
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  await set(off, 'suspended');
  await set(on, 'active');
  await restoring.before();
  await restore();
  await restoring.after();
  expect((await rowOf('organizations', { id: off.orgId })).suspended_at).not.toBeNull();
  expect((await rowOf('organizations', { id: on.orgId })).suspended_at).toBeNull();
});

test('where a database could not be read before, the list says that it is not exact, and names every PDF without a row', async ({
  seller,
}) => {
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  const person = newPerson();
  const lost = await request(seller, { ...person, prescription_pdf_base64: pdfOf(person) });
  const path = `/restores/${restoring.id}`;
  await ask(path, { at: new Date(restoring.at).toISOString() }, { method: 'PUT', env: { DB: databaseDown() } });
  const answer = await ask(`${path}/export`, {}, { env: { DB: databaseDown() } });
  expect(await answer.json()).toMatchObject({ unreadable_databases: [0], next_cursor: null });
  await restore();
  await restoring.after();
  const files = await operate<{ exact: boolean; data: { order_request_id: string }[] }>(
    `${path}/files`,
    undefined,
    'GET',
  );
  expect(files.exact).toBe(false);
  expect(files.data.map(({ order_request_id }) => order_request_id)).toContain(lost);
});

test('what a restore leaves in the bucket goes after 35 days, and not before', async ({ seller }) => {
  await request(seller, newPerson());
  await new Restoring(Date.now() - DAY).before();
  const before = await allKeys('restores/');
  expect(before.length).toBeGreaterThan(2);
  await sweepRestores(systemContext({ now: () => Date.now() + 34 * DAY }).ctx);
  expect(await allKeys('restores/')).toEqual(before);
  await sweepRestores(systemContext({ now: () => Date.now() + 36 * DAY }).ctx);
  expect(await allKeys('restores/')).toEqual([]);
});

test('without R2 a key is revoked all the same, and no hold is set that a restore would lose', async ({ seller }) => {
  const id = await request(seller, newPerson());
  const put = () => Promise.reject(new Error('R2 is down'));
  const { ctx } = staffContext(seller.orgId, 'owner', { env: { FILES: filesWith({ put }) } });
  await revokeApiKey(ctx, { orgId: seller.orgId, keyId: seller.keyId });
  expect((await rowOf('api_keys', { id: seller.keyId })).revoked_at).not.toBeNull();
  await expect(setLegalHold(ctx, { requestId: id, isOnLegalHold: true })).rejects.toMatchObject({
    code: 'backend_unreachable',
  });
  expect(await rowOf('order_requests', { id })).toMatchObject({ legal_hold: 0 });
});

test('a revocation that was refused is not done after a restore', async ({ orgId }) => {
  const { email } = await join(orgId, 'owner');
  const { ctx } = staffContext(orgId, 'owner');
  const id = await memberId(email);
  await expect(revokeMember(ctx, id)).rejects.toMatchObject({ code: 'last_owner' });
  await new Restoring(Date.now()).before();
  const restoring = new Restoring(Date.now());
  await restoring.before();
  await restoring.after();
  expect((await rowOf('members', { id })).revoked_at).toBeNull();
});
