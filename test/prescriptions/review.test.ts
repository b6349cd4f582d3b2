import { env } from 'cloudflare:workers';
import { addPrescription } from '../../src/order-requests/review/decisions';
import { addOrderPrescription } from '../../src/orders/change';
import { fromBase64 } from '../../src/platform/crypto/crypto';
import { PDF_BYTES_MAX } from '../../src/platform/limits';
import { fetchAgain, viewPrescription } from '../../src/prescriptions/review';
import {
  approve,
  atOnce,
  deleteRequest,
  eventsAfter,
  getRequest,
  itemOf,
  openPrescribed,
  openRequest,
  staffContext,
} from '../support/order-flow';
import {
  callApi,
  expectProblem,
  footprint,
  holdProduct,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { fetchPrescriptions, newLink, pdfAnswer, prescriptionRow } from '../support/prescriptions';
import { auditOf } from '../support/rows';
import { describe, expect, test, vi } from '../support/test';
import { PDF_BASE64, PDF_TEXT, rows } from '../support/world';

const SIGNATURE = { provider: 'qes.example', signature_reference: 'SIG-1', signed_at: '2026-11-20T09:30:00Z' };

const approveIt = (api: OrganizationApi, id: string) =>
  callApi(api, 'POST', `/prescriptions/${id}/approve`, { body: {} });
const sign = (api: OrganizationApi, id: string, body: unknown = SIGNATURE) =>
  callApi(api, 'POST', `/prescriptions/${id}/signature`, { body });

/** A request whose prescription lies elsewhere. */
async function openLinked(api: OrganizationApi, status: 'fetching' | 'fetch_failed' = 'fetching') {
  const product = await holdProduct(api);
  const url = newLink();
  const id = await openRequest(api, { items: [itemOf(product)], prescription_pdf_url: url });
  const [{ id: prescriptionId }] = (await getRequest(api, id)).prescriptions;
  if (status === 'fetch_failed') {
    await rows(
      "update prescriptions set status = 'fetch_failed', fetch_attempts = 3, fetch_failure = 'refused' where id = ?",
      prescriptionId,
    );
  }
  return { id, prescriptionId: prescriptionId as string, url };
}

/** Prescriptions whose PDF is not here. */
const NOT_STORED: [string, (api: OrganizationApi) => Promise<string>][] = [
  ['fetching', async (api) => (await openLinked(api)).prescriptionId],
  ['fetch_failed', async (api) => (await openLinked(api, 'fetch_failed')).prescriptionId],
  [
    'erased',
    async (api) => {
      const { id, prescriptionId } = await openPrescribed(api);
      succeeded(await deleteRequest(api, id));
      return prescriptionId;
    },
  ],
];

describe('approval', () => {
  test('is written once with who gave it, and announced once', async ({ api, prescribed: { id, prescriptionId } }) => {
    const happened = await eventsAfter(api.orgId, async () => {
      expect(succeeded(await approveIt(api, prescriptionId))).toEqual({
        id: prescriptionId,
        status: 'approved',
        origin: 'base64',
        index: null,
        reference: null,
      });
    });
    const metadata = { prescription_id: prescriptionId, order_request_id: id };
    expect(happened).toEqual([{ type: 'prescription_approved', metadata }]);
    expect(await prescriptionRow(prescriptionId)).toMatchObject({
      approved_by: api.keyId,
      approved_at: expect.any(Number),
      status: 'stored',
    });
    expect(await auditOf(prescriptionId)).toMatchObject([{ action: 'prescription.approved', actor_id: api.keyId }]);
  });

  test('8 times at once is one approval', async ({ api, prescribed: { prescriptionId } }) => {
    const happened = await eventsAfter(api.orgId, async () => {
      const answers = await atOnce(...Array.from({ length: 8 }, () => () => approveIt(api, prescriptionId)));
      for (const answer of answers) expect(succeeded(answer).status).toBe('approved');
    });
    expect(happened).toHaveLength(1);
    expect(await auditOf(prescriptionId)).toHaveLength(1);
  });

  test.for(NOT_STORED)('of one that is %s is refused with its status', async ([status, open], { api }) => {
    const id = await open(api);
    const before = await footprint(api.orgId);
    const answer = await approveIt(api, id);
    expectProblem(answer, 409, 'prescription_not_stored');
    expect(answer.body.current_status).toBe(status);
    expect(await footprint(api.orgId)).toEqual(before);
  });

  test('of an order’s prescription names the order', async ({ api, order }) => {
    const { ctx } = staffContext(api.orgId);
    const { id } = await addOrderPrescription(ctx, { id: order.id, bytes: fromBase64(PDF_BASE64) });
    const happened = await eventsAfter(api.orgId, async () => succeeded(await approveIt(api, id)));
    expect(happened).toEqual([
      { type: 'prescription_approved', metadata: { prescription_id: id, order_id: order.id } },
    ]);
  });
});

describe('a completed signature', () => {
  test('is kept and announced', async ({ api, prescribed: { prescriptionId } }) => {
    const body = { ...SIGNATURE, signed_at: '2026-11-20T10:30:00+01:00' };
    const happened = await eventsAfter(api.orgId, async () => {
      expect(succeeded(await sign(api, prescriptionId, body))).toEqual({
        id: prescriptionId,
        status: 'stored',
        origin: 'base64',
        index: null,
        reference: null,
      });
    });
    expect(happened).toEqual([
      {
        type: 'paperless_signature_completed',
        metadata: { ...SIGNATURE, prescription_id: prescriptionId, signed_at: '2026-11-20T09:30:00.000Z' },
      },
    ]);
    expect(await prescriptionRow(prescriptionId)).toMatchObject({
      signature_provider: 'qes.example',
      signature_reference: 'SIG-1',
      signed_at: Date.parse(SIGNATURE.signed_at),
      approved_at: null,
    });
  });

  test('reported 8 times at once is one', async ({ api, prescribed: { prescriptionId } }) => {
    const happened = await eventsAfter(api.orgId, async () => {
      const answers = await atOnce(...Array.from({ length: 8 }, () => () => sign(api, prescriptionId)));
      for (const answer of answers) succeeded(answer);
    });
    expect(happened).toHaveLength(1);
    expect(await auditOf(prescriptionId)).toHaveLength(1);
  });

  test.for([
    ['reference', { signature_reference: 'SIG-2' }],
    ['provider', { provider: 'other.example' }],
    ['time', { signed_at: '2026-11-20T09:31:00Z' }],
  ] as const)('with another %s replaces it and is announced', async ([_, change], { api }) => {
    const { prescriptionId } = await openPrescribed(api);
    succeeded(await sign(api, prescriptionId));
    const second = { ...SIGNATURE, ...change };
    const happened = await eventsAfter(api.orgId, async () => succeeded(await sign(api, prescriptionId, second)));
    const signed_at = new Date(second.signed_at).toISOString();
    const metadata = { ...second, prescription_id: prescriptionId, signed_at };
    expect(happened).toEqual([{ type: 'paperless_signature_completed', metadata }]);
    expect(await prescriptionRow(prescriptionId)).toMatchObject({
      signature_provider: second.provider,
      signature_reference: second.signature_reference,
    });
  });

  test.for(NOT_STORED)('of one that is %s is refused with its status', async ([status, open], { api }) => {
    const id = await open(api);
    const before = await footprint(api.orgId);
    const answer = await sign(api, id);
    expectProblem(answer, 409, 'prescription_not_stored');
    expect(answer.body.current_status).toBe(status);
    expect(await footprint(api.orgId)).toEqual(before);
  });

  test.for([
    ['no reference', { ...SIGNATURE, signature_reference: ' ' }],
    ['no provider', { ...SIGNATURE, provider: undefined }],
    ['a time without a zone', { ...SIGNATURE, signed_at: '2026-11-20T09:30:00' }],
    ['a time that is none', { ...SIGNATURE, signed_at: 'yesterday' }],
    ['an unknown field', { ...SIGNATURE, patient: 'Erika' }],
  ] as const)('with %s is a fault of the call', async ([_, body], { api, prescribed: { prescriptionId } }) => {
    expectProblem(await sign(api, prescriptionId, body), 400, 'validation_failed');
    expect((await prescriptionRow(prescriptionId)) as object).toMatchObject({ signature_provider: null });
  });
});

describe('fetching again', () => {
  test('starts from the first attempt, with one message, and the PDF is fetched', async ({ api }) => {
    const { prescriptionId, url } = await openLinked(api, 'fetch_failed');
    const { ctx, fetchesEnqueued, memberId } = staffContext(api.orgId);
    await fetchAgain(ctx, prescriptionId);
    expect(await prescriptionRow(prescriptionId)).toMatchObject({
      status: 'fetching',
      fetch_attempts: 0,
      fetch_failure: null,
      next_fetch_at: 0,
    });
    expect(fetchesEnqueued).toEqual([{ id: prescriptionId, delaySeconds: 0 }]);
    expect(await auditOf(prescriptionId)).toMatchObject([
      { action: 'prescription.fetch_requested', actor_kind: 'staff', actor_id: memberId },
    ]);
    const calls = outsideAnswers(pdfAnswer);
    await fetchPrescriptions([prescriptionId]);
    expect(calls.map((call) => call.url)).toEqual([url]);
    expect((await prescriptionRow(prescriptionId)).status).toBe('stored');
  });

  test('twice at once is one: the other learns that it is under way', async ({ api }) => {
    const { prescriptionId } = await openLinked(api, 'fetch_failed');
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => fetchAgain(staffContext(api.orgId).ctx, prescriptionId)),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(3);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'not_fetchable', kind: 'conflict' });
    expect(await auditOf(prescriptionId)).toHaveLength(1);
  });

  test.each<[string, (api: OrganizationApi) => Promise<string>]>([
    ['is still being fetched', async (api) => (await openLinked(api)).prescriptionId],
    ['is stored', async (api) => (await openPrescribed(api)).prescriptionId],
  ])('is refused for one that %s', async (_, open) => {
    const api = await openOrganizationApi();
    const id = await open(api);
    const before = await footprint(api.orgId);
    await expect(fetchAgain(staffContext(api.orgId).ctx, id)).rejects.toMatchObject({ code: 'not_fetchable' });
    expect(await footprint(api.orgId)).toEqual(before);
  });

  test('of another organization’s prescription finds nothing', async () => {
    const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
    const { prescriptionId } = await openLinked(api, 'fetch_failed');
    const asked = fetchAgain(staffContext(other.orgId).ctx, prescriptionId);
    await expect(asked).rejects.toMatchObject({ code: 'prescription_not_found' });
    expect((await prescriptionRow(prescriptionId)).status).toBe('fetch_failed');
  });
});

