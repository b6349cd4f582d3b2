import { readReview } from '../../src/order-requests/inbox/inbox';
import { type ApproveInput, approveOrderRequest } from '../../src/order-requests/review/approve';
import { addPrescription, setAsidePrescription, undoSetAside } from '../../src/order-requests/review/decisions';
import { changeOrder } from '../../src/orders/change';
import type { Context } from '../../src/platform/context';
import { fromBase64 } from '../../src/platform/crypto/crypto';
import { addDays, dayOf } from '../../src/platform/pharmacy-time';
import type { Check } from '../../src/prescriptions/check';
import {
  approve,
  eventsAfter,
  getOrder,
  getRequest,
  itemOf,
  openPrescribed,
  openRequest,
  patchOrder,
  requestRow,
  staffContext,
} from '../support/order-flow';
import {
  callApi,
  expectProblem,
  footprint,
  holdProduct,
  type OrganizationApi,
  succeeded,
} from '../support/organization';
import { prescriptionRow } from '../support/prescriptions';
import { auditOf } from '../support/rows';
import { describe, expect, test } from '../support/test';
import { newPdf, operate, PDF_BASE64, rows } from '../support/world';

const PRESCRIBED = { prescription_required: true };

/** That somebody ticked these prescriptions. */
async function checksOf(ids: readonly string[], members: Partial<Check> = {}): Promise<Check[]> {
  const found = await Promise.all(ids.map(prescriptionRow));
  return found.map(({ id, sha256 }) => ({
    ...{ prescriptionId: id, sha256: sha256 ?? '', as: 'original_present', issuedOn: null },
    ...members,
  }));
}

function upload(ctx: Context, id: string) {
  return addPrescription(ctx, { id, bytes: fromBase64(PDF_BASE64) });
}

/** What a page shows of a request now, answered as somebody would who agrees with all of it. */
async function agreed(ctx: Context, id: string, lines?: ApproveInput['lines']): Promise<ApproveInput> {
  const { prescriptions, prescriptionsVersion, differences } = await readReview(ctx, id, lines && { lines, p1Ids: [] });
  return {
    id,
    ...(lines && { lines }),
    checked: await checksOf(prescriptions.filter(({ setAsideAt }) => setAsideAt === null).map((row) => row.id)),
    prescriptionsVersion,
    acknowledged: differences.map(({ key }) => key),
  };
}

const line = (p1Id: string, members: object = {}) => ({
  ...{ name: null, quantity: 1, priceCents: 495, p1Id, productId: null, item: 0 },
  ...members,
});

/** The codes that refuse an approval. */
async function refusal(approval: Promise<unknown>): Promise<string[]> {
  const error = await approval.then(
    () => ({ code: 'none' }),
    (thrown: { code: string; blockers?: { code: string }[] }) => thrown,
  );
  return 'blockers' in error && error.blockers ? error.blockers.map(({ code }) => code) : [error.code];
}

