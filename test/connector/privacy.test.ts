import { env } from 'cloudflare:workers';
import { newApiKey } from '../../src/auth/keys/format';
import { captureLogs, doctoredDb, freshAddress, watchedFiles } from '../support/probe';
import { expect, test } from '../support/test';
import { call, envelope, json, ONE_DATABASE, openPharmacy, type Pharmacy, rows, subscribe } from '../support/world';

const NAME = 'Zacharias Zürgiebel';
const EMAIL = 'zuergiebel@mail.example';
const STREET = 'Geheimweg 17';
const PDF = btoa(`%PDF-1.7\n${NAME} Diagnose F32.1`);
const REFERENCE = 'RX-ZZ-0815-geheim';
const PATIENT = [NAME, 'Zürgiebel', EMAIL, STREET, PDF, 'F32.1'];

function secretBody(payload: Record<string, unknown> = {}) {
  const person = { customer_name: NAME, customer_email: EMAIL, address_street: STREET, prescription_pdf_base64: PDF };
  return envelope({ ...person, ...payload }, { external_reference: REFERENCE });
}

type Send = (pharmacy: Pharmacy, changed?: Partial<Env>) => Promise<Response>;

/** A submission that carries its key in the query, where most would be logged. */
const post =
  (payload: Record<string, unknown> = {}, always: Partial<Env> = {}): Send =>
  (pharmacy, changed = {}) => {
    const headers = { 'CF-Connecting-IP': freshAddress() };
    const url = `${pharmacy.url}?apikey=${pharmacy.integrationKey}&name=${encodeURIComponent(NAME)}`;
    return call(url, json(secretBody(payload), headers), { ...changed, ...always });
  };

/** What D1 and Drizzle say of a failed statement: all its parameters. */
const TELLING = `Failed query: insert into order_requests params: ${NAME},${EMAIL},${STREET},${REFERENCE}\n    at ${EMAIL} (${NAME}.ts:1:1)`;

/** The one database that is bound fails once host and key are looked up. */
function failing(message: string): Partial<Env> {
  const DB = doctoredDb(async (trip, send) => {
    if (trip > 1) throw new Error(message, { cause: new Error(message) });
    return send();
  });
  return { ...ONE_DATABASE, DB };
}

const REQUESTS: [string, number, Send][] = [
  ['accepted', 200, post()],
  ['without a customer', 400, post({ customer_name: 5, customer_email: `${NAME}` })],
  ['with values outside the lists', 400, post({ shipping_option: STREET, payment_status: NAME })],
  ['with a fault in every text', 400, post({ customer_name: `${NAME}\u0000`, address_street: `${STREET}\ud800` })],
  ['with a PDF that is none', 400, post({ prescription_pdf_base64: btoa(NAME.replace('ü', 'ue')) })],
  [
    'with an address on a private host',
    400,
    post({ prescription_pdf_url: `https://${'F32.1'.toLowerCase()}.internal/?p=${EMAIL}` }),
  ],
  ['too large', 400, post({ note: STREET.repeat(10_000) })],
  ['by a key that is unknown', 401, (p, changed) => post()({ ...p, integrationKey: newApiKey().key }, changed)],
  ['by a key that is malformed', 401, (p, changed) => post()({ ...p, integrationKey: 'ofz_typo' }, changed)],
  [
    'by two keys',
    400,
    (p, changed) => post()({ ...p, integrationKey: `${p.integrationKey}&apikey=ofz_other` }, changed),
  ],
  ['by GET', 405, (p, changed) => call(`${p.url}?apikey=${p.integrationKey}`, {}, changed)],
  ['to a host that is none', 404, (p, changed) => post()({ ...p, url: p.url.replace('rx-', 'unbekannt-') }, changed)],
  ['to a path that is none', 404, (p, changed) => call(`${p.url}/x?apikey=${p.integrationKey}`, {}, changed)],
  ['while D1 is away', 502, post({}, failing(`D1_ERROR: ${TELLING}`))],
  ['that D1 refuses', 500, post({}, failing(`D1_ERROR: ${TELLING}: SQLITE_ERROR`))],
  ['that breaks a constraint', 500, post({}, failing(`D1_ERROR: CHECK constraint failed: ${NAME}: SQLITE_CONSTRAINT`))],
  [
    'while R2 is away',
    502,
    post({}, { FILES: { put: () => Promise.reject(new TypeError(TELLING)) } as unknown as R2Bucket }),
  ],
  [
    'while the queue is away',
    200,
    post({}, { WEBHOOK_DELIVERIES: { sendBatch: () => Promise.reject(new Error(TELLING)) } as unknown as Queue }),
  ],
  [
    'while the limiter breaks',
    500,
    post({}, { RATE_CONNECTOR: { limit: () => Promise.reject(new RangeError(TELLING)) } }),
  ],
];

