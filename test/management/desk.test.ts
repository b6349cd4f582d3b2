import { env } from 'cloudflare:workers';
import { ASSETS } from '../../src/platform/markup/assets';
import { PDF_BYTES_MAX } from '../../src/prescriptions/fields';
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
import { auditOf } from '../support/rows';
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

test('a request of the script does not consume the message for the reader', async ({ browser, requestId: id }) => {
  await browser.submit(`${REQUESTS}/${id}/needs-info`, { info_note: 'Dosis?' }, `${REQUESTS}/${id}`);
  expect((await browser.get(REQUESTS, { 'Sec-Fetch-Dest': 'empty' })).text).not.toContain(
    'zurückgestellt, Rückfrage vermerkt',
  );
  expect((await browser.get(REQUESTS)).text).toContain('zurückgestellt, Rückfrage vermerkt');
  expect((await browser.get(REQUESTS)).text).not.toContain('zurückgestellt, Rückfrage vermerkt');
});

test('every shortcut that the list names leads somewhere', async ({ api, browser, approvable: { id } }) => {
  await openRequest(api);
  const { text } = await browser.get(`${REQUESTS}/${id}`);
  for (const key of ['r', 'i', 'n']) expect(text, key).toContain(`data-key="${key}"`);
  expect(text).toContain('data-decide');
  const script = await (await env.ASSETS.fetch(`http://assets${ASSETS['manage.js']}`)).text();
  for (const key of ['"/":', 'j:', 'k:', '"?":']) expect(script, key).toContain(key);
  expect(text).toMatch(/<dialog [^>]*data-shortcuts/);
});

describe('the search', () => {
  test('finds requests in any state and orders by name, e-mail, reference, id, purpose', async ({ api, browser }) => {
    const waiting = await openRequest(api, { customer_name: 'Jörg Übel' }, { external_reference: 'REF-77' });
    const { id } = await openApprovable(api, {
      payload: { customer_name: 'Jörg Anders', customer_email: 'j@a.example' },
    });
    await approve(api, id);
    const orderId = String((await requestRow(id)).order_id);
    const search = async (q: string) => {
      const { text } = await browser.get(`/manage/search?q=${encodeURIComponent(q)}`);
      return [...text.matchAll(/href="\/manage\/(?:requests|orders)\/([\w-]{36})"/g)].map(([, found = '']) => found);
    };
    expect(await search('jörg')).toEqual([id, waiting, orderId]);
    expect(await search('J@A.EXAMPLE')).toEqual([id, orderId]);
    expect(await search('ref-77')).toEqual([waiting]);
    const { number } = await orderRow(orderId);
    for (const said of [`BESTELLUNG ${number}`, `die ${number}`, `#${number}`])
      expect((await browser.get(`/manage/search?q=${encodeURIComponent(said)}`)).location, said).toBe(
        `${ORDERS}/${orderId}`,
      );
    expect(await search(String(number))).toContain(orderId);
    expect(await search('%')).toEqual([]);
    const { browser: stranger } = await enter(await openOrganization(), 'pharmacist');
    expect((await stranger.get('/manage/search?q=j')).text).not.toContain(orderId);
  });

  test('says what it looks at when it finds nothing or cannot search, and leads on, in three round trips', async ({
    browser,
  }) => {
    expect((await browser.get('/manage/search')).text).toContain(de.search.how);
    const evil = '<script>alert(1)</script>';
    const page = await browser.get(`/manage/search?q=${encodeURIComponent(evil)}`);
    expect(page.text).not.toContain(evil);
    expect(page.text).toContain(de.search.nothing);
    for (const path of [REQUESTS, `${ORDERS}?tab=all`]) expect(page.text).toContain(`class="button" href="${path}"`);
    expect((await browser.get(`/manage/search?q=${'x'.repeat(65)}`)).status).toBe(400);
    expect((await costOf(() => browser.get('/manage/search?q=x'))).roundTrips).toBe(3);
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

  test('comes to the script as choices, of the own inventory alone, in one round trip', async ({ api }) => {
    const { browser } = await enter(api.orgId, 'staff');
    const product = await holdProduct(api, { stock: 7, name: '<b>Rösti</b>', prescription_required: true });
    const id = await openRequest(api);
    const choices = await browser.get(`${REQUESTS}/${id}/products?q=rosti`);
    expect(choices.text).toContain(`data-product="${product.p1_id}"`);
    expect(choices.text).toContain('Rezeptpflichtig');
    expect(choices.text).not.toContain('<b>');
    expect(choices.text).not.toContain('<html');
    expect((await costOf(() => browser.get(`${REQUESTS}/${id}/products?q=rosti`))).roundTrips).toBe(2);
    const theirs = await openOrganizationApi();
    const { browser: stranger } = await enter(theirs.orgId, 'pharmacist');
    expect((await stranger.get(`${REQUESTS}/${id}/products?q=rosti`)).status).toBe(404);
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

  test.for(['owner', 'pharmacist'] as const)('is filed by the %s, reviewed and counts', async (role, { api }) => {
    const { browser } = await enter(api.orgId, role);
    const path = `${REQUESTS}/${await openUnprescribed(api)}`;
    expect(await upload(browser, path, PDF_TEXT)).toMatchObject({ status: 303, location: path });
    const page = await browser.get(path);
    expect(page.text).toContain('Das Rezept ist abgelegt');
    const [, prescription = ''] = /\/manage\/prescriptions\/([\w-]{36})\/pdf/.exec(page.text) ?? [];
    expect((await browser.get(`/manage/prescriptions/${prescription}/pdf`)).text).toBe(PDF_TEXT);
    expect((await auditOf(prescription)).map(({ action }) => action)).toContain('prescription.uploaded');
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

  test('is not for staff, nor for who is not signed in, nor without the token, nor for another organization', async () => {
    const api = await openOrganizationApi();
    const { browser } = await enter(api.orgId, 'staff');
    const path = `${REQUESTS}/${await openUnprescribed(api)}`;
    expect((await browser.get(path)).text).not.toContain('name="prescription_file"');
    expect((await upload(browser, path, PDF_TEXT)).status).toBe(403);
    const { token } = await browser.get(path);
    // Whoever is not signed in is asked to sign in first.
    expect((await upload(new Browser(), path, PDF_TEXT, token)).status).toBe(401);
    const { browser: stranger } = await enter(await openOrganization(), 'owner');
    const strangersToken = (await stranger.get(REQUESTS)).token;
    expect((await upload(stranger, path, PDF_TEXT, 'x')).status).toBe(403);
    expect((await upload(stranger, path, PDF_TEXT, strangersToken)).status).toBe(404);
    // The file is not added to another organization's request.
    const form = new FormData();
    form.set('form_token', strangersToken);
    expect((await stranger.send(`${path}/approve`, { method: 'POST', body: form })).status).toBe(403);
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

  test.for(['pharmacist', 'staff'] as const)('is not the %s’s', async (role, { api }) => {
    const { browser } = await enter(api.orgId, role);
    const id = await openRequest(api);
    expect((await browser.get(`${REQUESTS}/${id}`)).text).not.toContain('/hold"');
    expect((await browser.get(`${REQUESTS}/${id}/hold`)).status).toBe(403);
    expect((await browser.submit(`${REQUESTS}/${id}/hold`, { held: 'yes' }, REQUESTS)).status).toBe(403);
    expect(await requestRow(id)).toMatchObject({ legal_hold: 0 });
  });
});