describe('one approval', () => {
  test('approves request and prescriptions in one batch, for exactly the lines that become the order', async ({
    api,
  }) => {
    const { ctx, memberId } = staffContext(api.orgId);
    const { id, product, prescriptionId } = await openPrescribed(api);
    const input = await agreed(ctx, id, [line(product.p1_id, { quantity: 3 })]);
    const happened = await eventsAfter(api.orgId, async () => {
      expect(await approveOrderRequest(ctx, input)).toMatchObject({ status: 'approved' });
    });
    expect(happened.map(({ type }) => type).toSorted()).toEqual([
      'order_created',
      'order_request_approved',
      'prescription_approved',
      'product_updated',
    ]);
    expect(await prescriptionRow(prescriptionId)).toMatchObject({
      approved_by: memberId,
      approved_lines: JSON.stringify([{ p1Id: product.p1_id, quantity: 3 }]),
      checked_as: 'original_present',
    });
    expect(await auditOf(prescriptionId)).toMatchObject([
      { action: 'prescription.approved', reason_code: 'original_present' },
    ]);
    const { order_id } = await requestRow(id);
    expect(await getOrder(api, String(order_id))).toMatchObject({
      status: 'awaiting_packing',
      items: [{ p1_id: product.p1_id, qty: 3 }],
      flags: { original_missing: false },
    });
  });

  test('a program approves the prescriptions with the request, by what it says was looked at', async ({ api }) => {
    const { id, product, prescriptionId } = await openPrescribed(api);
    const signed = await approve(api, id, { verification: 'signed_file' });
    expectProblem(signed, 400, 'validation_failed');
    expect(signed.body.errors).toMatchObject([{ pointer: '/verification' }]);
    const alone = await callApi(api, 'POST', `/prescriptions/${prescriptionId}/approve`, {
      body: { verification: 'signed_file' },
    });
    expectProblem(alone, 400, 'validation_failed');
    expect(alone.body.errors).toEqual(signed.body.errors);
    expect(await prescriptionRow(prescriptionId)).toMatchObject({ approved_at: null });
    const { order_id } = succeeded(await approve(api, id, { verification: 'original_follows' }));
    expect(await prescriptionRow(prescriptionId)).toMatchObject({
      approved_lines: JSON.stringify([{ p1Id: product.p1_id, quantity: 2 }]),
      checked_as: 'original_follows',
    });
    expect(await getOrder(api, order_id)).toMatchObject({ flags: { original_missing: true } });
  });

  test('of two prescriptions covers the lines once, not twice', async ({ api }) => {
    const { ctx } = staffContext(api.orgId);
    const { id, product } = await openPrescribed(api);
    await upload(ctx, id);
    await approveOrderRequest(ctx, await agreed(ctx, id));
    const stored = await rows<{ approved_lines: string }>(
      'select approved_lines from prescriptions where order_request_id = ?',
      id,
    );
    const covered = stored.flatMap(({ approved_lines }) => JSON.parse(approved_lines));
    expect(covered).toEqual([{ p1Id: product.p1_id, quantity: 2 }]);
  });

  test.for<[string, (ctx: Context, id: string, prescriptionId: string) => Promise<unknown>]>([
    ['another PDF has come', upload],
    ['it was set aside', (ctx, requestId, id) => setAsidePrescription(ctx, { id, requestId, reason: 'Andere Person' })],
    ['its file is another one', (_, __, id) => rows("update prescriptions set sha256 = 'other' where id = ?", id)],
    [
      'it was erased',
      (_, __, id) =>
        rows("update prescriptions set status = 'erased', file_key = null, sha256 = null where id = ?", id),
    ],
  ])('is refused whole where, since the page was made, %s', async ([_, happens], { api }) => {
    const { ctx } = staffContext(api.orgId);
    const { id, prescriptionId } = await openPrescribed(api);
    const input = await agreed(ctx, id);
    await happens(ctx, id, prescriptionId);
    const before = await footprint(api.orgId);
    expect(await refusal(approveOrderRequest(ctx, input))).toEqual(['prescriptions_changed']);
    // The ticks alone say it, too.
    const { prescriptionsVersion: __, ...ticks } = input;
    const codes = await refusal(approveOrderRequest(ctx, ticks));
    expect(codes).toEqual(happens === upload ? ['prescription_not_reviewed'] : ['prescriptions_changed']);
    expect(await footprint(api.orgId)).toEqual(before);
    expect(await prescriptionRow(prescriptionId)).toMatchObject({ approved_at: null });
  });

  test('is refused where another PDF comes between its read and its write', async ({ api }) => {
    const { ctx } = staffContext(api.orgId);
    const { id, prescriptionId } = await openPrescribed(api);
    const input = await agreed(ctx, id);
    let reads = 0;
    const db = new Proxy(ctx.db, {
      get: (target, name) =>
        name !== 'run'
          ? Reflect.get(target, name)
          : async (statements: Parameters<typeof target.run>[0]) => {
              const read = await target.run(statements);
              reads += 1;
              if (reads === 1) await upload(ctx, id);
              return read;
            },
    });
    expect(await refusal(approveOrderRequest({ ...ctx, db }, input))).toEqual(['prescriptions_changed']);
    expect(reads).toBe(2);
    expect(await prescriptionRow(prescriptionId)).toMatchObject({ approved_at: null });
    expect(await requestRow(id)).toMatchObject({ status: 'pending', order_id: null });
  });

  test('checks prescriptions only for who may', async ({ api }) => {
    const { ctx } = staffContext(api.orgId, 'staff');
    const { id, prescriptionId } = await openPrescribed(api);
    const input = { id, checked: await checksOf([prescriptionId]) };
    expect(await refusal(approveOrderRequest(ctx, input))).toEqual(['insufficient_scope']);
    expect(await refusal(approveOrderRequest(ctx, { id }))).toContain('prescription_not_reviewed');
  });
});

