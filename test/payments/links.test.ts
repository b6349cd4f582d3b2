import { giroCode } from '../../src/orders/payments/links';
import { orderRow } from '../support/order-flow';
import { callApi, eventsOf, eventTypesOf, expectProblem, succeeded } from '../support/organization';
import { openPage, scan } from '../support/pay-page';
import {
  IBAN,
  makeLink,
  markPaid,
  moveOrder,
  openSeller,
  placeOrder,
  readOrder,
  type Seller,
  STEPS_TO,
} from '../support/seller';
import { test as base, expect, vi } from '../support/test';
import { BASE, call, operate, rows } from '../support/world';

const test = base.extend('link', ({ seller, placed }) => makeLink(seller, placed.id));

const DAY = 86_400_000;

function askLink(seller: Seller, orderId: string) {
  return callApi(seller, 'POST', `/orders/${orderId}/payment-links`, { body: {} });
}

async function openLink(options: Parameters<typeof openSeller>[0] = {}, members: Record<string, unknown> = {}) {
  const seller = await openSeller(options);
  const order = await placeOrder(seller, members);
  return { seller, order, link: await makeLink(seller, order.id) };
}

async function referenceOf(orderId: string): Promise<string> {
  return `BESTELLUNG ${(await orderRow(orderId)).number}`;
}

test('a link leads to the first of the shop’s hosts, with scheme and port of the base address, for 14 days', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T09:30:00Z'));
  const { seller, link } = await openLink();
  expect(link).toEqual({
    payment_link_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    url: expect.stringMatching(new RegExp(`^http://${seller.host}:8787/pay/[\\w-]{43}$`)),
    amount: 24.9,
    expires_at: '2026-12-04T09:30:00.000Z',
  });
});

test('the event holds the link as it was answered', async ({ seller, placed: order, link }) => {
  const events = await eventsOf(seller.orgId, 'payment_link_created');
  expect(events.map(({ body }) => JSON.parse(body).metadata)).toEqual([{ order_id: order.id, ...link }]);
});

test.for([
  ['cancelled', STEPS_TO.cancelled],
  ['returned', STEPS_TO.returned],
] as const)('an order that is %s gets no link', async ([_, steps], { seller, placed: { id } }) => {
  await moveOrder(seller, id, ...steps);
  expectProblem(await askLink(seller, id), 409, 'order_not_payable');
});

test.for([
  ['that is paid', { payment_status: 'paid' }],
  ['that costs nothing', { items: [{ name: 'Muster', qty: 1, price: 0 }] }],
] as const)('an order %s gets no link', async ([_, members], { seller }) => {
  const { id } = await placeOrder(seller, members);
  expectProblem(await askLink(seller, id), 409, 'order_not_payable');
  expect(await eventTypesOf(seller.orgId)).toEqual(['order_created']);
  expect(await rows('select id from payment_links where order_id = ?', id)).toEqual([]);
});

test('an organization without an IBAN gets no link; once it has one, it does', async () => {
  const seller = await openSeller({ iban: null });
  const { id } = await placeOrder(seller);
  expectProblem(await askLink(seller, id), 409, 'iban_missing');
  await operate(`/organizations/${seller.orgId}`, { iban: IBAN }, 'PATCH');
  succeeded(await askLink(seller, id), 201);
});

test('a shop without an active host gets no link', async ({ seller, placed: { id } }) => {
  await rows('delete from shop_hosts where shop_id = ?', seller.shopId);
  expectProblem(await askLink(seller, id), 409, 'shop_host_missing');
});

test('a new link ends the earlier one', async ({ seller, placed: order, link: earlier }) => {
  const later = await makeLink(seller, order.id);
  expect(later.url).not.toBe(earlier.url);
  expect((await openPage(earlier.url)).text).toContain('Nicht mehr gültig');
  expect((await openPage(later.url)).text).toContain('Noch nicht bezahlt');
});

test('two links at once: both are answered, one is open', async ({ seller }) => {
  for (let round = 0; round < 20; round += 1) {
    const { id } = await placeOrder(seller);
    const links = await Promise.all([makeLink(seller, id), makeLink(seller, id)]);
    const pages = await Promise.all(links.map(({ url }) => openPage(url)));
    expect(pages.filter(({ html }) => scan(html) !== null)).toHaveLength(1);
  }
});

test.each([
  [
    'de-DE,de;q=0.9,en;q=0.8',
    'de',
    ['24,90 €', 'Empfänger', 'Verwendungszweck', 'Noch nicht bezahlt', '4. Dezember 2026'],
  ],
  ['en-GB,en;q=0.9,de;q=0.8', 'en', ['€24.90', 'Recipient', 'Reference', 'Not paid yet', 'December 4, 2026']],
  ['fr-FR', 'de', ['24,90 €', 'Noch nicht bezahlt']],
  [undefined, 'de', ['24,90 €', 'Noch nicht bezahlt']],
])('the page for %s is %s, with all that a transfer needs', async (header, language, words) => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T09:30:00Z'));
  const { order, link } = await openLink({ payment_recipient: 'Erika Muster e.K.' });
  const page = await openPage(link.url, header);
  expect(page.status).toBe(200);
  expect(page.headers.get('Content-Type')).toMatch(/^text\/html; charset=utf-8$/i);
  expect(page.html).toMatch(new RegExp(`^<!doctype html><html lang="${language}">`, 'i'));
  for (const word of [...words, 'Erika Muster e.K.', 'DE89 3704 0044 0532 0130 00', await referenceOf(order.id)]) {
    expect(page.text).toContain(word);
  }
});

