import { PDF_BYTES_MAX } from '../../src/platform/limits';
import { costOf } from '../support/cost';
import { de } from '../support/messages';
import { openOrganization } from '../support/operator';
import {
  approve,
  itemOf,
  openApprovable,
  openOrder,
  openPrescribed,
  openRequest,
  orderRow,
  requestRow,
} from '../support/order-flow';
import { holdProduct, openOrganizationApi } from '../support/organization';
import { test as base, describe, expect } from '../support/test';
import { PDF_TEXT, rows } from '../support/world';
import { Browser, enter, type Page } from './browser';
import { formOn } from './page-forms';

const REQUESTS = '/manage/requests';
const ORDERS = '/manage/orders';

const test = base.extend('browser', async ({ api }) => (await enter(api.orgId, 'pharmacist')).browser);

/** The number of waiting requests in the navigation. */
function waitingOf({ text }: Page): string {
  return /id="waiting"[^>]*>([^<]*)/.exec(text)?.[1] ?? '(no rail)';
}

describe('the count of what waits', () => {
  test('is in each page’s rail, falls with a decision, leaves out what awaits an answer', async ({ api, browser }) => {
    expect(waitingOf(await browser.get(REQUESTS))).toBe('');
    const ids = [await openRequest(api), await openRequest(api), (await openApprovable(api)).id];
    for (const path of [REQUESTS, ORDERS, '/manage/account', `${REQUESTS}/${ids[0]}`, '/manage/nowhere']) {
      expect(waitingOf(await browser.get(path)), path).toBe('3');
    }
    expect((await browser.get(REQUESTS)).text).toContain('<title>(3) Bestellanfragen');
    await approve(api, ids[2] ?? '');
    await browser.submit(`${REQUESTS}/${ids[0]}/needs-info`, { info_note: 'Dosis?' }, REQUESTS);
    expect(waitingOf(await browser.get(ORDERS))).toBe('1');
  });

  test('is the organization’s own, and is no further counted than 99', async ({ api }) => {
    const { browser } = await enter(api.orgId, 'staff');
    await openRequest(await openOrganizationApi());
    expect(waitingOf(await browser.get(ORDERS))).toBe('');
    await openRequest(api);
    await rows(
      `with recursive many (n) as (select 1 union all select n + 1 from many where n < 120)
      insert into order_requests (id, change_number, org_id, shop_id, integration_id, source, status, payment_status, items,
        created_at, updated_at)
      select id || n, change_number + n, org_id, shop_id, integration_id, source, status, payment_status, items, 0, 0
      from order_requests, many where org_id = ?`,
      api.orgId,
    );
    expect(waitingOf(await browser.get(ORDERS))).toBe('99+');
    const cost = await costOf(() => browser.get('/manage/account'));
    expect(cost.rowsRead).toBeLessThan(120);
    expect(cost.roundTrips).toBe(1);
  });
});

describe('the search', () => {
  test('finds requests, without those whose order it finds, and orders; a number that is said to be one opens its order', async ({
    api,
    browser,
  }) => {
    const waiting = await openRequest(api, { customer_name: 'Jörg Übel' });
    const { id } = await openApprovable(api, { payload: { customer_name: 'Jörg Anders' } });
    await approve(api, id);
    const orderId = String((await requestRow(id)).order_id);
    const { text } = await browser.get(`/manage/search?q=${encodeURIComponent('jörg')}`);
    const found = [...text.matchAll(/href="\/manage\/(?:requests|orders)\/([\w-]{36})"/g)].map(([, each]) => each);
    expect(found).toEqual([waiting, orderId]);
    const { number } = await orderRow(orderId);
    for (const said of [`BESTELLUNG ${number}`, `#${number}`])
      expect((await browser.get(`/manage/search?q=${encodeURIComponent(said)}`)).location, said).toBe(
        `${ORDERS}/${orderId}`,
      );
  });

  test('says what it looks at when it finds nothing or cannot search, and leads on', async ({ browser }) => {
    expect((await browser.get('/manage/search')).text).toContain(de.search.how);
    const page = await browser.get('/manage/search?q=nirgends');
    expect(page.text).toContain(de.search.nothing);
    for (const path of [REQUESTS, `${ORDERS}?tab=all`]) expect(page.text).toContain(`class="button" href="${path}"`);
    expect((await browser.get(`/manage/search?q=${'x'.repeat(65)}`)).status).toBe(400);
  });

  test('keeps the chosen shop on the way from one list to the other', async ({ api, browser }) => {
    const { text } = await browser.get(`${ORDERS}?shop=${api.otherShopId}`);
    expect(text).toContain(`href="${REQUESTS}?shop=${api.otherShopId}"`);
  });
});