describe('a prescription that was sent', () => {
  test('is never skipped by staff, whatever the items and the reason; a program may with one', async ({ api }) => {
    const items = [{ name: 'Etwas ohne Produkt', quantity: 1, price: 5 }];
    const id = await openRequest(api, { items, prescription_pdf_base64: PDF_BASE64 });
    const [{ id: prescriptionId }] = (await getRequest(api, id)).prescriptions;
    for (const role of ['owner', 'pharmacist', 'staff'] as const) {
      const { ctx } = staffContext(api.orgId, role);
      expect(await refusal(approveOrderRequest(ctx, { id, overrideReason: 'ok' }))).toEqual([
        'prescription_not_reviewed',
      ]);
    }
    expect(await prescriptionRow(prescriptionId)).toMatchObject({ approved_at: null, set_aside_at: null });
    expect(await requestRow(id)).toMatchObject({ status: 'pending' });
    expect((await getRequest(api, id)).blockers).toMatchObject([
      { code: 'unmatched_line', overridable: true },
      { code: 'prescription_not_reviewed', overridable: true },
    ]);
    succeeded(await approve(api, id, { override_reason: 'Vom Kunden zurückgezogen' }));
  });

  test('is set aside by who may check it, with a reason, and taken back until the decision', async ({ api }) => {
    const { ctx, memberId } = staffContext(api.orgId);
    const { ctx: staff } = staffContext(api.orgId, 'staff');
    const { id, product, prescriptionId } = await openPrescribed(api);
    const second = await upload(ctx, id);
    const of = { id: second.id, requestId: id };
    await expect(setAsidePrescription(staff, { ...of, reason: 'x' })).rejects.toMatchObject({
      code: 'insufficient_scope',
    });

    await setAsidePrescription(ctx, { ...of, reason: 'Andere Person' });
    await setAsidePrescription(ctx, { ...of, reason: 'Noch einmal' });
    expect(await prescriptionRow(second.id)).toMatchObject({
      set_aside_by: memberId,
      set_aside_reason: 'Andere Person',
      approved_at: null,
    });
    const statuses = async () =>
      (await getRequest(api, id)).prescriptions.map(({ status }: { status: string }) => status).toSorted();
    expect(await statuses()).toEqual(['set_aside', 'stored']);
    await expect(undoSetAside(staff, of)).rejects.toMatchObject({ code: 'insufficient_scope' });
    await undoSetAside(ctx, of);
    expect(await statuses()).toEqual(['stored', 'stored']);
    expect((await auditOf(second.id)).map(({ action }) => action)).toEqual([
      'prescription.uploaded',
      'prescription.set_aside',
      'prescription.taken_back',
    ]);

    // One that was approved covers nothing from then on.
    succeeded(await callApi(api, 'POST', `/prescriptions/${prescriptionId}/approve`, { body: { lines: null } }));
    await setAsidePrescription(ctx, { id: prescriptionId, requestId: id, reason: 'Doch nicht' });
    expect(await prescriptionRow(prescriptionId)).toMatchObject({ approved_at: null, approved_lines: null });
    await approveOrderRequest(ctx, await agreed(ctx, id));
    expect(await prescriptionRow(second.id)).toMatchObject({
      approved_lines: JSON.stringify([{ p1Id: product.p1_id, quantity: 2 }]),
    });
    for (const act of [setAsidePrescription(ctx, { ...of, reason: 'x' }), undoSetAside(ctx, of)]) {
      await expect(act).rejects.toMatchObject({ code: 'already_decided' });
    }
  });

  test('is set aside or approved, never both: the database holds it', async ({ prescribed: { prescriptionId } }) => {
    await expect(
      rows('update prescriptions set approved_at = 1, set_aside_at = 1 where id = ?', prescriptionId),
    ).rejects.toThrow(/prescriptions_set_aside/);
    await expect(
      rows("update prescriptions set checked_as = 'original_present' where id = ?", prescriptionId),
    ).rejects.toThrow(/prescriptions_checked_as/);
  });
});

