import { newId } from '../../src/platform/ids';
import {
  accepted,
  captureLogs,
  NOTHING,
  type Problem,
  problemOf,
  raw,
  signed,
  stored,
  watchedFiles,
} from '../support/probe';
import { expect, test } from '../support/test';
import { call, envelope, openPharmacy, operate, PDF_BASE64, type Pharmacy, submit } from '../support/world';

/** Part of every refused text; no response may contain it. */
const SENTINEL = 'S3NT1NEL';
const MIB = 1024 * 1024;

/** Asserts a response that says what to change and repeats no sent value, and that nothing was stored. */
async function expectRefused(
  pharmacy: Pharmacy,
  send: (changed: Partial<Env>) => Promise<Response>,
  expected: { status?: number; code: string; errors?: { pointer: string; code: string }[] },
) {
  const { FILES, keys } = watchedFiles();
  const response = await send({ FILES });
  const text = await response.clone().text();
  const problem = await problemOf(response, expected.status ?? 400, expected.code);
  expect(problem.detail.length).toBeGreaterThan(10);
  const errors = problem.errors?.map(({ pointer, code }) => ({ pointer, code }));
  expect(errors).toEqual(expected.errors);
  for (const { message } of problem.errors ?? []) expect(message).toMatch(/\w+ \w+|Allowed/);
  for (const value of [SENTINEL, 'Erika', 'erika@', PDF_BASE64, 'ofz_']) expect(text).not.toContain(value);
  expect(keys).toEqual([]);
  expect(await stored(pharmacy.orgId)).toEqual(NOTHING);
}

const TEXT = JSON.stringify(envelope({ address_city: SENTINEL }));

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

test.each<[string, BodyInit | null]>([
  ['nothing', null],
  ['an empty text', ''],
  ['a cut body', TEXT.slice(0, -1)],
  ['a line break inside a text', TEXT.replace(SENTINEL, `${SENTINEL}\n`)],
  ['invalid UTF-8', latin1(TEXT.replace(SENTINEL, 'K\u00f6ln'))],
  ['UTF-16', new Uint8Array(new Uint16Array([...`\ufeff${TEXT}`].map((char) => char.charCodeAt(0))).buffer)],
])('a body of %s is not JSON', async (_, body) => {
  const pharmacy = await openPharmacy();
  await expectRefused(pharmacy, (changed) => call(pharmacy.url, raw(pharmacy, body), changed), {
    code: 'invalid_json',
  });
});

const TOKEN = `Task/160.123.456.789.123.58/$accept?ac=${'0f'.repeat(32)}`;

test.for([
  ['a member that nobody knows', envelope({ erezept: { urls: [TOKEN] }, address_city: SENTINEL })],
  [
    'the text of an item',
    envelope({ items: [{ name: 'Salbe', quantity: 1, note: JSON.stringify({ urls: [TOKEN] }) }] }),
  ],
  [
    'the link of a prescription',
    envelope({ prescription_pdf_url: `https://rx.example.com/?t=${encodeURIComponent(TOKEN)}` }),
  ],
] as const)(
  'the token of an E-Rezept in %s is refused, and nothing of it is stored or logged',
  async ([_, body], { pharmacy }) => {
    const logs = captureLogs();
    await expectRefused(pharmacy, (changed) => submit(pharmacy, body, changed), { code: 'erezept_token_refused' });
    expect(JSON.stringify(logs)).not.toContain('0f0f');
  },
);

test.for([
  ['an array', [envelope()]],
  ['null', null],
] as const)('a body that is %s is not an envelope', async ([_, body], { pharmacy }) => {
  await expectRefused(pharmacy, (changed) => submit(pharmacy, body, changed), {
    code: 'validation_failed',
    errors: [{ pointer: '', code: 'invalid_type' }],
  });
});

