import { env } from 'cloudflare:workers';
import { readReference } from '../../scripts/reference/document';
import { ERROR_MEANINGS } from '../../scripts/reference/error-meanings';
import { EXAMPLES } from '../../scripts/reference/examples/calls';
import { recordedOf } from '../../scripts/reference/examples/recorded';
import recordedCalls from '../../scripts/reference/examples/recorded.generated.json';
import { valueLists, valuesPath } from '../../scripts/reference/fields';
import { GUIDES } from '../../scripts/reference/guides/list';
import { siteFiles } from '../../scripts/reference/site';
import { Prose } from '../../scripts/reference/text';
import { statusOf } from '../../src/platform/http/http';
import { ASSETS } from '../../src/platform/markup/assets';
import { endpoints } from '../../src/public-api/routes';
import { EVENTS } from '../../src/webhooks/event-types';
import { openApi } from '../support/contract';
import { problemOf } from '../support/probe';
import { expect, test } from '../support/test';
import { BASE, call } from '../support/world';

const SEARCH = '/docs/search';
/** Tags of files that a page loads. */
const LOADED = /<(?:link|script)\b[^>]*>/g;
/** One page of each kind. */
const KINDS = [
  '/docs',
  '/docs/guides/mirror-the-assortment',
  '/docs/connector',
  '/docs/connector/submitOrderRequest',
  '/docs/orders/changeOrder',
  '/docs/webhooks',
  '/docs/webhooks/order_created',
  '/docs/signatures',
  '/docs/errors',
  '/docs/values',
  '/docs/objects',
  '/docs/objects/Order',
  '/docs/changelog',
  SEARCH,
  `${SEARCH}?q=stock`,
];

function operations() {
  return readReference(BASE).groups.flatMap((group) => group.operations);
}

test('every operation has a page with its address, its scope, its call in three languages, an answer and links to its errors', async () => {
  expect(operations().length).toBeGreaterThanOrEqual(endpoints.length + 2);
  for (const { operationId, tags, path, summary, method, responses } of operations()) {
    const area = `/docs/${tags[0]?.toLowerCase().replaceAll(' ', '-')}`;
    const page = await htmlOf(`${area}/${operationId}`);
    expect(page).toContain(`${path}</code>`);
    expect(page).toContain(`>${summary}</h1>`);
    expect(page).toContain(`>${method.toUpperCase()}<`);
    for (const words of ['curl -sS', "from './start.ts'", 'from start import']) expect(page).toContain(escaped(words));
    expect(page).toMatch(/<figcaption>Answer 20[012]<\/figcaption>/);
    for (const status of Object.keys(responses)) expect(page).toContain(`<span class="status">${status}</span>`);
    expect(await htmlOf(area)).toContain(`href="${area}/${operationId}"`);
    const endpoint = endpoints.find(({ id }) => id === operationId);
    if (endpoint) expect(page).toContain(`<code>${endpoint.scope}</code>`);
    for (const code of endpoint?.errors ?? []) expect(page).toContain(`href="/docs/errors#${code}"`);
  }
});

test('every error code has its anchor, to which problem documents point, and says where it is seen', async () => {
  const page = await htmlOf('/docs/errors');
  for (const [code, meaning] of Object.entries(ERROR_MEANINGS)) {
    const article = page.slice(page.indexOf(`<article class="error" id="${code}">`)).split('</article>')[0] ?? '';
    expect(textOf(article)).toContain(meaning.replaceAll('`', ''));
    expect(textOf(article), code).toMatch(
      page.indexOf(article) > page.indexOf('id="elsewhere"')
        ? /^\w+ \d{3}/
        : /Seen on |^not_found |^method_not_allowed /,
    );
  }
  for (const { errors } of endpoints)
    for (const code of errors) expect(page).toContain(`id="status-${statusOf(code)}"`);
  expect(page).toMatch(/Seen on \d+ of \d+ calls/);
  const locked = page.slice(page.indexOf('id="order_not_deletable"'));
  expect(locked.split('</article>')[0]).toContain('href="/docs/orders/deleteOrder"');
  const { type } = await problemOf(await call(`${BASE}/nowhere`), 404, 'not_found');
  expect(type).toBe(`${BASE}/docs/errors#not_found`);
});

