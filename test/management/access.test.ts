import { idOfKey } from '../../src/auth/keys/format';
import { managementRoutes } from '../../src/management/routes';
import { navigationOf } from '../../src/management/ui/frame';
import type { Role } from '../../src/platform/access';
import { openPrescribed } from '../support/order-flow';
import { attachNewProduct, footprint } from '../support/organization';
import { openSeller, placeOrder } from '../support/seller';
import { beforeAll, expect, test } from '../support/test';
import { submitForDelivery } from '../support/webhooks';
import { subscribe } from '../support/world';
import { Browser, enter, memberId, type Page } from './browser';

/**
 * Who reaches which page and form, from the router, so that new ones are among them. Which role may carry out which use case:
 * test/platform/use-cases.unit.test.ts. That each form wants its token: forms.test.ts.
 */
const ROUTES = managementRoutes.routes
  .filter(({ method }) => method === 'GET' || method === 'POST')
  .map(({ method, path }) => ({ method, path: `/manage${path.replace(/\{[^}]*\}/g, '')}` }));

/** Fields that get every form past its own checks. */
const FIELDS = {
  ...{ name: 'X', email: 'x@example.com', role: 'staff', lost: 'password', kind: 'integration', overlap: 'none' },
  ...{ url: 'https://hooks.example.com/in', low_stock: 'on', event_type: 'low_stock', since: '2026-01-01T00:00' },
  ...{ host: 'rx.example.com', deliveryServiceName: 'X', seen_at: '0', seenAt: '0', on: 'no' },
  ...{ flag: 'express', value: 'on', reason_code: 'test', info_note: 'x', info_code: 'other', note: 'x', text: 'x' },
  ...{
    withdrawal_reason: 'x',
    shelf: 'B 7',
    bags: '1',
    code: '01126619',
    hand: '0:1:P',
    line: '0',
    p1_id: 'P',
    q: 'x',
  },
  ...{
    change: '+1',
    reason: 'other',
    threshold: '1',
    field: 'price',
    held: 'yes',
    lines: '0',
    expected_on: '2999-01-01',
  },
  ...{ later: '1', act: 'split', back_0: '1', amount: '1', quantity: '1', cash_received: 'yes', address_known: 'yes' },
  ...{ absent_note: 'x', carrier: 'DHL', replyTo: '', question: 'x', 'answer-x': 'x', aside: 'x', 'aside-x': 'x' },
};

let seller: Awaited<ReturnType<typeof openSeller>>;
/** An id of the organization for each kind of thing, by the step of the path before it. */
let ids: Record<string, string>;

beforeAll(async () => {
  seller = await openSeller();
  const { orgId, shopId, host } = seller;
  const { email } = await enter(orgId, 'staff');
  const { subscriptionId, signingSecret } = await subscribe(orgId, 'https://hooks.example.com/in');
  const subscribed = { pharmacy: seller, url: '', subscriptionId, signingSecret };
  const { id: requests, prescriptionId } = await openPrescribed(seller);
  const { p1_id: products } = await attachNewProduct(seller);
  const { id: orders } = await placeOrder(seller);
  const deliveries = (await submitForDelivery(subscribed)).id;
  const keys = idOfKey(seller.integrationKey) ?? '';
  ids = {
    ...{ orders, tour: orders, requests, prescriptions: prescriptionId, products, shops: shopId, hosts: host },
    ...{ members: await memberId(email), keys, webhooks: subscriptionId, deliveries },
  };
});

/** A route's path with ids of the organization; null where it names none of them. */
function pathOf(path: string): string | null {
  const filled = path.replace(/\/([\w-]+)\/:\w+/g, (whole, step: string) =>
    ids[step] ? `/${step}/${ids[step]}` : whole,
  );
  return filled.includes(':') || filled === path ? null : filled;
}

/** Asks for a page, or sends a form. */
function ask(browser: Browser, token: string, method: string, at: string): Promise<Page> {
  if (method === 'GET') return browser.get(`${at}?q=x`);
  const status = at.includes('/hosts/') ? 'active' : 'awaiting_packing';
  return browser.post(at, { form_token: token, ...FIELDS, status });
}

