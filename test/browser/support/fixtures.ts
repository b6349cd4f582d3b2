import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { inject } from 'vitest';
import { onePagePdf } from '../../../scripts/pdf';
import { openPharmacyAt, SUBMITS } from '../../node/support/pharmacy';
import { type Answer, post, Service } from '../../node/support/service';

export const PASSWORD = 'drei-loewen-am-markt';
/** A bound for a hang: the machine may be busy. */
const ACTION_TIMEOUT_MS = 60_000;

/** The service that was started for all browser tests. */
export function startedService(): Service {
  const { port, dir } = inject('service');
  return new Service(port, dir);
}

/** A browser of one person: cookies of its own. */
export async function openContext(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext({ locale: 'de-DE', baseURL: startedService().demo.base_url, ...options });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  return context;
}

export interface Pharmacy {
  orgId: string;
  shopId: string;
  name: string;
  /** Where platforms post to. */
  connector: string;
  /** An invitation's address. */
  invite(role: string, email: string): Promise<string>;
  /** A call of the organization API. */
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  /** An integration key. */
  key: string;
}

/** An organization of its own: one shop, two products of the demo's catalog with so many in stock, an IBAN. */
export async function openPharmacy(service: Service, name: string, stock = 40): Promise<Pharmacy> {
  const { base_url: base } = service.demo;
  const fields = { name, iban: 'DE89370400440532013000', payment_recipient: name };
  const reads = ['products.read', 'inventory.read', 'order_requests.read', 'orders.read'];
  const keys = [[...reads, 'products.write', 'inventory.write', 'orders.write'], SUBMITS];
  const opened = await openPharmacyAt(service, { fields, keys });
  const { orgId, shopId, connector, within } = opened;
  const [api_key = '', key = ''] = opened.keys;

  const organization = `${base}/api/v2/public/orgs/${orgId}`;
  const token = await ask<{ access_token: string }>(`${organization}/auth/token`, 'POST', { 'X-API-Key': api_key });
  const headers = { Authorization: `Bearer ${token.access_token}`, 'Content-Type': 'application/json' };
  const call = <T>(method: string, path: string, body?: unknown) => ask<T>(organization + path, method, headers, body);
  for (const p1_id of [IBUPROFEN, AMOXICILLIN]) {
    await call('POST', '/products/add-to-inventory', { p1_id, initial_stock: stock });
    await call('POST', '/shops/attach-product', { shop_id: shopId, p1_id });
  }
  return {
    orgId,
    shopId,
    name,
    connector,
    key,
    call,
    async invite(role, email) {
      return (await within('/members', { email, role })).invitation_url ?? '';
    },
  };
}

/** Products of the demo's catalog (scripts/assortment.ts). */
export const IBUPROFEN = 'P1-10001';
export const AMOXICILLIN = 'P1-10057';

/** What a platform posts; the PDF says the reference. */
export async function submit(
  { connector, key }: { connector: string; key: string },
  payload: Record<string, unknown> = {},
  pdf?: Buffer,
): Promise<string> {
  const reference = `RX-${randomUUID()}`;
  const body = {
    external_reference: reference,
    source: 'telemed.example',
    payload: {
      customer_name: 'Erika Mustermann',
      shipping_option: 'Abholung',
      payment_status: 'cash_on_pickup',
      items: [{ name: 'Ibuprofen 400', p1_id: IBUPROFEN, quantity: 2, price: 4.95 }],
      prescription_pdf_base64: (pdf ?? onePagePdf(reference)).toString('base64'),
      ...payload,
    },
  };
  const answer = await post(connector, { apikey: key, 'Content-Type': 'application/json' }, JSON.stringify(body));
  return parsed<{ id: string }>(connector, answer).id;
}

/** Somebody who accepted an invitation and is signed in, in a browser of their own. */
export async function enter(
  browser: Browser,
  pharmacy: Pharmacy,
  role: 'owner' | 'pharmacist' | 'staff',
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ context: BrowserContext; page: Page; email: string }> {
  const context = await openContext(browser, options);
  const email = `${role}-${randomUUID()}@example.com`;
  const page = await context.newPage();
  await page.goto(await pharmacy.invite(role, email));
  await send(page, { name: 'Kim Öztürk', password: PASSWORD });
  return { context, page, email };
}

/** The name of a link of the navigation, behind which a number may stand. */
export function areaNamed(name: string): RegExp {
  return new RegExp(`^${name}(\\s*\\d.*)?$`);
}

/** Checks the prescriptions of a review and acknowledges its differences, as far as the page shows them. */
export async function tickAll(page: Page): Promise<void> {
  for (const box of await page.locator('[name^="checked-"]').all()) await checkSeen(page, box);
  for (const what of await page.locator('select[name^="as-"]').all()) await what.selectOption('original_present');
  for (const box of await page.locator('[name="acknowledged"]').all()) await box.check();
}

/** Ticks a prescription, once the page takes it for looked at. */
export async function checkSeen(page: Page, box: Locator): Promise<void> {
  const tab = await box.getAttribute('data-tab');
  const label = page.locator(`label:has(#${tab})`);
  if (await label.isVisible()) await label.click();
  await page.locator(`#${await box.getAttribute('data-seen')}`).scrollIntoViewIfNeeded();
  await page.locator(`#${await box.getAttribute('id')}:not([aria-disabled])`).check();
}

/** Adds a prescription to a request, as another tab of the same person would. */
export async function addPdf(page: Page, request: string, pdf: Buffer): Promise<void> {
  const form_token = await page.locator('[name="form_token"]').first().inputValue();
  const prescription_file = { name: 'rezept.pdf', mimeType: 'application/pdf', buffer: pdf };
  const path = `/manage/requests/${request}/prescription`;
  const answer = await page.request.post(path, { multipart: { form_token, prescription_file }, maxRedirects: 0 });
  if (answer.status() !== 303) throw new Error(`${path} was answered with ${answer.status()}`);
}

/** Fills in the page's first form by its fields' names, and sends it. */
export async function send(page: Page, fields: Record<string, string>): Promise<void> {
  const [first = ''] = Object.keys(fields);
  const form = page.locator('form', { has: page.locator(`[name="${first}"]`) });
  for (const [name, value] of Object.entries(fields)) await form.locator(`[name="${name}"]`).fill(value);
  await Promise.all([page.waitForEvent('domcontentloaded'), form.locator('[type="submit"]:enabled').first().click()]);
}

async function ask<T>(url: string, method: string, headers: Record<string, string>, body?: unknown): Promise<T> {
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return parsed(url, { status: answer.status, headers: {}, body: await answer.text() });
}

function parsed<T>(url: string, { status, body }: Answer): T {
  if (status >= 300) throw new Error(`${url} was answered with ${status}: ${body}`);
  return JSON.parse(body);
}