describe('a product for a line', () => {
  test('is found by its name, and added with one pack and its price; all typed values stay', async ({
    api,
    browser,
  }) => {
    const product = await holdProduct(api, { stock: 7, name: `Ibuflam ${api.orgId}`, price: 4.5 });
    const id = await openRequest(api);
    const page = await browser.get(`${REQUESTS}/${id}`);
    const typed = { ...formOn(page, `${REQUESTS}/${id}/approve`), 'quantity-0': '9' };
    const found = await browser.get(`${REQUESTS}/${id}/products?q=ibuFLAM`);
    expect(found.status).toBe(200);
    expect(found.text).toContain(`data-product="${product.p1_id}"`);
    expect(found.text).toMatch(/Ibuflam[\s\S]*4,50[\s\S]*7 vorrätig/);
    const taken = await browser.post(`${REQUESTS}/${id}/check`, { ...typed, 'product-1': product.p1_id });
    expect(formOn(taken, `${REQUESTS}/${id}/approve`)).toMatchObject({
      'product-1': product.p1_id,
      'quantity-1': '1',
      'price-1': '4,50',
      'quantity-0': '9',
    });
    const nothing = await browser.get(`${REQUESTS}/${id}/products?q=Xyzzy`);
    expect(nothing.text).toContain('Kein Produkt Ihres Sortiments gefunden.');
    expect(await requestRow(id)).toMatchObject({ status: 'pending' });
  });

  test('comes to the script as choices, of the own inventory alone', async ({ api }) => {
    const { browser } = await enter(api.orgId, 'staff');
    const product = await holdProduct(api, { stock: 7, name: 'Rösti', prescription_required: true });
    const choices = await browser.get(`${REQUESTS}/${await openRequest(api)}/products?q=rosti`);
    for (const words of [`data-product="${product.p1_id}"`, 'Rezeptpflichtig']) expect(choices.text).toContain(words);
    expect(choices.text).not.toContain('<html');
    const theirs = await openOrganizationApi();
    const { browser: stranger } = await enter(theirs.orgId, 'pharmacist');
    const own = await openRequest(theirs);
    expect((await stranger.get(`${REQUESTS}/${own}/products?q=rosti`)).text).not.toContain(product.p1_id);
  });
});

/** Sends a file as a browser does. */
async function upload(browser: Browser, path: string, file: string | null, token?: string): Promise<Page> {
  const form = new FormData();
  form.set('form_token', token ?? (await browser.get(path)).token);
  if (file !== null) form.set('prescription_file', new File([file], 'rezept.pdf', { type: 'application/pdf' }));
  return browser.send(`${path}/prescription`, { method: 'POST', body: form });
}

