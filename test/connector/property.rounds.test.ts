import fc from 'fast-check';
import { emailIn } from '../../src/order-requests/envelope';
import { newId } from '../../src/platform/ids';
import { toUnitCents } from '../../src/platform/money';
import { captureLogs, raw } from '../support/probe';
import { rounds } from '../support/rounds';
import { beforeEach, expect, test } from '../support/test';
import { call, type Pharmacy, rows } from '../support/world';

beforeEach(() => void captureLogs());
/** Fixed, so that a failure can be run again; fast-check prints it with the smallest body that fails. */
const SEED = 20_261_120;
const BODIES = rounds(200, 2_000);
/** Fewer would mean that the generator misses what the connector takes. */
const ACCEPTED_MIN = BODIES * 0.3;

const nastyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\t',
    '\u00a0',
    '\u200b',
    '\ufeff',
    '\u0000',
    '\ud800',
    '\u2028',
    "'; drop table order_requests; --",
    '{{7*7}}',
    '%00',
    '__proto__',
    'constructor',
    '{"a":1}',
    'x'.repeat(201),
    '😀'.repeat(101),
    'null',
    '<script>alert(1)</script>',
    'İ',
    'ﬃ',
    '\u202eabc',
    'a\u0301'.repeat(60),
  ),
);
const nastyNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 1e300, 1e-300, 2 ** 53, -1, 0.005, 0.1 + 0.2, 9_999_999.99, 10_000_000, 10_000_000.01),
);
const anything = fc.oneof(fc.jsonValue({ maxDepth: 5 }), nastyText, nastyNumber, fc.constant(null));
/** Sound so often that a body of ten such fields often passes whole. */
function mostly<T, U>(sound: fc.Arbitrary<T>, nasty: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: 40, arbitrary: sound }, { weight: 1, arbitrary: nasty });
}

const plainText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
const text = mostly(plainText, nastyText);
const cents = fc.integer({ min: 0, max: 100_000 }).map((amount) => amount / 100);

const pdf = mostly(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, ...bytes]).toBase64()),
  fc.oneof(
    fc.uint8Array({ maxLength: 50 }).map((bytes) => bytes.toBase64()),
    fc.base64String({ maxLength: 50 }),
    nastyText,
  ),
);

const item = fc.record(
  {
    name: text,
    quantity: mostly(fc.integer({ min: 1, max: 9999 }), nastyNumber),
    price: mostly(cents, nastyNumber),
    p1_id: text,
    product_id: text,
    note: anything,
  },
  { requiredKeys: ['name', 'quantity', 'price'] },
);

const validLike = fc.record(
  {
    source: text,
    extra: anything,
    payload: fc.record(
      {
        customer_name: text,
        customer_email: mostly(fc.constantFrom('a@b.example', ' erika@example.com ', ''), nastyText),
        customer_id: text,
        address_street: text,
        address_city: text,
        address_postal_code: text,
        address_phone: text,
        shipping_option: mostly(fc.constantFrom('Abholung', 'Versand ', 'Express', 'Lieferdienst'), nastyText),
        cash_on_pickup: fc.boolean(),
        payment_status: mostly(fc.constantFrom('cash_on_pickup', 'paid', ' pending'), nastyText),
        payment_reference: text,
        total_amount: mostly(cents, nastyNumber),
        prescription_pdf_base64: pdf,
        prescription_pdf_url: mostly(
          fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }),
          fc.oneof(
            nastyText,
            fc.constantFrom('https://127.0.0.1/', 'https://a..b/', 'https://xn--/', 'ftp://a.example'),
          ),
        ),
        items: fc.array(item, { minLength: 1, maxLength: 5 }),
        insurance: anything,
      },
      { requiredKeys: ['customer_name', 'items'] },
    ),
  },
  { requiredKeys: ['payload'] },
);

/** A submission with some of its members, at any depth, put in place of something else. */
const mutated = fc
  .tuple(validLike, fc.array(fc.tuple(fc.nat(), anything), { minLength: 1, maxLength: 3 }))
  .map(([body, changes]) => {
    const copy = structuredClone(body) as Record<string, unknown>;
    for (const [pick, value] of changes) replaceSomewhere(copy, pick, value);
    return copy;
  });

