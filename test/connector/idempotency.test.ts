import { env } from 'cloudflare:workers';
import { newId } from '../../src/platform/ids';
import { accepted, meteredDb, problemOf, stored } from '../support/probe';
import { rowOf } from '../support/rows';
import { test as base, expect } from '../support/test';
import { envelope, openPharmacy, operate, PDF_BASE64, type Pharmacy, rows, submit, subscribe } from '../support/world';

const test = base.extend('first', async ({ pharmacy }) => accepted(await submit(pharmacy, repeatable())));

const REPLAYED = 'Idempotent-Replayed';
const OTHER_PDF = btoa('%PDF-1.7\nanother file');

/** A submission as platforms repeat it: the same body each time. */
function repeatable(payload: Record<string, unknown> = {}) {
  return envelope(payload, { external_reference: 'RX-1' });
}

async function decide(id: string, status: 'approved' | 'rejected') {
  await rows('update order_requests set status = ? where id = ?', status, id);
}

/** Another key of the organization; with `rotates`, one of the same family. */
async function anotherKey(pharmacy: Pharmacy, rotates = false): Promise<Pharmacy> {
  const { key_id, api_key: integrationKey = '' } = await operate(`/organizations/${pharmacy.orgId}/api-keys`, {
    name: 'telemed, again',
    scopes: ['external_orders.submit'],
  });
  if (rotates) {
    await rows(
      'update api_keys set family_id = (select family_id from api_keys where id = ?) where id = ?',
      pharmacy.integrationKey.split('_')[1],
      key_id,
    );
  }
  return { ...pharmacy, integrationKey };
}

test('the same submission 50 times in parallel makes one request, one event and one delivery per subscription', async () => {
  const pharmacy = await openPharmacy();
  await subscribe(pharmacy.orgId, 'https://one.example.com/hook');
  await subscribe(pharmacy.orgId, 'https://two.example.com/hook');
  await subscribe(pharmacy.orgId, 'https://three.example.com/hook', ['order_created']);
  const body = repeatable({ prescription_pdf_base64: PDF_BASE64 });

  const responses = await Promise.all(Array.from({ length: 50 }, () => submit(pharmacy, body)));

  const answers = await Promise.all(responses.map(accepted));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(responses.filter((response) => response.headers.get(REPLAYED) === 'true')).toHaveLength(49);
  expect(await stored(pharmacy.orgId)).toEqual({ requests: 1, prescriptions: 1, events: 1, deliveries: 2 });
  const prescription = await rowOf('prescriptions', { org_id: pharmacy.orgId });
  expect(prescription.order_request_id).toBe(answers[0]?.id);
  const file = await env.FILES.get(prescription.file_key);
  expect(await file?.text()).toBe(atob(PDF_BASE64));
});

test('20 payloads of one reference in parallel make one request, and the others are told', async ({ pharmacy }) => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => submit(pharmacy, repeatable({ address_city: `Ort ${index}` }))),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  expect(await stored(pharmacy.orgId)).toMatchObject({ requests: 1, events: 1 });
});

const ITEM = { name: 'Ibuprofen 400', quantity: 2, price: 4.95 };

test.each<[string[], Record<string, unknown>]>([
  [['customer_name'], { customer_name: 'Max Muster' }],
  [['payment_status'], { cash_on_pickup: false }],
  [['items'], { items: [{ ...ITEM, quantity: 3 }] }],
  [['prescription'], { prescription_pdf_base64: OTHER_PDF }],
  [['prescription'], { prescription_pdf_base64: null }],
  [['prescription'], { prescription_pdf_base64: null, prescription_pdf_url: 'https://files.example.com/a.pdf' }],
  [
    ['customer_name', 'total_amount', 'prescription'],
    { customer_name: 'X', total_amount: 1, prescription_pdf_base64: OTHER_PDF },
  ],
])('a reference with another %j is a conflict that names them and holds no value', async (differs, change) => {
  const pharmacy = await openPharmacy();
  const first = { prescription_pdf_base64: PDF_BASE64 };
  const { id } = await accepted(await submit(pharmacy, repeatable(first)));
  const before = await stored(pharmacy.orgId);
  const response = await submit(pharmacy, repeatable({ ...first, ...change }));
  const text = await response.clone().text();
  const problem = await problemOf(response, 409, 'external_reference_conflict');
  expect(problem.differs).toEqual(differs);
  expect(problem.existing).toEqual({ id, status: 'pending' });
  for (const value of ['Erika', 'erika@', 'Ibuprofen', 'RX-1', ...textsOf(change)]) expect(text).not.toContain(value);
  expect(await stored(pharmacy.orgId)).toEqual(before);
});

