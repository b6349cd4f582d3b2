import { describe, expect, test } from 'vitest';
import { allowedTransitions } from '../../src/orders/rules';
import { ORDER_STATUSES } from '../../src/orders/tables';
import type { Role } from '../../src/platform/access';
import { unescaped } from '../support/html';
import { de } from '../support/messages';
import { orderRow, setOwed, setPacked, setStatus } from '../support/order-flow';
import { auditOf, insertRows, quoted } from '../support/rows';
import { makeLink, moveOrder, openSeller, placeOrder, type Seller } from '../support/seller';
import { rows } from '../support/world';
import { enter, type Page } from './browser';
import { follow } from './page-forms';

const ORDERS = '/manage/orders';

async function open(role: Role = 'staff', options: Parameters<typeof openSeller>[0] = {}) {
  const seller = await openSeller(options);
  const { browser } = await enter(seller.orgId, role, 'Kim Öztürk');
  return { seller, browser };
}

async function openWithOrder(members: Record<string, unknown> = {}) {
  const { seller, browser } = await open();
  const order = await placeOrder(seller, members);
  return { seller, browser, order, path: `${ORDERS}/${order.id}` };
}

/** Steps that a page of their own asks about first. */
const ASKING = { picked_up: 'hand-over', returned: 'return', cancelled: 'cancel' };

/** The steps that the page offers as buttons, and as links to the pages that ask. */
function stepsOn({ text }: Page): string[] {
  const asking = Object.entries(ASKING).filter(([, page]) => new RegExp(`href="[^"]*/${page}"`).test(text));
  const steps = [...text.matchAll(/name="status" value="(\w+)"/g)].map(([, step = '']) => step);
  return [...steps, ...asking.map(([step]) => step)];
}

function idsOn({ text }: Page): string[] {
  return [...text.matchAll(/href="\/manage\/orders\/([\w-]{36})"/g)].map(([, id = '']) => id);
}

async function insertOrders({ orgId, shopId }: Seller, count: number): Promise<void> {
  const id = `printf('00000000-0000-7000-8000-${orgId.slice(-6)}%06d', i)`;
  const status = `'awaiting_payment'`;
  await insertRows('orders', count, { id, org_id: quoted(orgId), shop_id: quoted(shopId), status });
}

describe('the list', () => {
  test('teaches while it is empty', async () => {
    const { browser } = await open();
    const page = await browser.get(`${ORDERS}?tab=all`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Noch keine Bestellungen');
    expect(page.text).toContain(`<a href="${ORDERS}" aria-current="page">`);
    expect((await browser.get(ORDERS)).text).toContain('Nichts zu packen');
  });

  test('shows the newest first, with all that a packer looks for', async () => {
    const { seller, browser } = await open();
    const first = await placeOrder(seller, { shipping_option: 'Versand', customer_name: 'Ada' });
    const second = await placeOrder(seller, { shop_id: seller.otherShopId });
    const page = await browser.get(`${ORDERS}?tab=all`);
    expect(idsOn(page)).toEqual([second.id, first.id]);
    for (const text of ['Ada', 'Mitte', 'Nord', 'Wartet auf Zahlung', 'Offen', 'Versand', 'Abholung', '24,90']) {
      expect(page.text).toContain(text);
    }
    expect(page.text).toContain('<td class="no">1</td>');
  });

  test('is filtered by status and shop in the address', async () => {
    const { seller, browser } = await open();
    const [here, there] = [await placeOrder(seller), await placeOrder(seller, { shop_id: seller.otherShopId })];
    await moveOrder(seller, there.id, 'awaiting_packing');
    for (const [query, found] of [
      ['status=awaiting_payment', [here]],
      [`tab=all&shop=${seller.otherShopId}`, [there]],
      [`tab=waiting&shop=${seller.otherShopId}`, []],
      ['', [there]],
      ['tab=all&status=nonsense&shop=', [there, here]],
    ] as const)
      expect(idsOn(await browser.get(`${ORDERS}?${query}`)), query).toEqual(found.map(({ id }) => id));
    const none = await browser.get(`${ORDERS}?status=shipped`);
    expect(none.text).toContain('Keine Bestellung passt zu diesem Filter');
    expect(none.text).toContain('<option value="shipped" selected');
  });

  test('has 50 a page and a link to the older ones that keeps the filter', async () => {
    const { seller, browser } = await open();
    await insertOrders(seller, 52);
    const first = await browser.get(`${ORDERS}?status=awaiting_payment`);
    expect(idsOn(first)).toHaveLength(50);
    const next = unescaped(/rel="next" href="([^"]+)"/.exec(first.text)?.[1] ?? '');
    expect(next).toContain('status=awaiting_payment');
    const second = await browser.get(next);
    expect(new Set([...idsOn(first), ...idsOn(second)]).size).toBe(52);
    expect(second.text).not.toContain('rel="next"');
    expect(second.text).toContain('Zu den neuesten');
  });
});