function replaceSomewhere(root: Record<string, unknown>, pick: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (holder: Record<string, unknown>) => {
    for (const [key, child] of Object.entries(holder)) {
      places.push([holder, key]);
      if (typeof child === 'object' && child !== null) visit(child as Record<string, unknown>);
    }
  };
  visit(root);
  const place = places[pick % places.length];
  if (place) place[0][place[1]] = value;
}

const bodies = fc.oneof(
  { weight: 4, arbitrary: validLike },
  { weight: 3, arbitrary: mutated },
  { weight: 2, arbitrary: anything },
  { weight: 1, arbitrary: fc.record({ payload: anything, external_reference: anything, source: anything }) },
);

test('whatever is sent is taken as it is or refused with a reason, never an error of ours', async ({ pharmacy }) => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      accepted += (await takenOrRefused(pharmacy, withFreshReference(body))) ? 1 : 0;
    }),
    { seed: SEED, numRuns: BODIES },
  );
  expect(accepted).toBeGreaterThanOrEqual(ACCEPTED_MIN);
});

test('whatever bytes are sent are refused with a reason, and never an error of ours', async ({ pharmacy }) => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json({ maxDepth: 30 }).map((json) => new TextEncoder().encode(json)),
    fc.string({ unit: 'binary' }).map((json) => new TextEncoder().encode(`{"payload":${json}}`)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (body) => {
      const response = await call(pharmacy.url, raw(pharmacy, body));
      expect([400, 413, 415]).toContain(response.status);
    }),
    { seed: SEED, numRuns: rounds(60, 300) },
  );
});

/** References of two generated bodies must not meet. */
function withFreshReference(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return 'external_reference' in body ? body : { ...body, external_reference: newId() };
}

async function takenOrRefused(pharmacy: Pharmacy, body: unknown): Promise<boolean> {
  const sent = JSON.stringify(body);
  const response = await call(pharmacy.url, raw(pharmacy, sent));
  const answer = await response.json<Record<string, unknown>>();
  if (response.status !== 200) {
    expect([400, 409]).toContain(response.status);
    expect(answer).toMatchObject({ code: expect.any(String), detail: expect.any(String) });
    return false;
  }
  const [row] = await rows<StoredRow>('select * from order_requests where id = ?', answer.id);
  expect(row).toBeDefined();
  if (response.headers.get('Idempotent-Replayed') === null) expectStoredAsSent(row as StoredRow, JSON.parse(sent));
  return true;
}

interface StoredRow extends Record<string, unknown> {
  payload: string;
  items: string;
}

interface Sent extends Record<string, unknown> {
  payload: Record<string, unknown> & { items?: Record<string, unknown>[] | null };
}

function expectStoredAsSent(row: StoredRow, sent: Sent): void {
  const { prescription_pdf_base64: _, ...kept } = sent.payload;
  expect(JSON.parse(row.payload)).toEqual({ ...sent, payload: kept });
  const { payload } = sent;
  const cashOnPickup = payload.cash_on_pickup ?? true;
  expect(row).toMatchObject({
    status: 'pending',
    source: textOf(sent.source)?.normalize('NFC') ?? `shop:${row.shop_id}`,
    external_reference: textOf(sent.external_reference)?.normalize('NFC') ?? null,
    customer_name: textOf(payload.customer_name),
    customer_email: emailIn({ customer_email: textOf(payload.customer_email) ?? undefined }),
    customer_id: textOf(payload.customer_id),
    address_street: textOf(payload.address_street),
    address_city: textOf(payload.address_city),
    address_postal_code: digitsOf(payload.address_postal_code),
    address_phone: textOf(payload.address_phone),
    shipping_option: textOf(payload.shipping_option),
    payment_status: textOf(payload.payment_status) ?? (cashOnPickup ? 'cash_on_pickup' : 'pending'),
    payment_reference: textOf(payload.payment_reference),
    total_cents: centsOf(payload.total_amount),
  });
  expect(JSON.parse(row.items)).toEqual(
    (payload.items ?? []).map((line) => ({
      name: textOf(line.name),
      quantity: line.quantity,
      priceCents: toUnitCents(line.price as number),
      p1Id: digitsOf(line.p1_id),
      productId: digitsOf(line.product_id),
    })),
  );
}

/** A text whose digits may be sent as a number. */
function digitsOf(value: unknown): string | null {
  return textOf(Number.isInteger(value) ? String(value) : value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.trim() || null : null;
}

function centsOf(value: unknown): number | null {
  return typeof value === 'number' ? Number((value * 100).toFixed(0)) : null;
}