/** Submitted texts that could be told from the words of an answer. */
function textsOf(change: Record<string, unknown>): string[] {
  return Object.values(change).filter((value) => typeof value === 'string' && value.length > 4) as string[];
}

test('a prescription’s address counts by what it is, not by the spaces around it', async ({ pharmacy }) => {
  const url = 'https://files.example.com/a.pdf?token=1';
  await accepted(await submit(pharmacy, repeatable({ prescription_pdf_url: ` ${url}\t` })));
  const again = await submit(pharmacy, repeatable({ prescription_pdf_url: url }));
  expect([again.status, again.headers.get(REPLAYED)]).toEqual([200, 'true']);
  const other = await submit(pharmacy, repeatable({ prescription_pdf_url: url, customer_name: 'Max' }));
  expect((await problemOf(other, 409, 'external_reference_conflict')).differs).toEqual(['customer_name']);
});

test('a prescription’s address that is signed anew is the same submission', async ({ pharmacy }) => {
  const signed = (by: string) =>
    repeatable({ prescription_pdf_url: `https://files.example.com/a.pdf?signature=${by}` });
  await accepted(await submit(pharmacy, signed('s'.repeat(8_000))));
  const again = await submit(pharmacy, signed('t'));
  expect([again.status, again.headers.get(REPLAYED)]).toEqual([200, 'true']);
});

test('a submission is the same whether its letters are composed or not', async ({ pharmacy }) => {
  const of = (form: string) => {
    const [customer_name, external_reference, source] = ['Jörg', 'Grün-1', 'grün.example'].map((text) =>
      text.normalize(form),
    );
    return envelope({ customer_name }, { external_reference, source });
  };
  const { id } = await accepted(await submit(pharmacy, of('NFC')));
  const again = await submit(pharmacy, of('NFD'));
  expect(again.headers.get(REPLAYED)).toBe('true');
  expect((await accepted(again)).id).toBe(id);
});

test.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
  ['spaces around a text', { customer_name: ' Erika Mustermann ' }],
  ['a default said aloud', { cash_on_pickup: true }],
  ['float noise in a price', { items: [{ ...ITEM, price: 4.950000000001 }] }],
  ['a field that it does not know', { sent_at: '2026-11-20T10:00:00Z', items: [{ ...ITEM, sku: 1 }] }, { attempt: 2 }],
  ['spaces around the reference', {}, { external_reference: ' RX-1 ' }],
])('a repetition that differs in %s is the same submission', async (_, payload, rest = {}) => {
  const pharmacy = await openPharmacy();
  const first = await accepted(await submit(pharmacy, repeatable()));
  const again = await submit(pharmacy, { ...repeatable(payload), ...rest });
  expect(again.headers.get(REPLAYED)).toBe('true');
  const { external_reference = first.external_reference } = rest;
  expect(await accepted(again)).toEqual({ ...first, external_reference });
  expect(await stored(pharmacy.orgId)).toMatchObject({ requests: 1, events: 1 });
});

/** Senders whose references are their own. */
const STRANGERS: [string, (pharmacy: Pharmacy) => Promise<Pharmacy>, Record<string, unknown>][] = [
  ['two integrations', (pharmacy) => anotherKey(pharmacy), {}],
  ['two sources', async (pharmacy) => pharmacy, { source: 'other.example' }],
  ['a source and none', async (pharmacy) => pharmacy, { source: undefined }],
  ['two shops', anotherShop, {}],
  ['two organizations', () => openPharmacy(), {}],
  ['references in other cases', async (pharmacy) => pharmacy, { external_reference: 'rx-1' }],
];

test.for(STRANGERS)('the same reference from %s never meets', async ([_, otherOf, change], { pharmacy }) => {
  const first = await accepted(await submit(pharmacy, repeatable()));
  const response = await submit(await otherOf(pharmacy), { ...repeatable({ customer_name: 'Max' }), ...change });
  expect(response.headers.get(REPLAYED)).toBeNull();
  expect((await accepted(response)).id).not.toBe(first.id);
});

