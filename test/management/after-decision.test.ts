import { describe, expect, test } from 'vitest';
import { de } from '../support/messages';
import { openApprovable, orderRow, requestRow, upsert } from '../support/order-flow';
import { succeeded } from '../support/organization';
import { markPaid, moveOrder, openSeller, placeOrder, type Seller } from '../support/seller';
import { rows } from '../support/world';
import { type Browser, enter, type Page } from './browser';
import { follow, formOn, saidOn } from './page-forms';

const REQUESTS = '/manage/requests';
const ORDERS = '/manage/orders';

async function openDesk() {
  const seller = await openSeller();
  const { browser, email } = await enter(seller.orgId, 'owner');
  return { seller, browser, email };
}

/** Two requests that wait, of people by these names; the first one is decided. */
async function openTwo(name = 'Erika Mustermann') {
  const desk = await openDesk();
  const request = await openApprovable(desk.seller, { payload: { customer_name: name } });
  const next = await openApprovable(desk.seller, { payload: { customer_name: 'Bernd Beispiel' } });
  return { ...desk, request, next, path: `${REQUESTS}/${request.id}` };
}

async function decide(browser: Browser, path: string, act: string, fields: Record<string, string> = {}): Promise<Page> {
  const filled = { ...formOn(await browser.get(path), `${path}/${act}`), ...fields };
  return browser.post(`${path}/${act}`, filled);
}

describe('after a decision', () => {
  test('the next page names who was approved and links the order, apart from the next person', async () => {
    const { browser, path, request, next } = await openTwo();
    const answer = await decide(browser, path, 'approve');
    expect(answer.location).toBe(`${REQUESTS}/${next.id}`);
    expect(answer.cookies.join()).not.toMatch(/Erika|Mustermann/);
    const page = await follow(browser, answer);
    expect(saidOn(page)).toMatch(/Vorige Anfrage Erika Mustermann angenommen · Bestellung ansehen/);
    const { order_id } = await requestRow(request.id);
    const box = /<section class="notice[^"]*"[^>]*>.*?<\/section>/s.exec(page.text)?.[0] ?? '';
    expect(box).toContain(`href="${ORDERS}/${order_id}"`);
    expect(box).not.toContain('Bernd');
    expect(page.text.indexOf(box)).toBeLessThan(page.text.indexOf('<h1>'));
    expect((await browser.get(`${REQUESTS}/${next.id}`)).text).not.toContain('Erika');
  });

  test('a rejection can be taken back where it is told', async () => {
    const { browser, path, request } = await openTwo();
    const page = await follow(browser, await decide(browser, path, 'reject', { reason_code: 'test' }));
    expect(saidOn(page)).toContain('Erika Mustermann abgelehnt');
    const reopen = formOn(page, `${path}/reopen`);
    await follow(browser, await browser.post(`${path}/reopen`, reopen));
    expect(await requestRow(request.id)).toMatchObject({ status: 'pending' });
  });

  test('a question put aside is told by name, a deleted request without one', async () => {
    const { browser, path, next } = await openTwo();
    const noted = await follow(browser, await decide(browser, path, 'needs-info', { info_note: 'Wann?' }));
    expect(saidOn(noted)).toContain('Erika Mustermann zurückgestellt, Rückfrage vermerkt');
    const other = `${REQUESTS}/${next.id}`;
    const page = await follow(browser, await browser.submit(`${other}/delete`, {}));
    expect(saidOn(page)).toContain('Vorige Anfrage');
    expect(saidOn(page)).toContain('gelöscht');
    expect(page.text).not.toContain('Bernd');
  });

  test('tells nobody of another organization, whose cookie it is', async () => {
    const { browser, path } = await openTwo('Ottilie Quast');
    await decide(browser, path, 'approve');
    const flash = [...browser.cookies].find(([name]) => name.endsWith('.flash')) ?? ['', ''];
    const stranger = await openDesk();
    stranger.browser.cookies.set(...(flash as [string, string]));
    expect((await stranger.browser.get(REQUESTS)).text).not.toContain('Quast');
  });
});

async function readyOrder(seller: Seller, members: Record<string, unknown> = {}) {
  const { id } = await placeOrder(seller, { payment_status: 'cash_on_pickup', ...members });
  await moveOrder(seller, id, 'ready_pickup');
  return { id, path: `${ORDERS}/${id}` };
}