describe('an original that is to follow', () => {
  async function openMissing(api: OrganizationApi): Promise<string> {
    const { ctx } = staffContext(api.orgId);
    const { id, prescriptionId } = await openPrescribed(api);
    await approveOrderRequest(ctx, { id, checked: await checksOf([prescriptionId], { as: 'original_follows' }) });
    return String((await requestRow(id)).order_id);
  }

  test('keeps the order in the house until who may check it confirms it', async ({ api }) => {
    const orderId = await openMissing(api);
    expect((await getOrder(api, orderId)).flags).toMatchObject({ original_missing: true, on_hold: false });
    succeeded(await patchOrder(api, orderId, { status: 'ready_pickup' }));
    expectProblem(await patchOrder(api, orderId, { status: 'picked_up' }), 409, 'original_missing');
    await expect(rows("update orders set status = 'picked_up' where id = ?", orderId)).rejects.toThrow(
      /orders_original_missing/,
    );
    const { flags } = await getOrder(api, orderId);
    const { ctx: staff } = staffContext(api.orgId, 'staff');
    await expect(changeOrder(staff, orderId, { originalMissing: false })).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    // What GET gave may be sent back by who confirms nothing.
    await changeOrder(staff, orderId, { originalMissing: true, express: false });
    const happened = await eventsAfter(api.orgId, async () => {
      succeeded(await patchOrder(api, orderId, { flags: { ...flags, original_missing: false } }));
    });
    expect(happened).toMatchObject([
      { type: 'order_status_updated', metadata: { changed_flags: ['original_missing'] } },
    ]);
    succeeded(await patchOrder(api, orderId, { flags: { original_missing: false }, status: 'picked_up' }));
    expectProblem(await patchOrder(api, orderId, { original_missing: true }), 400, 'validation_failed');
  });

  test('holds back what is shipped, too', async ({ api }) => {
    const orderId = await openMissing(api);
    succeeded(await patchOrder(api, orderId, { shipping_option: 'Versand' }));
    succeeded(await patchOrder(api, orderId, { status: 'ready_shipping' }));
    expectProblem(await patchOrder(api, orderId, { status: 'shipped' }), 409, 'original_missing');
    succeeded(await patchOrder(api, orderId, { original_missing: false, status: 'shipped' }));
  });
});

describe('a date of issue', () => {
  const today = () => dayOf(Date.now());

  test.for([
    [0, []],
    [-90, []],
    [-91, ['prescription_expired']],
  ] as const)('%i days from today: %j', async ([days, codes], { api }) => {
    const { ctx } = staffContext(api.orgId);
    const { id, prescriptionId } = await openPrescribed(api);
    const checked = await checksOf([prescriptionId], { issuedOn: addDays(today(), days) });
    const refused = await refusal(approveOrderRequest(ctx, { id, checked, overrideReason: 'Ist dringend' }));
    expect(refused).toEqual(codes.length > 0 ? codes : ['none']);
    const stored = codes.length > 0 ? null : addDays(today(), days);
    expect(await prescriptionRow(prescriptionId)).toMatchObject({ issued_on: stored });
  });

  test('counts by the setting of the organization', async ({ api }) => {
    const { ctx } = staffContext(api.orgId);
    await operate(`/organizations/${api.orgId}`, { prescription_valid_days: 10 }, 'PATCH');
    const { id, prescriptionId } = await openPrescribed(api);
    const checked = await checksOf([prescriptionId], { issuedOn: addDays(today(), -11) });
    expect(await refusal(approveOrderRequest(ctx, { id, checked }))).toEqual(['prescription_expired']);
  });

  test.for(['tomorrow', '2026-02-30', 'gestern', ''])('%s is none', async (text, { api }) => {
    const { ctx } = staffContext(api.orgId);
    const { id, prescriptionId } = await openPrescribed(api);
    const issuedOn = text === 'tomorrow' ? addDays(today(), 1) : text;
    const checked = await checksOf([prescriptionId], { issuedOn });
    await expect(approveOrderRequest(ctx, { id, checked })).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/checked/0/issued_on', code: 'invalid_date' }] },
    });
  });
});

