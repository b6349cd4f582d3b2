import { addPrescription } from '../../src/order-requests/review/decisions';
import { fromBase64 } from '../../src/platform/crypto/crypto';
import { fieldOn, filledIn } from '../support/html';
import { de } from '../support/messages';
import {
  getOrder,
  itemOf,
  openPrescribed,
  openRequest,
  requestRow,
  setPacked,
  staffContext,
} from '../support/order-flow';
import { holdProduct } from '../support/organization';
import { prescriptionRow } from '../support/prescriptions';
import { test as base, describe, expect } from '../support/test';
import { PDF_BASE64, rows } from '../support/world';
import { type Browser, enter } from './browser';
import { follow, saidOn, tickedOn } from './page-forms';

const REQUESTS = '/manage/requests';

const test = base.extend('browser', async ({ api }) => (await enter(api.orgId, 'pharmacist')).browser);

const pathOf = (id: string) => `${REQUESTS}/${id}`;
const approvalOf = (id: string) => `${pathOf(id)}/approve`;
const draftOf = (id: string) => `${pathOf(id)}/draft`;
const typedBy = async (browser: Browser, id: string) => filledIn((await browser.get(pathOf(id))).text, approvalOf(id));

describe('the form of a request', () => {
  test('approves nothing while a prescription that was sent is neither checked nor set aside', async ({
    api,
    browser,
  }) => {
    const items = [{ name: 'Etwas ohne Produkt', quantity: 1, price: 5 }];
    const id = await openRequest(api, { items, prescription_pdf_base64: PDF_BASE64 });
    const page = await browser.get(pathOf(id));
    const typed = { ...filledIn(page.text, approvalOf(id)), override_reason: 'ok' };
    const refused = await browser.post(approvalOf(id), typed);
    expect(refused.status).toBe(409);
    expect(refused.text).toMatch(/id="checked-[\w-]+-fault"/);
    expect(fieldOn(refused.text, 'override_reason')).toBe('ok');
    expect(await requestRow(id)).toMatchObject({ status: 'pending', order_id: null });

    expect(await browser.post(approvalOf(id), tickedOn(refused, approvalOf(id)))).toMatchObject({ status: 303 });
    expect(await requestRow(id)).toMatchObject({ status: 'approved' });
  });

  test('keeps what is typed while a prescription is set aside and taken back', async ({ api, browser }) => {
    const { id, prescriptionId } = await openPrescribed(api);
    const other = await addPrescription(staffContext(api.orgId).ctx, { id, bytes: fromBase64(PDF_BASE64) });
    const edits = { 'quantity-0': '3', 'price-0': '12,00' };
    const page = await browser.get(pathOf(id));
    const typed = { ...filledIn(page.text, approvalOf(id)), ...edits, [`issued-${prescriptionId}`]: '2026-01-02' };

    const reasonless = await browser.post(`${pathOf(id)}/set-aside`, { ...typed, aside: other.id });
    expect(reasonless.status).toBe(400);
    expect(filledIn(reasonless.text, approvalOf(id))).toMatchObject(edits);
    expect(await prescriptionRow(other.id)).toMatchObject({ set_aside_at: null });

    const reason = { aside: other.id, [`aside-${other.id}`]: 'Andere Person' };
    const done = await follow(browser, await browser.post(`${pathOf(id)}/set-aside`, { ...typed, ...reason }));
    expect(saidOn(done)).toContain(`${de.requests.aside(de.requests.prescription(2))} Andere Person`);
    expect(filledIn(done.text, approvalOf(id))).toMatchObject({ ...edits, [`issued-${prescriptionId}`]: '2026-01-02' });
    expect(done.text).not.toContain(`name="checked-${other.id}"`);

    const again = { ...filledIn(done.text, approvalOf(id)), undo: other.id };
    const back = await follow(browser, await browser.post(`${pathOf(id)}/set-aside`, again));
    expect(filledIn(back.text, approvalOf(id))).toMatchObject(edits);
    expect(back.text).toContain(`name="checked-${other.id}"`);
  });

  test('approves the prescription for what is typed, not for what was sent', async ({ api, browser }) => {
    const { id, product, prescriptionId } = await openPrescribed(api);
    const edits = { 'quantity-0': '3', 'co_payment-0': 'on', 'price-0': '5,00' };
    const typed = { ...filledIn((await browser.get(pathOf(id))).text, approvalOf(id)), ...edits };
    const asked = await browser.post(approvalOf(id), typed);
    expect(asked.status).toBe(409);
    expect(filledIn(asked.text, approvalOf(id))).toMatchObject(edits);
    expect(await browser.post(approvalOf(id), tickedOn(asked, approvalOf(id)))).toMatchObject({ status: 303 });
    expect(await prescriptionRow(prescriptionId)).toMatchObject({
      approved_lines: JSON.stringify([{ p1Id: product.p1_id, quantity: 3 }]),
    });
    const { order_id } = await requestRow(id);
    expect((await getOrder(api, String(order_id))).items).toMatchObject([{ qty: 3, price: 5, co_payment: true }]);
  });

  test('asks before it approves what staff typed: 2,95 without its comma', async ({ api, browser }) => {
    const product = await holdProduct(api, { stock: 99 });
    const id = await openRequest(api, { items: [itemOf(product, 1)] });
    const asked = await browser.fill(pathOf(id), { 'price-0': '295' }, approvalOf(id));
    expect(asked.status).toBe(409);
    expect(asked.text).toContain('id="acknowledged-0-fault"');
    expect(filledIn(asked.text, approvalOf(id))).toMatchObject({ 'price-0': '295' });
    expect(await requestRow(id)).toMatchObject({ status: 'pending' });
    expect(await browser.post(approvalOf(id), tickedOn(asked, approvalOf(id)))).toMatchObject({ status: 303 });
  });

  test('keeps a removed and an added line with the request, for whoever opens it', async ({ api, browser }) => {
    const { id, product } = await openPrescribed(api);
    const other = await holdProduct(api, { stock: 9 });
    const staff = (await enter(api.orgId, 'staff', 'Ada Öz')).browser;
    const added = { 'product-1': other.p1_id, 'quantity-1': '3', 'price-1': '7,00' };
    const draft = { ...(await typedBy(staff, id)), 'quantity-0': '0', ...added };
    expect(await staff.post(draftOf(id), draft)).toMatchObject({ status: 303, location: pathOf(id) });
    const page = await browser.get(pathOf(id));
    expect(saidOn(page)).toContain('Vorbereitet von Ada Öz');
    const removed = { 'product-0': product.p1_id, 'quantity-0': '0' };
    expect(filledIn(page.text, approvalOf(id))).toMatchObject({ ...removed, ...added, lines: '3' });
    await browser.fill(pathOf(id), {}, `${draftOf(id)}/discard`);
    expect(await typedBy(browser, id)).toMatchObject({ 'product-0': product.p1_id, 'quantity-0': '2' });
  });

  test('of two who prepare a request the second is told, keeps what was typed, and may replace it', async ({ api }) => {
    const { id } = await openPrescribed(api);
    const { browser } = await enter(api.orgId, 'staff');
    const [first, second] = [await typedBy(browser, id), await typedBy(browser, id)];
    expect(await browser.post(draftOf(id), { ...first, 'quantity-0': '1' })).toMatchObject({ status: 303 });
    const late = await browser.post(draftOf(id), { ...second, 'quantity-0': '5' });
    expect(late.status).toBe(409);
    expect(late.text).toContain(de.shared.requests.conflicts.changed_meanwhile);
    const again = filledIn(late.text, approvalOf(id));
    expect(again).toMatchObject({ 'quantity-0': '5' });
    expect(await browser.post(draftOf(id), again)).toMatchObject({ status: 303 });
  });

  test('names the line of each difference that was not acknowledged', async ({ api, browser }) => {
    const product = await holdProduct(api, { stock: 99, name: 'Ibuprofen 400 mg, 20 Stück' });
    const other = { ...itemOf(product, 1), name: 'Ibuprofen 600 mg, 20 Stück' };
    const id = await openRequest(api, { items: [other, itemOf(product, 1), other] });
    const refused = await browser.fill(pathOf(id), {}, approvalOf(id));
    expect(refused.status).toBe(409);
    const said = [1, 3].map((number) => `${de.requests.line(number)}: ${de.requests.acknowledgeMissing}`);
    const places = [0, 2].map((row) => `<a href="#line-${row}">${said[row / 2]}</a>`);
    for (const place of places) expect(refused.text).toContain(place);
    expect(refused.text).not.toContain('href="#line-1">Pos');
  });

  test('clears the ticks and keeps the rest where another prescription has come since', async ({ api, browser }) => {
    const { id, prescriptionId } = await openPrescribed(api);
    const page = await browser.get(pathOf(id));
    const typed = tickedOn(page, approvalOf(id), { 'quantity-0': '1' });
    await addPrescription(staffContext(api.orgId).ctx, { id, bytes: fromBase64(PDF_BASE64) });
    const late = await browser.post(approvalOf(id), typed);
    expect(late.status).toBe(409);
    expect(late.text).toContain(de.shared.requests.conflicts.prescriptions_changed);
    const again = filledIn(late.text, approvalOf(id));
    expect(again).toMatchObject({ 'quantity-0': '1' });
    expect(Object.keys(again).filter((name) => name.startsWith('checked-'))).toEqual([]);
    expect(await prescriptionRow(prescriptionId)).toMatchObject({ approved_at: null });
    expect(await requestRow(id)).toMatchObject({ status: 'pending' });
  });

  test('asks what becomes of a difference to what was paid, and chooses nothing itself', async ({ api, browser }) => {
    const product = await holdProduct(api, { stock: 9 });
    const paid = { payment_status: 'paid', cash_on_pickup: false, total_amount: 2 };
    const id = await openRequest(api, { ...paid, items: [itemOf(product, 1)] });
    const page = await browser.get(pathOf(id));
    const typed = filledIn(page.text, approvalOf(id));
    expect(typed).not.toHaveProperty('payment');
    const refused = await browser.post(approvalOf(id), typed);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('id="remainder-fault"');
    expect(refused.text).toContain(de.requests.choose(de.requests.blockerShort.fee_differs));
    // What was sent is not what is to be paid.
    const asked = { ...typed, remainder: 'check_price' };
    const { text } = await browser.post(approvalOf(id), asked);
    expect(text).toContain('id="payment-fault"');
    // The customer has paid too little, so nothing can be refunded.
    expect(text).toContain(de.requests.paymentActions.collect);
    expect(text).not.toContain(de.requests.paymentActions.refund);
    expect(await browser.post(approvalOf(id), { ...asked, payment: 'collect' })).toMatchObject({ status: 303 });
    const { order_id } = await requestRow(id);
    expect(await getOrder(api, String(order_id))).toMatchObject({
      payment_action: 'collect',
      payment_difference: 2.95,
    });
  });

  test('takes no date that cannot stand on a prescription', async ({ browser, prescribed: { id, prescriptionId } }) => {
    const issued = `issued-${prescriptionId}`;
    const typed = tickedOn(await browser.get(pathOf(id)), approvalOf(id), { [issued]: 'gestern' });
    const answer = await browser.post(approvalOf(id), typed);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`id="${issued}-fault"`);
    expect(fieldOn(answer.text, issued)).toBe('gestern');
    expect(await requestRow(id)).toMatchObject({ status: 'pending' });
  });

  test.for([
    ['de', '02.01.2026'],
    ['en', '2026-01-02'],
  ])(
    'a known date of issue is shown as it is taken back, in %s: %s',
    async ([language = 'de', shown], { browser, prescribed }) => {
      const { id, prescriptionId } = prescribed;
      await rows("update prescriptions set issued_on = '2026-01-02' where id = ?", prescriptionId);
      const page = await browser.get(pathOf(id), { 'Accept-Language': language });
      expect(fieldOn(page.text, `issued-${prescriptionId}`)).toBe(shown);
      const answer = await browser.post(approvalOf(id), tickedOn(page, approvalOf(id)));
      // Read as the same day, which is too long ago.
      expect(answer.text).toContain('Rezept abgelaufen, ausgestellt am 02.01.2026');
    },
  );
});

test('an order whose original is missing offers no hand-over before that is confirmed', async ({ api, browser }) => {
  const { id, prescriptionId } = await openPrescribed(api);
  const page = await browser.get(pathOf(id));
  const ticked = tickedOn(page, approvalOf(id)).filter(([name]) => name !== `as-${prescriptionId}`);
  await browser.post(approvalOf(id), [...ticked, [`as-${prescriptionId}`, 'original_follows']]);
  const orderId = String((await requestRow(id)).order_id);
  const path = `/manage/orders/${orderId}`;
  await setPacked(orderId);
  await browser.submit(`${path}/status`, { status: 'ready_pickup' }, path);
  const held = await browser.get(path);
  expect(held.text).toContain(de.shared.orders.fields.original_missing);
  expect(held.text).not.toContain('/hand-over"');
  await browser.submit(`${path}/original`, {}, `${path}/original`);
  expect((await browser.get(path)).text).toContain('/hand-over"');
});
