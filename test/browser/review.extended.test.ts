import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { onePagePdf } from '../../scripts/pdf';
import { de } from '../support/messages';
import {
  addPdf,
  checkSeen,
  enter,
  IBUPROFEN,
  openPharmacy,
  type Pharmacy,
  startedService,
  submit,
  tickAll,
} from './support/fixtures';
import { arrival } from './support/input-methods';

const REQUESTS = '/manage/requests';
const COUNTER = { width: 1024, height: 640 };
const PREPARED = de.requests.prepared('Kim Öztürk', '').split(',')[0] as string;
/** Longer than a file has to be in view. */
const LOOK_MS = 1500;

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Kronen-Apotheke');
  ({ page } = await enter(browser, pharmacy, 'owner', { viewport: COUNTER }));
});

afterAll(() => browser?.close());

async function openReview(payload: Record<string, unknown> = {}): Promise<string> {
  const id = await submit(pharmacy, payload);
  await page.goto(`${REQUESTS}/${id}`);
  return id;
}

const approve = () => page.getByRole('button', { name: de.requests.approve, exact: true });
/** Presses the button that sends the form to another place. @param which of several */
const send = (to: string, which = 0) => arrival(page, () => page.locator(`[formaction$="${to}"]`).nth(which).click());
const ticks = () => page.locator('[name^="checked-"]');
const isApproved = async (id: string) =>
  !(await (await page.request.get(`${REQUESTS}/${id}`)).text()).includes('/approve"');
const said = () => page.getByRole('main').innerText();

/** Types into the first line, whose fields stand below it once it is opened. */
async function edit(fields: Record<string, string>): Promise<void> {
  const [first = ''] = Object.keys(fields);
  if (!(await page.locator(`[name="${first}-0"]`).isVisible())) await page.locator('#change-0').click();
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}-0"]`).fill(value);
}

const typed = async (...names: string[]) => {
  const values = await Promise.all(names.map((name) => page.locator(`[name="${name}-0"]`).inputValue()));
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
};

/** What the log says was done to a request's prescriptions. */
async function logged(): Promise<string[]> {
  const log = await (await page.request.get('/manage/settings/audit')).text();
  const { acts } = de;
  const names = [acts['prescription.approved'], acts['prescription.set_aside']];
  return [...log.matchAll(/<tr\b.*?(?=<tr\b|<\/table>)/gs)].flatMap(([row]) =>
    names.filter((name) => row.includes(name)),
  );
}

test('a prescription that nobody looked at is never approved, whatever the items and the reason', async () => {
  const id = await openReview({ items: [{ name: 'Etwas ohne Produkt', quantity: 1, price: 5 }] });
  const before = await logged();
  await page.locator('[name="override_reason"]').fill('ok');
  await arrival(page, () => approve().click());
  expect(await page.getByRole('alert').innerText()).toContain(de.requests.tickMissing);
  expect(await page.locator('[name="override_reason"]').inputValue()).toBe('ok');
  expect([await isApproved(id), await logged()]).toEqual([false, before]);

  await tickAll(page);
  await arrival(page, () => approve().click());
  expect(await isApproved(id)).toBe(true);
  expect((await logged()).length).toBe(before.length + 1);
});

test('a prescription that was never in view cannot be ticked, and the page says so', async () => {
  const { page: phone, context } = await enter(browser, pharmacy, 'pharmacist', {
    viewport: { width: 360, height: 240 },
  });
  const id = await submit(pharmacy);
  await phone.goto(`${REQUESTS}/${id}`);
  const tick = phone.locator('[name^="checked-"]');
  const trySpace = async () => {
    await tick.evaluate((element: HTMLElement) => element.focus({ preventScroll: true }));
    await phone.keyboard.press('Space');
    return tick.isChecked();
  };
  await phone.waitForTimeout(LOOK_MS);
  expect(await trySpace()).toBe(false);
  await phone.getByRole('status').filter({ hasText: de.shared.scripts.unseen }).waitFor();
  await phone.locator('iframe').scrollIntoViewIfNeeded();
  await tick.and(phone.locator(':not([aria-disabled])')).waitFor();
  expect(await trySpace()).toBe(true);
  await context.close();
});

