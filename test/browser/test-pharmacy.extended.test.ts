import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { de } from '../support/messages';
import { enter, openPharmacy, startedService } from './support/fixtures';
import { faultsOfPage } from './support/page-checks';

const ORGANIZATION = '/manage/settings/organization';
const PAGES = ['/manage/requests', '/manage/products', '/manage/settings/keys', '/manage/account'];

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

test('an owner works in the test pharmacy and comes back, by clicks alone', async () => {
  const pharmacy = await openPharmacy(startedService(), 'Mohren-Apotheke am Alten Rathaus zu Sankt Katharinen');
  const { page } = await enter(browser, pharmacy, 'owner');
  await page.goto(ORGANIZATION);
  await page.getByRole('button', { name: de.organization.makeTest }).click();
  await page.getByText(de.shared.flash.test_entered).waitFor();
  for (const path of PAGES) {
    await page.goto(path);
    expect([path, await page.getByRole('banner').getByText('TEST', { exact: true }).isVisible()]).toEqual([path, true]);
    expect([path, await page.title()]).toEqual([path, expect.stringMatching(/^(\(\d+\) )?TEST · /)]);
    expect([path, await faultsOfPage(page)]).toEqual([path, []]);
  }
  await page.setViewportSize({ width: 1024, height: 640 });
  await page.getByRole('button', { name: de.shared.frame.leaveTest }).first().click();
  await page.getByText(de.shared.flash.test_left).waitFor();
  await page.goto(ORGANIZATION);
  await page.getByRole('button', { name: de.organization.enterTest }).waitFor();
});