test('every host of the shop shows the page, no other host does', async ({ seller, link }) => {
  const stranger = await openSeller();
  const at = (host: string) => link.url.replace(seller.host, host);
  expect((await openPage(at(seller.otherHosts[0] ?? ''))).status).toBe(200);
  const [otherShop] = await rows<{ host: string }>('select host from shop_hosts where shop_id = ?', seller.otherShopId);
  for (const host of [otherShop?.host ?? '', stranger.host, 'localhost', 'unknown.localhost']) {
    expect((await call(at(host))).status, host).toBe(404);
  }
  await rows('delete from shop_hosts where host = ?', seller.host);
  expect((await openPage(link.url)).status).toBe(404);
});

test('no token but the whole one opens a page: any changed character, a shorter, a longer, another id, none', async () => {
  const { seller, order, link } = await openLink();
  const [base = '', token = ''] = link.url.split('/pay/');
  const changed = [...token].map(
    (character, index) => token.slice(0, index) + (character === 'A' ? 'B' : 'A') + token.slice(index + 1),
  );
  const idBytes = Uint8Array.fromHex(link.payment_link_id.replaceAll('-', ''));
  const random = crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true });
  const forged = new Uint8Array([...idBytes, ...new Uint8Array(16)]).toBase64({ alphabet: 'base64url' });
  const later = await makeLink(seller, order.id);
  const mixed = token.slice(0, 21) + later.url.slice(-22);
  const others = [token.slice(0, -1), `${token}A`, `${token}=`, token.toLowerCase(), forged, random, mixed, '%00', 'x'];
  for (const other of [...changed, ...others, link.payment_link_id, order.id]) {
    expect((await call(`${base}/pay/${other}`)).status, other).toBe(404);
  }
  expect((await call(`${base}/pay/`)).status).toBe(404);
  expect((await openPage(link.url)).status).toBe(200);
});

test('the page on the base address does not exist', async ({ link }) => {
  expect((await call(`${BASE}/pay/${link.url.split('/pay/')[1]}`)).status).toBe(404);
});

test('an open page ends with its link: at the end of its time, not before', async ({ link }) => {
  const end = Date.parse(link.expires_at);
  vi.spyOn(Date, 'now').mockReturnValue(end - 1);
  expect(scan((await openPage(link.url)).html)).not.toBeNull();
  vi.spyOn(Date, 'now').mockReturnValue(end);
  const page = await openPage(link.url, 'en');
  expect(page.text).toContain('Expired');
  expect(scan(page.html)).toBeNull();
});

const ENDS: [string, string, (seller: Seller, orderId: string) => Promise<unknown>][] = [
  ['Bezahlt', 'marked paid', async (seller, id) => succeeded(await markPaid(seller, id))],
  ['Nicht mehr gültig', 'cancelled', (seller, id) => moveOrder(seller, id, ...STEPS_TO.cancelled)],
  ['Nicht mehr gültig', 'returned', (seller, id) => moveOrder(seller, id, ...STEPS_TO.returned)],
  [
    'Nicht mehr gültig',
    'changed in price',
    async (seller, id) => {
      const { external_id, customer } = await readOrder(seller, id);
      const body = {
        shop_id: seller.shopId,
        external_id,
        customer_name: customer.name,
        payment_status: 'pending',
        items: [{ name: 'Blutdruckmessgerät', qty: 1, price: 19.9 }],
      };
      succeeded(await callApi(seller, 'POST', '/orders', { body }));
    },
  ],
];

test.each(ENDS)('the page says %s once the order is %s, and shows nothing to pay with', async (state, _, end) => {
  const { seller, order, link } = await openLink();
  await end(seller, order.id);
  const page = await openPage(link.url);
  expect(page.status).toBe(200);
  expect(page.text).toContain(state);
  expect(page.text).not.toContain('Noch nicht bezahlt');
  expect(page.text).not.toMatch(/DE89 ?3704/);
  expect(scan(page.html)).toBeNull();
});

test('a paid page stays paid after its time', async ({ seller, placed: order, link }) => {
  succeeded(await markPaid(seller, order.id));
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse(link.expires_at) + DAY);
  expect((await openPage(link.url)).text).toContain('Bezahlt');
});

test('the page of a deleted order is gone', async ({ seller, placed: order, link }) => {
  await moveOrder(seller, order.id, 'cancelled');
  succeeded(await callApi(seller, 'DELETE', `/orders/${order.id}`));
  expect((await call(link.url)).status).toBe(404);
});

