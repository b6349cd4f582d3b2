import { sha256, toBase64, utf8 } from '../../src/platform/crypto';
import type { ProblemCode } from '../../src/platform/error-codes';
import { statusOf } from '../../src/platform/http/http';
import { readReference } from '../../src/public-api/docs/document';
import { Prose } from '../../src/public-api/docs/text';
import { ERROR_MEANINGS } from '../../src/public-api/errors';
import { EXAMPLES } from '../../src/public-api/examples/calls';
import { recordedOf } from '../../src/public-api/examples/recorded';
import recordedText from '../../src/public-api/examples/recorded.generated.json' with { type: 'text' };
import { endpoints } from '../../src/public-api/routes';
import { EVENTS } from '../../src/webhooks/event-types';
import { problemOf } from '../support/probe';
import { expect, test } from '../support/test';
import { BASE, call } from '../support/world';

const PATHS = ['/docs', '/docs/errors', '/docs/webhooks', '/docs/signatures'];

test('every operation is there with its address, its scope, a curl, an answer and links to its errors', async () => {
  const page = await htmlOf('/docs');
  const operations = readReference(BASE).groups.flatMap((group) => group.operations);
  // And those of the connector, and the one for tokens.
  expect(operations.length).toBe(endpoints.length + 8);
  for (const { operationId, path, summary, method, responses } of operations) {
    const section = sectionOf(page, operationId);
    expect(section).toContain(`<code>${path}</code>`);
    expect(section).toContain(`>${summary}</h3>`);
    expect(section).toContain(`>${method.toUpperCase()}<`);
    expect(section).toContain('curl -sS');
    expect(section).toMatch(/<figcaption>Answer 20[012]<\/figcaption>/);
    for (const status of Object.keys(responses)) expect(section).toContain(`<span class="status">${status}</span>`);
    expect(contentsOf(page)).toContain(`href="/docs#${operationId}"`);
  }
  for (const { id, scope, errors } of endpoints) {
    const section = sectionOf(page, id);
    expect(section).toContain(`<code>${scope}</code>`);
    for (const code of errors) expect(section).toContain(`href="/docs/errors#${code}"`);
  }
});

test('the fields of a body inside a body are there with their limits', async () => {
  const section = sectionOf(await htmlOf('/docs'), 'submitOrderRequest').replaceAll('<wbr>', '');
  expect(section).toContain('<span class="prefix">payload.items[].</span>quantity</code>');
  expect(section).toContain('1 to 9,999');
  expect(section).toContain('<span class="prefix">payload.</span>customer_email</code>');
});

test('every error code has its anchor, to which problem documents point', async () => {
  const page = await htmlOf('/docs/errors');
  for (const [code, meaning] of Object.entries(ERROR_MEANINGS)) {
    expect(page).toContain(`id="${code}"`);
    expect(page).toContain(`id="status-${statusOf(code as ProblemCode)}"`);
    expect(textOf(page)).toContain(meaning.replaceAll('`', ''));
  }
  const { type } = await problemOf(await call(`${BASE}/nowhere`), 404, 'not_found');
  expect(type).toBe(`${BASE}/docs/errors#not_found`);
});

test('every event type is there with its group and its example', async () => {
  const page = await htmlOf('/docs/webhooks');
  for (const [type, { group, description, example }] of Object.entries(EVENTS)) {
    const section = sectionOf(page, type);
    expect(section).toContain(description);
    for (const key of Object.keys(example)) expect(section).toContain(`&quot;${key}&quot;`);
    expect(page).toContain(`>${group}</h2>`);
  }
});

test('every operation has a recorded example, whose request the service takes and whose answer fits its schema', () => {
  for (const { id, body, answers } of endpoints) {
    const recorded = recordedOf(id);
    expect(recorded, `${id}: add it to src/public-api/examples/calls.ts and run npm run examples`).toBeDefined();
    const answer = answers[recorded?.status as 200 | 201]?.schema.safeParse(recorded?.answer);
    expect(answer?.error?.issues, id).toBeUndefined();
    expect(answer?.success, id).toBe(true);
    if (body) expect(body.safeParse(recorded?.request).error?.issues, id).toBeUndefined();
  }
});