describe('an upload by staff', () => {
  test('stores the PDF for a request, counts as its prescription, and leaves an audit row', async ({ api }) => {
    const product = await holdProduct(api, { prescription_required: true });
    const requestId = await openRequest(api, { items: [itemOf(product)] });
    const { ctx, memberId } = staffContext(api.orgId);
    const { id } = await addPrescription(ctx, { id: requestId, bytes: fromBase64(PDF_BASE64) });
    expect(await getRequest(api, requestId)).toMatchObject({
      prescriptions: [{ id, status: 'stored', origin: 'staff' }],
      blockers: [{ code: 'prescription_not_reviewed' }],
    });
    const { file_key: fileKey, size_bytes } = await prescriptionRow(id);
    expect(await (await env.FILES.get(fileKey ?? ''))?.text()).toBe(PDF_TEXT);
    expect(size_bytes).toBe(PDF_TEXT.length);
    expect(await auditOf(id)).toMatchObject([
      { action: 'prescription.uploaded', actor_kind: 'staff', actor_id: memberId },
    ]);
    succeeded(await approveIt(api, id));
    succeeded(await approve(api, requestId));
  });

  test.for([
    ['not a PDF', new TextEncoder().encode('GIF89a'), 'invalid_prescription_pdf'],
    ['a PDF behind other text', new TextEncoder().encode(`%! ${PDF_TEXT}`), 'invalid_prescription_pdf'],
    ['too large', new TextEncoder().encode(PDF_TEXT.padEnd(PDF_BYTES_MAX + 1)), 'prescription_too_large'],
  ] as const)('that is %s is refused and stores nothing', async ([_, bytes, code], { api, requestId }) => {
    const { ctx } = staffContext(api.orgId);
    await expect(addPrescription(ctx, { id: requestId, bytes })).rejects.toMatchObject({ code, kind: 'invalid' });
    expect(await rows('select id from prescriptions where org_id = ?', api.orgId)).toEqual([]);
  });
});

