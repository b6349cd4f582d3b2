import { newId } from '../../src/platform/ids';
import { openOrder, patchOrder } from '../support/order-flow';
import { succeeded } from '../support/organization';
import { ask } from '../support/platform';
import { accepted, captureLogs, doctoredDb, NOTHING, type Problem, problemOf, signed, stored } from '../support/probe';
import { insertRow, rowOf } from '../support/rows';
import { expect, test } from '../support/test';
import { call, envelope, json, openPharmacy, operate, PDF_BASE64, type Pharmacy, rows, submit } from '../support/world';

const ITEM = { name: 'Ibuprofen 400', quantity: 1, price: 4.95 };
const D1_DOWN = 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.';
/** Text of an unexpected internal error; no response may contain it. */
const SECRET_MESSAGE = "Failed query: insert into order_requests values (?) params: 'Erika Mustermann'";

const downAt = (trip: number) => doctoredDb((at, send) => (at === trip ? Promise.reject(new Error(D1_DOWN)) : send()));

type Row = [condition: string, status: number, code: string, send: (pharmacy: Pharmacy) => Promise<Response>];

test.each<Row>([
  [
    'missing customer name and e-mail',
    400,
    'customer_required',
    (p) => submit(p, envelope({ customer_name: undefined, customer_email: undefined })),
  ],
  ['missing items', 400, 'items_required', (p) => submit(p, envelope({ items: undefined }))],
  ['empty items', 400, 'items_required', (p) => submit(p, envelope({ items: [] }))],
  [
    'an item without a name',
    400,
    'item_identity_required',
    (p) => submit(p, envelope({ items: [{ quantity: 1, price: 1 }] })),
  ],
  [
    'an item without a quantity',
    400,
    'validation_failed',
    (p) => submit(p, envelope({ items: [{ name: 'A', price: 1 }] })),
  ],
  [
    'an item without a price',
    400,
    'validation_failed',
    (p) => submit(p, envelope({ items: [{ name: 'A', quantity: 1 }] })),
  ],
  [
    'a key of another organization',
    400,
    'shop_mismatch',
    async (p) => submit({ ...p, integrationKey: (await openPharmacy()).integrationKey }, envelope()),
  ],
  ['another org_id in the body', 400, 'shop_mismatch', (p) => submit(p, envelope({}, { org_id: newId() }))],
  ['another shop_id in the body', 400, 'shop_mismatch', (p) => submit(p, envelope({}, { shop_id: newId() }))],
  ['a missing key', 401, 'missing_api_key', (p) => call(p.url, json(envelope()))],
  ['an invalid key', 401, 'invalid_api_key', (p) => submit({ ...p, integrationKey: 'guess' }, envelope())],
  ['D1 down when the host is looked up', 502, 'backend_unreachable', (p) => submit(p, envelope(), { DB: downAt(1) })],
  ['D1 down when the key is looked up', 502, 'backend_unreachable', (p) => submit(p, envelope(), { DB: downAt(2) })],
  ['D1 down when the request is written', 502, 'backend_unreachable', (p) => submit(p, envelope(), { DB: downAt(3) })],
  [
    'R2 down',
    502,
    'backend_unreachable',
    (p) =>
      submit(p, envelope({ prescription_pdf_base64: PDF_BASE64 }), {
        FILES: { put: () => Promise.reject(new Error('put: internal error (10001)')) } as unknown as R2Bucket,
      }),
  ],
])('%s is answered %i %s and stores nothing', async (_, status, code, send) => {
  captureLogs();
  const pharmacy = await openPharmacy();
  const response = await send(pharmacy);
  const problem = await problemOf(response, status, code);
  expect(problem.instance).toBe('/api/v1/external-order');
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('Retry-After')).toBe(status === 502 ? '5' : null);
  expect(await stored(pharmacy.orgId)).toEqual(NOTHING);
});

test('an accepted submission is answered 200 with the fields of the contract and warnings', async ({ pharmacy }) => {
  const response = await submit(pharmacy, envelope({}, { external_reference: 'RX-2026-1' }));
  const body = await accepted(response);
  expect(Object.keys(body).sort()).toEqual(['external_reference', 'id', 'message', 'status', 'warnings']);
  expect(body).toMatchObject({ status: 'pending', external_reference: 'RX-2026-1' });
  expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(body.message.length).toBeGreaterThan(0);
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(response.headers.get('Idempotent-Replayed')).toBeNull();
  expect(await rows('select id, shop_id, status from order_requests where org_id = ?', pharmacy.orgId)).toEqual([
    { id: body.id, shop_id: pharmacy.shopId, status: 'pending' },
  ]);
});