describe('an order', () => {
  test('offers exactly the steps that it may take, in every status and both ways of shipping', async () => {
    const { browser, order, path } = await openWithOrder();
    for (const shippingOption of ['Abholung', 'Versand']) {
      for (const status of ORDER_STATUSES) {
        await setStatus(order.id, status, shippingOption);
        await setPacked(order.id);
        const page = await browser.get(path);
        const allowed = allowedTransitions({ status, shippingOption });
        expect([shippingOption, status, stepsOn(page).sort()]).toEqual([shippingOption, status, [...allowed].sort()]);
        expect(page.text).toContain(de.shared.orders.statuses[status]);
        expect(page.text.includes(`${path}/delete`)).toBe(status === 'cancelled');
      }
    }
  });

  test('asks for a carrier and tracking only where no own courier brings it, or where one is stored', async () => {
    const { seller, browser, order, path } = await openWithOrder();
    const asks = async (option: string) => {
      await setStatus(order.id, 'ready_shipping', option);
      await setPacked(order.id);
      const page = await browser.get(path);
      expect([option, stepsOn(page)]).toEqual([option, expect.arrayContaining(['shipped'])]);
      const question = await browser.get(`${path}/ship`);
      const [isAsked, isAskedBefore] = [page, question].map(({ text }) => text.includes('name="carrier"'));
      expect([option, isAskedBefore]).toEqual([option, isAsked]);
      return isAsked;
    };
    expect([await asks('Versand'), await asks('Express'), await asks('Lieferdienst')]).toEqual([true, false, false]);
    await rows(`update shops set express_kind = 'versand' where id = ?`, seller.shopId);
    expect(await asks('Express')).toBe(true);
    await rows(`update orders set carrier = 'Taxi' where id = ?`, order.id);
    expect(await asks('Lieferdienst')).toBe(true);
  });

  test('says in its head and title that its person was erased', async () => {
    const { browser, order, path } = await openWithOrder();
    await rows('update orders set customer_name = null, customer_email = null, erased_at = 1 where id = ?', order.id);
    const { text } = await browser.get(path);
    expect(text).toContain('<b dir="auto">Person gelöscht</b>');
    expect(text).not.toContain('Ohne Namen');
  });

  test('takes a step, and says in plain words that one is no longer possible, and where the order stands', async () => {
    const { browser, order, path } = await openWithOrder();
    const { token } = await browser.get(path);
    const step = (status: string) => browser.post(`${path}/status`, { form_token: token, status });
    expect((await follow(browser, await step('awaiting_packing'))).text).toContain(de.shared.flash.order_moved);
    expect(await orderRow(order.id)).toMatchObject({ status: 'awaiting_packing' });
    await setStatus(order.id, 'delivered');
    const page = await step('awaiting_packing');
    expect(page.status).toBe(409);
    expect(page.text).toContain(de.shared.fieldErrors.invalid_transition);
    expect(stepsOn(page)).toEqual(['returned']);
    expect(await step('nonsense')).toMatchObject({ status: 400 });
    expect(await orderRow(order.id)).toMatchObject({ status: 'delivered' });
  });

  test('can be canceled only with a reason, on a page that names it', async () => {
    const { browser, order, path } = await openWithOrder();
    const asked = await follow(browser, await browser.submit(`${path}/status`, { status: 'cancelled' }, path));
    expect(asked.text).toContain('Bestellung 1 von Erika Mustermann stornieren?');
    for (const reason_code of ['', 'nonsense']) {
      const page = await browser.submit(`${path}/cancel`, { reason_code });
      expect(page.status).toBe(400);
      expect(page.text).toContain(de.shared.fieldErrors.reason_required);
    }
    expect(await orderRow(order.id)).toMatchObject({ status: 'awaiting_payment' });
    const page = await follow(browser, await browser.submit(`${path}/cancel`, { reason_code: 'out_of_stock' }));
    expect(page.text).toContain(de.shared.flash.order_cancelled);
    expect(page.text).toContain('Nicht lieferbar');
    expect(await orderRow(order.id)).toMatchObject({ status: 'cancelled', cancel_reason_code: 'out_of_stock' });
  });

  test('is put on hold with a reason, marked as express and archived, and back', async () => {
    const { browser, order, path } = await openWithOrder();
    const set = async (fields: Record<string, string>) =>
      follow(browser, await browser.submit(`${path}/flags`, fields, path));
    const held = await follow(browser, await browser.submit(`${path}/hold`, { hold_reason: 'Rückruf <b>' }));
    expect(held.text).toContain(de.shared.flash.order_held);
    expect(held.text).toContain('Rückruf &lt;b&gt;');
    expect(stepsOn(held)).toEqual(['cancelled']);
    await set({ flag: 'express', value: 'on' });
    await set({ flag: 'archived', value: 'on' });
    expect(await orderRow(order.id)).toMatchObject({ on_hold: 1, express: 1, archived: 1, hold_reason: 'Rückruf <b>' });
    for (const flag of ['on_hold', 'express', 'archived']) await set({ flag, value: 'off' });
    expect(await orderRow(order.id)).toMatchObject({ on_hold: 0, express: 0, archived: 0, hold_reason: null });
    const long = await browser.submit(`${path}/hold`, { hold_reason: 'x'.repeat(201) });
    expect(long.status).toBe(400);
    expect(long.text).toContain(de.shared.fieldErrors.text_too_long);
  });

  test('is marked as paid with its reference, after which nobody is asked to pay', async () => {
    const { browser, order, path } = await openWithOrder();
    const fields = { payment_reference: 'TX-4711' };
    const page = await follow(browser, await browser.submit(`${path}/paid`, fields, path));
    expect(page.text).toContain(de.shared.flash.order_paid);
    expect(page.text).toContain('TX-4711');
    expect(page.text).not.toContain(`${path}/paid`);
    expect(page.text).not.toContain(`${path}/payment-link`);
    expect(await orderRow(order.id)).toMatchObject({ payment_status: 'paid', payment_reference: 'TX-4711' });
    const late = await browser.submit(`${path}/payment-link`, {}, path);
    expect(late.status).toBe(409);
    expect(late.text).toContain(de.shared.fieldErrors.order_not_payable);
  });

  test('gets a payment link that is shown with a button to copy it', async () => {
    const { browser, seller, path } = await openWithOrder();
    const page = await browser.shown(browser.submit(`${path}/payment-link`, {}, path));
    expect(page.status).toBe(200);
    const url = /id="payment-link"[^>]*>([^<]+)</.exec(page.text)?.[1] ?? '';
    expect(url).toContain(`.localhost:8787/pay/`);
    expect([seller.host, ...seller.otherHosts]).toContain(new URL(url).hostname);
    expect(page.text).toContain('data-copy="payment-link"');
    // It stays, on the page behind the order's, until it is paid.
    const again = await browser.get(path);
    expect(again.text).not.toContain(url);
    expect(again.text).toContain(`href="${path}/payment-link"`);
    expect((await browser.get(`${path}/payment-link`)).text).toContain(url);
    await browser.submit(`${path}/paid`, {}, path);
    expect((await browser.get(path)).text).not.toContain(`${path}/payment-link`);
    expect(await browser.get(`${path}/payment-link`)).toMatchObject({ status: 303, location: path });
  });

  test('has no link to show once the amount that it asks for is not what is due', async () => {
    const { browser, order, path } = await openWithOrder();
    await browser.submit(`${path}/payment-link`, {}, path);
    await rows('update orders set total_cents = total_cents + 1 where id = ?', order.id);
    expect((await browser.get(path)).text).not.toContain(`href="${path}/payment-link"`);
    expect(await browser.get(`${path}/payment-link`)).toMatchObject({ status: 303, location: path });
  });

  test('says in words why there can be no payment link', async () => {
    const { seller, browser } = await open('staff', { iban: null });
    const order = await placeOrder(seller);
    const page = await browser.submit(`${ORDERS}/${order.id}/payment-link`, {}, `${ORDERS}/${order.id}`);
    expect(page.status).toBe(409);
    expect(page.text).toContain(de.shared.fieldErrors.iban_missing);
    expect(page.text).not.toContain('iban_missing');
  });

  test('can be deleted once it is canceled, after a confirmation', async () => {
    const { browser, seller, order, path } = await openWithOrder();
    const early = await browser.submit(`${path}/delete`, {});
    expect(early.status).toBe(409);
    expect(early.text).toContain(de.shared.fieldErrors.order_not_deletable);
    await moveOrder(seller, order.id, 'cancelled');
    expect((await browser.get(`${path}/delete`)).text).toContain('von Erika Mustermann löschen?');
    const list = await follow(browser, await browser.submit(`${path}/delete`, {}));
    expect(list.text).toContain(de.shared.flash.order_deleted);
    expect(idsOn(list)).toEqual([]);
    expect((await browser.get(path)).status).toBe(404);
  });

  test('of which a part has left is kept, also when the rest is canceled with it', async () => {
    const { browser, seller, order, path } = await openWithOrder({
      items: [{ name: 'Verband', qty: 2, price: 5 }],
    });
    await setOwed(order.id, 1, '2999-01-02', 1);
    await moveOrder(seller, order.id, 'cancelled');
    const { text } = await browser.get(path);
    expect(text).not.toContain(`href="${path}/delete"`);
    expect(text).not.toContain('nicht ausführen');
    const refused = await browser.submit(`${path}/delete`, {});
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(de.shared.fieldErrors.order_not_deletable);
    expect(await orderRow(order.id)).toMatchObject({ deleted_at: null, erased_at: null });
  });

  test('tells who did what, the person by name, a key by its id', async () => {
    const { browser, seller, order, path } = await openWithOrder();
    await makeLink(seller, order.id);
    await browser.submit(`${path}/cancel`, { reason_code: 'duplicate_order' });
    const { text } = await browser.get(path);
    const history = /<ol class="line-of"[^>]*>(.*?)<\/ol>/s.exec(text)?.[1] ?? '';
    const acts = [...history.matchAll(/<li[^>]*>(.*?)<small>.*?<\/time> · ([^<]*)<\/small>/g)].map(
      ([, what = '', who]) => [what.replace(/<[^>]*>/g, ''), who],
    );
    const key = 'erp (API-Schlüssel)';
    expect(acts).toEqual([
      ['Status: Storniert (Doppelt bestellt)', 'Kim Öztürk'],
      ['Zahlungslink erstellt', key],
      ['Bestellung angelegt', key],
    ]);
    expect(await auditOf(order.id)).toHaveLength(2);
  });
});
