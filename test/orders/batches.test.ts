import { sweepRetention } from '../../src/order-requests/sweep';
import { packByHand, scanForOrder, setBatch, unpackLine } from '../../src/orders/packing/pack';
import { supplyKey } from '../../src/orders/rules';
import { DAY_MS } from '../../src/platform/time';
import { enter } from '../management/browser';
import { getOrder, orderBody, orderRow, patchOrder, setStatus, upsert } from '../support/order-flow';
import { callApi, expectProblem, holdProduct, newPzn, type OrganizationApi, succeeded } from '../support/organization';
import { auditOf } from '../support/rows';
import { staffContext } from '../support/staff-context';
import { expect, test } from '../support/test';
import { rows, systemContext } from '../support/world';

const GS = '\u001d';

/** An order of three packs, which waits to be packed. */
async function openThree(api: OrganizationApi, more: Record<string, unknown> = {}) {
  const pzn = newPzn();
  const { p1_id, price } = await holdProduct(api, { name: 'Ibuprofen 600 mg', pzn });
  const body = orderBody(api, { items: [{ p1_id, qty: 3, price }], ...more });
  const { id } = succeeded(await upsert(api, body), 201);
  await setStatus(id, 'awaiting_packing');
  return { id, pzn, body, ctx: staffContext(api.orgId) };
}

/** The DataMatrix of a pack in the format of the IFA. */
function ifa(pzn: string, serial: string, batch: string): string {
  const text = `11${pzn}`;
  const sum = [...text].reduce((total, character, place) => total + character.charCodeAt(0) * (place + 2), 0);
  return `[)>\u001e06${GS}9N${text}${String(sum % 97).padStart(2, '0')}${GS}1T${batch}${GS}D991231${GS}S${serial}\u001e\u0004`;
}

const batchesOf = async (api: OrganizationApi, id: string) => (await getOrder(api, id)).items[0].batches;
const who = (api: OrganizationApi, batch: string, query = {}) =>
  callApi(api, 'GET', '/batches', { query: { batch, ...query } });

test('packing keeps the batch of each pack, scanned or typed, and forgets what is taken back', async ({ api }) => {
  const { id, pzn, ctx } = await openThree(api);
  await scanForOrder(ctx, id, { text: ifa(pzn, 'S1', 'AB12'), seen: null });
  await scanForOrder(ctx, id, { text: ifa(pzn, 'S2', 'ab 12'), seen: null });
  const scanned = { batch: 'AB12', quantity: 2, expires_on: '2099-12-31' };
  expect(await batchesOf(api, id)).toEqual([scanned]);
  const key = async () => supplyKey({ items: JSON.parse((await orderRow(id)).items) }, 0);
  await packByHand(ctx, id, await key(), { batch: 'C-7' });
  expect(await batchesOf(api, id)).toEqual([scanned, { batch: 'C-7', quantity: 1, expires_on: null }]);
  await unpackLine(ctx, id, await key());
  expect(await batchesOf(api, id)).toEqual([]);
  expect(await rows('select * from order_batches where order_id = ?', id)).toEqual([]);
  await packByHand(ctx, id, await key());
  await setBatch(ctx, id, await key(), 'D8');
  await setBatch(ctx, id, await key(), 'other');
  expect(await batchesOf(api, id)).toEqual([{ batch: 'D8', quantity: 3, expires_on: null }]);
});

test('a program books batches by line, which stay through its own upserts and the hand-over', async ({ api }) => {
  const { id, body } = await openThree(api);
  const booked = (batches: unknown) => patchOrder(api, id, { batches });
  const two = [
    { line: 0, batch: 'AB12', quantity: 2 },
    { line: 0, batch: 'AB13' },
  ];
  succeeded(await booked(two));
  const { updated_at } = succeeded(await booked(two));
  expect((await getOrder(api, id)).updated_at).toBe(updated_at);
  const both = [
    { batch: 'AB12', quantity: 2, expires_on: null },
    { batch: 'AB13', quantity: 1, expires_on: null },
  ];
  expect(await batchesOf(api, id)).toEqual(both);
  expect(succeeded(await upsert(api, body)).updated_at).toBe(updated_at);
  succeeded(await upsert(api, { ...body, items: body.items.map((item) => ({ ...item, price: 4 })) }));
  expect(await batchesOf(api, id)).toEqual(both);
  for (const batches of [[{ line: 1, batch: 'X' }], [{ line: 0, batch: 'X', quantity: 4 }], [...two, ...two]])
    expectProblem(await booked(batches), 400, 'validation_failed');
  const steps = [{ status: 'ready_pickup', batches: [] }, { status: 'picked_up' }];
  for (const step of steps) succeeded(await patchOrder(api, id, step));
  const record = await callApi(api, 'GET', `/orders/${id}/dispensing-record`);
  expect(succeeded(record).lines).toEqual([]);
  expect(succeeded(await who(api, 'ab 13')).data).toMatchObject([{ order_id: id, has_left: true, quantity: 1 }]);
  succeeded(await booked([{ line: 0, batch: null }]));
  expect(succeeded(await who(api, 'AB13')).data).toEqual([]);
});