test.for(STRANGERS)('a rejected reference of %s never meets either', async ([_, otherOf, change], { pharmacy }) => {
  const first = await accepted(await submit(pharmacy, repeatable()));
  await decide(first.id, 'rejected');
  const response = await submit(await otherOf(pharmacy), { ...repeatable(), ...change });
  expect(response.headers.get(REPLAYED)).toBeNull();
  const { id, status } = await accepted(response);
  expect(status).toBe('pending');
  expect(await rows('select supersedes_id from order_requests where id = ?', id)).toEqual([{ supersedes_id: null }]);
});

async function anotherShop(pharmacy: Pharmacy): Promise<Pharmacy> {
  const host = `sued-${newId()}.localhost`;
  await operate(`/organizations/${pharmacy.orgId}/shops`, { name: 'Süd', hosts: [host] });
  return { ...pharmacy, url: `http://${host}:8787/api/v1/external-order` };
}

test('a rotated key is the same integration', async ({ pharmacy, first }) => {
  const rotated = await anotherKey(pharmacy, true);
  const again = await submit(rotated, repeatable());
  expect(again.headers.get(REPLAYED)).toBe('true');
  expect((await accepted(again)).id).toBe(first.id);
  const other = await submit(rotated, repeatable({ customer_name: 'Max' }));
  await problemOf(other, 409, 'external_reference_conflict');
});

test('a repetition after approval is answered with the request and its status', async ({ pharmacy, first: { id } }) => {
  await decide(id, 'approved');
  const again = await submit(pharmacy, repeatable());
  expect(again.headers.get(REPLAYED)).toBe('true');
  expect(await accepted(again)).toMatchObject({ id, status: 'approved' });
  const other = await problemOf(
    await submit(pharmacy, repeatable({ customer_name: 'Max' })),
    409,
    'external_reference_conflict',
  );
  expect(other.existing).toEqual({ id, status: 'approved' });
  expect(await stored(pharmacy.orgId)).toMatchObject({ requests: 1, events: 1 });
});

test('a repetition is told what became of its request, in words that fit the status', async ({ pharmacy }) => {
  const answer = async () => {
    const { status, message } = await accepted(await submit(pharmacy, repeatable()));
    return [status, message];
  };
  const { id } = await accepted(await submit(pharmacy, repeatable()));
  expect(await answer()).toEqual(['pending', 'Order request received. The pharmacy will review it.']);
  for (const status of ['approved', 'rejected'] as const) {
    await decide(id, status);
    expect(await answer()).toEqual([
      status,
      expect.stringMatching(new RegExp(`received before.*has ${status} it\\.$`)),
    ]);
  }
});

test('a repetition after rejection reopens nothing, and gives up its own file in the batch', async ({ pharmacy }) => {
  await subscribe(pharmacy.orgId, 'https://one.example.com/hook');
  const body = repeatable({ prescription_pdf_base64: PDF_BASE64 });
  const { id } = await accepted(await submit(pharmacy, body));
  await decide(id, 'rejected');
  const before = await stored(pharmacy.orgId);
  const { DB, trips } = meteredDb();
  const again = await submit(pharmacy, body, { DB });
  expect(again.headers.get(REPLAYED)).toBe('true');
  expect(await accepted(again)).toMatchObject({ id, status: 'rejected', external_reference: 'RX-1' });
  expect(trips.map(({ rowsWritten }) => rowsWritten)).toEqual([0, 1]);
  expect(await stored(pharmacy.orgId)).toEqual(before);
});