test('every event type has a page with its example, and a JSON Schema of its own that takes it', async () => {
  const overview = await htmlOf('/docs/webhooks');
  for (const [type, { group, description, example }] of Object.entries(EVENTS)) {
    const page = await htmlOf(`/docs/webhooks/${type}`);
    expect(page).toContain(description);
    for (const key of Object.keys(example)) expect(page).toContain(`&quot;${key}&quot;`);
    expect(overview).toContain(`>${group}</h3>`);
    expect(overview).toContain(`href="/docs/webhooks/${type}"`);
    const answer = await call(`${BASE}/docs/schemas/${type}.json`);
    expect(answer.headers.get('Content-Type')).toBe('application/schema+json');
    const schema = await answer.json<{ $id: string; $defs?: object; properties: { event_type: { const: string } } }>();
    expect(schema.$id).toBe(`${BASE}/docs/schemas/${type}.json`);
    expect(schema.properties.event_type.const).toBe(type);
    // Members may be added to events.
    expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
  }
  const any = await (await call(`${BASE}/docs/schemas/event.json`)).json<{ properties: object }>();
  expect(any.properties).toMatchObject({ event_type: { 'x-known-values': Object.keys(EVENTS) } });
  expect(JSON.stringify(any)).not.toContain('#/components/');
  await problemOf(await call(`${BASE}/docs/schemas/nothing.json`), 404, 'not_found');
});

test('every operation has a recorded example, whose request the service takes and whose answer fits its schema', () => {
  for (const { id, body, answers } of endpoints) {
    const recorded = recordedOf(id);
    expect(recorded, `${id}: add it to scripts/reference/examples/calls.ts and run npm run examples`).toBeDefined();
    const answer = answers[recorded?.status as 200 | 201]?.schema.safeParse(recorded?.answer);
    expect(answer?.error?.issues, id).toBeUndefined();
    expect(answer?.success, id).toBe(true);
    if (body) expect(body.safeParse(recorded?.request).error?.issues, id).toBeUndefined();
  }
});

test('no block of the page is made of field names: each is a recorded call', () => {
  const ids = operations().map(({ operationId }) => operationId);
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(ids.toSorted());
  expect(Object.keys(recordedCalls).toSorted()).toEqual(ids.toSorted());
});

test('the recorded examples hold no key, no token and no address of the machine that made them', () => {
  expect(JSON.stringify(recordedCalls)).not.toMatch(/ofz_|localhost|127\.0\.0\.1/);
  expect(recordedOf('createAccessToken')?.answer).toMatchObject({
    access_token: expect.stringMatching(/^eyJ.{1,80}$/),
  });
});

/** Every list of values in the document but those of error codes, and where it stands. */
function* enumsIn(value: unknown, at = ''): Generator<[string, unknown[]]> {
  if (typeof value !== 'object' || value === null || at.endsWith('/code')) return;
  const { enum: values } = value as { enum?: unknown };
  if (Array.isArray(values) && values.length > 1) yield [at, values];
  for (const [key, child] of Object.entries(value)) {
    if (!['examples', 'example', 'not'].includes(key)) yield* enumsIn(child, `${at}/${key}`);
  }
}

test('every value that a field can have is told, the fourth shipping option too', async () => {
  const { paths, webhooks, components } = await openApi();
  const untold = [...enumsIn({ paths, webhooks, schemas: components.schemas })]
    // They have pages of their own: events.
    .filter(([at]) => !at.includes('event_type'))
    .filter(([, values]) => valuesPath(values) === null)
    .map(([at, values]) => `${at}: ${values.join(' ')}`);
  expect(untold).toEqual([]);
  for (const { title, meanings } of valueLists()) {
    expect(meanings.size, title).toBeGreaterThan(0);
    for (const [value, meaning] of meanings) expect(meaning, `${title}: ${value}`).not.toBe('');
  }
  const page = textOf(await htmlOf('/docs/values'));
  expect(page).toContain('The fourth is the name of the shop');
});