test('the page loads styles and icon of its own host alone: its policy allows its script by its hash', async ({
  link,
}) => {
  const { html, headers } = await openPage(link.url);
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script)));
  expect(headers.get('Content-Security-Policy')).toBe(
    `default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'sha256-${digest.toBase64()}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/<(style|iframe|img|object|embed|form|base|input)\b/i);
  expect(html).not.toMatch(/\s(on\w+|style|src|action|srcset)=/i);
  for (const [, target = ''] of html.matchAll(/href="([^"]*)"/g)) {
    expect(target).toMatch(/^(\?lang=en|\/favicon\.svg|\/assets\/outside-\w+\.css)$/);
  }
  expect(html).not.toMatch(/url\(|@import/i);
  expect(html.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|\/\//);
});

test('the page begins with the pharmacy, and a link shows it in the other language', async ({ seller, link }) => {
  const place = `street = 'Lindenstraße 80', postal_code = '10969', city = 'Berlin', phone = '+49 (0)30 5557-1200'`;
  await rows(`update shops set ${place} where id = ?`, seller.shopId);
  const { html, text } = await openPage(`${link.url}?lang=en`, 'de-DE');
  expect(html).toContain('<html lang="en">');
  expect(html).toContain('href="tel:+493055571200"');
  expect(text).toContain('Lindenstraße 80 · 10969 Berlin · +49 (0)30 5557-1200');
  const [shop] = await rows<{ name: string }>('select name from shops where id = ?', seller.shopId);
  expect(text.indexOf(shop?.name ?? '?')).toBeLessThan(text.indexOf('€24.90'));
});

test('the page is kept by nobody, found by nobody and told to nobody', async ({ link }) => {
  const { headers, html } = await openPage(link.url);
  expect(headers.get('Cache-Control')).toBe('private, no-store, no-transform');
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(headers.get('X-Robots-Tag')).toBe('noindex');
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(html).toContain('<meta name="robots" content="noindex"/>');
});

test('the page says nothing of the customer', async () => {
  const person = {
    customer_name: 'Zacharias Zürgiebel',
    customer_email: 'zz@mail.example',
    address_street: 'Geheimweg 17',
    items: [{ name: 'Prostavasin 20', qty: 1, price: 24.9 }],
  };
  const { link } = await openLink({}, person);
  const { html } = await openPage(link.url);
  for (const secret of ['Zacharias', 'Zürgiebel', 'zz@mail', 'Geheimweg', 'Prostavasin']) {
    expect(html).not.toContain(secret);
  }
});

test('a scanner reads a GiroCode, line for line as EPC069-12 asks', async () => {
  const { order, link } = await openLink({ payment_recipient: 'Löwen-Apotheke Erika Müßig e.K.' });
  const code = scan((await openPage(link.url)).html);
  expect(code?.split('\n')).toEqual([
    'BCD',
    '002',
    '1',
    'SCT',
    '',
    'Löwen-Apotheke Erika Müßig e.K.',
    IBAN,
    'EUR24.90',
    '',
    '',
    await referenceOf(order.id),
  ]);
});

test('the reference differs from order to order', async ({ seller }) => {
  const texts = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { id } = await placeOrder(seller);
      return scan((await openPage((await makeLink(seller, id)).url)).html)
        ?.split('\n')
        .at(-1);
    }),
  );
  expect(new Set(texts).size).toBe(10);
});

test.each([
  [1, 'EUR0.01'],
  [100, 'EUR1.00'],
  [2490, 'EUR24.90'],
  [999_999_999, 'EUR9999999.99'],
])('%i cents are %s in the code', (amountCents, expected) => {
  const qrText = giroCode({ recipient: 'A', iban: IBAN, amountCents, reference: 'R' });
  expect(qrText.split('\n')[7]).toBe(expected);
});

test.each([
  ['markup', '<script>alert(1)</script> & "Söhne" \'KG\''],
  ['200 characters', 'Ä'.repeat(200)],
  ['200 characters outside the basic plane', '𝒜'.repeat(100)],
  ['lines', 'Löwen\nDE00123456780000000000\tApotheke'],
  ['writing from right to left', 'صيدلية الأسد'],
])('an organization whose name is %s has a page that says it, and a code that can be scanned', async (_, name) => {
  const { order, link } = await openLink({ name });
  const page = await openPage(link.url);
  expect(page.status).toBe(200);
  expect(page.html).not.toContain('<script>alert');
  expect(page.text).toContain(name.replace(/\s+/g, ' '));
  const lines = scan(page.html)?.split('\n') ?? [];
  expect(lines).toHaveLength(11);
  expect([...(lines[5] ?? '')].length).toBeLessThanOrEqual(70);
  expect(name.replace(/\s+/g, ' ').startsWith(lines[5] ?? '?')).toBe(true);
  expect(lines.slice(6)).toEqual([IBAN, 'EUR24.90', '', '', await referenceOf(order.id)]);
});