test('after rejection another payload is a new request that names the one before', async ({ pharmacy, first }) => {
  await decide(first.id, 'rejected');
  const corrected = await submit(pharmacy, repeatable({ customer_name: 'Max' }));
  expect(corrected.headers.get(REPLAYED)).toBeNull();
  const second = await accepted(corrected);
  expect(
    await rows('select id, status, supersedes_id from order_requests where org_id = ? order by id', pharmacy.orgId),
  ).toEqual([
    { id: first.id, status: 'rejected', supersedes_id: null },
    { id: second.id, status: 'pending', supersedes_id: first.id },
  ]);

  // From here on each body finds its own request, and a third one meets the live one.
  expect(await accepted(await submit(pharmacy, repeatable()))).toMatchObject({ id: first.id, status: 'rejected' });
  expect(await accepted(await submit(pharmacy, repeatable({ customer_name: 'Max' })))).toMatchObject({ id: second.id });
  const third = await problemOf(
    await submit(pharmacy, repeatable({ customer_name: 'Mia' })),
    409,
    'external_reference_conflict',
  );
  expect(third.existing).toEqual({ id: second.id, status: 'pending' });

  await decide(second.id, 'rejected');
  const fourth = await accepted(await submit(pharmacy, repeatable({ customer_name: 'Mia' })));
  expect(await rows('select supersedes_id from order_requests where id = ?', fourth.id)).toEqual([
    { supersedes_id: second.id },
  ]);
  expect(await stored(pharmacy.orgId)).toMatchObject({ requests: 3, events: 3 });
});

test('corrections of a rejected request in parallel make one new request', async ({ pharmacy, first }) => {
  await decide(first.id, 'rejected');
  const corrected = repeatable({ customer_name: 'Max' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(pharmacy, corrected).then(accepted)));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(await stored(pharmacy.orgId)).toMatchObject({ requests: 2, events: 2 });
});

test('a fingerprint that was made in another way leaves the decision to the fields', async ({
  pharmacy,
  first: { id },
}) => {
  const unknown = `r1.${'f'.repeat(64)}`;
  const put = () => rows('update order_requests set fingerprint = ? where id = ?', unknown, id);
  await put();
  const again = await submit(pharmacy, repeatable());
  expect(again.headers.get(REPLAYED)).toBe('true');
  expect(await accepted(again)).toMatchObject({ id });
  await put();
  const other = await problemOf(
    await submit(pharmacy, repeatable({ customer_name: 'Mia' })),
    409,
    'external_reference_conflict',
  );
  expect(other).toMatchObject({ existing: { id, status: 'pending' }, differs: ['customer_name'] });
});

test('an erased request does not answer for its reference', async ({ pharmacy, first: { id } }) => {
  await rows(
    `update order_requests set status = 'deleted', fingerprint = null, external_reference = null, payload = null where id = ?`,
    id,
  );
  const again = await submit(pharmacy, repeatable());
  expect(again.headers.get(REPLAYED)).toBeNull();
  expect((await accepted(again)).id).not.toBe(id);
});

test('the payload that is kept is the first one', async ({ pharmacy }) => {
  await accepted(await submit(pharmacy, repeatable({ note: 'first' })));
  await accepted(await submit(pharmacy, repeatable({ note: 'second' })));
  const [row] = await rows<{ payload: string }>('select payload from order_requests where org_id = ?', pharmacy.orgId);
  expect(JSON.parse(row?.payload ?? '')).toMatchObject({ payload: { note: 'first' } });
});

test('a failed request never burns its reference', async ({ pharmacy }) => {
  for (const payload of [
    { items: [] },
    { shipping_option: 'Drohne' },
    { prescription_pdf_base64: 'x' },
    { note: 'x'.repeat(70_000) },
  ]) {
    expect((await submit(pharmacy, repeatable(payload))).status).toBe(400);
  }
  const response = await submit(pharmacy, repeatable());
  expect(response.headers.get(REPLAYED)).toBeNull();
  await accepted(response);
});

test('a fingerprint is keyed and holds nothing that could be guessed from it', async () => {
  const [one, two] = [await openPharmacy(), await openPharmacy()];
  await accepted(await submit(one, repeatable()));
  await accepted(await submit(two, repeatable(), { ROOT_SECRETS: env.ROOT_SECRETS }));
  const prints = await rows<{ fingerprint: string }>(
    'select fingerprint from order_requests where org_id in (?, ?)',
    one.orgId,
    two.orgId,
  );
  for (const { fingerprint } of prints) expect(fingerprint).toMatch(/^r1\.[0-9a-f]{64}$/);
  const plain = JSON.stringify(repeatable().payload);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(plain))).toHex();
  expect(prints.map(({ fingerprint }) => fingerprint)).not.toContain(digest);
});
