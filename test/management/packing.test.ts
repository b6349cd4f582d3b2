import { gtinCheckDigit } from '../../src/codes/numbers';
import { labelOf } from '../../src/orders/packing/pack';
import { costOf } from '../support/cost';
import { PAGE_BYTES_MAX, sentBytes, unescaped } from '../support/html';
import { de } from '../support/messages';
import { openOrganization } from '../support/operator';
import { openOrder, orderRow, setPacked, setStatus } from '../support/order-flow';
import { type CatalogRow, holdProduct, newPzn } from '../support/organization';
import { test as base, describe, expect } from '../support/test';
import { rows } from '../support/world';
import { enter } from './browser';
import { follow, formOn, saidOn } from './page-forms';

const test = base
  .extend('browser', async ({ api }) => (await enter(api.orgId, 'staff', 'Kim Öztürk')).browser)
  .extend('product', ({ api }) => holdProduct(api, { name: 'Ibuprofen AL 600 mg, 50 St', pzn: newPzn() }))
  .extend('id', async ({ api, product }) => {
    const { id } = await openOrder(api, { items: [{ p1_id: product.p1_id, qty: 2, price: 4.5 }] });
    await setStatus(id, 'awaiting_packing');
    return id;
  })
  .extend('path', ({ id }) => `/manage/orders/${id}`);

const matrix = ({ pzn }: CatalogRow, serial: string, expires = '991231') => {
  const ntin = `04150${pzn}`;
  return `01${ntin}${gtinCheckDigit(ntin)}17${expires}10A1\u001d21${serial}`;
};

const labelFor = async (id: string) => {
  const { shop_id, number } = await orderRow(id);
  return labelOf({ shopId: shop_id, number });
};