function read({ body }: { body: ReadableStream }): Promise<string> {
  return new Response(body).text();
}

describe('a view', () => {
  test('hands out the bytes with exactly the headers that keep a hostile PDF harmless', async ({ api }) => {
    const { prescriptionId } = await openPrescribed(api, { pdf: PDF_BASE64 });
    const view = await viewPrescription(staffContext(api.orgId).ctx, prescriptionId);
    expect(await read(view)).toBe(PDF_TEXT);
    const { headers } = view;
    expect(headers).toEqual({
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="prescription-${prescriptionId.slice(-12)}.pdf"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "frame-ancestors 'self'",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    });
  });

  test('has the same type whatever the stored file says of itself', async ({ api, prescribed: { prescriptionId } }) => {
    const { file_key: fileKey } = await prescriptionRow(prescriptionId);
    await env.FILES.put(fileKey ?? '', '<script>', { httpMetadata: { contentType: 'text/html' } });
    const view = await viewPrescription(staffContext(api.orgId).ctx, prescriptionId);
    expect(await read(view)).toBe('<script>');
    expect(view.headers['Content-Type']).toBe('application/pdf');
  });

  test('leaves one audit row each time, with who looked', async ({ api, prescribed: { prescriptionId } }) => {
    const [one, two] = [staffContext(api.orgId, 'pharmacist'), staffContext(api.orgId, 'owner')];
    for (const { ctx } of [one, two, one]) await read(await viewPrescription(ctx, prescriptionId));
    expect((await auditOf(prescriptionId)).map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['prescription.viewed', one.memberId],
      ['prescription.viewed', two.memberId],
      ['prescription.viewed', one.memberId],
    ]);
  });

  test('writes its audit row before the file is read', async ({ api, prescribed: { prescriptionId } }) => {
    const { ctx } = staffContext(api.orgId);
    let auditedAtRead = 0;
    const files = {
      get: async (key: string) => {
        auditedAtRead = (await auditOf(prescriptionId)).length;
        return env.FILES.get(key);
      },
    } as unknown as R2Bucket;
    await read(await viewPrescription({ ...ctx, files }, prescriptionId));
    expect(auditedAtRead).toBe(1);
  });

  test('whose audit row cannot be written hands out nothing', async ({ api, prescribed: { prescriptionId } }) => {
    const { ctx } = staffContext(api.orgId);
    const get = vi.fn();
    const files = { get } as unknown as R2Bucket;
    // What is read is read by name.
    const broken = { ...ctx, files, db: { ...ctx.db, batch: () => Promise.reject(new Error('no')) } };
    await expect(viewPrescription(broken, prescriptionId)).rejects.toThrow('no');
    // But the switches.
    expect(get).not.toHaveBeenCalledWith(expect.stringMatching(/^(prescriptions|trash)\//));
  });

  test('of another organization’s prescription finds nothing', async () => {
    const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
    const { prescriptionId } = await openPrescribed(api);
    const { ctx } = staffContext(other.orgId);
    await expect(viewPrescription(ctx, prescriptionId)).rejects.toMatchObject({ code: 'prescription_not_found' });
    expect(await auditOf(prescriptionId)).toEqual([]);
  });

  test.for(NOT_STORED)('of one that is %s is refused with its status', async ([status, open], { api }) => {
    const id = await open(api);
    await expect(viewPrescription(staffContext(api.orgId).ctx, id)).rejects.toMatchObject({
      code: 'prescription_not_stored',
      status,
    });
  });

  test('of a file that is gone says so', async ({ api, prescribed: { prescriptionId } }) => {
    await env.FILES.delete((await prescriptionRow(prescriptionId)).file_key ?? '');
    await expect(viewPrescription(staffContext(api.orgId).ctx, prescriptionId)).rejects.toMatchObject({
      code: 'prescription_not_found',
      kind: 'not_found',
    });
  });

  test('while the files cannot be reached may be tried again', async ({ api, prescribed: { prescriptionId } }) => {
    const { ctx } = staffContext(api.orgId);
    const files = { get: () => Promise.reject(new Error('R2 is down')) } as unknown as R2Bucket;
    await expect(viewPrescription({ ...ctx, files }, prescriptionId)).rejects.toMatchObject({
      code: 'backend_unreachable',
    });
  });
});