test('a submission without a reference is answered null, each is a request of its own', async ({ pharmacy }) => {
  const body = envelope({}, { external_reference: undefined });
  const first = await accepted(await submit(pharmacy, body));
  const second = await accepted(await submit(pharmacy, body));
  expect([first.external_reference, second.external_reference]).toEqual([null, null]);
  expect(first.id).not.toBe(second.id);
  expect(await stored(pharmacy.orgId)).toMatchObject({ requests: 2, events: 2 });
});

test.each<[string, Partial<Env>]>([
  ['a limiter', { RATE_CONNECTOR: { limit: () => Promise.reject(new TypeError(SECRET_MESSAGE)) } }],
  [
    'D1, for a statement it refuses',
    { DB: doctoredDb(async () => refuse(`D1_ERROR: ${SECRET_MESSAGE}: SQLITE_ERROR`)) },
  ],
])('an unexpected error of %s is an opaque 500', async (_, changed) => {
  const { lines } = captureLogs();
  const pharmacy = await openPharmacy();
  const response = await submit(pharmacy, envelope(), changed);
  const text = await response.clone().text();
  const problem = await problemOf(response, 500, 'internal_error');
  expect(Object.keys(problem).sort()).toEqual(['code', 'detail', 'instance', 'request_id', 'status', 'title', 'type']);
  for (const leak of [text, ...lines]) expect(leak).not.toMatch(/insert into|Erika|Failed query|D1_ERROR|node_modules/);
  expect(lines.some((line) => line.includes('unexpected_error') && line.includes(problem.request_id))).toBe(true);
  expect(await stored(pharmacy.orgId)).toEqual(NOTHING);
});

function refuse(message: string): never {
  throw new Error(message);
}

