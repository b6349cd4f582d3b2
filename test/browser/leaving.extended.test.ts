import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { de } from '../support/messages';
import { AMOXICILLIN, enter, IBUPROFEN, openPharmacy, type Pharmacy, startedService } from './support/fixtures';
import { arrival } from './support/input-methods';
import { labelOf, type Placed, place, placePrescribed } from './support/orders';
import { faultsOfPage } from './support/page-checks';
import { CODES, SPEEDS, scan, strike } from './support/scanner';

const { leaving: t } = de;

let browser: Browser;
let pharmacy: Pharmacy;
/** Of somebody who may check prescriptions. */
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Abhol-Apotheke', 900);
  ({ page } = await enter(browser, pharmacy, 'pharmacist'));
});

afterAll(() => browser?.close());

const waiting = (members: Record<string, unknown> = {}) => place(pharmacy, members, 'ready_pickup');

interface State {
  status: string;
  payment_status: string;
}

const stateOf = ({ id }: Placed) => pharmacy.call<State>('GET', `/orders/${id}`);
const statusOf = async (order: Placed) => (await stateOf(order)).status;
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
const focused = async () => plain(await page.evaluate(() => document.querySelector('main :focus')?.textContent ?? ''));

describe('the hand-over', () => {
  test('takes one key to its Yes, from the name', async () => {
    const order = await waiting();
    await page.goto(`${order.path}/hand-over`);
    expect(await focused()).toContain('Erika Mustermann-Großkreutz');
    await strike(page, [['a', 400]]);
    await expect.poll(focused).toContain(t.received('9,90 €'));
    expect(await statusOf(order)).toBe('ready_pickup');
    await arrival(page, () => strike(page, [['Enter', 400]]));
    expect(await stateOf(order)).toMatchObject({ status: 'picked_up', payment_status: 'paid' });
  });
});

describe('a key or a scan hands nothing over', () => {
  const PLACES: [string, () => Promise<unknown>][] = [
    ['the name', async () => undefined],
    ['the field for who collects it', () => page.getByLabel(t.collectedBy).focus()],
    ['the Yes', () => button(t.received('9,90 €')).focus()],
    [
      'the reason',
      async () => {
        await page.getByText(t.withoutPayment).click();
        await page.getByLabel(t.whyUnpaid).focus();
      },
    ],
  ];

  test.each(PLACES)('the label of another order, with the focus on %s, opens that one', async (_, focus) => {
    const [order, other] = [await waiting(), await waiting()];
    const label = await labelOf(page, other);
    for (const every of SPEEDS) {
      await page.goto(`${order.path}/hand-over`);
      await focus();
      await Promise.all([page.waitForURL(`**${other.path}/hand-over`), scan(page, label, { every })]);
    }
    expect(await Promise.all([order, other].map(statusOf))).toEqual(['ready_pickup', 'ready_pickup']);
  });

  test('the code of a pack, and text that ends with Enter', async () => {
    const order = await waiting();
    const posts = postsOf(page);
    const fields = [() => Promise.resolve(), () => page.getByLabel(t.collectedBy).focus()];
    for (const focus of fields) {
      for (const code of Object.keys(CODES)) {
        await page.goto(`${order.path}/hand-over`);
        await focus();
        await arrival(page, () => scan(page, code, { every: 120 }));
      }
      for (const text of ['Ada', 'a', '4711']) {
        await page.goto(`${order.path}/hand-over`);
        await focus();
        await scan(page, text, { every: 120 });
      }
    }
    expect(posts).toEqual([]);
    expect(await stateOf(order)).toMatchObject({ status: 'ready_pickup', payment_status: 'cash_on_pickup' });
  });

  test.each([
    ['hand-over', 'collected_by'],
    ['hold', 'hold_reason'],
    ['return', 'back_0'],
    ['refund', 'amount'],
  ])('Enter in a field of the page /%s', async (step, field) => {
    const order = await waiting({ payment_status: step === 'refund' ? 'paid' : 'cash_on_pickup' });
    await page.goto(`${order.path}/${step}`);
    const posts = postsOf(page);
    await page.locator(`[name="${field}"]`).press('Enter');
    await page.goto(order.path);
    expect(posts).toEqual([]);
    expect(await statusOf(order)).toBe('ready_pickup');
  });
});

/** The addresses that the page has posted to from now on. */
function postsOf(of: Page): string[] {
  const posts: string[] = [];
  of.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  return posts;
}

test('each of these pages is accessible, light and dark, and nothing is wider than the window', async () => {
  const paid = await waiting({ payment_status: 'paid' });
  const many = Array.from({ length: 40 }, (_, at) => ({
    p1_id: at % 2 ? IBUPROFEN : AMOXICILLIN,
    qty: 1,
    price: 4.95,
  }));
  const long = await place(pharmacy, { customer_name: 'Wilhelmine-Charlotte '.repeat(9).trim(), items: many });
  const ship = await place(pharmacy, { shipping_option: 'Versand' }, 'ready_shipping');
  await page.goto(ship.path);
  await arrival(page, () => page.locator('[name="hand"]').first().click());
  const copy = await placePrescribed(pharmacy, page, { as: 'original_follows' });
  const faults: string[] = [];
  for (const path of [
    ...[`${paid.path}/hand-over`, `${paid.path}/refund`, `${paid.path}/hold`, `${paid.path}/cancel`],
    ...[`${ship.path}/ship`, `${copy.path}/original`, `${long.path}/return`, `${long.path}/label`, `${long.path}/slip`],
  ]) {
    const answer = await page.goto(path);
    const size = (await answer?.body())?.byteLength ?? 0;
    if (new URL(page.url()).pathname !== path || size > 60 * 1024) faults.push(`${path}: ${page.url()}, ${size} bytes`);
    faults.push(...(await faultsOfPage(page)).map((fault) => `${path}: ${fault}`));
    for (const width of [320, 480, 767, 768, 1000, 1200, 1920]) {
      await page.setViewportSize({ width, height: 640 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) faults.push(`${path}: ${over} px wider than ${width}`);
    }
  }
  expect(faults).toEqual([]);
});