test('a search by batch says who got it, page by page and in the log; what law keeps outlives an erasure', async ({
  api,
}) => {
  const person = { customer_email: `${newPzn()}@example.com`, customer_name: 'Erika Musterfrau' };
  const [first, second] = [await openThree(api), await openThree(api, person)];
  for (const { id } of [first, second]) {
    succeeded(await patchOrder(api, id, { batches: [{ line: 0, batch: 'AB12' }] }));
    for (const status of ['ready_pickup', 'picked_up']) succeeded(await patchOrder(api, id, { status }));
  }
  const page = succeeded(await who(api, 'AB12', { limit: 1 }));
  expect(page.data).toMatchObject([{ order_id: second.id, customer_name: 'Erika Musterfrau', line: 0 }]);
  const next = succeeded(await who(api, 'AB12', { limit: 1, cursor: page.next_cursor }));
  expect(next.data).toMatchObject([{ order_id: first.id }]);
  expect(await auditOf(api.orgId, { action: 'organization.rows_read' })).toHaveLength(2);

  const [{ customer_id: customerId } = { customer_id: '' }] = await rows<{ customer_id: string }>(
    'select customer_id from orders where id = ?',
    second.id,
  );
  const fields = ['customer_name', 'prescriber_name', 'batches'];
  const until = expect.stringMatching(/^2\d{3}-\d\d-\d\dT/);
  expect(succeeded(await callApi(api, 'DELETE', `/customers/${customerId}`))).toEqual({
    ...{ id: customerId, deleted: true },
    kept: [{ order_id: second.id, fields, law: '§ 22 ApBetrO', until }],
  });
  expect(JSON.stringify(await getOrder(api, second.id))).not.toContain('Musterfrau');
  const [kept] = succeeded(await who(api, 'AB12')).data;
  expect(kept).toMatchObject({ customer_name: 'Erika Musterfrau', customer_email: null });
  const { browser } = await enter(api.orgId, 'pharmacist');
  const found = await browser.get('/manage/search?q=Charge ab12');
  expect(found.location).toBe('/manage/search/batches?q=ab12');
  const { text } = await browser.get(found.location ?? '');
  for (const words of ['Erika Musterfrau', 'nur für Chargenrückrufe aufbewahrt']) expect(text).toContain(words);
  expect((await browser.get(`/manage/orders/${second.id}`)).text).toMatch(
    /Name und Verordner bleiben bis \d\d?\.\d\d?\.2\d{3}, nur für Chargenrückrufe/,
  );
  const staff = await enter(api.orgId, 'staff');
  expect((await staff.browser.get(found.location ?? '')).text).not.toContain('Musterfrau');

  await rows('update orders set restricted_until = 1 where id = ?', second.id);
  await sweepRetention(systemContext({ now: () => Date.now() + DAY_MS }).ctx);
  expect(succeeded(await who(api, 'AB12')).data[0].customer_name).toBeNull();
  const erased = (await browser.get(`/manage/orders/${second.id}`)).text;
  expect(erased).toMatch(/Person gelöscht[^\d]*\d\d?\.\d\d?\.2\d{3}/);
  expect(erased).not.toContain('Keine Adresse angegeben');
});

test('what was packed for a cancelled order is in no recall', async ({ api }) => {
  const { id } = await openThree(api);
  succeeded(await patchOrder(api, id, { batches: [{ line: 0, batch: 'ZZ9' }] }));
  succeeded(await patchOrder(api, id, { status: 'cancelled', reason_code: 'test' }));
  expect(succeeded(await who(api, 'ZZ9')).data).toEqual([]);
  expectProblem(await patchOrder(api, id, { batches: [{ line: 0, batch: 'X' }] }), 409, 'order_locked');
});

test('staff type the batch at the line', async ({ api }) => {
  const { id } = await openThree(api);
  const { browser } = await enter(api.orgId, 'staff');
  const path = `/manage/orders/${id}`;
  const { text } = await browser.get(path);
  const key = /name="hand" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const sent = await browser.submit(`${path}/packs`, { hand: key, batch: 'AB12' }, path);
  expect(sent).toMatchObject({ status: 303 });
  expect(await batchesOf(api, id)).toMatchObject([{ batch: 'AB12', quantity: 3 }]);
  expect((await browser.get(path)).text).toContain('Charge AB12 (3)');
  const refused = { act: 'batch', 'batch-line': key };
  for (const batch of ['', 'x'.repeat(41)])
    expect(await browser.submit(`${path}/packs`, { ...refused, batch }, path)).toMatchObject({ status: 400 });
  await browser.submit(`${path}/packs`, { undo: key }, path);
  await browser.submit(`${path}/packs`, { hand: key }, path);
  await browser.submit(`${path}/packs`, { ...refused, batch: 'C7' }, path);
  expect(await batchesOf(api, id)).toMatchObject([{ batch: 'C7', quantity: 3 }]);
});
