import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { enter, openPharmacy, type Pharmacy, startedService, submit } from './support/fixtures';
import { place } from './support/orders';
import { faultsOfPage } from './support/page-checks';

/** Longer than the inbox's refresh interval. */
const LOOK_MS = 16_000;

let browser: Browser;
let pharmacy: Pharmacy;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Insel-Apotheke');
});

afterAll(() => browser?.close());

const READY = { customer_email: 'kim@example.com', address_phone: '030 12345', payment_status: 'paid' };

test('a text is chosen, copied and taken to e-mail and text message, in Arabic from right to left', async () => {
  const { context, page } = await enter(browser, pharmacy, 'staff');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { path } = await place(pharmacy, READY, 'ready_pickup');
  await page.goto(path);
  const field = page.getByLabel('Fertiger Text');
  expect(await field.inputValue()).toContain('liegt zur Abholung bereit');
  await page.getByLabel('Sprache der Nachricht').selectOption({ label: 'العربية' });
  expect(await field.getAttribute('dir')).toBe('rtl');
  expect(await field.getAttribute('lang')).toBe('ar');
  const text = await field.inputValue();
  expect(text).toContain('جاهز للاستلام');
  const mail = new URL((await page.getByRole('link', { name: 'E-Mail', exact: true }).getAttribute('href')) ?? '');
  expect(mail.pathname).toBe('kim@example.com');
  expect(mail.searchParams.get('body')).toBe(text.replaceAll('\n', '\r\n'));
  const sms = (await page.getByRole('link', { name: 'SMS' }).getAttribute('href')) ?? '';
  expect(decodeURIComponent(sms)).toBe(`sms:03012345?body=${text.replaceAll('\n', '\r\n')}`);
  const panel = page.locator('#message-panel');
  await panel.getByRole('button', { name: 'Kopieren' }).click();
  await panel.getByRole('button', { name: 'Kopiert' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  for (const width of [360, 1024, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await faultsOfPage(page)).toEqual([]);
  }
});

test('a browser that was asked to tells of new requests while another window is in front: how many, and no name', async () => {
  const { context, page } = await enter(browser, pharmacy, 'pharmacist');
  await context.grantPermissions(['notifications'], { origin: startedService().demo.base_url });
  await page.addInitScript(() => {
    const told: string[] = [];
    const Spy = class extends EventTarget {
      static permission = 'granted';
      static requestPermission = async () => 'granted';
      constructor(text: string) {
        super();
        told.push(text);
      }
      close() {}
    };
    Object.assign(window, { Notification: Spy, told });
    Object.defineProperty(document, 'hidden', { get: () => Reflect.get(window, 'isAway') === true });
  });
  await page.clock.install();
  const told = () => page.evaluate(() => Reflect.get(window, 'told') as string[]);
  const look = async () => {
    const answer = page.waitForResponse((response) => response.url().endsWith('/manage/requests'));
    await page.clock.runFor(LOOK_MS);
    await answer;
    await page.clock.runFor(100);
  };
  await page.goto('/manage/requests');
  await page.evaluate(() => Reflect.set(window, 'isAway', true));
  const button = page.getByRole('button', { name: 'Benachrichtigen' });
  await button.click();
  expect(await button.getAttribute('aria-pressed')).toBe('true');
  await submit(pharmacy, { customer_name: 'Kim Geheim' });
  await look();
  await expect.poll(told).toEqual(['Neue Bestellanfrage']);
  await look();
  expect(await told()).toEqual(['Neue Bestellanfrage']);
  for (const name of ['Eins Geheim', 'Zwei Geheim']) await submit(pharmacy, { customer_name: name });
  await look();
  await expect.poll(told).toEqual(['Neue Bestellanfrage', '2 neue Bestellanfragen']);
  await button.click();
  expect(await button.getAttribute('aria-pressed')).toBe('false');
  await page.evaluate(() => Reflect.set(window, 'isAway', false));
  await submit(pharmacy, { customer_name: 'Drei Geheim' });
  await look();
  expect((await told()).length).toBe(2);
});