test('edits survive the tick of the prescription, and every button of the page', async () => {
  const id = await openReview({ customer_name: 'Berta Bunt' });
  const edits = { quantity: '3', price: '12,00' };
  await edit(edits);
  await checkSeen(page, ticks().first());
  const kept = async (after: string) => {
    expect([after, await typed('quantity', 'price')]).toEqual([after, edits]);
    expect([after, await ticks().first().isChecked()]).toEqual([after, true]);
  };
  await kept('tick');

  await page.locator('[name="note"]').fill('Ruft morgen an');
  await send('/note');
  await kept('note');
  expect(await said()).toContain('Ruft morgen an');

  await page.locator('summary', { hasText: de.requests.needsInfo }).click();
  await page.locator('[name="info_note"]').fill('Welche Stärke?');
  await send('/needs-info');
  await kept('question');

  await page.locator('details:has([name^="answer-"]) > summary').click();
  await page.locator('[name^="answer-"]').fill('400 mg');
  await send('/answer');
  await kept('answer');

  await page.locator('summary', { hasText: de.requests.reject }).click();
  await send('/reject');
  await kept('a refused rejection');

  await edit(edits);
  await page.locator('[name="quantity-0"]').focus();
  await arrival(page, () => page.keyboard.press('Enter'));
  await kept('Enter');

  await arrival(page, () => approve().click());
  await kept('a refused approval');
  await addPdf(page, id, onePagePdf('zweites'));
  await page.locator('summary', { hasText: de.requests.asideShort }).first().click();
  await page.locator('[name^="aside-"]').first().fill('Andere Person');
  await send('/set-aside');
  expect(await typed('quantity', 'price')).toEqual(edits);
  await page.locator('.rx-tabs label').first().click();
  await arrival(page, () => page.locator('[name="undo"]').click());
  expect(await typed('quantity', 'price')).toEqual(edits);
});

test('of two prescriptions the one of another person is set aside with a reason, and the other one is checked', async () => {
  const id = await openReview({ customer_name: 'Carl Doppelt' });
  const before = await logged();
  await addPdf(page, id, onePagePdf('Andere Person'));
  await page.reload();
  expect(await ticks().count()).toBe(2);
  // The other one is shown by its tab.
  await page.locator('.rx-tabs label').nth(1).click();
  expect(await page.locator('iframe').evaluateAll((all) => all.map((each) => each.checkVisibility()))).toEqual([
    false,
    true,
  ]);
  await page.locator('summary', { hasText: de.requests.asideShort }).nth(1).click();
  await send('/set-aside', 1);
  expect(await page.getByRole('alert').innerText()).toContain(de.shared.prescriptions.setAsideReason);
  await page.locator('[name^="aside-"]').nth(1).fill('Andere Person');
  await send('/set-aside', 1);
  expect(await ticks().count()).toBe(1);
  await tickAll(page);
  await arrival(page, () => approve().click());
  expect(await isApproved(id)).toBe(true);
  const done = (await logged()).slice(0, -before.length || undefined).toSorted();
  expect(done).toEqual([de.acts['prescription.set_aside'], de.acts['prescription.approved']].toSorted());
});

test('of a photo whose original follows, the order is not handed over before somebody confirms the original', async () => {
  const id = await openReview({ customer_name: 'Dora Foto' });
  await checkSeen(page, ticks().first());
  await page.locator('[name^="as-"]').selectOption('original_follows');
  await page.getByText(de.requests.originalFollows).waitFor();
  await arrival(page, () => approve().click());
  await page.goto(`${REQUESTS}/${id}`);
  await arrival(page, () => page.getByRole('link', { name: de.requests.toOrder }).click());
  const order = new URL(page.url()).pathname;
  const orderId = order.split('/').at(-1) ?? '';
  const form_token = await page.locator('[name="form_token"]').first().inputValue();
  const post = async (path: string, form: Record<string, string>) =>
    (await page.request.post(`${order}${path}`, { form: { form_token, ...form }, maxRedirects: 0 })).status();
  const handOver = () => post('/hand-over', { cash_received: 'yes' });
  await pharmacy.call('PATCH', `/orders/${orderId}`, { status: 'ready_pickup' });
  expect(await handOver()).toBe(409);
  const leads = async () => {
    await page.goto(order);
    return page.locator(`a[href="${order}/hand-over"]`).count();
  };
  expect(await leads()).toBe(0);
  expect(await post('/original', {})).toBe(303);
  expect(await leads()).toBe(1);
});