test.each<[string, string | null]>([
  ['text', 'text/plain'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['a PDF', 'application/pdf'],
  ['other JSON', 'application/jsonp'],
  ['nothing', null],
])('a body declared as %s is answered 415', async (_, type) => {
  const pharmacy = await openPharmacy();
  const headers: Record<string, string> = {
    apikey: pharmacy.integrationKey,
    ...(type !== null && { 'Content-Type': type }),
  };
  const body = new TextEncoder().encode(TEXT);
  await expectRefused(pharmacy, (changed) => call(pharmacy.url, { method: 'POST', headers, body }, changed), {
    status: 415,
    code: 'unsupported_media_type',
  });
});

/** A body that is made as it is read, and counts how often it is. */
function pulledBody(chunks: number, chunk = new Uint8Array(MIB).fill(0x20)) {
  const seen = { pulls: 0 };
  const pull = (controller: ReadableByteStreamController) => {
    seen.pulls += 1;
    if (seen.pulls <= chunks) return controller.enqueue(chunk.slice());
    controller.close();
    controller.byobRequest?.respond(0);
  };
  return { body: new ReadableStream({ type: 'bytes', pull }), seen };
}

test('a declared 20 MiB are answered 413 at once, the body left alone', async ({ pharmacy }) => {
  const { body, seen } = pulledBody(20);
  const init = raw(pharmacy, body, { 'Content-Length': String(20 * MIB) });
  await expectRefused(pharmacy, (changed) => call(pharmacy.url, init, changed), {
    status: 413,
    code: 'body_too_large',
  });
  expect(seen.pulls).toBe(0);
});

test('16 MiB without a declared length are answered 413 as soon as they pass the limit', async ({ pharmacy }) => {
  const { body, seen } = pulledBody(1000);
  await expectRefused(pharmacy, (changed) => call(pharmacy.url, raw(pharmacy, body), changed), {
    status: 413,
    code: 'body_too_large',
  });
  expect(seen.pulls).toBe(16);
});

test('a body that breaks off is answered 400, not 500', async ({ pharmacy }) => {
  const pull = (controller: ReadableByteStreamController) => controller.error(new Error('connection lost'));
  const body = new ReadableStream({ type: 'bytes', pull });
  await expectRefused(pharmacy, (changed) => call(pharmacy.url, raw(pharmacy, body), changed), {
    code: 'body_incomplete',
  });
});

/** `{"x": {"x": … }}`, so many objects deep. */
function nested(levels: number): unknown {
  return levels === 0 ? 1 : { x: nested(levels - 1) };
}

const DEEP_POINTER = `/payload/deep${'/x'.repeat(14)}`;

test.each<[string, Record<string, unknown>, string, string]>([
  ['NUL in a text', { customer_name: `${SENTINEL}\u0000` }, '/payload/customer_name', 'control_character'],
  ['a lone high surrogate', { customer_name: `${SENTINEL}\ud83d` }, '/payload/customer_name', 'malformed_unicode'],
  ['NUL in a key', { [`${SENTINEL}\u0000`]: 1 }, '/payload', 'invalid_key'],
  [
    'constructor as a key',
    { extra: [{ constructor: { prototype: SENTINEL } }] },
    '/payload/extra/0/constructor',
    'forbidden_key',
  ],
  ['seventeen levels', { deep: nested(15) }, DEEP_POINTER, 'too_deep'],
])('%s is refused wherever it stands', async (_, payload, pointer, code) => {
  const pharmacy = await openPharmacy();
  await expectRefused(pharmacy, (changed) => submit(pharmacy, envelope(payload), changed), {
    code: 'validation_failed',
    errors: [{ pointer, code }],
  });
});

test.each<[string, string, string, string]>([
  ['__proto__ at the top', `{"__proto__":{"payload":"${SENTINEL}"},`, '/__proto__', 'forbidden_key'],
  ['a number beyond all bounds', '{"a":{"b":1e400},', '/a/b', 'number_out_of_range'],
])('%s is refused with its place', async (_, head, pointer, code) => {
  const pharmacy = await openPharmacy();
  const body = TEXT.replace('{', head);
  await expectRefused(pharmacy, (changed) => call(pharmacy.url, raw(pharmacy, body), changed), {
    code: 'validation_failed',
    errors: [{ pointer, code }],
  });
});

const item = (fields: Record<string, unknown>) => ({ items: [{ name: 'A', quantity: 1, price: 1, ...fields }] });
const AT_QUANTITY = '/payload/items/0/quantity';
const AT_PRICE = '/payload/items/0/price';

test.each<[string, Record<string, unknown>, string, string]>([
  ['quantity 0', item({ quantity: 0 }), AT_QUANTITY, 'too_small'],
  ['quantity 1.5', item({ quantity: 1.5 }), AT_QUANTITY, 'invalid_type'],
  ['quantity "2"', item({ quantity: '2' }), AT_QUANTITY, 'invalid_type'],
  ['quantity 10000', item({ quantity: 10_000 }), AT_QUANTITY, 'too_big'],
  ['price -1', item({ price: -1 }), AT_PRICE, 'too_small'],
  ['price 4.9999', item({ price: 4.9999 }), AT_PRICE, 'invalid_amount'],
  ['price 1e300', item({ price: 1e300 }), AT_PRICE, 'invalid_amount'],
  ['price "4,95"', item({ price: SENTINEL }), AT_PRICE, 'invalid_type'],
  ['an item that is null', { items: [null] }, '/payload/items/0', 'invalid_type'],
  ['items that are an object', { items: { 0: SENTINEL } }, '/payload/items', 'invalid_type'],
  ['101 items', { items: Array(101).fill(item({}).items[0]) }, '/payload/items', 'too_big'],
  ['an item’s name of 201 characters', item({ name: SENTINEL.padEnd(201, 'x') }), '/payload/items/0/name', 'too_big'],
  ['a name that is a number', { customer_name: 5 }, '/payload/customer_name', 'invalid_type'],
  ['a name of 201 characters', { customer_name: SENTINEL.padEnd(201, 'x') }, '/payload/customer_name', 'too_big'],
  ['a name with a line break', { customer_name: `${SENTINEL}\nBcc:` }, '/payload/customer_name', 'control_character'],
  [
    'an e-mail that is none',
    { customer_name: undefined, customer_email: SENTINEL },
    '/payload/customer_email',
    'invalid_format',
  ],
  ['cash_on_pickup "true"', { cash_on_pickup: 'true' }, '/payload/cash_on_pickup', 'invalid_type'],
  ['a negative total', { total_amount: -5 }, '/payload/total_amount', 'too_small'],
  ['a payment_status outside the list', { payment_status: SENTINEL }, '/payload/payment_status', 'unknown_value'],
  [
    'a PDF’s address of 8193 characters',
    { prescription_pdf_url: `https://files.example.com/${SENTINEL}`.padEnd(8193, 'x') },
    '/payload/prescription_pdf_url',
    'too_big',
  ],
  [
    'a PDF’s address that is a list',
    { prescription_pdf_url: [SENTINEL] },
    '/payload/prescription_pdf_url',
    'invalid_type',
  ],
])('%s is refused', async (_, payload, pointer, code) => {
  const pharmacy = await openPharmacy();
  await expectRefused(pharmacy, (changed) => submit(pharmacy, envelope(payload), changed), {
    code: 'validation_failed',
    errors: [{ pointer, code }],
  });
});

test.each<[string, Record<string, unknown>, string, string]>([
  ['a missing payload', { payload: undefined }, '/payload', 'required'],
  ['a payload that is an array', { payload: [] }, '/payload', 'invalid_type'],
  ['a reference that is a number', { external_reference: 7 }, '/external_reference', 'invalid_type'],
  [
    'a reference of 201 characters',
    { external_reference: SENTINEL.padEnd(201, 'x') },
    '/external_reference',
    'too_big',
  ],
  ['a reference with a tab', { external_reference: `${SENTINEL}\tx` }, '/external_reference', 'control_character'],
  ['a source of 101 characters', { source: SENTINEL.padEnd(101, 'x') }, '/source', 'too_big'],
])('%s is refused', async (_, members, pointer, code) => {
  const pharmacy = await openPharmacy();
  await expectRefused(pharmacy, (changed) => submit(pharmacy, envelope({}, members), changed), {
    code: 'validation_failed',
    errors: [{ pointer, code }],
  });
});

const pdf = (text: string) => btoa(text);

test.each<[string, string, RegExp, string?]>([
  ['with line breaks', `${PDF_BASE64.slice(0, 40)}\r\n${PDF_BASE64.slice(40)}`, /line breaks/],
  ['with a space', `${PDF_BASE64.slice(0, 40)} ${PDF_BASE64.slice(40)}`, /line breaks and spaces/],
  ['as a data URI', `data:application/pdf;base64,${PDF_BASE64}`, /data: prefix/],
  [
    'in the URL-safe alphabet',
    pdf('%PDF-1.7\n\u00fb\u00ff\u00fe').replaceAll('+', '-').replaceAll('/', '_'),
    /standard base64/,
  ],
  ['without its padding', pdf('%PDF-1.7\n1').replaceAll('=', ''), /incomplete/],
  ['truncated', PDF_BASE64.slice(0, -3), /incomplete/],
  ['that is a sentence', `${SENTINEL}, not a PDF!`, /line breaks and spaces/],
  ['with NUL behind 100,000 characters', `${pdf(`%PDF-${'x'.repeat(75_000)}`)}\u0000`, /standard base64/],
  ['that is HTML', pdf(`<html>${SENTINEL}</html>`), /not a PDF/],
  ['behind other text', pdf('%!\n%PDF-1.7'), /not a PDF/],
  ['of four bytes', pdf('%PDF'), /not a PDF/],
  ['of 11 MiB', `JVBERi0x${'A'.repeat((11 * MIB * 4) / 3)}`.slice(0, 15_000_000), /at most/, 'prescription_too_large'],
  ['of 10 MiB and a byte', pdf(`%PDF-${'x'.repeat(10 * MIB - 4)}`), /at most/, 'prescription_too_large'],
])(
  'a PDF %s is refused, with advice',
  async (_, prescription_pdf_base64, advice, code = 'invalid_prescription_pdf') => {
    const pharmacy = await openPharmacy();
    const pointer = '/payload/prescription_pdf_base64';
    const sent = await submit(pharmacy, envelope({ prescription_pdf_base64 }));
    expect((await sent.json<Problem>()).errors?.[0]?.message).toMatch(advice);
    await expectRefused(pharmacy, (changed) => submit(pharmacy, envelope({ prescription_pdf_base64 }), changed), {
      code,
      errors: [{ pointer, code }],
    });
  },
);

test('an empty PDF without items is no prescription', async ({ pharmacy }) => {
  const body = envelope({ items: undefined, prescription_pdf_base64: '' });
  await expectRefused(pharmacy, (changed) => submit(pharmacy, body, changed), {
    code: 'items_required',
    errors: [{ pointer: '/payload/items', code: 'items_required' }],
  });
});

test('faults of the PDF, its address and the shipping option are named together', async ({ pharmacy }) => {
  const body = envelope({
    prescription_pdf_base64: SENTINEL,
    prescription_pdf_url: 'http://a.example',
    shipping_option: SENTINEL,
  });
  await expectRefused(pharmacy, (changed) => submit(pharmacy, body, changed), {
    code: 'validation_failed',
    errors: [
      { pointer: '/payload/shipping_option', code: 'unknown_shipping_option' },
      { pointer: '/payload/prescription_pdf_url', code: 'invalid_prescription_url' },
      { pointer: '/payload/prescription_pdf_base64', code: 'invalid_prescription_pdf' },
    ],
  });
});

/** Stands for a host that the test gives to another shop. */
const SHOP_HOST = 'another-shop.example.com';

test.each<[string, string, RegExp]>([
  ['by http', `http://files.example.com/${SENTINEL}`, /https/],
  ['at an IP address', `https://93.184.216.34/${SENTINEL}`, /IP address/],
  ['at an internal name', `https://files.internal/${SENTINEL}`, /public internet/],
  ['with credentials', `https://user:${SENTINEL}@files.example.com/a.pdf`, /user name and password/],
  ['with a port', `https://files.example.com:8443/${SENTINEL}`, /port/],
  ['at another shop’s host', `https://${SHOP_HOST}/${SENTINEL}`, /outside this service/],
  [
    'at another shop’s host with a trailing dot',
    `https://${SHOP_HOST.toUpperCase()}./${SENTINEL}`,
    /outside this service/,
  ],
])('a PDF’s address %s is refused and told what to change', async (_, address, advice) => {
  const other = await openPharmacy();
  const host = `rx-${newId()}.example.com`;
  await operate(`/organizations/${other.orgId}/shops`, { name: 'Netz', hosts: [host] });
  const prescription_pdf_url = address.replace(new RegExp(SHOP_HOST, 'i'), host);
  const pharmacy = await openPharmacy();
  const sent = await submit(pharmacy, envelope({ prescription_pdf_url }));
  expect((await sent.json<Problem>()).errors?.[0]?.message).toMatch(advice);
  await expectRefused(pharmacy, (changed) => submit(pharmacy, envelope({ prescription_pdf_url }), changed), {
    code: 'invalid_prescription_url',
    errors: [{ pointer: '/payload/prescription_pdf_url', code: 'invalid_prescription_url' }],
  });
});

test('a PDF’s address on the base host is refused', async ({ pharmacy }) => {
  const production = { BASE_URL: 'https://api.offizin.example', OUTBOUND_ALLOW_LOOPBACK: '' };
  const body = envelope({ prescription_pdf_url: 'https://api.offizin.example/docs/a.pdf' });
  const response = await submit(pharmacy, body, production);
  expect(await response.json<Problem>()).toMatchObject({
    status: 400,
    code: 'invalid_prescription_url',
    errors: [{ message: expect.stringMatching(/outside this service/) }],
  });
  expect(await stored(pharmacy.orgId)).toEqual(NOTHING);
});

test.each<[string, Record<string, unknown>]>([
  ['in one text', { extra: SENTINEL.padEnd(70_000, 'x') }],
  ['in UTF-8 bytes rather than characters', { extra: 'ü'.repeat(40_000) }],
])('extra fields over 64 KiB %s are refused', async (_, payload) => {
  const pharmacy = await openPharmacy();
  await expectRefused(pharmacy, (changed) => submit(pharmacy, envelope(payload), changed), {
    code: 'payload_too_large',
  });
});

test('at most 50 faults are named', async ({ pharmacy }) => {
  const items = Array.from({ length: 100 }, () => ({ name: 5 }));
  const problem = await problemOf(await submit(pharmacy, envelope({ items })), 400, 'validation_failed');
  expect(problem.errors).toHaveLength(50);
});

test('a long key is truncated in a pointer, so that an error does not repeat the input', async ({ pharmacy }) => {
  const response = await submit(pharmacy, envelope({ ['k'.repeat(5000)]: '\u0000' }));
  const problem = await problemOf(response, 400, 'validation_failed');
  expect(problem.errors?.[0]?.pointer).toBe(`/payload/${'k'.repeat(100)}`);
});

test.each<[string, Record<string, unknown>]>([
  ['sixteen levels', { deep: nested(14) }],
  ['100 items', { items: Array(100).fill(item({}).items[0]) }],
  ['tabs and line breaks in a field that it does not know', { note: 'a\tb\r\nc' }],
  ['a well-formed pair of surrogates', { customer_name: 'Erika 😀' }],
  ['extra fields just within 64 KiB', { extra: 'x'.repeat(65_000) }],
  ['an e-mail address in Unicode', { customer_email: 'jörg@müller.example' }],
  ['a PDF of exactly 10 MiB', { prescription_pdf_base64: pdf(`%PDF-${'x'.repeat(10 * MIB - 5)}`) }],
  ['a PDF’s address with a query', { prescription_pdf_url: 'https://files.example.com/a.pdf?token=1' }],
])('%s pass', async (_, payload) => {
  captureLogs();
  const pharmacy = await openPharmacy();
  await accepted(await call(pharmacy.url, signed(pharmacy, envelope(payload))));
});

test('a byte order mark before the JSON passes', async ({ pharmacy }) => {
  await accepted(await call(pharmacy.url, raw(pharmacy, `\ufeff${TEXT}`)));
});