describe('a prescription that staff hold in their hands', () => {
  async function openUnprescribed(api: Awaited<ReturnType<typeof openOrganizationApi>>) {
    const product = await holdProduct(api, { stock: 7, prescription_required: true });
    return openRequest(api, { items: [itemOf(product)] });
  }

  test('is filed, reviewed and counts', async ({ api, browser }) => {
    const path = `${REQUESTS}/${await openUnprescribed(api)}`;
    expect(await upload(browser, path, PDF_TEXT)).toMatchObject({ status: 303, location: path });
    const page = await browser.get(path);
    expect(page.text).toContain('Das Rezept ist abgelegt');
    const [, prescription = ''] = /\/manage\/prescriptions\/([\w-]{36})\/pdf/.exec(page.text) ?? [];
    expect((await browser.get(`/manage/prescriptions/${prescription}/pdf`)).text).toBe(PDF_TEXT);
    expect(page.text).not.toContain('name="prescription_file"');
  });

  test('is refused in place when it is no PDF, too large or not there', async ({ api, browser }) => {
    const path = `${REQUESTS}/${await openUnprescribed(api)}`;
    const { uploadErrors } = de.shared.prescriptions;
    const cases: [string | null, string][] = [
      ['x%PDF-1.7', uploadErrors.invalid_prescription_pdf],
      [PDF_TEXT.padEnd(PDF_BYTES_MAX + 1), uploadErrors.prescription_too_large],
      [PDF_TEXT.padEnd(PDF_BYTES_MAX + 100_000), uploadErrors.prescription_too_large],
      [null, uploadErrors.none],
      ['', uploadErrors.none],
    ];
    for (const [file, fault] of cases) {
      const answer = await upload(browser, path, file);
      expect(answer.status, fault).toBe(400);
      expect(answer.text).toContain(fault);
    }
    expect(await rows('select id from prescriptions where org_id = ?', api.orgId)).toEqual([]);
  });

  test('is not for who is not signed in, nor for another organization', async ({ api, browser }) => {
    const path = `${REQUESTS}/${await openUnprescribed(api)}`;
    const { token } = await browser.get(path);
    // Whoever is not signed in is asked to sign in first.
    expect((await upload(new Browser(), path, PDF_TEXT, token)).status).toBe(401);
    const { browser: stranger } = await enter(await openOrganization(), 'owner');
    expect((await upload(stranger, path, PDF_TEXT, (await stranger.get(REQUESTS)).token)).status).toBe(404);
    expect(await rows('select id from prescriptions where org_id = ?', api.orgId)).toEqual([]);
  });

  test('comes too late once the request is decided', async ({ api, browser, approvable: { id } }) => {
    const { token } = await browser.get(`${REQUESTS}/${id}`);
    await approve(api, id);
    const late = await upload(browser, `${REQUESTS}/${id}`, PDF_TEXT, token);
    expect(late.status).toBe(409);
    expect(late.text).toContain(de.shared.requests.conflicts.already_decided);
  });

  test('is filed, approved and then lets the order go on', async ({ api, browser }) => {
    const { p1_id } = await holdProduct(api, { prescription_required: true });
    const order = await openOrder(api, { items: [{ p1_id, qty: 1, price: 1 }] });
    const path = `${ORDERS}/${order.id}`;
    expect((await upload(browser, path, 'GIF89a')).status).toBe(400);
    expect(await upload(browser, path, PDF_TEXT)).toMatchObject({ status: 303, location: path });
    const page = await browser.get(path);
    expect(page.text).not.toContain('<iframe');
    const [, approval = ''] = /action="([^"]+\/prescriptions\/[^"]+\/approve)"/.exec(page.text) ?? [];
    expect(await browser.submit(approval, {}, path)).toMatchObject({ status: 303, location: path });
    expect((await browser.get(path)).text).toContain('Rezept geprüft am');
    expect((await costOf(() => browser.get(path))).roundTrips).toBeLessThanOrEqual(3);
  });
});

describe('a legal hold', () => {
  test('is set and released by an owner, after a page that names the person', async ({ api }) => {
    const { browser } = await enter(api.orgId, 'owner');
    const { id } = await openPrescribed(api);
    const path = `${REQUESTS}/${id}`;
    const ask = await browser.get(`${path}/hold`);
    expect(ask.text).toMatch(/Bestellanfrage von .* aufbewahren\?/);
    expect(await browser.submit(`${path}/hold`, { held: 'yes' })).toMatchObject({ status: 303, location: path });
    expect(await requestRow(id)).toMatchObject({ legal_hold: 1 });
    expect((await browser.get(path)).text).toContain(de.requestItems.held);
    const refused = await browser.submit(`${path}/delete`, {});
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(de.shared.requests.conflicts.legal_hold);
    expect(await browser.submit(`${path}/hold`, { held: 'no' })).toMatchObject({ status: 303 });
    expect(await requestRow(id)).toMatchObject({ legal_hold: 0 });
  });
});