test('no block of the page is made of field names: each is a recorded call', () => {
  const ids = readReference(BASE).groups.flatMap((group) => group.operations.map(({ operationId }) => operationId));
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(ids.toSorted());
  expect(Object.keys(JSON.parse(recordedText as unknown as string)).toSorted()).toEqual(ids.toSorted());
});

test('the recorded examples hold no key, no token and no address of the machine that made them', () => {
  // SAFETY: TypeScript takes JSON for its value, and here it is its text.
  const text = recordedText as unknown as string;
  expect(text).not.toMatch(/ofz_|localhost|127\.0\.0\.1/);
  expect(recordedOf('createAccessToken')?.answer).toMatchObject({
    access_token: expect.stringMatching(/^eyJ.{1,80}$/),
  });
});

test('what an example shows is what it asked for', () => {
  expect(recordedOf('detachProduct')?.answer).toMatchObject({ attached: false, effective: null });
  expect(recordedOf('approveOrderRequest')?.answer).toMatchObject({ status: 'approved' });
  expect(recordedOf('setProductOverrides')?.answer).toMatchObject({
    overrides: { price: 200 },
    effective: { price: 200 },
  });
});

test('no page speaks of keys of your own: every object says its fields', async () => {
  for (const path of PATHS) expect(await htmlOf(path)).not.toContain('keys of your own');
  expect(sectionOf(await htmlOf('/docs'), 'createPaymentLink')).toContain('An empty object: no field is taken.');
});

test('the walkthrough and the limits stand in the reference', async () => {
  const page = textOf(await htmlOf('/docs'));
  for (const words of [
    '600 per minute',
    '30 per minute',
    '15 MiB',
    '256 KiB',
    '16 KiB',
    '10 MiB',
    '64 KiB',
    '1 to 200',
  ])
    expect(page).toContain(words);
  expect(page.indexOf('From request to hand-over')).toBeLessThan(page.indexOf('Submit an order request'));
});

test.each(PATHS)('%s names no other host; its style and script are those that the policy allows', async (path) => {
  const response = await call(BASE + path);
  const page = await response.text();
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';

  const scripts = [...page.matchAll(/<script type="module">([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);

  expect(policy).toContain(`style-src 'sha256-${toBase64(await sha256(utf8(style)))}'`);
  expect(scripts).toHaveLength(1);
  expect(policy).toContain(`script-src 'sha256-${toBase64(await sha256(utf8(scripts[0] ?? '')))}'`);
  expect(policy).toMatch(/^default-src 'none';/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(page.replace('<script type="module">', '')).not.toMatch(
    /<(script|link|img|iframe|object|embed|form)\b| style=| on\w+=/,
  );
  expect(page).not.toMatch(/(?:href|src|action)="(?!#|\/(?!\/))/);
  expect(style).not.toMatch(/url\(|@import/);
});

test.each(PATHS)('%s has its landmarks, and its headings skip no step', async (path) => {
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
});

test('every link within the reference has its target', async () => {
  const pages = new Map(await Promise.all(PATHS.map(async (path) => [path, await htmlOf(path)] as const)));
  const lost = [...pages].flatMap(([path, page]) =>
    [...page.matchAll(/href="([^"#]*)#([^"]+)"/g)].filter(
      ([, target, id]) => !pages.get(target || path)?.includes(` id="${id}"`),
    ),
  );
  expect(lost.map(([link]) => link)).toEqual([]);
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
  for (const path of PATHS) await problemOf(await call(`http://${host}:8787${path}`), 404, 'not_found');
});

async function htmlOf(path: string): Promise<string> {
  const response = await call(BASE + path);
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
  return response.text();
}

/** From a heading's id to the end of its article. */
function sectionOf(page: string, id: string): string {
  const start = page.indexOf(`<article class="operation" aria-labelledby="${id}"`);
  expect(start, id).toBeGreaterThan(0);
  return page.slice(start, page.indexOf('</article>', start));
}

function contentsOf(page: string): string {
  return /<nav class="rail"[\s\S]*?<\/nav>/.exec(page)?.[0] ?? '';
}

function textOf(page: string): string {
  return page.replace(/<[^>]+>/g, '').replaceAll('&#39;', "'");
}