describe('what will be approved', () => {
  test.for<[string, string, object, string[]]>([
    ['another strength', 'Ibuprofen 600 mg, 20 Stück', {}, ['strength']],
    ['another substance', 'Cetirizin 10 mg, 20 Stück', {}, ['substance']],
    ['a price a hundred times as high', '', { priceCents: 49_500 }, ['price']],
    ['many more packs', '', { quantity: 11 }, ['total_amount']],
  ])('%s is to be acknowledged, whoever typed it', async ([_, name, typed, codes], { api }) => {
    const { ctx } = staffContext(api.orgId, 'staff');
    const asked = await holdProduct(api, { stock: 50 });
    const chosen = name === '' ? asked : await holdProduct(api, { stock: 50, name });
    const id = await openRequest(api, { items: [{ ...itemOf(asked, 1), name: asked.name }] });
    const lines = [line(chosen.p1_id, typed)];
    const before = await footprint(api.orgId);
    const error = await approveOrderRequest(ctx, { id, lines, overrideReason: 'ok' }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'not_approvable' });
    for (const blocker of error.blockers) expect(blocker).toMatchObject({ code: 'difference', overridable: false });
    expect(error.blockers.map((each: { difference: { code: string } }) => each.difference.code)).toEqual(
      expect.arrayContaining(codes),
    );
    expect(await footprint(api.orgId)).toEqual(before);

    const acknowledged = error.blockers.map(({ key }: { key: string }) => key);
    await approveOrderRequest(ctx, { id, lines, acknowledged });
    const kept = JSON.parse(String((await requestRow(id)).acknowledged));
    expect(kept.map((each: { code: string }) => each.code)).toEqual(expect.arrayContaining(codes));
    const [audit] = await auditOf(id);
    expect(JSON.parse(String(audit?.fields))).toEqual(
      expect.arrayContaining(codes.map((code) => `difference_${code}`)),
    );
    expect(audit?.fields).not.toContain(asked.name);
  });

  test('another edit is not acknowledged by an older tick', async ({ api }) => {
    const { ctx } = staffContext(api.orgId);
    const product = await holdProduct(api, { stock: 99 });
    const id = await openRequest(api, { items: [itemOf(product, 1)] });
    const { acknowledged } = await agreed(ctx, id, [line(product.p1_id, { quantity: 11 })]);
    const lines = [line(product.p1_id, { quantity: 12 })];
    expect(await refusal(approveOrderRequest(ctx, { id, lines, acknowledged }))).toContain('difference');
  });

  test('a program is told of differences, and needs a reason only for what needed one before', async ({ api }) => {
    const asked = await holdProduct(api, { stock: 50 });
    const id = await openRequest(api, { items: [itemOf(asked, 1)] });
    const lines = [{ p1_id: asked.p1_id, quantity: 11, price: 495 }];
    const answer = succeeded(await approve(api, id, { lines }));
    expect(answer.warnings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          code: 'difference',
          pointer: '/lines/0',
          difference: 'price',
          asked: 495,
          supplied: 4.95,
        }),
      ]),
    );
    expect(await requestRow(id)).toMatchObject({ status: 'approved', acknowledged: null });
  });
});