describe('the page of an order that is packed', () => {
  test('takes scans one after the other, says what is still open, and offers the next step once all is packed', async ({
    browser,
    path,
    product,
  }) => {
    const scan = async (code: string) => {
      const page = await browser.get(path);
      return browser.post(`${path}/scan`, { ...formOn(page, `${path}/scan`), code });
    };
    const first = await follow(browser, await scan(matrix(product, 'S1')));
    expect(saidOn(first)).toContain('1 von 2 Packungen');
    expect(saidOn(first)).toContain(`PZN ${product.pzn}`);
    expect(first.text).not.toContain('value="ready_pickup"');
    expect(first.text).toMatch(
      /<button type="button" disabled="" aria-describedby="left">Als abholbereit markieren<span class="far">1\/2/,
    );
    const second = await follow(browser, await scan(matrix(product, 'S2')));
    expect(saidOn(second)).toContain('2 gescannt');
    expect(second.text).toContain('value="ready_pickup"');
  });

  test('dates its dispensing record once all is packed, and leaves the hand-over to be filled in', async ({
    browser,
    path,
    product,
  }) => {
    const record = async () => (await browser.get(`${path}/dispensing-record`)).text;
    for (const serial of ['S1', 'S2']) {
      expect(await record()).not.toContain('Gepackt am');
      await browser.submit(`${path}/scan`, { code: matrix(product, serial) }, path);
    }
    expect(await record()).toMatch(/Gepackt am: \d\d\.\d\d\.\d{4}, Kim Öztürk<.*Abgegeben am: _+ Abgegeben von: _+</s);
  });

  test('names the wrong pack and what is still open', async ({ api, browser, path, product }) => {
    const wrong = await holdProduct(api, { name: 'Ibuprofen AL 400 mg, 20 St', pzn: newPzn() });
    const refused = await browser.submit(`${path}/scan`, { code: matrix(wrong, 'S1') }, path);
    expect(refused.status).toBe(409);
    const banner = /role="alert".*?<\/p><p.*?<\/p>/s.exec(refused.text)?.[0] ?? '';
    expect(banner).toContain('Ibuprofen AL <mark>400\u00a0mg</mark>, <mark>20\u00a0St</mark></bdi> gehört nicht zu 1.');
    expect(banner).toContain('2 × <bdi>Ibuprofen AL 600\u00a0mg, 50\u00a0St</bdi>');
    const expired = await browser.submit(`${path}/scan`, { code: matrix(product, 'S1', '200131') }, path);
    expect(saidOn(expired)).toContain('war bis 31.01.2020 verwendbar');
    const text = await browser.submit(`${path}/scan`, { code: 'Ibuprofen' }, path);
    expect(saidOn(text)).toContain(de.shared.fieldErrors.unknown_code);
  });

  test('says what is not packed where it is set ready, and offers nothing of it on hold', async ({
    browser,
    id,
    path,
  }) => {
    const refused = await browser.submit(`${path}/status`, { status: 'ready_pickup' }, path);
    expect(refused.status).toBe(409);
    expect(saidOn(refused)).toContain(de.shared.fieldErrors.not_packed);
    await setPacked(id);
    await browser.submit(`${path}/hold`, {});
    const held = await browser.get(path);
    for (const hidden of ['value="ready_pickup"', `${path}/scan`, `${path}/packs`])
      expect(held.text).not.toContain(hidden);
  });

  test('ticks a line by hand, tells it, and takes it back', async ({ browser, path }) => {
    const key = /name="hand" value="([^"]+)"/.exec((await browser.get(path)).text)?.[1] ?? '';
    const ticked = await follow(browser, await browser.submit(`${path}/packs`, { hand: key }, path));
    expect(saidOn(ticked)).toContain('von Hand abgehakt');
    const back = await follow(browser, await browser.submit(`${path}/packs`, { undo: key }, path));
    expect(saidOn(back)).toContain('0 von 2 Packungen');
  });

  test('asks where the label of another order is scanned into one that is half packed', async ({
    api,
    browser,
    path,
    product,
  }) => {
    const other = await openOrder(api);
    const { number } = await orderRow(other.id);
    const code = await labelFor(other.id);
    const opened = await browser.submit(`${path}/scan`, { code }, path);
    expect(opened).toMatchObject({ status: 303, location: `/manage/orders/${other.id}` });
    await browser.submit(`${path}/scan`, { code: matrix(product, 'S1') }, path);
    const asked = await browser.submit(`${path}/scan`, { code }, path);
    expect(asked.status).toBe(409);
    expect(saidOn(asked)).toContain(`Das Etikett gehört zu Bestellung ${number}`);
    expect(asked.text).toContain(`href="/manage/orders/${other.id}"`);
    expect(asked.text).not.toMatch(/<form[^>]*action="\/manage\/orders/);
  });

  test('with 40 lines, 20 of them ticked by hand, has 15 KB at most and costs three round trips', async ({
    api,
    browser,
  }) => {
    const name = 'Pantoprazol Aristo 20 mg magensaftresistente Tabletten, 100 St';
    const { p1_id } = await holdProduct(api, { name, pzn: newPzn(), stock: 50 });
    const item = { p1_id, name: 'Pantoprazol 40 mg Tabl.', qty: 1, price: 4.5 };
    const { id } = await openOrder(api, { items: Array.from({ length: 40 }, () => item) });
    const line = { scanned: 0, byHand: 1, serials: [], by: null, at: 1 };
    const packing = Array.from({ length: 40 }, (_, at) => ({ ...line, byHand: at % 2 }));
    await rows(`update orders set status = 'awaiting_packing', packing = ? where id = ?`, JSON.stringify(packing), id);
    const { roundTrips } = await costOf(() => browser.get(`/manage/orders/${id}`));
    const { text } = await browser.get(`/manage/orders/${id}`);
    expect(text.match(/class="ok"/g)).toHaveLength(20);
    expect(await sentBytes(text)).toBeLessThanOrEqual(PAGE_BYTES_MAX);
    expect(roundTrips).toBeLessThanOrEqual(3);
  });
});

describe('shelf, label and slip', () => {
  test('are set with what is wrong said beside each field, and shown on label and slip', async ({ browser, path }) => {
    for (const [fields, said] of [
      [{ shelf: 'ein langes Fach', bags: '1' }, 'Höchstens 10 Zeichen'],
      [{ shelf: 'B 7', bags: '10' }, 'Eine Zahl von 1 bis 9'],
    ] as const) {
      const refused = await browser.submit(`${path}/shelf`, fields, path);
      expect(refused.status).toBe(400);
      expect(saidOn(refused)).toContain(said);
      expect(refused.text).toContain(`value="${fields.shelf}"`);
    }
    await follow(browser, await browser.submit(`${path}/shelf`, { shelf: 'B 7', bags: '2' }, path));
    const [label, slip] = [await browser.get(`${path}/label`), await browser.get(`${path}/slip`)];
    for (const text of ['B 7', 'Beutel 2/2']) expect(saidOn(label)).toContain(text);
    for (const text of ['B 7', '2 Packungen, 2 Beutel']) expect(saidOn(slip)).toContain(text);
  });
});