test('where another prescription comes meanwhile, its ticks are cleared and all else is kept', async () => {
  const id = await openReview({ customer_name: 'Emil Nachzügler' });
  await edit({ quantity: '6' });
  await page.locator('[name="acknowledged"]').first().waitFor();
  await tickAll(page);
  const issued = '20.11.2026';
  await page.locator('[name^="issued-"]').fill(issued);
  await page.locator('[name="note"]').fill('Noch nicht gesichert');
  await addPdf(page, id, onePagePdf('später'));
  await arrival(page, () => approve().click());
  expect(await page.getByRole('alert').innerText()).toContain(de.shared.requests.conflicts.prescriptions_changed);
  expect(await ticks().evaluateAll((all) => all.map((each) => (each as HTMLInputElement).checked))).toEqual([
    false,
    false,
  ]);
  expect(await typed('quantity')).toEqual({ quantity: '6' });
  expect(await page.locator('[name="acknowledged"]').first().isChecked()).toBe(true);
  expect(await page.locator('[name^="issued-"]').first().inputValue()).toBe(issued);
  expect(await page.locator('[name="note"]').inputValue()).toBe('Noch nicht gesichert');
  expect(await isApproved(id)).toBe(false);
  await tickAll(page);
  await arrival(page, () => approve().click());
  expect(await isApproved(id)).toBe(true);
});

test('who may not check prescriptions sees neither file nor tick nor decision, and who may is named', async () => {
  const id = await submit(pharmacy, { customer_name: `Frieda ${randomUUID()}` });
  const { page: other, context } = await enter(browser, pharmacy, 'staff', { viewport: COUNTER });
  await other.goto(`${REQUESTS}/${id}`);
  for (const hidden of ['iframe', '[name^="checked-"]', '.decide'])
    expect(await other.locator(hidden).count(), hidden).toBe(0);
  const text = await other.getByRole('main').innerText();
  expect(text).toContain('Kim Öztürk');
  expect(text).toContain(de.requests.whoMayApprove);
  const counter = {
    items: [{ name: 'Ibuprofen 400 mg Filmtabletten, 20 St', p1_id: IBUPROFEN, quantity: 1, price: 4.95 }],
  };
  const free = await submit(pharmacy, { ...counter, prescription_pdf_base64: null });
  await other.goto(`${REQUESTS}/${free}`);
  await arrival(other, () => other.locator('.decide').click());
  expect(await isApproved(free)).toBe(true);
  await context.close();
});

test('what staff prepare is saved and shown to who decides, with who and when; its tick of the prescription is theirs', async () => {
  const id = await submit(pharmacy, { customer_name: 'Gitta Vorbereitet' });
  const { page: other, context } = await enter(browser, pharmacy, 'staff', { viewport: COUNTER });
  await other.goto(`${REQUESTS}/${id}`);
  await other.locator('#change-0').click();
  await other.locator('[name="quantity-0"]').fill('6');
  await other.locator('[name="acknowledged"]').first().check();
  await other.locator('[name="note"]').fill('Noch nicht gesichert');
  await arrival(other, () => other.getByRole('button', { name: de.requests.saveReview }).click());
  expect(await other.getByRole('main').innerText()).toContain(PREPARED);
  expect(await other.locator('[name="note"]').inputValue()).toBe('Noch nicht gesichert');
  expect(await other.locator('[name="quantity-0"]').inputValue()).toBe('6');
  expect(await isApproved(id)).toBe(false);
  await context.close();

  await page.goto(`${REQUESTS}/${id}`);
  expect(await said()).toContain(PREPARED);
  expect(await page.getByRole('button', { name: de.requests.saveReview }).count()).toBe(0);
  expect(await typed('quantity')).toEqual({ quantity: '6' });
  expect(await page.locator('[name="acknowledged"]').first().isChecked()).toBe(true);
  expect(await ticks().first().isChecked()).toBe(false);
  await checkSeen(page, ticks().first());
  await arrival(page, () => approve().click());
  expect(await isApproved(id)).toBe(true);
  await page.goto(`${REQUESTS}/${id}`);
  expect(await page.locator('.items').innerText()).toContain('6 ×');
});

test('what was prepared can be discarded: the request is as it was sent', async () => {
  const id = await submit(pharmacy, { customer_name: 'Hanno Verworfen' });
  const { page: other, context } = await enter(browser, pharmacy, 'staff', { viewport: COUNTER });
  await other.goto(`${REQUESTS}/${id}`);
  await other.locator('#change-0').click();
  await other.locator('[name="quantity-0"]').fill('1');
  await arrival(other, () => other.getByRole('button', { name: de.requests.saveReview }).click());
  await context.close();
  await page.goto(`${REQUESTS}/${id}`);
  expect(await typed('quantity')).toEqual({ quantity: '1' });
  await page.locator('[name="note"]').fill('Bleibt stehen');
  await send('/draft/discard');
  expect(await said()).not.toContain(PREPARED);
  expect(await typed('quantity')).toEqual({ quantity: '2' });
  expect(await page.locator('[name="note"]').inputValue()).toBe('Bleibt stehen');
});
