import { textOf } from '../support/html';
import { expect, test } from '../support/test';
import { BASE, call, openPharmacy, operate, rows } from '../support/world';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
/** What programs send: nothing, anything, JSON, and JSON before pages. */
const PROGRAMS = [
  undefined,
  '*/*',
  'application/json',
  'application/json, text/plain, */*',
  'text/html;q=0.5, application/json',
];

function ask(url: string, accept: string | undefined, init: RequestInit = {}): Promise<Response> {
  const headers = { ...(accept !== undefined && { Accept: accept }), 'Accept-Language': 'de-DE' };
  return call(url, { ...init, headers });
}

const API = '/api/v2/public/orgs/x/shops';

test.each([
  ['/', 'GET', 404],
  ['/', 'POST', 404],
  ['/nowhere', 'GET', 404],
  ['/docs/nowhere', 'GET', 404],
  ['/healthz', 'DELETE', 405],
] as const)(
  '%s %s: programs get the problem as JSON, browsers a page with the same status',
  async (path, method, status) => {
    for (const accept of PROGRAMS) {
      const answer = await ask(BASE + path, accept, { method });
      expect([answer.status, answer.headers.get('Content-Type')], accept).toEqual([status, 'application/problem+json']);
      expect(answer.headers.get('Content-Security-Policy')).toBeNull();
      expect(await answer.json()).toMatchObject({ status, instance: path });
    }
    const page = await ask(BASE + path, BROWSER, { method });
    if (path === '/' && method === 'GET') return expect(page.status).toBe(200);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([status, 'text/html; charset=UTF-8']);
    expect(page.headers.get('Cache-Control')).toBe('no-store, no-transform');
    const html = await page.text();
    expect(textOf(html)).toContain(`Fehlernummer: ${page.headers.get('X-Request-Id')}`);
    expect(html).toContain('rel="icon"');
    if (status === 405) expect(page.headers.get('Allow')).not.toBeNull();
  },
);

test('an API answers in JSON, whatever its caller accepts', async () => {
  for (const path of ['/api/v2/public/orgs/x/nowhere', '/api/v1/nowhere', '/api/operator/v1/nowhere']) {
    const answer = await ask(BASE + path, BROWSER);
    expect([answer.status, answer.headers.get('Content-Type')], path).toEqual([
      expect.any(Number),
      'application/problem+json',
    ]);
  }
});

test('what a credential decides stays JSON for browsers too', async () => {
  const answer = await ask(BASE + API, BROWSER);
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([401, 'application/problem+json']);
});

test('a fault of the service is a page without anything of the inside', async () => {
  const broken = { DB: { batch: () => Promise.reject(new Error('D1_ERROR: select secret')) } as unknown as D1Database };
  const host = `${crypto.randomUUID()}.localhost`;
  const page = await call(
    `http://${host}:8787/healthz`,
    { headers: { Accept: BROWSER } },
    { ...broken, DB_1: undefined },
  );
  expect(page.status).toBeGreaterThanOrEqual(500);
  const html = await page.text();
  expect(textOf(html)).toContain('Da ist etwas schiefgegangen');
  expect(html).not.toMatch(/D1_ERROR|secret|\bat \w+/);
});

test('the start page leads to sign-in and reference, in the language of the browser or of its link', async () => {
  const page = await ask(`${BASE}/`, BROWSER);
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(page.headers.get('Cache-Control')).toBe('public, max-age=300, no-transform');
  expect(page.headers.get('Vary')).toBe('Accept, Accept-Language');
  for (const target of ['/manage', '/docs', '/healthz', '?lang=en']) expect(html).toContain(`href="${target}"`);
  expect(html).toContain('<html lang="de">');
  expect(await (await ask(`${BASE}/?lang=en`, BROWSER)).text()).toContain('<html lang="en">');
});

test('the page of a shop says whose it is and how it is reached, and nothing of its organization', async () => {
  const { host, shopId, orgId } = await openPharmacy();
  const name = `Nord <b>${shopId}</b>`;
  const place = `street = 'Weg 1', city = 'Köln', phone = '0221/123-45', opening_hours = 'Mo 8–18'`;
  await rows(`update shops set name = ?, ${place} where id = ?`, name, shopId);
  const page = await ask(`http://${host}:8787/`, BROWSER);
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(page.headers.get('Cache-Control')).toBe('public, max-age=60, no-transform');
  for (const text of [name, 'Weg 1', 'Köln', '0221/123-45', 'Mo 8–18']) expect(textOf(html)).toContain(text);
  expect(html).toContain('href="tel:022112345"');
  expect(html).not.toContain(orgId);
  for (const accept of PROGRAMS) expect((await ask(`http://${host}:8787/`, accept)).status).toBe(404);
  const toStart = '<a class="button" href="/">';
  expect(await (await ask(`http://${host}:8787/nowhere`, BROWSER)).text()).toContain(toStart);
  expect(await (await ask('http://niemand.localhost:8787/', BROWSER)).text()).not.toContain(toStart);
});

test('a suspended shop and a host of nobody have the same page, which names nobody', async () => {
  const { host, orgId } = await openPharmacy();
  await operate(`/organizations/${orgId}`, { status: 'suspended' }, 'PATCH');
  const pages = [host, 'niemand.localhost'].map(async (each) => {
    const page = await ask(`http://${each}:8787/`, BROWSER);
    return [page.status, textOf(await page.text()).replace(page.headers.get('X-Request-Id') ?? '?', '')];
  });
  const [suspended, unknown] = await Promise.all(pages);
  expect(suspended?.[0]).toBe(404);
  expect(suspended).toEqual(unknown);
});

test('/ links the imprint and the privacy notice of the operator where they are set, and nothing otherwise', async () => {
  const at = async (env?: Partial<Env>) =>
    (await call(`${BASE}/`, { headers: { Accept: BROWSER, 'Accept-Language': 'de-DE' } }, env)).text();
  const set = { IMPRINT_URL: 'https://betreiber.example/impressum', PRIVACY_URL: 'https://betreiber.example/privacy' };
  const linked = await at(set);
  expect(linked).toContain('<a href="https://betreiber.example/impressum">Impressum</a>');
  expect(linked).toContain('<a href="https://betreiber.example/privacy">Datenschutz</a>');
  expect(await at()).not.toMatch(/Impressum|Datenschutz/);
  expect(await at({ IMPRINT_URL: 'javascript:alert(1)' })).not.toContain('javascript');
});