test('no other organization reaches a page or a form: each says that there is nothing, and changes nothing', async () => {
  const stranger = await openSeller();
  const { browser } = await enter(stranger.orgId, 'owner');
  const { token } = await browser.get('/manage/account');
  const own = await attachNewProduct(stranger);
  const before = await footprint(seller.orgId);
  const answers: [string, number][] = [];
  for (const { method, path } of ROUTES) {
    const there = pathOf(path);
    if (there === null) continue;
    // A product of one's own in a shop of theirs is not there either.
    const mixed = there.replace(ids.products ?? '', own.p1_id);
    for (const at of mixed.includes('/shops/') && mixed !== there ? [there, mixed] : [there]) {
      const page = await ask(browser, token, method, at);
      answers.push([`${method} ${path}`, page.status]);
      expect(page.text).not.toMatch(/Erika|Mustermann/);
    }
  }
  expect(answers.length).toBeGreaterThan(100);
  expect(answers.filter(([, status]) => status !== 404)).toEqual([]);
  expect(await footprint(seller.orgId)).toEqual(before);
});

/** Asks for all of these, as a role that may not. */
async function expectForbidden(browser: Browser, isAsked: (path: string, method: string) => boolean, atLeast: number) {
  const { token } = await browser.get('/manage/account');
  const before = await footprint(seller.orgId);
  const answers: [string, number][] = [];
  for (const { method, path } of ROUTES.filter((each) => isAsked(each.path, each.method))) {
    const page = await ask(browser, token, method, pathOf(path) ?? path);
    answers.push([`${method} ${path}`, page.status]);
  }
  expect(answers.length).toBeGreaterThan(atLeast);
  expect(answers.filter(([, status]) => status !== 403)).toEqual([]);
  expect(await footprint(seller.orgId)).toEqual(before);
}

test.each(['pharmacist', 'staff'] as const)(
  'a %s reaches no page and no form of the areas of others, and sees no link to them',
  async (role) => {
    const { browser } = await enter(seller.orgId, role);
    const areasOf = (of: Role) => [...navigationOf(of).areas, ...navigationOf(of).settings].map(({ path }) => path);
    const closed = areasOf('owner').filter((path) => !areasOf(role).includes(path));
    const { text } = await browser.get('/manage/account');
    expect(closed.filter((path) => text.includes(`href="${path}"`))).toEqual([]);
    await expectForbidden(browser, (path) => closed.some((area) => path.startsWith(area)), 40);
  },
);

test('staff change no data of products, hold nothing and see no prescription', async () => {
  const { browser } = await enter(seller.orgId, 'staff');
  const { text } = await browser.get(`/manage/products/${ids.products}`);
  expect(text).not.toMatch(/Bearbeiten|Zurücksetzen|Herausnehmen|Aus dem Sortiment nehmen</);
  const isTheirs = /\/products\/:p1Id\/(edit|reset|remove|shops)|\/requests\/:id\/hold|\/pdf$/;
  const isAdding = (path: string, method: string) => method === 'POST' && /\/catalog\/?$/.test(path);
  await expectForbidden(browser, (path, method) => isTheirs.test(path) || isAdding(path, method), 10);
});

test('whoever is signed out is sent to sign in and back, from every page', async () => {
  const visitor = new Browser();
  const isOpen = (path: string) => /^\/manage\/(sign-in|invitation|reset)\b/.test(path);
  const pages = ROUTES.filter(({ method, path }) => method === 'GET' && !isOpen(path));
  expect(pages.length).toBeGreaterThan(60);
  for (const { path } of pages) {
    const at = (pathOf(path) ?? path).replace(/(?<=.)\/$/, '');
    const next = at === '/manage' ? '' : `?next=${encodeURIComponent(at)}`;
    expect(await visitor.get(at), path).toMatchObject({ status: 303, text: '', location: `/manage/sign-in${next}` });
  }
});
