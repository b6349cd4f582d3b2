import { revokeMember } from '../../src/auth/staff/members';
import { sweepOrphanFiles } from '../../src/prescriptions/sweep';
import { enter, memberId } from '../management/browser';
import { retentionNight } from '../support/files';
import { staffContext } from '../support/order-flow';
import { callApi, signedTokenFor, succeeded } from '../support/organization';
import { fileOf, importFrom } from '../support/organization-file';
import { Restoring, saved } from '../support/restore';
import { idAt, insertRow, rowOf, rowsOf } from '../support/rows';
import { openSeller, type Seller } from '../support/seller';
import { beforeEach, expect, test, vi } from '../support/test';
import { systemContext } from '../support/world';

const DAY = 86_400_000;

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  // The journal reaches back to the first use of the bucket.
  await sweepOrphanFiles(systemContext().ctx);
  pass(60_000);
});

/** Notes the present state, in one of the two ways. @returns what goes back to it */
const WAYS: [string, (seller: Seller) => Promise<() => Promise<unknown>>][] = [
  [
    'an organization that goes back to its file',
    async ({ orgId }) => {
      const file = await fileOf(orgId);
      return () => importFrom(orgId, file, { replace: true });
    },
  ],
  [
    'databases that are restored',
    async () => {
      const restore = await saved();
      const restoring = new Restoring(Date.now());
      return async () => {
        await restoring.before();
        await restore();
        await restoring.after();
      };
    },
  ],
];

const rejections = (org_id: string) => rowsOf<{ seq: number }>('events', { org_id, type: 'order_request_rejected' });

test.each(WAYS)('%s: a request that expired since waits a week more, and expires once', async (_, note) => {
  const seller = await openSeller();
  const createdAt = Date.now() - 31 * DAY;
  const id = idAt(createdAt);
  const of = { org_id: seller.orgId, shop_id: seller.shopId, customer_name: 'Erika' };
  await insertRow('order_requests', { ...of, id, created_at: createdAt, updated_at: createdAt });
  const goBack = await note(seller);
  pass(1000);
  await retentionNight(Date.now());
  expect(await rowOf('order_requests', { id })).toMatchObject({ status: 'rejected', reason_code: 'expired' });
  const [told] = await rejections(seller.orgId);

  await goBack();
  seller.token = await signedTokenFor(seller);
  const { status, updated_at } = await rowOf('order_requests', { id });
  expect([status, await rejections(seller.orgId)]).toEqual(['pending', []]);
  const listed = succeeded(await callApi(seller, 'GET', '/order-requests?status=pending'));
  expect(listed.data.map((each: { id: string }) => each.id)).toEqual([id]);
  await retentionNight(Number(updated_at) + 7 * DAY - 1);
  expect(await rejections(seller.orgId)).toEqual([]);
  for (const day of [7, 8]) await retentionNight(Number(updated_at) + day * DAY);
  const again = await rejections(seller.orgId);
  expect(again).toHaveLength(1);
  expect(Number(again[0]?.seq)).toBeGreaterThan(Number(told?.seq));
  expect(await rowOf('order_requests', { id })).toMatchObject({ status: 'rejected', reason_code: 'expired' });
});

test.each(WAYS)(
  '%s: the address of a member ends 90 days after the revocation, not after the return',
  async (_, note) => {
    const seller = await openSeller();
    const id = await memberId((await enter(seller.orgId, 'staff')).email);
    const goBack = await note(seller);
    pass(1000);
    const revokedAt = Date.now();
    await revokeMember(staffContext(seller.orgId, 'owner').ctx, id);
    pass(91 * DAY);
    await retentionNight(Date.now());
    expect((await rowOf('members', { id })).email).toBe('');

    await goBack();
    expect(await rowOf('members', { id })).toMatchObject({
      revoked_at: revokedAt,
      email: expect.stringContaining('@'),
    });
    await retentionNight(Date.now());
    expect((await rowOf('members', { id })).email).toBe('');
  },
);

test.each(WAYS)('%s: rows of the audit log that are ten years old go again, and no others', async (_, note) => {
  const seller = await openSeller();
  const org_id = seller.orgId;
  const row = { org_id, actor_kind: 'system', action: 'retention.erased', entity_id: 'x', request_id: 'r' };
  const days = [3_654, 3_650];
  for (const at of days.map((count) => Date.now() - count * DAY))
    await insertRow('audit_log', { ...row, id: idAt(at), at });
  const count = async () => (await rowsOf('audit_log', { org_id, action: row.action })).length;
  const goBack = await note(seller);
  pass(1000);
  await retentionNight(Date.now());
  expect(await count()).toBe(1);

  await goBack();
  expect(await count()).toBe(2);
  await retentionNight(Date.now());
  expect(await count()).toBe(1);
});
