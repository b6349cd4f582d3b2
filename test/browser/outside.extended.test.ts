import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { organizationApi } from '../../scripts/api';
import { launchChromium } from '../../scripts/chromium';
import { openContext, startedService } from './support/fixtures';
import { faultsOfPage } from './support/page-checks';

let browser: Browser;
let payUrl: string;

beforeAll(async () => {
  browser = await launchChromium();
  const { base_url: baseUrl, org_id: orgId, api_key: apiKey, shops } = startedService().demo;
  const api = await organizationApi(baseUrl, orgId, apiKey);
  const items = [{ name: 'Blutdruckmessgerät', qty: 1, price: 24.9 }];
  const order = {
    shop_id: shops[0]?.shop_id,
    customer_name: 'Erika',
    external_id: crypto.randomUUID(),
    payment_status: 'pending',
    items,
  };
  const { id } = await api('POST', '/orders', order);
  ({ url: payUrl } = await api('POST', `/orders/${id}/payment-links`));
});

afterAll(() => browser?.close());

test('pages for anybody are accessible by axe, light and dark, and fit from a phone to a wide screen, in both languages', async () => {
  const { base_url: baseUrl, shops } = startedService().demo;
  const shop = shops[0]?.url ?? '';
  const context = await openContext(browser);
  const page = await context.newPage();
  const faults: string[] = [];
  for (const path of [`${baseUrl}/`, `${shop}/`, payUrl, `${shop}/nowhere`, `${baseUrl}/nowhere`]) {
    for (const language of ['de', 'en']) {
      await page.goto(`${path}?lang=${language}`);
      faults.push(...(await faultsOfPage(page)).map((fault) => `${path}: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
  await context.close();
});

test('the buttons of a payment page copy what a transfer needs; without scripts there are none', async () => {
  const context = await openContext(browser, { locale: 'de-DE', permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto(payUrl);
  const copied: string[] = [];
  for (const button of await page.getByRole('button').all()) {
    await button.click();
    await page.getByText('Kopiert').first().waitFor();
    copied.push(await page.evaluate(() => navigator.clipboard.readText()));
    await page.getByText('Kopiert').first().waitFor({ state: 'detached' });
  }
  expect(copied.slice(1, 3)).toEqual(['DE89370400440532013000', '24,90']);
  expect(copied).toHaveLength(4);
  await context.close();
  const plain = await openContext(browser, { javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(payUrl);
  expect(await still.getByRole('button').count()).toBe(0);
  expect(await still.getByText('DE89 3704 0044 0532 0130 00').count()).toBe(1);
  await plain.close();
});
