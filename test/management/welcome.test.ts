import { textOf } from '../support/html';
import { openOrganization } from '../support/operator';
import { expect, test } from '../support/test';
import { openPharmacy, operate, rows } from '../support/world';
import { enter } from './browser';

const WELCOME = '/manage/welcome';

test('the first steps follow what is there: shop, address, key, request', async () => {
  const orgId = await openOrganization();
  const { browser } = await enter(orgId, 'owner');
  const done = async () => ((await browser.get(WELCOME)).text.match(/<li class="ok"/g) ?? []).length;
  const next = async () =>
    textOf(/aria-current="step">(.*?)<\/h2>/s.exec((await browser.get(WELCOME)).text)?.[1] ?? '');
  expect([await done(), await next()]).toEqual([0, 'Shop anlegen , als Nächstes']);
  const host = `${crypto.randomUUID()}.localhost`;
  const { shop_id: shopId } = await operate(`/organizations/${orgId}/shops`, { name: 'Mitte', hosts: [] });
  expect([await done(), await next()]).toEqual([1, 'Adresse verbinden , als Nächstes']);
  await operate(`/organizations/${orgId}/shops/${shopId}/hosts`, { host });
  expect([await done(), await next()]).toEqual([2, 'Integrationsschlüssel erstellen , als Nächstes']);
  await operate(`/organizations/${orgId}/api-keys`, { name: 'P', scopes: ['external_orders.submit'] });
  expect([await done(), await next()]).toEqual([3, 'Testanfrage senden , als Nächstes']);
  await browser.submit(`${WELCOME}/sample`, { shop: shopId ?? '' });
  expect([await done(), await next()]).toEqual([4, '']);
});

test('a sample is one request, marked as such, however often it is sent; deleted, it can be sent anew', async () => {
  const { orgId, shopId } = await openPharmacy();
  const { browser } = await enter(orgId, 'owner');
  await browser.get(WELCOME);
  const send = () => browser.submit(`${WELCOME}/sample`, { shop: shopId });
  const [first, second] = await Promise.all([send(), send()]);
  expect([first.status, second.status]).toEqual([303, 303]);
  expect(second.location).toBe(first.location);
  const stored = await rows(
    'select source, customer_name, external_reference from order_requests where org_id = ?',
    orgId,
  );
  expect(stored).toEqual([
    { source: 'probe', customer_name: 'TEST Erika Mustermann', external_reference: `TEST-${shopId}` },
  ]);
  expect((await browser.get(first.location ?? '')).text).toContain('Testanfrage, keine echte Bestellung.');
  await rows(
    `update order_requests set status = 'rejected', decided_at = 1, reason_code = 'test' where org_id = ?`,
    orgId,
  );
  await browser.submit(`${first.location}/delete`, {});
  await browser.get(WELCOME);
  const again = await send();
  expect(again.status).toBe(303);
  expect(again.location).not.toBe(first.location);
});

test('another organization’s shop gets no sample', async () => {
  const [mine, theirs] = [await openPharmacy(), await openPharmacy()];
  const { browser } = await enter(mine.orgId, 'owner');
  expect((await browser.submit(`${WELCOME}/sample`, { shop: theirs.shopId })).status).toBe(404);
  expect(await rows('select 1 from order_requests where org_id in (?, ?)', mine.orgId, theirs.orgId)).toEqual([]);
});

test('an owner begins with the first steps until a request came or it is put away', async () => {
  const { orgId, shopId } = await openPharmacy();
  const { browser } = await enter(orgId, 'owner');
  const other = await enter(orgId, 'owner');
  expect((await browser.get('/manage')).location).toBe(WELCOME);
  await browser.get(WELCOME);
  await browser.submit(`${WELCOME}/dismiss`, {});
  expect((await browser.get('/manage')).location).toBe('/manage/requests');
  expect((await browser.get('/manage/settings/organization')).text).toContain(`href="${WELCOME}"`);
  expect((await other.browser.get('/manage')).location).toBe(WELCOME);
  await other.browser.get(WELCOME);
  await other.browser.submit(`${WELCOME}/sample`, { shop: shopId });
  expect((await other.browser.get('/manage')).location).toBe('/manage/requests');
});
