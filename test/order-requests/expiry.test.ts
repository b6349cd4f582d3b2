import { expireOrderRequest } from '../../src/order-requests/review/decisions';
import { enter } from '../management/browser';
import { retentionNight } from '../support/files';
import { idAt, insertRow, rowOf, rowsOf } from '../support/rows';
import { openSeller, type Seller } from '../support/seller';
import { expect, test } from '../support/test';
import { systemContext } from '../support/world';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-20T02:00:00Z');

async function openRequest({ orgId, shopId }: Seller, columns: Record<string, unknown> = {}, days = 30) {
  const createdAt = NOW - days * DAY;
  const own = { id: idAt(createdAt), org_id: orgId, shop_id: shopId, customer_name: 'Erika' };
  await insertRow('order_requests', { ...own, created_at: createdAt, updated_at: createdAt, ...columns });
  return own.id;
}

const statusOf = async (id: string) => (await rowOf('order_requests', { id })).status;
const eventsOf = (org_id: string) => rowsOf<{ body: string }>('events', { org_id, type: 'order_request_rejected' });

test('a request that waits for 30 days expires, once, with its event; a minute before, it does not', async () => {
  const seller = await openSeller();
  const id = await openRequest(seller);
  await retentionNight(NOW - 60_000);
  expect(await statusOf(id)).toBe('pending');
  for (const day of [0, 1]) await retentionNight(NOW + day * DAY);
  expect(await rowOf('order_requests', { id })).toMatchObject({ status: 'rejected', reason_code: 'expired' });
  const events = await eventsOf(seller.orgId);
  expect(events.map(({ body }) => JSON.parse(body).metadata)).toEqual([
    expect.objectContaining({ order_request_id: id, reason_code: 'expired' }),
  ]);
});

test('a paid request, an open question and a change of the last week halt it', async () => {
  const seller = await openSeller();
  const paid = await openRequest(seller, { payment_status: 'paid', total_cents: 2490 }, 40);
  const asked = await openRequest(seller, { needs_info: 1 }, 40);
  const answered = await openRequest(seller, { updated_at: NOW - 7 * DAY + 60_000 }, 40);
  await retentionNight(NOW);
  expect(await Promise.all([paid, asked, answered].map(statusOf))).toEqual(['pending', 'pending', 'pending']);
  await retentionNight(NOW + DAY);
  expect(await Promise.all([paid, asked, answered].map(statusOf))).toEqual(['pending', 'pending', 'rejected']);
});

test('more than one turn rejects expire in the same night', async () => {
  const seller = await openSeller();
  const ids = [];
  for (let index = 0; index < 23; index += 1) ids.push(await openRequest(seller, {}, 31));
  await retentionNight(NOW);
  expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set(['rejected']));
  expect(await eventsOf(seller.orgId)).toHaveLength(23);
});

test('a decision or a question that comes meanwhile wins', async () => {
  const seller = await openSeller();
  const { ctx } = systemContext({ now: () => NOW });
  for (const columns of [{ status: 'approved' }, { needs_info: 1 }]) {
    const id = await openRequest(seller, columns, 31);
    expect(await expireOrderRequest(ctx, seller.orgId, id)).toBe(false);
  }
  expect(await eventsOf(seller.orgId)).toEqual([]);
});

test('an owner who asked for it is warned a week before, once, of how many expire', async () => {
  const seller = await openSeller();
  const env = {
    EMAIL: { send: async () => undefined },
    EMAIL_FROM: 'betrieb@offizin.example',
  } as unknown as Partial<Env>;
  const { browser, email } = await enter(seller.orgId, 'owner');
  browser.env = env;
  await browser.fill('/manage/account', { notices: 'on' }, '/manage/account/notices');
  for (const days of [22, 23, 23, 24]) await openRequest(seller, {}, days);
  for (const time of [NOW, NOW + 3_600_000]) await retentionNight(time, env);
  const wished = await rowsOf('emails', { org_id: seller.orgId });
  expect(wished).toEqual([expect.objectContaining({ kind: 'requests_expiring', recipient: email, state: 'waiting' })]);
  expect(JSON.parse(String(wished[0]?.facts))).toEqual({ day: '2026-11-27', count: 2 });
});

test('the inbox lists a paid request that would have expired with the refund that it asks for', async () => {
  const seller = await openSeller();
  const at = Date.now() - 31 * DAY;
  const columns = { id: idAt(at), created_at: at, updated_at: at, payment_status: 'paid', total_cents: 2490 };
  await openRequest(seller, columns);
  const { browser } = await enter(seller.orgId, 'owner');
  expect((await browser.get('/manage/requests')).text).toMatch(/24,90\s€ erstatten/);
});
