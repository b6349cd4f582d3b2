import { setLegalHold } from '../../src/order-requests/erasure/erase';
import { retentionNight } from '../support/files';
import {
  approve,
  getOrder,
  getRequest,
  itemOf,
  openApprovable,
  openConnector,
  openRequest,
  reject,
  reopen,
  requestBody,
  requestRow,
  staffContext,
} from '../support/order-flow';
import { eventsOf, holdProduct, succeeded } from '../support/organization';
import { captureLogs } from '../support/probe';
import { insertRows, quoted, rowsOf } from '../support/rows';
import { describe, expect, test } from '../support/test';

const DAY = 86_400_000;

describe('what a platform says besides', () => {
  test('is kept with the request and its order, as text by name', async ({ api }) => {
    const product = await holdProduct(api, { stock: 9 });
    const said = {
      note: '  Allergisch gegen Erdnüsse ',
      birth_date: '1980-02-29',
      delivery_instructions: { floor: 3, bell: 'Müller' },
      urgent: true,
      visits: 7,
      nothing: null,
      empty: ' ',
    };
    const items = [{ ...itemOf(product, 1), dosage: '1-0-1' }];
    const id = await openRequest(api, { items, ...said });
    const details = {
      note: 'Allergisch gegen Erdnüsse',
      birth_date: '1980-02-29',
      delivery_instructions: '{"floor":3,"bell":"Müller"}',
      urgent: 'true',
      visits: '7',
      'items[0].dosage': '1-0-1',
    };
    expect((await getRequest(api, id)).platform_details).toEqual(details);
    const { order_id } = succeeded(await approve(api, id));
    expect((await getOrder(api, order_id)).platform_details).toEqual(details);
  });

  test('is nothing where there is nothing, and the contract’s own members are none of it', async ({ api }) => {
    const { id } = await openApprovable(api, {
      payload: { customer_id: 'K-1', cash_on_pickup: true, prescription_pdf_base64: '' },
    });
    expect((await getRequest(api, id)).platform_details).toBeNull();
  });

  test('is forty members of 2,000 characters at most, whatever is sent', async ({ api }) => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`m${i}`, `${i}`]));
    const long = { first: 'x'.repeat(2001), emoji: `${'x'.repeat(1999)}😀` };
    const hostile = { ['k'.repeat(5000)]: 'long name' };
    const id = await openRequest(api, { ...long, ...hostile, ...many });
    const kept: Record<string, string> = (await getRequest(api, id)).platform_details;
    expect(Object.keys(kept)).toHaveLength(40);
    expect(kept.first).toBe('x'.repeat(2000));
    expect(kept.emoji).toBe(`${'x'.repeat(1999)}\ufffd`);
    expect(Object.keys(kept).every((name) => name.length <= 200)).toBe(true);
  });

  test('is in no event and no log, and makes no repetition another submission', async ({ api }) => {
    const submit = await openConnector(api);
    const { lines } = captureLogs();
    const { shop_id: _, ...body } = requestBody(api, { allergy: 'Quittenallergie-1' });
    const first = await (await submit(body)).json();
    const again = await submit({ ...body, payload: { ...body.payload, allergy: 'Quittenallergie-2' } });
    expect(await again.json()).toMatchObject({ id: (first as { id: string }).id });
    succeeded(await approve(api, (first as { id: string }).id, { override_reason: 'x' }));
    expect(JSON.stringify(await eventsOf(api.orgId))).not.toContain('Quittenallergie');
    expect(lines.join('\n')).not.toContain('Quittenallergie');
  });
});

describe('the body as it was sent', () => {
  const payloadOf = async (id: string) => (await requestRow(id)).payload;

  test('goes 30 days after the decision; what staff read of it stays', async ({ api }) => {
    const kept = { note: 'Bitte klingeln' };
    const { id: approvedId } = await openApprovable(api, { payload: kept });
    const rejectedId = await openRequest(api, kept);
    const reopenedId = await openRequest(api, kept);
    const waitingId = await openRequest(api, kept);
    const heldId = await openRequest(api, kept);
    const laterId = await openRequest(api, kept);
    succeeded(await approve(api, approvedId));
    for (const id of [rejectedId, reopenedId, heldId]) succeeded(await reject(api, id));
    await reopen(api, reopenedId);
    const { ctx: owner } = staffContext(api.orgId, 'owner');
    await setLegalHold(owner, { requestId: heldId, isOnLegalHold: true });
    await retentionNight(Date.now() + 30 * DAY - 60_000);
    expect(await payloadOf(approvedId)).not.toBeNull();
    await retentionNight(Date.now() + 30 * DAY + 60_000);
    expect(await payloadOf(approvedId)).toBeNull();
    expect(await payloadOf(rejectedId)).toBeNull();
    for (const id of [reopenedId, waitingId, heldId, laterId]) expect(await payloadOf(id)).not.toBeNull();
    expect((await getRequest(api, approvedId)).platform_details).toEqual(kept);
    expect((await getRequest(api, rejectedId)).items).toHaveLength(1);
  });

  test('goes in one night, however many there are', async ({ api }) => {
    await insertRows('order_requests', 1_200, {
      ...{ id: `'r-' || i`, org_id: quoted(api.orgId), shop_id: quoted(api.shopId), status: `'approved'` },
      ...{ payload: `'{}'`, decided_by: `'x'`, decided_at: `${Date.now() - 31 * DAY}` },
    });
    await retentionNight(Date.now());
    expect(await rowsOf('order_requests', { org_id: api.orgId, payload: '{}' })).toEqual([]);
  });
});
