import { approveOrderRequest } from '../../src/order-requests/review/approve';
import { changeOrder } from '../../src/orders/change';
import { getLeavingOrder } from '../../src/orders/detail';
import { addDays, dayOf } from '../../src/platform/pharmacy-time';
import { openPrescribed, orderRow, patchOrder, setStatus } from '../support/order-flow';
import { type OrganizationApi, succeeded } from '../support/organization';
import { prescriptionRow } from '../support/prescriptions';
import { staffContext } from '../support/staff-context';
import { describe, expect, test } from '../support/test';
import { operate, rows } from '../support/world';

const daysAgo = (days: number) => addDays(dayOf(Date.now()), -days);

/** An order with a prescription that bears a day, ready for its customer and paid; from then on it is valid for 30 days. */
async function openReady(
  api: OrganizationApi,
  {
    issuedOn = null,
    as = 'original_present',
  }: { issuedOn?: string | null; as?: 'original_present' | 'original_follows' },
) {
  const ctx = staffContext(api.orgId, 'pharmacist');
  const { id: requestId, prescriptionId } = await openPrescribed(api);
  const { sha256 } = await prescriptionRow(prescriptionId);
  const { orderId } = await approveOrderRequest(ctx, {
    id: requestId,
    checked: [{ prescriptionId, sha256: String(sha256), as, issuedOn }],
  });
  const id = String(orderId);
  await setStatus(id, 'ready_pickup');
  await rows(`update orders set payment_status = 'paid' where id = ?`, id);
  await operate(`/organizations/${api.orgId}`, { prescription_valid_days: 30 }, 'PATCH');
  return { ctx, id, prescriptionId };
}

const pickedUp = { status: 'picked_up', unpaidReason: 'other' } as const;

describe('a prescription that has become too old since it was approved', () => {
  test('is to be accepted at the hand-over', async ({ api }) => {
    const { ctx, id } = await openReady(api, { issuedOn: daysAgo(31) });
    expect((await getLeavingOrder(ctx, id)).expired).toMatchObject([{ issuedOn: daysAgo(31) }]);
    const before = await orderRow(id);
    await expect(changeOrder(ctx, id, pickedUp)).rejects.toMatchObject({ code: 'prescription_expired' });
    expect(await orderRow(id)).toEqual(before);
    await changeOrder(ctx, id, { ...pickedUp, isExpiryAccepted: true });
    expect(await orderRow(id)).toMatchObject({ status: 'picked_up' });
  });

  test('is no matter of a program', async ({ api }) => {
    const { id } = await openReady(api, { issuedOn: daysAgo(31) });
    succeeded(await patchOrder(api, id, { status: 'picked_up' }));
  });

  test.for([
    ['on its last day', daysAgo(30)],
    ['without a date', null],
  ] as const)('%s is not', async ([_, issuedOn], { api }) => {
    const { ctx, id } = await openReady(api, { issuedOn });
    expect((await getLeavingOrder(ctx, id)).expired).toEqual([]);
    await changeOrder(ctx, id, pickedUp);
  });
});

describe('the day that an original bears', () => {
  test('is noted with its confirmation, and counts at the hand-over', async ({ api }) => {
    const { ctx, id, prescriptionId } = await openReady(api, { as: 'original_follows' });
    expect((await getLeavingOrder(ctx, id)).copies).toMatchObject([{ id: prescriptionId }]);
    const confirmed = { originalMissing: false, issued: new Map([[prescriptionId, daysAgo(40)]]) };
    await expect(changeOrder(staffContext(api.orgId), id, confirmed)).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    expect(await prescriptionRow(prescriptionId)).toMatchObject({ issued_on: null });
    await changeOrder(ctx, id, confirmed);
    expect(await prescriptionRow(prescriptionId)).toMatchObject({ issued_on: daysAgo(40) });
    expect(await orderRow(id)).toMatchObject({ original_missing: 0 });
    await expect(changeOrder(ctx, id, pickedUp)).rejects.toMatchObject({ code: 'prescription_expired' });
  });
});

describe('a form that was made before the order changed', () => {
  test('hands nothing over; sent twice, the second finds what the first did', async ({ api }) => {
    const { ctx, id } = await openReady(api, {});
    const { order } = await getLeavingOrder(ctx, id);
    await changeOrder(ctx, id, { express: true });
    const { updated_at } = await orderRow(id);
    const stale = { ...pickedUp, seenAt: Number(updated_at) - 1 };
    await expect(changeOrder(ctx, id, stale)).rejects.toMatchObject({ code: 'changed_meanwhile' });
    expect(order.status).toBe('ready_pickup');
    for (let sending = 0; sending < 2; sending += 1) {
      await changeOrder(ctx, id, { ...pickedUp, seenAt: Number(updated_at) });
      expect(await orderRow(id)).toMatchObject({ status: 'picked_up' });
    }
  });
});