describe('the price of a prescribed line', () => {
  test('is the product’s, whatever was sent', async ({ api }) => {
    const product = await holdProduct(api, PRESCRIBED);
    const items = [{ p1_id: product.p1_id, quantity: 1, price: 0.5 }];
    const id = await openRequest(api, { items, prescription_pdf_base64: PDF_BASE64 });
    expect((await getRequest(api, id)).lines).toMatchObject([{ price: product.price }]);
    const { ctx } = staffContext(api.orgId);
    await approveOrderRequest(ctx, await agreed(ctx, id));
    const { order_id } = await requestRow(id);
    expect((await getOrder(api, String(order_id))).items).toMatchObject([{ price: product.price }]);
  });

  test('is another one only by who may check, as a co-payment or with a reason', async ({ api }) => {
    const product = await holdProduct(api, PRESCRIBED);
    const open = () =>
      openRequest(api, {
        items: [{ p1_id: product.p1_id, quantity: 1, price: 5 }],
        prescription_pdf_base64: newPdf(),
      });
    const sent = { priceCents: 500 };
    const { ctx: staff } = staffContext(api.orgId, 'staff');
    const { ctx } = staffContext(api.orgId);
    const one = await open();
    const input = await agreed(ctx, one, [line(product.p1_id, sent)]);
    const { checked: _, ...unchecked } = input;
    const byStaff = {
      ...unchecked,
      lines: [line(product.p1_id, { ...sent, isCoPayment: true })],
      overrideReason: 'ok',
    };
    expect(await refusal(approveOrderRequest(staff, byStaff))).toContain('prescription_price');
    expect(await refusal(approveOrderRequest(ctx, input))).toEqual(['prescription_price']);
    await approveOrderRequest(ctx, { ...input, overrideReason: 'Preis der Kasse' });

    const other = await open();
    await approveOrderRequest(ctx, await agreed(ctx, other, [line(product.p1_id, { ...sent, isCoPayment: true })]));
    const { order_id } = await requestRow(other);
    expect((await getOrder(api, String(order_id))).items).toMatchObject([{ price: 5, co_payment: true }]);
  });
});

describe('where something was paid and it comes to another total', () => {
  const paid = { payment_status: 'paid', cash_on_pickup: false };

  test('staff say what becomes of it, and the order keeps it', async ({ api }) => {
    const { ctx } = staffContext(api.orgId);
    const product = await holdProduct(api, { stock: 9 });
    const id = await openRequest(api, { ...paid, items: [itemOf(product, 2)], total_amount: 9.9 });
    const lines = [line(product.p1_id, { quantity: 1 })];
    const input = await agreed(ctx, id, lines);
    expect(await refusal(approveOrderRequest(ctx, { ...input, overrideReason: 'ok' }))).toEqual(['payment_undecided']);
    await approveOrderRequest(ctx, { ...input, payment: 'refund' });
    const { order_id } = await requestRow(id);
    expect(await getOrder(api, String(order_id))).toMatchObject({
      ...{ payment_status: 'paid', payment_action: 'refund', payment_difference: -4.95 },
    });
  });

  test('a program that does not say leaves it to be asked, and no more than what was paid is refunded', async ({
    api,
  }) => {
    const product = await holdProduct(api, { price: 50, prescription_required: true });
    const items = [{ ...itemOf(product, 2), price: 5 }];
    const id = await openRequest(api, { ...paid, items, total_amount: 10, prescription_pdf_base64: newPdf() });
    const { data } = succeeded(await callApi(api, 'GET', `/order-requests/${id}/prescriptions`));
    const body = { verification: 'original_present' };
    succeeded(await callApi(api, 'POST', `/prescriptions/${data[0].id}/approve`, { body }));
    const { order_id, warnings } = succeeded(await approve(api, id));
    expect(warnings).toMatchObject([{ code: 'payment_undecided' }]);
    expect(await getOrder(api, order_id)).toMatchObject({
      ...{ payment_status: 'paid', payment_action: 'ask', payment_difference: 90, totals: { total_amount: 100 } },
    });
    const refund = (amount?: number) =>
      callApi(api, 'POST', `/orders/${order_id}/refund`, { body: { reason_code: 'customer_withdrew', amount } });
    expectProblem(await refund(10.01), 409, 'refund_exceeds_paid');
    expect(succeeded(await refund())).toMatchObject({ payment_status: 'refunded', refunded_amount: 10 });
  });

  test.for([
    ['the same', 9.9, []],
    ['shipping beside it', 14.85, []],
    ['too little from the beginning', 5, ['fee_differs']],
  ] as const)('%s: EUR %d for two at 4.95 asks for %j', async ([_, total, codes], { api }) => {
    const { ctx } = staffContext(api.orgId);
    const product = await holdProduct(api, { stock: 9 });
    const id = await openRequest(api, { ...paid, items: [itemOf(product, 2)], total_amount: total });
    const refused = await refusal(approveOrderRequest(ctx, { id }));
    expect(refused).toEqual(codes.length > 0 ? codes : ['none']);
  });
});