describe('an order at the counter', () => {
  test('that is paid in cash is handed over only after the question whether it was paid', async () => {
    const { seller, browser } = await openDesk();
    const { id, path } = await readyOrder(seller);
    const asked = await follow(browser, await browser.submit(`${path}/status`, { status: 'picked_up' }, path));
    expect(await orderRow(id)).toMatchObject({ status: 'ready_pickup' });
    expect(saidOn(asked)).toMatch(
      /Bestellung 1, 1 Packung, abgeben an Erika Mustermann .*1 × Blutdruckmessgerät .*Ja, 24,90 € erhalten/,
    );
    const fields = formOn(asked, `${path}/hand-over`);
    // Enter in a field sends no answer.
    const unanswered = await browser.post(`${path}/hand-over`, { ...fields, cash_received: '' });
    expect(unanswered.status).toBe(409);
    expect(saidOn(unanswered)).toContain(de.shared.fieldErrors.payment_open);
    expect(await orderRow(id)).toMatchObject({ status: 'ready_pickup' });
    const page = await follow(browser, await browser.post(`${path}/hand-over`, { ...fields, cash_received: 'yes' }));
    expect(saidOn(page)).toContain('abgeholt und bezahlt');
    expect(await orderRow(id)).toMatchObject({ status: 'picked_up', payment_status: 'paid' });
    const again = await follow(browser, await browser.post(`${path}/hand-over`, { ...fields, cash_received: 'yes' }));
    expect(saidOn(again)).toContain('war schon abgegeben oder versendet');
    expect(saidOn(again)).not.toContain('abgeholt und bezahlt');
  });

  test('is handed over unpaid in a second step, with a reason; one that is paid is not asked', async () => {
    const { seller, browser } = await openDesk();
    const open = await readyOrder(seller);
    const path = `${open.path}/hand-over`;
    const refused = await browser.fill(path, { collected_by: 'Ada', cash_received: 'no' });
    expect(refused.status).toBe(400);
    expect(saidOn(refused)).toContain('Bitte einen Grund wählen');
    const reasonless = formOn(refused, path);
    expect(reasonless).toMatchObject({ collected_by: 'Ada', unpaid_reason: '' });
    const given = { ...reasonless, cash_received: 'no', unpaid_reason: 'on_account' };
    expect(saidOn(await follow(browser, await browser.post(path, given)))).toContain('Auf Rechnung');
    expect(await orderRow(open.id)).toMatchObject({ status: 'picked_up', unpaid_reason: 'on_account' });
    const paid = await readyOrder(seller);
    await markPaid(seller, paid.id);
    expect(saidOn(await browser.get(`${paid.path}/hand-over`))).not.toContain('Ohne Zahlung');
    expect(await browser.fill(`${paid.path}/hand-over`, {})).toMatchObject({ status: 303 });
    expect(await orderRow(paid.id)).toMatchObject({ status: 'picked_up', collected_by: null });
  });

  test('that was paid too little is asked for the rest, left without it with a reason, and marked later as paid', async () => {
    const { seller, browser } = await openDesk();
    const { id, path } = await readyOrder(seller);
    await markPaid(seller, id);
    await rows(`update orders set payment_difference_cents = 295, payment_action = 'collect' where id = ?`, id);
    const asked = await browser.get(`${path}/hand-over`);
    expect(saidOn(asked)).toMatch(/Noch offen: 2,95 € .*Ja, 2,95 € erhalten/);
    for (const [page, said] of [
      ['/slip', 'Bezahlt: 24,90 €. Noch offen: 2,95 €'],
      ['', 'Noch offen 2,95 €'],
      ['/refund', 'Bezahlt: 21,95 €'],
    ] as const)
      expect(saidOn(await browser.get(path + page))).toContain(said);
    const fields = formOn(asked, `${path}/hand-over`);
    const without = { ...fields, cash_received: 'no', unpaid_reason: 'on_account' };
    await follow(browser, await browser.post(`${path}/hand-over`, without));
    const owing = { status: 'picked_up', payment_status: 'paid', payment_difference_cents: 295 };
    expect(await orderRow(id)).toMatchObject({ ...owing, unpaid_reason: 'on_account' });
    expect(await browser.fill(path, {}, `${path}/paid`)).toMatchObject({ status: 303 });
    expect(await orderRow(id)).toMatchObject({ payment_action: null, payment_difference_cents: null });
    expect(saidOn(await browser.get(path))).not.toContain('Noch offen');
  });

  test('on hold says why it stays, offers to lift the hold and no hand-over', async () => {
    const { seller, browser } = await openDesk();
    const { path } = await readyOrder(seller);
    const stale = await browser.get(path);
    const hold = { hold_reason: 'Rückruf Charge 4711' };
    const page = await follow(browser, await browser.submit(`${path}/hold`, hold, `${path}/hold`));
    expect(page.text).not.toContain('/hand-over"');
    expect(saidOn(page)).toMatch(/Rückruf Charge 4711 .*Solange wird nichts abgegeben/);
    const refused = await browser.post(`${path}/hand-over`, { form_token: stale.token, cash_received: 'yes' });
    expect(refused.status).toBe(409);
    expect(saidOn(refused)).toContain('Die Bestellung ist angehalten');
    const lifted = { ...formOn(page, `${path}/flags`), value: 'off' };
    expect((await follow(browser, await browser.post(`${path}/flags`, lifted))).text).toContain('/hand-over"');
  });

  test('is returned only after a question that names it and says what happens with the stock', async () => {
    const { seller, browser } = await openDesk();
    const { id, path } = await readyOrder(seller);
    const asked = await follow(browser, await browser.submit(`${path}/status`, { status: 'returned' }, path));
    expect(await orderRow(id)).toMatchObject({ status: 'ready_pickup' });
    expect(saidOn(asked)).toMatch(/Retoure zu Bestellung 1 von Erika Mustermann .*Blutdruckmessgerät/);
    expect(saidOn(asked)).toContain('Der Bestand ändert sich nur, wo Sie es ankreuzen');
    const page = await follow(browser, await browser.post(`${path}/return`, formOn(asked, `${path}/return`)));
    expect(saidOn(page)).toContain('Die Retoure ist erfasst');
    expect(page.text).toContain('Retourniert: 1');
    expect(await orderRow(id)).toMatchObject({ status: 'returned' });
  });

  test('is refunded on a page that asks how much and why, once per form', async () => {
    const { seller, browser } = await openDesk();
    const { id, path } = await readyOrder(seller);
    expect((await browser.get(path)).text).not.toContain(`${path}/refund`);
    await markPaid(seller, id);
    expect((await browser.get(path)).text).toContain(`href="${path}/refund"`);
    const filled = formOn(await browser.get(`${path}/refund`), `${path}/refund`);
    expect(filled).toMatchObject({ amount: '24,90', reason_code: '' });
    for (const [fields, said] of [
      [{ reason_code: '' }, 'Bitte einen Grund wählen'],
      [{ amount: 'viel', reason_code: 'other' }, 'Ein Preis in Euro'],
      [{ amount: '25', reason_code: 'other' }, 'mehr, als von der Zahlung noch übrig ist'],
    ] as const) {
      const refused = await browser.submit(`${path}/refund`, { ...filled, form_id: '', ...fields });
      expect([fields, refused.status]).toEqual([fields, 400]);
      expect(saidOn(refused)).toContain(said);
    }
    const once = { ...filled, amount: '4,90', reason_code: 'out_of_stock', note: 'Eine Packung fehlte' };
    for (let sending = 0; sending < 2; sending += 1) await follow(browser, await browser.post(`${path}/refund`, once));
    expect(await orderRow(id)).toMatchObject({ refunded_cents: 490, payment_status: 'paid' });
    expect(saidOn(await browser.get(path))).toMatch(/Erstattet 4,90 €/);
  });

  test('is refunded by packs for the amount that its page shows, and only as its lines were shown', async () => {
    const { seller, browser } = await openDesk();
    const items = [{ name: 'Pflaster', qty: 2, price: 4.95 }];
    const order = { shop_id: seller.shopId, external_id: 'SHOP-shown', customer_name: 'Erika Mustermann', items };
    const { id } = await placeOrder(seller, order);
    await markPaid(seller, id);
    const path = `/manage/orders/${id}/refund`;
    const packs = { form_id: '', packs_0: '1', reason_code: 'out_of_stock' };
    const stale = { ...formOn(await browser.get(path), path), ...packs, amount: '4,95' };
    const refused = await browser.fill(path, packs);
    expect(refused.status).toBe(400);
    expect(saidOn(refused)).toContain('Diese Packungen kosten 4,95 €');
    expect((await browser.get(`/manage/orders/${id}`)).text).toContain(`href="${path}?line=0"`);
    expect(formOn(await browser.get(`${path}?line=0`), path)).toMatchObject({ packs_0: '2', amount: '9,90' });
    expect(await browser.fill(path, { ...packs, amount: '4,95' })).toMatchObject({ status: 303 });
    expect(await orderRow(id)).toMatchObject({ refunded_cents: 495 });
    const dear = { name: 'Gerät', qty: 1, price: 50 };
    succeeded(await upsert(seller, { ...order, items: [dear, ...items] }));
    expect((await browser.post(path, stale)).status).toBe(409);
    expect(await orderRow(id)).toMatchObject({ refunded_cents: 495 });
  });
});
