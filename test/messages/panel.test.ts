import { MESSAGE_KINDS, MESSAGE_LANGUAGES } from '../../src/messages/tables';
import { askQuestion } from '../../src/order-requests/review/decisions';
import { enter } from '../management/browser';
import { openRequest, patchOrder, reject, setStatus } from '../support/order-flow';
import { succeeded } from '../support/organization';
import { openSeller, placeOrder } from '../support/seller';
import { staffContext } from '../support/staff-context';
import { expect, test } from '../support/test';
import { rows } from '../support/world';

/** Stands wherever somebody wrote something. */
const MARK = 'Zauberwort';
const items = [{ name: `${MARK}-Salbe 20 mg`, quantity: 1, price: 5 }];
const note = `${MARK} in der Notiz`;

/** What the panel of a page offers to send: every kind and language, and its links. */
async function offeredOn(page: { text: string }) {
  const panel = /<(section|details) class="[a-z -]+" id="message-panel"[\s\S]*?<\/\1>/.exec(page.text)?.[0] ?? '';
  const choices = [...panel.matchAll(/<option value="([^"]+)"/g)].map(([, choice]) => choice);
  return { panel: decodeURIComponent(panel), choices };
}

const choicesOf = (...kinds: string[]) => kinds.flatMap((kind) => MESSAGE_LANGUAGES.map((each) => `${kind}.${each}`));

test('whatever was ordered, asked and written, no text for a customer says it', async () => {
  const seller = await openSeller();
  const ctx = staffContext(seller.orgId);
  const person = { customer_email: 'kim@example.com', items, note };
  const { id } = await placeOrder(seller, {
    ...{ customer_email: person.customer_email, address_phone: '030 123456' },
    items: [{ name: `${MARK}-Salbe 20 mg`, qty: 1, price: 5 }],
  });
  succeeded(await patchOrder(seller, id, { note, hold_reason: note }));
  await setStatus(id, 'ready_pickup', 'Abholung');
  const asked = await openRequest(seller, { ...person, phone: '030 123456', diagnosis: MARK });
  await askQuestion(ctx, { id: asked, code: 'dosage', text: `${MARK}?` });
  const refused = await openRequest(seller, person);
  await reject(seller, refused, { reason_code: 'clinical_concern', note });
  const { browser } = await enter(seller.orgId, 'pharmacist');
  const seen = new Set<string>();
  for (const [path, kind] of [
    [`/manage/orders/${id}`, 'ready'],
    [`/manage/requests/${asked}`, 'question'],
    [`/manage/requests/${refused}`, 'rejected'],
  ] as const) {
    const { panel, choices } = await offeredOn(await browser.get(path));
    expect(choices).toEqual(choicesOf(kind));
    expect(panel).toContain('mailto:kim@example.com?subject=');
    expect(panel.toLowerCase()).not.toContain(MARK.toLowerCase());
    seen.add(kind);
  }
  await rows(`update orders set status = 'shipped', shipping_option = 'Versand' where id = ?`, id);
  const { panel, choices } = await offeredOn(await browser.get(`/manage/orders/${id}`));
  expect(choices).toEqual(choicesOf('shipped'));
  expect(panel.toLowerCase()).not.toContain(MARK.toLowerCase());
  await rows(
    `update orders set status = 'ready_pickup', expected_on = '2026-11-24', supply = json_array(json_object('owed', 1, 'expectedOn', '2026-11-24', 'supplied', 0)) where id = ?`,
    id,
  );
  const inParts = await offeredOn(await browser.get(`/manage/orders/${id}`));
  expect(inParts.choices).toEqual(choicesOf('later'));
  expect(inParts.panel).toContain('Der Rest kommt am Dienstag, 24.11.2026');
  expect(inParts.panel.toLowerCase()).not.toContain(MARK.toLowerCase());
  expect(MESSAGE_KINDS.filter((kind) => ![...seen, 'shipped', 'later'].includes(kind))).toEqual([]);
});

test('a text is in the language that the platform named', async () => {
  const seller = await openSeller();
  const { id } = await placeOrder(seller);
  await setStatus(id, 'ready_pickup', 'Abholung');
  await rows(`update orders set platform_details = '{"language":"ar-EG"}' where id = ?`, id);
  const { browser } = await enter(seller.orgId, 'staff');
  const { text } = await browser.get(`/manage/orders/${id}`);
  expect(/<textarea id="message-text"[^>]*>/.exec(text)?.[0]).toMatch(/lang="ar" dir="rtl"/);
});

test('what a shop says about itself stands below each text', async () => {
  const seller = await openSeller();
  const { id } = await placeOrder(seller);
  await setStatus(id, 'ready_pickup', 'Abholung');
  const { browser } = await enter(seller.orgId, 'staff');
  await rows(
    `update shops set street = 'Lindenstraße 80', city = 'Berlin', phone = '030 1234' where id = ?`,
    seller.shopId,
  );
  const { panel } = await offeredOn(await browser.get(`/manage/orders/${id}`));
  expect(panel).toContain('Lindenstraße 80, Berlin\n030 1234<');
});
