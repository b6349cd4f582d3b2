import { accepted, captureLogs, doctoredDb, problemOf, raw } from '../support/probe';
import { expect, test, vi } from '../support/test';
import { call, envelope, json, ONE_DATABASE, openPharmacy, type Pharmacy, submit } from '../support/world';

const KIB = 1024;
const MIB = 1024 * KIB;
const encoder = new TextEncoder();

/** A submission whose body stays under way until the test ends it. */
function slowly(pharmacy: Pharmacy, declaredBytes?: number | string) {
  let controller: ReadableByteStreamController | undefined;
  let asked = Promise.withResolvers<void>();
  let answered = Promise.withResolvers<void>();
  const stream = new ReadableStream({
    type: 'bytes',
    pull(at) {
      controller = at;
      answered = Promise.withResolvers();
      asked.resolve();
      return answered.promise;
    },
  });
  const first = asked.promise;
  const headers: Record<string, string> = {};
  if (declaredBytes !== undefined) headers['Content-Length'] = String(declaredBytes);
  const answer = call(pharmacy.url, raw(pharmacy, stream, headers));
  const send = async (bytes: Uint8Array) => {
    asked = Promise.withResolvers();
    const next = asked.promise;
    controller?.enqueue(bytes);
    answered.resolve();
    await Promise.race([next, answer]);
  };
  return {
    answer,
    /** Resolves when the body is being read, or the answer was given without it. */
    begun: Promise.race([first, answer]),
    send,
    end(bytes: Uint8Array = new Uint8Array()) {
      if (bytes.length > 0) controller?.enqueue(bytes);
      controller?.close();
      controller?.byobRequest?.respond(0);
      return answer;
    },
    breakOff() {
      controller?.error(new Error('connection lost'));
      return answer;
    },
  };
}

/** A submission with a PDF of 10 MiB. */
function largest(): Uint8Array<ArrayBuffer> {
  const pdf = `%PDF-1.7\n${'x'.repeat(10 * MIB - 9)}`;
  return new Uint8Array(encoder.encode(JSON.stringify(envelope({ prescription_pdf_base64: btoa(pdf) }))));
}

test.each<[string, number | string | undefined, (slow: ReturnType<typeof slowly>) => Promise<Response>, number]>([
  ['broke off', 12 * MIB, (slow) => slow.breakOff(), 400],
  ['was shorter than it said', 12 * MIB, (slow) => slow.end(encoder.encode('{')), 400],
  ['was longer than it said', 400 * KIB, (slow) => slow.end(new Uint8Array(MIB).fill(0x20)), 400],
  ['was no JSON', 200 * KIB, (slow) => slow.end(new Uint8Array(200 * KIB - 100 * KIB)), 400],
  ['said nothing and was too long', undefined, (slow) => slow.end(new Uint8Array(16 * MIB).fill(0x20)), 413],
  ['said no number', 'many', (slow) => slow.end(encoder.encode(JSON.stringify(envelope()))), 200],
  ['said a negative size', '-20000000', (slow) => slow.end(encoder.encode(JSON.stringify(envelope()))), 200],
])('a body that %s releases its memory', async (_, declared, finish, status) => {
  captureLogs();
  const pharmacy = await openPharmacy();
  for (let time = 0; time < 4; time += 1) {
    const slow = slowly(pharmacy, declared);
    await slow.begun;
    if (declared !== 'many' && declared !== '-20000000') await slow.send(new Uint8Array(100 * KIB).fill(0x20));
    expect((await finish(slow)).status).toBe(status);
  }
  const body = largest();
  await accepted(await call(pharmacy.url, raw(pharmacy, body)));
});

test('a request that fails after its body was read releases its memory', async ({ pharmacy }) => {
  captureLogs();
  const body = largest();
  const lost = () =>
    doctoredDb(async (trip, send) => {
      if (trip > 1) throw new Error('D1_ERROR: Network connection lost.');
      return send();
    });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await problemOf(
      await call(pharmacy.url, raw(pharmacy, body), { ...ONE_DATABASE, DB: lost() }),
      502,
      'backend_unreachable',
    );
  }
  await accepted(await call(pharmacy.url, raw(pharmacy, body)));
});

test.for(['gzip', 'br', 'deflate, gzip'])('a body encoded as %s is 415, unread', async (coding, { pharmacy }) => {
  const init = raw(pharmacy, JSON.stringify(envelope()), { 'Content-Encoding': coding });
  const answer = await call(pharmacy.url, init);
  expect(answer.headers.get('Accept-Encoding')).toBe('identity');
  await problemOf(answer, 415, 'unsupported_content_encoding');
  await accepted(await submit(pharmacy, envelope()));
});

/** How many objects and arrays were walked, and texts parsed, while something ran. */
async function visited(run: () => Promise<Response>) {
  const entries = vi.spyOn(Object, 'entries');
  const parse = vi.spyOn(JSON, 'parse');
  const response = await run();
  const nodes = entries.mock.calls.length;
  const parsed = parse.mock.calls.filter(([text]) => text.length > 100 * KIB).length;
  vi.restoreAllMocks();
  return { response, nodes, parsed };
}

test('a megabyte of empty objects is refused without being parsed', async ({ pharmacy }) => {
  const body = `{"payload":{"customer_name":"x","z":[${'{},'.repeat(350_000)}{}]}}`;
  const { response, nodes, parsed } = await visited(() => call(pharmacy.url, raw(pharmacy, body)));
  expect(parsed).toBe(0);
  expect(nodes).toBeLessThan(1_000);
  await problemOf(response, 400, 'too_complex');
});

test('the largest accepted body is parsed once and its few nodes are walked a few times', async ({ pharmacy }) => {
  const body = largest();
  const { response, nodes, parsed } = await visited(() => call(pharmacy.url, raw(pharmacy, body)));
  await accepted(response);
  expect(parsed).toBe(1);
  expect(nodes).toBeLessThan(1_000);
});

test('the worst body below the limit of structure is refused after a bounded walk', async ({ pharmacy }) => {
  const body = { payload: { customer_name: 'x', z: Array(24_000).fill([]) } };
  const { response, nodes } = await visited(() => call(pharmacy.url, json(body, { apikey: pharmacy.integrationKey })));
  expect(response.status).toBe(400);
  expect(nodes).toBeLessThan(2 * 50_000);
});

test('a text of megabytes outside of the PDF is refused without being written out', async ({ pharmacy }) => {
  const body = JSON.stringify(envelope({ note: 'x'.repeat(4 * MIB) }));
  const stringify = vi.spyOn(JSON, 'stringify');
  const response = await call(pharmacy.url, raw(pharmacy, body));
  const written = stringify.mock.results.filter(({ value }) => typeof value === 'string' && value.length > MIB).length;
  vi.restoreAllMocks();
  expect(written).toBe(0);
  await problemOf(response, 400, 'payload_too_large');
});