test('a problem names the path without its query, and its own request id, never the caller’s', async ({ pharmacy }) => {
  const url = `${pharmacy.url}?apikey=${pharmacy.integrationKey}&note=patient`;
  const init = json(envelope({ items: [] }), { 'X-Request-Id': 'chosen-by-the-caller' });
  const response = await call(url, init);
  const text = await response.clone().text();
  const problem = await problemOf(response, 400, 'items_required');
  expect(problem.instance).toBe('/api/v1/external-order');
  expect(text).not.toContain('chosen-by-the-caller');
  expect(text).not.toContain('ofz_');
  const ok = await call(url, json(envelope(), { 'X-Request-Id': 'chosen-by-the-caller' }));
  expect(ok.status).toBe(200);
  expect(ok.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('a problem names every fault of the body at once: pointer, code and what to change', async ({ pharmacy }) => {
  const wrong = { customer_name: undefined, customer_email: 'nobody', payment_status: 'later' };
  const body = envelope({ ...wrong, items: [{ price: 'free', quantity: 0 }] });
  const problem = await problemOf(await submit(pharmacy, body), 400, 'validation_failed');
  expect(problem.errors?.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
    '/payload/customer_email invalid_format',
    '/payload/items/0/price invalid_type',
    '/payload/items/0/quantity too_small',
    '/payload/payment_status unknown_value',
  ]);
  for (const { message } of problem.errors ?? []) expect(message).toMatch(/\w{3,}/);
});

test.each([
  ['name alone', { customer_email: undefined }],
  ['e-mail alone', { customer_name: undefined }],
  ['e-mail with a blank name', { customer_name: '  ' }],
])('rule 1: %s is enough', async (_, payload) => {
  await accepted(await submit(await openPharmacy(), envelope(payload)));
});

test.each([
  ['neither', { customer_name: undefined, customer_email: undefined }],
  ['blanks', { customer_name: ' \t', customer_email: '' }],
])('rule 1: %s is refused', async (_, payload) => {
  const response = await submit(await openPharmacy(), envelope(payload));
  const { errors } = await problemOf(response, 400, 'customer_required');
  expect(errors).toEqual([{ pointer: '/payload', code: 'customer_required', message: expect.any(String) }]);
});

test.for([
  ['the PDF itself', { prescription_pdf_base64: PDF_BASE64 }, 'stored'],
  ['the PDF’s address', { prescription_pdf_url: 'https://files.example.com/rx.pdf' }, 'fetching'],
  ['both', { prescription_pdf_base64: PDF_BASE64, prescription_pdf_url: 'https://files.example.com/rx.pdf' }, 'stored'],
] as const)('rule 2: items may be missing when %s is there', async ([_, prescription, status], { pharmacy }) => {
  await accepted(await submit(pharmacy, envelope({ items: undefined, ...prescription })));
  await accepted(await submit(pharmacy, envelope({ items: null, ...prescription })));
  await accepted(await submit(pharmacy, envelope({ items: [], ...prescription })));
  expect(await rows('select status from prescriptions where org_id = ?', pharmacy.orgId)).toEqual(
    Array(3).fill({ status }),
  );
  expect(await rows('select items from order_requests where org_id = ?', pharmacy.orgId)).toEqual(
    Array(3).fill({ items: '[]' }),
  );
});

test.each([
  ['a blank PDF', { prescription_pdf_base64: ' ' }],
  ['an empty PDF', { prescription_pdf_base64: '' }],
  ['a blank address', { prescription_pdf_url: '  ' }],
  ['nulls', { prescription_pdf_base64: null, prescription_pdf_url: null }],
])('rule 2: %s does not stand in for items', async (_, prescription) => {
  const response = await submit(await openPharmacy(), envelope({ items: undefined, ...prescription }));
  const { errors } = await problemOf(response, 400, 'items_required');
  expect(errors).toMatchObject([{ pointer: '/payload/items' }]);
});

test.each([{ name: 'Ibuprofen' }, { p1_id: 'P1-1' }, { product_id: 'X-1' }])(
  'rule 3: %o alone names an item',
  async (named) => {
    await accepted(await submit(await openPharmacy(), envelope({ items: [{ quantity: 1, price: 1, ...named }] })));
  },
);

test.each([{}, { name: ' ' }, { name: null, p1_id: '', product_id: '\t' }])(
  'rule 3: an item named by %o is refused',
  async (named) => {
    const items = [ITEM, { quantity: 1, price: 1, ...named }];
    const response = await submit(await openPharmacy(), envelope({ items }));
    const { errors } = await problemOf(response, 400, 'item_identity_required');
    expect(errors).toMatchObject([{ pointer: '/payload/items/1' }]);
  },
);

test('rule 4: org_id and shop_id that agree with the address are ignored, others refused', async ({ pharmacy }) => {
  const sister = await operate<{ shop_id: string }>(`/organizations/${pharmacy.orgId}/shops`, {
    name: 'Süd',
    hosts: [],
  });
  const own = { org_id: pharmacy.orgId, shop_id: pharmacy.shopId };
  await accepted(await submit(pharmacy, envelope({}, own)));
  await accepted(await submit(pharmacy, envelope({}, { org_id: null, shop_id: ' ' })));
  await accepted(await submit(pharmacy, envelope({ ...own, shop_id: ` ${own.shop_id.toUpperCase()} ` })));
  for (const other of [
    { shop_id: sister.shop_id },
    { org_id: newId() },
    { ...own, org_id: (await openPharmacy()).orgId },
  ]) {
    await problemOf(await submit(pharmacy, envelope({}, other)), 400, 'shop_mismatch');
    await problemOf(await submit(pharmacy, envelope(other)), 400, 'shop_mismatch');
  }
  await accepted(await submit(pharmacy, envelope({ shop_id: 'filiale-7', org_id: 42 })));
  expect(await stored(pharmacy.orgId)).toMatchObject({ requests: 4 });
});

test.for([undefined, null, '', '   '])('a source of %j becomes shop:<shop_id>', async (source, { pharmacy }) => {
  await accepted(await submit(pharmacy, envelope({}, { source })));
  expect(await rows('select source from order_requests where org_id = ?', pharmacy.orgId)).toEqual([
    { source: `shop:${pharmacy.shopId}` },
  ]);
  const [event] = await rows<{ body: string }>('select body from events where org_id = ?', pharmacy.orgId);
  expect(JSON.parse(event?.body ?? '')).toMatchObject({ metadata: { source: `shop:${pharmacy.shopId}` } });
});

test.for([
  [{}, 'cash_on_pickup'],
  [{ cash_on_pickup: false }, 'pending'],
  [{ payment_status: ' paid ', cash_on_pickup: true }, 'paid'],
  [{ payment_status: '', cash_on_pickup: false }, 'pending'],
] as const)('of %j the payment status becomes %s', async ([payload, expected], { pharmacy }) => {
  await accepted(await submit(pharmacy, envelope(payload)));
  expect(await rows('select payment_status from order_requests where org_id = ?', pharmacy.orgId)).toEqual([
    { payment_status: expected },
  ]);
});

test.each([
  ['payment_status', 'refunded', 'unknown_value'],
  ['payment_status', 'PAID', 'unknown_value'],
  ['shipping_option', 'Drohne', 'unknown_shipping_option'],
])('%s is a closed list: %s is refused and the allowed values are named', async (field, value, code) => {
  const response = await submit(await openPharmacy(), envelope({ [field]: value }));
  const problem = await response.json<Problem>();
  expect(response.status).toBe(400);
  expect(problem.errors).toMatchObject([
    { pointer: `/payload/${field}`, code, message: expect.stringMatching(/^Allowed: /) },
  ]);
});

test.each(['Abholung', 'Versand', 'Express', 'Lieferdienst'])('every shop takes shipping_option %s', async (option) => {
  const pharmacy = await openPharmacy();
  await accepted(await submit(pharmacy, envelope({ shipping_option: `${option} ` })));
  expect(await rows('select shipping_option from order_requests where org_id = ?', pharmacy.orgId)).toEqual([
    { shipping_option: option },
  ]);
});

test('the fourth shipping_option is the name of the shop’s own delivery service', async ({ pharmacy }) => {
  const host = `rx-${newId()}.localhost`;
  await operate(`/organizations/${pharmacy.orgId}/shops`, {
    name: 'Süd',
    hosts: [host],
    delivery_service_name: 'Flitzer',
  });
  const south = { ...pharmacy, url: `http://${host}:8787/api/v1/external-order` };
  await accepted(await submit(south, envelope({ shipping_option: 'Flitzer' })));
  const refused = await submit(south, envelope({ shipping_option: 'Lieferdienst' }));
  const { errors } = await problemOf(refused, 400, 'unknown_shipping_option');
  expect(errors?.[0]?.message).toContain('Flitzer');
});

test('qty without quantity is told to use quantity; beside quantity it is an extra field', async ({ pharmacy }) => {
  const response = await submit(pharmacy, envelope({ items: [{ name: 'A', price: 1, qty: 2 }] }));
  const { errors } = await problemOf(response, 400, 'validation_failed');
  expect(errors).toContainEqual({
    pointer: '/payload/items/0/qty',
    code: 'use_quantity',
    message: expect.stringMatching(/^Use quantity/),
  });
  await accepted(await submit(pharmacy, envelope({ items: [{ name: 'A', price: 1, quantity: 1, qty: 2 }] })));
});

const TEXT_COLUMNS = {
  customer_name: 'Erika Mustermann',
  customer_id: 'C-77',
  address_street: 'Am Markt 1',
  address_city: 'Köln',
  address_postal_code: '01067',
  address_phone: '+49 221 4711',
  payment_reference: 'TX-4711',
};

test('texts are stored trimmed, blank and null as missing', async ({ pharmacy }) => {
  const columns = async (texts: Record<string, unknown>) => {
    const { id } = await accepted(await submit(pharmacy, envelope(texts)));
    const row = await rowOf<Record<string, unknown>>('order_requests', { id });
    return Object.fromEntries(Object.keys(texts).map((field) => [field, row[field]]));
  };
  const each = (change: (text: string) => unknown) =>
    Object.fromEntries(Object.entries(TEXT_COLUMNS).map(([field, text]) => [field, change(text)]));
  expect(await columns(each((text) => `  ${text}\t`))).toEqual(TEXT_COLUMNS);
  for (const nothing of ['', '   ', null]) expect(await columns(each(() => nothing))).toEqual(each(() => null));
});

test('references are compared and stored trimmed, answered as sent; a blank one is none', async ({ pharmacy }) => {
  const send = async (external_reference: string) =>
    accepted(await submit(pharmacy, envelope({}, { external_reference })));
  const [first, again, blank] = [await send('  sp ace '), await send('sp ace\n'), await send('  ')];
  expect([first, again, blank].map((each) => each.external_reference)).toEqual(['  sp ace ', 'sp ace\n', null]);
  expect(again.id).toBe(first.id);
  expect(await rows('select external_reference from order_requests where id = ?', first.id)).toEqual([
    { external_reference: 'sp ace' },
  ]);
});

test('items are stored in the order sent, in cents, trimmed', async ({ pharmacy }) => {
  const items = [
    { name: ' B ', quantity: 9999, price: 0, p1_id: ' P1-2 ', note: 'extra' },
    { product_id: 'X-1', quantity: 1, price: 0.1 + 0.2, name: null },
  ];
  await accepted(await submit(pharmacy, envelope({ items, total_amount: 19.99 })));
  const row = await rowOf('order_requests', { org_id: pharmacy.orgId });
  expect(row.total_cents).toBe(1999);
  expect(JSON.parse(row.items)).toEqual([
    { name: 'B', quantity: 9999, priceCents: 0, p1Id: 'P1-2', productId: null },
    { name: null, quantity: 1, priceCents: 30, p1Id: null, productId: 'X-1' },
  ]);
});

test('the payload is stored as sent, unknown fields included, without the base64', async ({ pharmacy }) => {
  const sent = envelope(
    {
      customer_name: ' Erika ',
      prescription_pdf_base64: PDF_BASE64,
      insurance: { kind: 'private', tags: ['a', null] },
    },
    { platform_version: '7.1', flags: [1, true] },
  );
  await accepted(await submit(pharmacy, sent));
  const [row] = await rows<{ payload: string }>('select payload from order_requests where org_id = ?', pharmacy.orgId);
  const { prescription_pdf_base64: _, ...payload } = sent.payload as Record<string, unknown>;
  expect(JSON.parse(row?.payload ?? '')).toEqual({ ...sent, payload });
});

/** Puts a product into an organization's inventory. */
async function hold(org_id: string): Promise<string> {
  const p1_id = `P1-${newId()}`;
  await insertRow('catalog_products', { p1_id, name: 'Ibuprofen', slug: p1_id });
  await insertRow('inventory', { org_id, p1_id });
  return p1_id;
}

test('items that name no product of the organization bring unmatched_item with their place', async ({ pharmacy }) => {
  const elsewhere = await hold((await openPharmacy()).orgId);
  const held = await hold(pharmacy.orgId);
  const items = [ITEM, { ...ITEM, p1_id: held }, { ...ITEM, p1_id: elsewhere }];
  const { warnings } = await accepted(await submit(pharmacy, envelope({ items })));
  expect(warnings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
    'unmatched_item /payload/items/0',
    'unmatched_item /payload/items/2',
  ]);
});

test.for([
  [9.9, undefined],
  [9.90000001, undefined],
  [9.91, undefined],
  [14.8, undefined],
  [40, 'fee_differs'],
  [0, 'fee_differs'],
  [null, undefined],
] as const)('a total of %j for two at 4.95 gives the warning %s', async ([total, expected], { pharmacy }) => {
  const { warnings } = await accepted(await submit(pharmacy, envelope({ total_amount: total })));
  expect(warnings.map(({ code }) => code).find((code) => code === 'fee_differs')).toBe(expected);
});

test('a total without items is only shown', async ({ pharmacy }) => {
  const body = envelope({ total_amount: 10, items: undefined, prescription_pdf_base64: PDF_BASE64 });
  expect((await accepted(await submit(pharmacy, body))).warnings).toEqual([]);
});

test.for([
  'Application/JSON; Charset=UTF-8',
  // Two equal headers as a proxy joins them.
  'application/json, application/json',
])('a content type %s is JSON all the same', async (type, { pharmacy }) => {
  await accepted(await call(pharmacy.url, signed(pharmacy, envelope(), { 'Content-Type': type })));
});

test('a way to ship is taken in upper or lower case at every door, and kept as the shop writes it', async ({
  seller,
}) => {
  await rows("update shops set delivery_service_name = 'Löwenbote' where id = ?", seller.shopId);
  const kept = 'select shipping_option as kept from';
  for (const [sent, expected] of [
    ['abholung', 'Abholung'],
    [' VERSAND ', 'Versand'],
    ['LÖWENBOTE', 'Löwenbote'],
  ]) {
    const { body } = await ask(seller, 'POST', '/external-order', { body: envelope({ shipping_option: sent }) });
    expect(await rows(`${kept} order_requests where id = ?`, body.id)).toEqual([{ kept: expected }]);
    const order = await openOrder(seller, { shipping_option: sent });
    expect(order.shipping_option).toBe(expected);
    const patched = await patchOrder(seller, order.id, { shipping_option: sent?.toLowerCase() });
    expect(succeeded(patched).shipping_option).toBe(expected);
  }
});