describe('a label scanned anywhere', () => {
  test('opens its order; once it waits for its customer, the hand-over', async ({ browser, id, path }) => {
    const search = `/manage/search?q=${encodeURIComponent(await labelFor(id))}`;
    expect(await browser.get(search)).toMatchObject({ status: 302, location: path });
    await setStatus(id, 'ready_pickup');
    expect(await browser.get(search)).toMatchObject({ status: 302, location: `${path}/hand-over` });
  });

  test('of another pharmacy opens nothing', async ({ browser, id }) => {
    const { browser: stranger } = await enter(await openOrganization(), 'staff');
    const page = await stranger.get(`/manage/search?q=${encodeURIComponent(await labelFor(id))}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain(id);
    expect((await browser.get(`/manage/orders/${id}`)).status).toBe(200);
  });

  test('a scanned pack leads from the search to its product', async ({ browser, product }) => {
    const page = await browser.get(`/manage/search?q=${encodeURIComponent(matrix(product, 'S1'))}`);
    expect(page).toMatchObject({ status: 302, location: `/manage/products?q=${product.pzn}` });
    // Eight digits may be a reference of a customer.
    const typed = await browser.get(`/manage/search?q=${product.pzn}`);
    expect(typed).toMatchObject({ status: 200 });
    expect(typed.text).toContain(`href="/manage/products/${product.p1_id}"`);
  });
});

describe('shipping', () => {
  test('asks where there is no address and nothing was paid, and ships only with both answers', async ({
    browser,
    id,
    path,
  }) => {
    await setPacked(id);
    await setStatus(id, 'ready_shipping', 'Versand');
    const asked = await follow(browser, await browser.submit(`${path}/status`, { status: 'shipped' }, path));
    expect(saidOn(asked)).toMatch(/keine vollständige Anschrift.*Noch nicht bezahlt: 9,00/);
    const fields = formOn(asked, `${path}/ship`);
    const refused = await browser.post(`${path}/ship`, { ...fields, unpaid_reason: 'x', address_known: 'yes' });
    expect(refused.status).toBe(400);
    expect(await orderRow(id)).toMatchObject({ status: 'ready_shipping' });
    const answers = { address_known: 'yes', unpaid_reason: 'on_account' };
    await follow(browser, await browser.post(`${path}/ship`, { ...fields, ...answers }));
    expect(await orderRow(id)).toMatchObject({ status: 'shipped', unpaid_reason: 'on_account' });
  });
});

describe('another product while packing', () => {
  test('is searched by name or scan, chosen, acknowledged and exchanged', async ({
    api,
    browser,
    id,
    path,
    product,
  }) => {
    const other = await holdProduct(api, { name: 'Ibuprofen AL 600 mg, 20 St', pzn: newPzn(), price: 3 });
    const opened = await browser.get(`${path}/other-product?line=0`);
    const search = formOn(opened, `${path}/products`);
    const found = await browser.post(`${path}/products`, { ...search, q: matrix(other, 'S1') });
    expect(found.status).toBe(200);
    const offered = formOn(found, `${path}/other-product`);
    // As many as hold what was accepted.
    expect(offered).toMatchObject({ p1_id: other.p1_id, quantity: '5' });
    const form = { ...offered, quantity: '2', reason: 'not_deliverable' };
    const open = await browser.post(`${path}/other-product`, form);
    expect(open.status).toBe(409);
    expect(saidOn(open)).toContain('Andere Summe der Bestellung: 6,00');
    expect(JSON.parse((await orderRow(id)).items)[0]).toMatchObject({ p1Id: product.p1_id });
    const keys = [...open.text.matchAll(/name="acknowledged" value="([^"]*)"/g)].map(([, key = '']) => unescaped(key));
    const body = new URLSearchParams({ ...formOn(open, `${path}/other-product`), ...form });
    for (const key of keys) body.append('acknowledged', key);
    const done = await browser.send(`${path}/other-product`, { method: 'POST', body });
    expect(saidOn(await follow(browser, done))).toContain('Ibuprofen AL 600 mg, 20 St');
    expect(JSON.parse((await orderRow(id)).items)[0]).toMatchObject({
      p1Id: other.p1_id,
      quantity: 2,
      priceCents: 300,
    });
  });

  test('on a prescription is not offered to whoever may not check prescriptions', async ({ api, browser, path }) => {
    const prescribed = await holdProduct(api, {
      name: 'Amoxicillin 750 mg',
      pzn: newPzn(),
      prescription_required: true,
    });
    const opened = await browser.get(`${path}/other-product?line=0`);
    const search: Record<string, string> = { ...formOn(opened, `${path}/products`), q: String(prescribed.pzn) };
    expect(saidOn(await browser.post(`${path}/products`, search))).toContain(de.otherProduct.whoChecks);
    const { browser: pharmacist } = await enter(api.orgId, 'pharmacist');
    const offered = await pharmacist.submit(`${path}/products`, { line: search.line ?? '', q: search.q ?? '' }, path);
    expect(saidOn(offered)).not.toContain(de.otherProduct.whoChecks);
  });
});
