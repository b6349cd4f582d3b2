import { commit } from '../../src/platform/commit';
import { outboxEvent } from '../../src/webhooks/outbox';
import { enter } from '../management/browser';
import { saidOn } from '../management/page-forms';
import { ask } from '../support/operator';
import { askToken, callApi, expectProblem, openOrganizationApi, succeeded } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { auditOf } from '../support/rows';
import { describe, expect, test } from '../support/test';
import { deliverAt, deliveriesOf, newReceiverUrl, sweepAt } from '../support/webhooks';
import { envelope, openPharmacy, operate, rows, submit, subscribe, systemContext } from '../support/world';

const suspend = (orgId: string) => operate(`/organizations/${orgId}`, { status: 'suspended' }, 'PATCH');
const lift = (orgId: string) => operate(`/organizations/${orgId}`, { status: 'active' }, 'PATCH');

test('a suspended organization takes no order requests, and takes them again afterwards', async ({ pharmacy }) => {
  await suspend(pharmacy.orgId);
  const refused = await submit(pharmacy, envelope());
  expect([refused.status, (await refused.json<{ code: string }>()).code]).toEqual([400, 'shop_inactive']);
  expect(await rows('select id from order_requests where org_id = ?', pharmacy.orgId)).toEqual([]);
  await lift(pharmacy.orgId);
  expect((await submit(pharmacy, envelope())).status).toBe(200);
});

test('its tokens and keys are refused at once, and those of others are not', async ({ api }) => {
  const other = await openOrganizationApi();
  succeeded(await callApi(api, 'GET', '/shops'));
  await suspend(api.orgId);
  expectProblem(await callApi(api, 'GET', '/shops'), 403, 'organization_suspended');
  expectProblem(await callApi(api, 'PATCH', '/orders/x', { body: { note: 'x' } }), 403, 'organization_suspended');
  const asked = await askToken(api.orgId, { headers: { apikey: api.apiKey } });
  expectProblem(asked, 403, 'organization_suspended');
  succeeded(await callApi(other, 'GET', '/shops'));
  await lift(api.orgId);
  succeeded(await callApi(api, 'GET', '/shops'));
});

test('its pages say so, and signing out stays possible', async ({ orgId }) => {
  const { browser } = await enter(orgId, 'owner');
  const { token } = await browser.get('/manage/orders');
  await suspend(orgId);
  const page = await browser.get('/manage/orders');
  expect(page.status).toBe(403);
  expect(saidOn(page)).toContain('Ihre Apotheke ist vorübergehend gesperrt');
  expect((await browser.post('/manage/sign-out', { form_token: token })).status).toBe(303);
});

describe('its webhooks', () => {
  test('wait, are counted as no attempt, and are all delivered afterwards', async () => {
    const pharmacy = await openPharmacy();
    await subscribe(pharmacy.orgId, newReceiverUrl());
    await submit(pharmacy, envelope());
    await suspend(pharmacy.orgId);
    const posts = outsideAnswers(() => new Response(null, { status: 204 }));
    const later = Date.now() + 10 * 60_000;
    const [waiting] = await deliveriesOf(pharmacy.orgId);
    await deliverAt(later, [waiting?.id ?? '']);
    expect(await sweepAt(later)).not.toContainEqual(expect.objectContaining({ id: waiting?.id }));
    expect(posts).toEqual([]);
    expect(await deliveriesOf(pharmacy.orgId)).toMatchObject([{ status: 'pending', attempt_count: 0 }]);
    await lift(pharmacy.orgId);
    const rung = await sweepAt(later + 60_000);
    await deliverAt(
      later + 60_000,
      rung.map(({ id }) => id),
    );
    expect(posts).toHaveLength(1);
    expect(await deliveriesOf(pharmacy.orgId)).toMatchObject([{ status: 'succeeded', attempt_count: 1 }]);
  });

  test('of what happens meanwhile are not posted by the commit either', async ({ api }) => {
    await subscribe(api.orgId, newReceiverUrl(), ['product_updated', 'order_deleted', 'order_request_deleted'], {
      isHealthy: true,
    });
    const posts = outsideAnswers(() => new Response(null, { status: 204 }));
    await suspend(api.orgId);
    const { ctx, settled } = systemContext();
    const event = outboxEvent(ctx, { type: 'order_deleted', orgId: api.orgId, metadata: { order_id: 'o' } });
    await commit(ctx, { event });
    await settled();
    expect(posts).toEqual([]);
    expect(await deliveriesOf(api.orgId)).toMatchObject([{ status: 'pending', attempt_count: 0 }]);
  });
});

test('the operator alone suspends; again it stays as it was, and the audit log has each call', async ({ orgId }) => {
  await suspend(orgId);
  const since = () =>
    rows<{ suspended_at: number | null }>('select suspended_at from organizations where id = ?', orgId);
  const [first] = await since();
  expect(first?.suspended_at).toBeGreaterThan(0);
  await suspend(orgId);
  expect(await since()).toEqual([first]);
  await lift(orgId);
  expect(await since()).toEqual([{ suspended_at: null }]);
  const acts = (await auditOf(orgId)).filter(({ action }) => action === 'organization.updated');
  expect(acts.map(({ fields }) => fields)).toEqual(Array(3).fill('["status"]'));
  const wrong = await ask(`/organizations/${orgId}`, { status: 'gone' }, { method: 'PATCH' });
  expect(wrong.status).toBe(400);
});