test.each(REQUESTS)(
  'a submission %s leaves no patient, key or reference in logs, R2 keys and answers',
  async (_, status, send) => {
    const pharmacy = await openPharmacy();
    await subscribe(pharmacy.orgId, 'https://hooks.example.com/offizin');
    const { lines } = captureLogs();
    const { FILES, keys } = watchedFiles();

    const response = await send(pharmacy, { FILES });

    expect(response.status).toBe(status);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of [...lines, ...keys]) {
      for (const secret of [...PATIENT, REFERENCE, pharmacy.integrationKey, 'ofz_', 'whsec_']) {
        expect(line).not.toContain(secret);
      }
    }
    const answer = await response.text();
    // An accepted submission gets its own reference back, by contract.
    for (const secret of [...PATIENT, ...(status === 200 ? [] : [REFERENCE]), 'ofz_', 'whsec_'])
      expect(answer).not.toContain(secret);
    const headers = JSON.stringify([...response.headers]);
    for (const secret of [...PATIENT, 'ofz_']) expect(headers).not.toContain(secret);
    for (const { body } of await rows<{ body: string }>('select body from events where org_id = ?', pharmacy.orgId)) {
      for (const secret of [...PATIENT, 'Ibuprofen', 'ofz_', 'whsec_']) expect(body).not.toContain(secret);
    }
  },
);

test('log lines hold the event and ids, so that the check above looks at something', async ({ pharmacy }) => {
  const { requests } = captureLogs();
  await post()(pharmacy);
  expect(requests()).toMatchObject([{ event: 'request', route: '/shop/api/v1/external-order', status: 200 }]);
});

test('an R2 key is made of a day and a random id, and what is stored with the file of ids', async ({ pharmacy }) => {
  const { FILES, keys } = watchedFiles();
  await post()(pharmacy, { FILES });
  expect(keys).toHaveLength(1);
  expect(keys[0]).toMatch(/^prescriptions\/\d{4}-\d\d-\d\d\/[0-9a-f-]{36}$/);
  const file = await env.FILES.head(keys[0] ?? '');
  expect(file?.httpMetadata).toEqual({ contentType: 'application/pdf' });
  // Whose it is, and no name: a restore of the database tells by it what is lost.
  const [{ id, shop_id }] = (await rows('select id, shop_id from order_requests where org_id = ?', pharmacy.orgId)) as [
    { id: string; shop_id: string },
  ];
  expect(file?.customMetadata).toEqual({ org_id: pharmacy.orgId, shop_id, order_request_id: id });
});

test('the base64 of a PDF stands in no table', async ({ pharmacy }) => {
  await post()(pharmacy);
  for (const table of ['order_requests', 'prescriptions', 'events', 'audit_log']) {
    const found = await rows(`select * from ${table} where org_id = ?`, pharmacy.orgId);
    expect(found.length).toBeGreaterThan(0);
    expect(JSON.stringify(found)).not.toContain(PDF.slice(0, 24));
  }
});

test('a submission writes no audit row: the request is the record', async ({ pharmacy }) => {
  const audits = () => rows('select id from audit_log where org_id = ?', pharmacy.orgId);
  const before = await audits();
  await post()(pharmacy);
  expect(await audits()).toEqual(before);
});

test('an agreement without submitted events keeps the event and sends it to nobody', async ({ pharmacy }) => {
  await subscribe(pharmacy.orgId, 'https://hooks.example.com/offizin');
  await rows('update api_keys set sends_submitted_events = 0 where org_id = ?', pharmacy.orgId);
  await post()(pharmacy);
  expect(await rows('select type from events where org_id = ?', pharmacy.orgId)).toEqual([
    { type: 'order_request_submitted' },
  ]);
  expect(await rows('select id from deliveries where org_id = ?', pharmacy.orgId)).toEqual([]);
});
