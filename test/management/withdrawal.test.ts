import { unescaped } from '../support/html';
import { de } from '../support/messages';
import { getOrder, orderRow, patchOrder } from '../support/order-flow';
import { succeeded } from '../support/organization';
import { sendApproved, withdraw } from '../support/platform';
import { openSeller } from '../support/seller';
import { expect, test } from '../support/test';
import { rows } from '../support/world';
import { enter } from './browser';
import { follow } from './page-forms';

const ASKED = de.shared.orders.fields.withdrawal;

async function openWithdrawn() {
  const seller = await openSeller();
  const { browser } = await enter(seller.orgId, 'staff', 'Kim Öztürk');
  const { id, orderId } = await sendApproved(seller);
  await withdraw(seller, id);
  return { seller, browser, orderId, path: `/manage/orders/${orderId}` };
}

test('a withdrawal is named on the order, with who asks, and in the list, and nothing offers to lift its hold', async () => {
  const { browser, path } = await openWithdrawn();
  expect((await browser.get('/manage/orders')).text).toContain(ASKED);
  const { text } = await browser.get(path);
  expect(unescaped(text)).toMatch(new RegExp(`<b>${ASKED}</b> von telemed.example`));
  expect(text).not.toContain('value="on_hold"');
  expect(text).not.toContain(`<b>${de.shared.orders.fields.on_hold}</b>`);
});

test('staff accept it by cancelling, for the reason that is chosen already', async () => {
  const { seller, browser, orderId, path } = await openWithdrawn();
  const page = await browser.get(`${path}/cancel`);
  expect(page.text).toMatch(/<option value="customer_withdrew" selected/);
  await follow(browser, await browser.submit(`${path}/cancel`, { reason_code: 'customer_withdrew' }));
  expect(await getOrder(seller, orderId)).toMatchObject({ status: 'cancelled', withdrawal: 'accepted' });
  expect((await browser.get(path)).text).not.toContain(`<b>${ASKED}</b>`);
});

test('staff refuse it with a reason, which stands in the history', async () => {
  const { seller, browser, orderId, path } = await openWithdrawn();
  for (const [withdrawal_reason, fault] of [
    ['', 'Bitte ausfüllen'],
    ['x'.repeat(1001), de.shared.fieldErrors.note_too_long],
  ] as const) {
    const refused = await browser.submit(`${path}/withdrawal`, { withdrawal_reason });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(fault);
  }
  expect(await orderRow(orderId)).toMatchObject({ withdrawal: 'requested' });
  const page = await follow(
    browser,
    await browser.submit(`${path}/withdrawal`, { withdrawal_reason: 'Schon gemischt' }),
  );
  expect(page.text).toContain(de.shared.flash.withdrawal_refused);
  expect(page.text).toContain('Schon gemischt');
  expect(page.text).not.toContain(`<b>${ASKED}</b>`);
  expect(await getOrder(seller, orderId)).toMatchObject({ withdrawal: 'refused', flags: { on_hold: false } });
  expect(await rows('select text from staff_notes where order_id = ?', orderId)).toEqual([{ text: 'Schon gemischt' }]);
});

test('who refuses what somebody else has decided is told so', async () => {
  const { seller, browser, orderId, path } = await openWithdrawn();
  const { token } = await browser.get(path);
  succeeded(await patchOrder(seller, orderId, { status: 'cancelled', reason_code: 'customer_withdrew' }));
  const late = await browser.post(`${path}/withdrawal`, { withdrawal_reason: 'x', form_token: token });
  expect(late.status).toBe(409);
  expect(late.text).toContain(de.shared.fieldErrors.withdrawal_decided);
  expect(await rows('select 1 from staff_notes where order_id = ?', orderId)).toEqual([]);
});