test.each(KINDS)('%s names no other host, and loads its own style sheet, script and icon alone', async (path) => {
  const response = await call(BASE + path);
  const page = await response.text();
  expect(response.headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  expect(page.match(LOADED)).toEqual([
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>',
    `<link rel="stylesheet" href="${ASSETS['docs.css']}"/>`,
    `<script src="${ASSETS['docs.js']}" defer="">`,
  ]);
  const markup = page.replaceAll(LOADED, '').replace('<form class="search" action="/docs/search">', '');
  expect(markup).not.toMatch(/<(style|img|iframe|object|embed|form)\b| style=| on\w+=/);
  expect(page).not.toMatch(/(?:href|src|action)="(?!#|\/(?!\/))/);
  const style = await (await env.ASSETS.fetch(`http://assets${ASSETS['docs.css']}`)).text();
  expect(style).not.toMatch(/url\(|@import/);
});

test.each(KINDS)('%s has its landmarks, and its headings skip no step', async (path) => {
  const page = await htmlOf(path);
  for (const landmark of [
    '<header>',
    '<nav class="rail"',
    '<main id="main"',
    'class="skip" href="#main"',
    'lang="en"',
  ]) {
    expect(page).toContain(landmark);
  }
  const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toEqual([1]);
  expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.length).toBe(new Set(ids).size);
  const groups = [...page.matchAll(/ name="(tabs-[^"]+)" value="curl"/g)].map(([, name]) => name);
  expect(groups.length).toBe(new Set(groups).size);
});

function allPaths(): string[] {
  return [...siteFiles(BASE).keys()].flatMap((path) => /^(.*)\.html$/.exec(path)?.[1] ?? []);
}

test('every link within the reference has its target', async () => {
  const pages = new Map(await Promise.all(allPaths().map(async (path) => [path, await htmlOf(path)] as const)));
  const lost: string[] = [];
  for (const [path, page] of pages) {
    for (const [, target = '', id] of page.matchAll(/href="(?!\/(?:favicon|assets\/))([^"#]*)(?:#([^"]+))?"/g)) {
      const at = target || path;
      const there = pages.get(at);
      if (id !== undefined && !there?.includes(` id="${id}"`)) lost.push(`${path}: ${at}#${id}`);
      if (id === undefined && !there && (await call(BASE + at)).status !== 200) lost.push(`${path}: ${at}`);
    }
  }
  expect([...new Set(lost)]).toEqual([]);
});

test('what is searched for is in the index: a call by a field, an error, a value, a guide, a heading', async () => {
  const answer = await call(`${BASE}/docs/search.json`);
  const index = await answer.json<{ title: string; href: string; words: string }[]>();
  const found = (query: string) =>
    index
      .filter(({ title, words }) => query.split(' ').every((word) => `${title.toLowerCase()} ${words}`.includes(word)))
      .map(({ href }) => href);
  expect(found('low_stock_threshold')).toContain('/docs/inventory/changeStock');
  expect(found('order_created')).toContain('/docs/webhooks/order_created');
  expect(found('rate_limited')).toContain('/docs/errors#rate_limited');
  expect(found('surprised pharmacist')).toEqual([]);
  expect(found('abholung')).toContain('/docs/values#shipping-options');
  expect(found('oversells')).toContain('/docs/guides/mirror-the-assortment');
  expect(found('getting started')).toContain('/docs#getting-started');
  // Words of readers that no text uses.
  for (const word of ['sandbox', 'cors', 'sdk', 'postman', 'vat', 'insurance', 'test mode', 'deprecation']) {
    expect(found(word), word).not.toEqual([]);
  }
  const everything = await htmlOf(SEARCH);
  for (const { href } of index) expect(everything).toContain(`href="${escaped(href)}"`);
  for (const { operationId } of operations()) expect(everything).toContain(`/${operationId}"`);
});

test('/llms.txt leads to guides as Markdown, calls, events and the document, all of which are there', async () => {
  const answer = await call(`${BASE}/llms.txt`);
  expect(answer.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  expect(text).toMatch(/^# Offizin API\n\n> /);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => url);
  expect(links.length).toBeGreaterThan(GUIDES.length + operations().length + Object.keys(EVENTS).length);
  for (const url of links) expect((await call(url)).status, url).toBe(200);
  const guide = await (await call(`${BASE}/docs/first-order.md`)).text();
  expect(guide).toMatch(/^# First order in five minutes/);
  expect(guide).toContain('curl -sS "$SHOP_URL/api/v1/external-order"');
  expect(guide).not.toContain('{{');
});

test.each(['receiver.js', 'server.js'])('%s can be downloaded and is what the page shows', async (name) => {
  const answer = await call(`${BASE}/docs/${name}`);
  const file = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=300');
  const page = await htmlOf('/docs/signatures');
  expect(page).toContain(`<a href="/docs/${name}" download="${name}">`);
  expect(page).toContain(`<code>${Prose({ text: file.replaceAll('`', '§') })}</code>`.replaceAll('§', '`'));
});

test('texts are escaped', () => {
  expect(String(Prose({ text: '<script>`<b>`' }))).toBe('&lt;script&gt;<code>&lt;b&gt;</code>');
});

test("a shop's host has no reference", async ({ pharmacy: { host } }) => {
  for (const path of [...KINDS, '/llms.txt']) {
    await problemOf(await call(`http://${host}:8787${path}`), 404, 'not_found');
  }
});

test('an address below the reference that is no page is not there', async () => {
  for (const path of ['/docs/nothing', '/docs/orders/nothing', '/docs/__proto__', '/docs/a/b/c'])
    await problemOf(await call(BASE + path), 404, 'not_found');
});

async function htmlOf(path: string): Promise<string> {
  const response = await call(BASE + path);
  expect(response.status, path).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
  return response.text();
}

function escaped(text: string): string {
  return text.replaceAll("'", '&#39;').replaceAll('"', '&quot;');
}

function textOf(page: string): string {
  return page.replace(/<[^>]+>/g, '').replaceAll('&#39;', "'");
}
