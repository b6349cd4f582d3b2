import { expect, test } from 'vitest';
import { newId } from '../../src/platform/ids';
import { enter } from '../management/browser';
import { openPrescribed } from '../support/order-flow';
import { footprint } from '../support/organization';
import { accepted } from '../support/probe';
import { makeLink, openSeller, placeOrder, type Seller } from '../support/seller';
import { newReceiverUrl } from '../support/webhooks';
import { call, envelope, everywhere, submit, subscribe } from '../support/world';

/** The organization that asks, and the one that it asks about. All routes of its API: test/public-api/authorization.test.ts. */
const PAIRS = [
  [0, 1],
  [1, 0],
] as const;

async function openTwo(...shards: readonly [number, number]): Promise<[Seller, Seller]> {
  return [await openSeller({ shard: shards[0] }), await openSeller({ shard: shards[1] })];
}

test.each(PAIRS)('at a host on database %i a payment link of database %i is none', async (...shards) => {
  const [mine, theirs] = await openTwo(...shards);
  const { url } = await makeLink(theirs, (await placeOrder(theirs)).id);
  expect((await call(url)).status).toBe(200);
  expect((await call(url.replace(theirs.host, mine.host))).status).toBe(404);
});

test.each(PAIRS)('an owner on database %i finds nothing of database %i on any page', async (...shards) => {
  const [mine, theirs] = await openTwo(...shards);
  const { browser } = await enter(mine.orgId, 'owner', 'Ada Öz', { shard: mine.shard });
  const { email, browser: known } = await enter(theirs.orgId, 'owner', 'Kim Öztürk', { shard: theirs.shard });
  const { subscriptionId } = await subscribe(theirs.orgId, newReceiverUrl());
  await accepted(await submit(theirs, envelope()));
  const { id, prescriptionId, product } = await openPrescribed(theirs);
  const { id: orderId } = await placeOrder(theirs);
  const one = async (query: string, value: string) => (await everywhere<{ id: string }>(query, value))[0]?.id ?? '';
  const member = await one('select id from members where email = ?', email);
  const delivery = await one('select id from deliveries where org_id = ?', theirs.orgId);

  const pages = [
    `/manage/requests/${id}`,
    `/manage/requests/${id}/delete`,
    `/manage/prescriptions/${prescriptionId}/pdf`,
    `/manage/orders/${orderId}`,
    `/manage/products/${product.p1_id}`,
    `/manage/settings/webhooks/${subscriptionId}`,
    `/manage/settings/webhooks/${subscriptionId}/deliveries/${delivery}`,
  ];
  for (const path of pages) {
    expect([path, (await known.get(path)).status]).toEqual([path, 200]);
    expect([path, (await browser.get(path)).status]).toEqual([path, 404]);
  }
  const before = await footprint(theirs.orgId);
  const { token } = await browser.get('/manage/settings/members');
  const acts = [
    `/manage/requests/${id}/approve`,
    `/manage/requests/${id}/reject`,
    `/manage/requests/${id}/prescriptions/${prescriptionId}/approve`,
    `/manage/orders/${orderId}/cancel`,
    `/manage/settings/webhooks/${subscriptionId}/delete`,
    `/manage/settings/webhooks/${subscriptionId}/deliveries/${delivery}/redeliver`,
    `/manage/settings/members/${member}/revoke`,
    `/manage/settings/keys/${theirs.keyId}/revoke`,
  ];
  for (const path of acts) {
    const { status } = await browser.post(path, { form_token: token, reason_code: 'test', seen_at: '0', lines: '0' });
    expect([path, status]).toEqual([path, 404]);
  }
  for (const asked of [id, orderId, theirs.orgId, email, newId()]) {
    const { text } = await browser.get(`/manage/search?q=${asked}`);
    expect(text).not.toContain('Erika Mustermann');
  }
  expect(await footprint(theirs.orgId)).toEqual(before);
});
