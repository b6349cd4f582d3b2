import { approveOrderRequest } from '../../src/order-requests/review/approve';
import { addPrescription } from '../../src/order-requests/review/decisions';
import { addOrderPrescription } from '../../src/orders/change';
import { fromBase64 } from '../../src/platform/crypto/crypto';
import {
  approve,
  deleteRequest,
  eventsAfter,
  getOrder,
  getRequest,
  itemOf,
  openOrder,
  openPrescribed,
  openRequest,
  orderBody,
  patchOrder,
  requestRow,
  setStatus,
  staffContext,
  upsert,
} from '../support/order-flow';
import {
  callApi,
  expectProblem,
  footprint,
  holdProduct,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { prescriptionRow } from '../support/prescriptions';
import { auditOf } from '../support/rows';
import { describe, expect, test } from '../support/test';
import { PDF_BASE64, rows } from '../support/world';

const PRESCRIBED = { prescription_required: true };

interface Line {
  p1_id: string;
  quantity: number;
}

function cover(api: OrganizationApi, prescriptionId: string, lines?: unknown) {
  return callApi(api, 'POST', `/prescriptions/${prescriptionId}/approve`, { body: { lines } });
}

const priced = (...lines: Line[]) => lines.map((line) => ({ ...line, price: 1 }));

/** What is not covered, as the refusal tells it. */
function notCovering(...lines: { p1_id: string; requested: number; covered: number }[]) {
  return lines.map((line) =>
    expect.objectContaining({ code: 'prescription_not_covering', overridable: false, ...line }),
  );
}

describe('an approved prescription', () => {
  test('covers what the request named, and neither another medicine nor more of it, whoever asks with whatever reason', async () => {
    const api = await openOrganizationApi();
    const other = await holdProduct(api, { stock: 50, ...PRESCRIBED });
    const { id, product, prescriptionId } = await openPrescribed(api, { stock: 50 });
    succeeded(await cover(api, prescriptionId));

    const { ctx } = staffContext(api.orgId, 'staff');
    const line = { name: null, quantity: 30, priceCents: 100, p1Id: other.p1_id, productId: null };
    const swapped = approveOrderRequest(ctx, { id, lines: [line], overrideReason: 'Ist dringend' });
    await expect(swapped).rejects.toMatchObject({
      code: 'not_approvable',
      blockers: expect.arrayContaining([
        expect.objectContaining({
          ...{ code: 'prescription_not_covering', overridable: false },
          ...{ p1Id: other.p1_id, needed: 30, covered: 0 },
        }),
      ]),
    });

    const before = await footprint(api.orgId);
    const more = priced({ p1_id: product.p1_id, quantity: 3 });
    const refused = await approve(api, id, { lines: more, override_reason: 'Ist dringend' });
    expectProblem(refused, 409, 'not_approvable');
    expect(refused.body.blockers).toEqual(notCovering({ p1_id: product.p1_id, requested: 3, covered: 2 }));
    expect(await footprint(api.orgId)).toEqual(before);
    expect(await requestRow(id)).toMatchObject({ status: 'pending' });

    succeeded(await approve(api, id, { lines: priced({ p1_id: product.p1_id, quantity: 1 }) }));
  });

  test('covers the sum of the lines of one product', async ({ api, prescribed: { id, product, prescriptionId } }) => {
    succeeded(await cover(api, prescriptionId, [{ p1_id: product.p1_id, quantity: 1 }]));
    const one = { p1_id: product.p1_id, quantity: 1 };
    expectProblem(await approve(api, id, { lines: priced(one, one) }), 409, 'not_approvable');
    const again = [one, one, one];
    succeeded(await cover(api, prescriptionId, again));
    expect((await prescriptionRow(prescriptionId)).approved_lines).toBe(
      JSON.stringify([{ p1Id: product.p1_id, quantity: 3 }]),
    );
    succeeded(await approve(api, id, { lines: priced(one, one, one) }));
  });

  test('leaves what requires none alone', async ({ api }) => {
    const plain = await holdProduct(api, { stock: 50 });
    const { id, product, prescriptionId } = await openPrescribed(api);
    succeeded(await cover(api, prescriptionId));
    const lines = priced({ p1_id: product.p1_id, quantity: 2 }, { p1_id: plain.p1_id, quantity: 40 });
    succeeded(await approve(api, id, { lines }));
  });

  test('and another one of the request cover together', async ({ api }) => {
    const second = await holdProduct(api, { stock: 50, ...PRESCRIBED });
    const { id, product, prescriptionId } = await openPrescribed(api);
    const { ctx } = staffContext(api.orgId);
    const added = await addPrescription(ctx, { id, bytes: fromBase64(PDF_BASE64) });
    const lines = priced({ p1_id: product.p1_id, quantity: 3 }, { p1_id: second.p1_id, quantity: 1 });

    succeeded(await cover(api, prescriptionId, [{ p1_id: product.p1_id, quantity: 1 }]));
    succeeded(await cover(api, added.id, [{ p1_id: product.p1_id, quantity: 1 }]));
    const refused = await approve(api, id, { lines });
    expect(refused.body.blockers).toEqual(
      notCovering(
        { p1_id: product.p1_id, requested: 3, covered: 2 },
        { p1_id: second.p1_id, requested: 1, covered: 0 },
      ),
    );
    succeeded(await cover(api, prescriptionId, [{ p1_id: product.p1_id, quantity: 2 }]));
    const rest = [
      { p1_id: product.p1_id, quantity: 1 },
      { p1_id: second.p1_id, quantity: 1 },
    ];
    succeeded(await cover(api, added.id, rest));
    succeeded(await approve(api, id, { lines }));
  });

  test('covers a product that staff found for an item without one, if the approval named it', async ({ api }) => {
    const product = await holdProduct(api, PRESCRIBED);
    const items = [{ name: 'Ibuprofen 800', quantity: 1, price: 9.95 }];
    const id = await openRequest(api, { items, prescription_pdf_base64: PDF_BASE64 });
    const [{ id: prescriptionId }] = (await getRequest(api, id)).prescriptions;
    const lines = priced({ p1_id: product.p1_id, quantity: 1 });
    succeeded(await cover(api, prescriptionId));
    expectProblem(await approve(api, id, { lines }), 409, 'not_approvable');
    succeeded(await cover(api, prescriptionId, [{ p1_id: product.p1_id, quantity: 1 }]));
    succeeded(await approve(api, id, { lines }));
  });

  test('shows what keeps its request from approval wherever the request is read', async ({ api }) => {
    const { id, product, prescriptionId } = await openPrescribed(api);
    succeeded(await cover(api, prescriptionId, [{ p1_id: product.p1_id, quantity: 1 }]));
    const blockers = notCovering({ p1_id: product.p1_id, requested: 2, covered: 1 });
    expect((await getRequest(api, id)).blockers).toEqual(blockers);
    const list = succeeded(await callApi(api, 'GET', '/order-requests'));
    expect(list.data[0].blockers).toEqual(blockers);
  });
});

describe('approved anew', () => {
  test('it covers the new lines instead of the old ones, and says so once', async ({ api }) => {
    const { id, product, prescriptionId } = await openPrescribed(api);
    const lines = (quantity: number) => [{ p1_id: product.p1_id, quantity }];
    succeeded(await cover(api, prescriptionId));
    const happened = await eventsAfter(api.orgId, async () => {
      succeeded(await cover(api, prescriptionId, lines(1)));
      succeeded(await cover(api, prescriptionId, lines(1)));
    });
    const metadata = { prescription_id: prescriptionId, order_request_id: id };
    expect(happened).toEqual([{ type: 'prescription_approved', metadata }]);
    const audit = await auditOf(prescriptionId);
    expect(audit.map(({ action, fields }) => [action, fields])).toEqual([
      ['prescription.approved', null],
      ['prescription.approved', '["lines"]'],
    ]);
    expectProblem(await approve(api, id), 409, 'not_approvable');
    // Without lines it covers those of the request again.
    succeeded(await cover(api, prescriptionId));
    succeeded(await approve(api, id));
  });

  test.for([
    ['no line', []],
    ['a quantity of none', [{ p1_id: 'a', quantity: 0 }]],
    ['a part of a pack', [{ p1_id: 'a', quantity: 1.5 }]],
    ['no product', [{ quantity: 1 }]],
    ['an empty product', [{ p1_id: ' ', quantity: 1 }]],
    ['an unknown member', [{ p1_id: 'a', quantity: 1, qty: 1 }]],
    ['more lines than an order has', Array(101).fill({ p1_id: 'a', quantity: 1 })],
  ] as const)('for %s, it is refused and changes nothing', async ([_, lines], { api }) => {
    const { prescriptionId } = await openPrescribed(api);
    succeeded(await cover(api, prescriptionId));
    const before = await footprint(api.orgId);
    expectProblem(await cover(api, prescriptionId, lines), 400, 'validation_failed');
    expect(await footprint(api.orgId)).toEqual(before);
  });
});

describe('an order', () => {
  /** An order with an approved prescription for its two pieces. */
  async function openCovered(api: OrganizationApi) {
    const product = await holdProduct(api, { stock: 100, ...PRESCRIBED });
    const body = orderBody(api, { items: [{ p1_id: product.p1_id, qty: 2, price: 1 }] });
    const { id } = succeeded(await upsert(api, body), 201);
    const { ctx } = staffContext(api.orgId);
    const filed = await addOrderPrescription(ctx, { id, bytes: fromBase64(PDF_BASE64) });
    succeeded(await cover(api, filed.id));
    const change = async (p1_id: string, qty: number) =>
      succeeded(await upsert(api, { ...body, items: [{ p1_id, qty, price: 1 }] }));
    return { id, product, prescriptionId: filed.id, change };
  }

  test.each([
    ['awaiting_prescription', 'awaiting_packing', 'Abholung'],
    ['awaiting_packing', 'ready_pickup', 'Abholung'],
    ['awaiting_packing', 'ready_shipping', 'Versand'],
    ['ready_pickup', 'picked_up', 'Abholung'],
    ['ready_shipping', 'shipped', 'Versand'],
  ])('whose lines an upsert changes afterwards does not get from %s to %s', async (from, to, shippingOption) => {
    const api = await openOrganizationApi();
    const other = await holdProduct(api, { stock: 100, ...PRESCRIBED });
    const { id, product, prescriptionId, change } = await openCovered(api);
    for (const [p1Id, quantity] of [
      [product.p1_id, 30],
      [other.p1_id, 1],
    ] as const) {
      await setStatus(id, from, null);
      await change(p1Id, quantity);
      await setStatus(id, from, shippingOption);
      expectProblem(await patchOrder(api, id, { status: to }), 409, 'prescription_not_covering');
      expect((await getOrder(api, id)).status).toBe(from);
    }
    // Approved anew, it covers the lines as they are now.
    succeeded(await cover(api, prescriptionId));
    expect(succeeded(await patchOrder(api, id, { status: to }))).toMatchObject({ status: to });
  });

  test('with fewer pieces than were approved goes on, and one that is not covered can be canceled', async ({ api }) => {
    const fewer = await openCovered(api);
    await fewer.change(fewer.product.p1_id, 1);
    succeeded(await patchOrder(api, fewer.id, { status: 'awaiting_packing' }));
    const more = await openCovered(api);
    await more.change(more.product.p1_id, 3);
    succeeded(await patchOrder(api, more.id, { status: 'cancelled', reason_code: 'quantity_exceeds_prescription' }));
  });

  test('is covered by the prescription of the request that it came from, and by no other order’s', async ({ api }) => {
    const { id, product, prescriptionId } = await openPrescribed(api);
    succeeded(await cover(api, prescriptionId));
    const { order_id } = succeeded(await approve(api, id, { lines: [itemOf(product, 1)] }));
    succeeded(await patchOrder(api, order_id, { status: 'ready_pickup' }));
    // Of an approved request, the approved lines are those that stand.
    succeeded(await cover(api, prescriptionId));
    expect((await prescriptionRow(prescriptionId)).approved_lines).toBe(
      JSON.stringify([{ p1Id: product.p1_id, quantity: 1 }]),
    );
    succeeded(await patchOrder(api, order_id, { status: 'picked_up' }));
    const alone = await openOrder(api, { items: [{ p1_id: product.p1_id, qty: 1, price: 1 }] });
    expectProblem(await patchOrder(api, alone.id, { status: 'awaiting_packing' }), 409, 'prescription_not_approved');
  });
});

test('what was covered goes with the prescription, and the database keeps it to approvals', async ({ api }) => {
  const { id, prescriptionId } = await openPrescribed(api);
  const write = (lines: string) =>
    rows('update prescriptions set approved_lines = ? where id = ?', lines, prescriptionId);
  await expect(write('[]')).rejects.toThrow(/prescriptions_approved_lines/);
  succeeded(await cover(api, prescriptionId));
  await expect(write('no json')).rejects.toThrow(/prescriptions_approved_lines/);
  succeeded(await deleteRequest(api, id));
  expect(await prescriptionRow(prescriptionId)).toMatchObject({ status: 'erased', approved_lines: null });
});
