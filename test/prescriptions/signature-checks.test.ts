import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { SignatureChecks } from '../../src/index';
import { endCheck, giveCheckUp } from '../../src/order-requests/review/signature-check';
import { beginCheck, sweepChecks } from '../../src/prescriptions/sweep';
import type { SignatureReportRow } from '../../src/signatures/result';
import worker from '../../src/signatures/worker';
import { enter } from '../management/browser';
import { type Holder, issue } from '../signatures/authority';
import { BASE, field, signed, stream, update } from '../signatures/pdfs';
import { de } from '../support/messages';
import {
  approve,
  deleteRequest,
  getOrder,
  getRequest,
  happenedIn,
  openPrescribed,
  openRequest,
} from '../support/order-flow';
import { callApi, expectProblem, type OrganizationApi, succeeded } from '../support/organization';
import { expect, test } from '../support/test';
import { bindings, envelope, openPharmacy, operate, rows, silentQueue, submit, systemContext } from '../support/world';

const MINUTE = 60_000;
const NONE: SignatureReportRow = {
  ...{ status: 'none', subIndication: null, laterChanges: 'none', anchor: null, signatures: [], checkedAt: 1 },
};

/** A signed PDF with another title behind its signed revision, and where that ends. */
async function signedPdf(): Promise<{ length: number; appended: string }> {
  const holder: Holder = await issue(null, { isAuthority: true });
  const text = await signed(update('', BASE), holder, { objects: field() });
  return { length: text.length, appended: btoa(update(text, { 8: '<</Title(later)>>' })) };
}

/** The Worker that checks signatures gets one message. */
async function checkerGets(body: unknown, attempts = 1): Promise<void> {
  const fetch = (url: string, init: RequestInit) =>
    SignatureChecks.fetch(new Request(url, init) as never, bindings(), createExecutionContext());
  const messages = [{ body, attempts }];
  await worker.queue({ messages } as never, { FILES: env.FILES, MAIN: { fetch } as never });
}

/** A check of a prescription's signatures ends with this report. */
async function found(id: string, report: Partial<SignatureReportRow>): Promise<void> {
  const { ctx, settled } = systemContext();
  await beginCheck(ctx, id, 1);
  await endCheck(ctx, { id, attempt: 1 }, { ...NONE, ...report });
  await settled();
}

const messageOf = (id: string, shard = 0) => ({ v: 2, shard, id });
const reportOf = async (api: OrganizationApi, id: string) =>
  succeeded(await callApi(api, 'GET', `/prescriptions/${id}`)).signature_report;

test('a stored PDF is enqueued after the commit, checked, and its report told; a second message changes nothing', async ({
  api,
}) => {
  const { appended, length } = await signedPdf();
  const requestId = await openRequest(api, { prescription_pdf_base64: appended });
  const [{ id }] = succeeded(await callApi(api, 'GET', `/order-requests/${requestId}/prescriptions`)).data;
  expect(await reportOf(api, id)).toBeNull();
  expectProblem(await callApi(api, 'GET', `/prescriptions/${id}/file?part=signed`), 409, 'signature_check_pending');
  await checkerGets(messageOf(id));
  const report = await reportOf(api, id);
  expect(report).toMatchObject({
    status: 'indeterminate',
    sub_indication: 'NO_CERTIFICATE_CHAIN_FOUND',
    later_changes: 'metadata',
    signatures: [
      {
        kind: 'signature',
        status: 'indeterminate',
        signer: 'Erika Muster',
        algorithm: 'ec:secp256r1',
        signed_bytes: length,
      },
    ],
  });
  const part = await callApi(api, 'GET', `/prescriptions/${id}/file?part=signed`);
  expect([part.body.length > 0, part.headers.get('ETag')]).toEqual([
    true,
    expect.stringMatching(`^"[0-9a-f]{64}-${length}"$`),
  ]);
  expect(part.body).toMatch(/%%EOF\n$/);
  await checkerGets(messageOf(id));
  expect(await reportOf(api, id)).toEqual(report);
});

test('a PDF without a signature has none, and no signed revision', async ({
  api,
  prescribed: { prescriptionId: id },
}) => {
  await checkerGets(messageOf(id));
  expect(await reportOf(api, id)).toMatchObject({ status: 'none', sub_indication: null, signatures: [] });
  expectProblem(await callApi(api, 'GET', `/prescriptions/${id}/file?part=signed`), 404, 'signed_revision_not_found');
  expectProblem(await callApi(api, 'GET', `/prescriptions/${id}/file?part=other`), 400, 'validation_failed');
});

test('the connector enqueues the check of each file that it stores, once', async () => {
  const pharmacy = await openPharmacy();
  const { queue, enqueued } = silentQueue();
  const body = envelope();
  const changed = { SIGNATURE_CHECKS: queue };
  await submit(pharmacy, body, changed);
  await submit(pharmacy, body, changed);
  const found = await rows<{ id: string }>('select id from prescriptions where org_id = ?', pharmacy.orgId);
  expect(enqueued).toEqual(found.map(({ id }) => ({ id, delaySeconds: 0 })));
});

test('a check that dies is claimed by the next delivery, and after two deaths it cannot be checked', async ({
  api,
  prescribed: { prescriptionId: id },
}) => {
  const { ctx } = systemContext();
  expect(await beginCheck(ctx, id, 1)).toMatchObject({ attempt: 1 });
  expect(await beginCheck(ctx, id, 1)).toBeNull();
  expect(await beginCheck(ctx, id, 2)).toMatchObject({ attempt: 2 });
  expect(await beginCheck(ctx, id, 3)).toBeNull();
  const later = systemContext({ now: () => Date.now() + MINUTE }).ctx;
  await sweepChecks(later, giveCheckUp);
  expect(await reportOf(api, id)).toMatchObject({ status: 'indeterminate', sub_indication: 'CUSTOM' });
});

test('a message that was lost is sent again, until nobody has claimed it for ten minutes: then the job fails', async ({
  prescribed: { prescriptionId: id },
}) => {
  const { queue, enqueued } = silentQueue();
  const at = (now: number) => systemContext({ now: () => now, env: { SIGNATURE_CHECKS: queue } }).ctx;
  await sweepChecks(at(Date.now() + MINUTE), giveCheckUp);
  expect(enqueued.map((each) => each.id)).toContain(id);
  await expect(sweepChecks(at(Date.now() + 11 * MINUTE), giveCheckUp)).rejects.toThrow('Signatures wait');
});

test('a late result of an earlier attempt, or of an erased prescription, stores nothing', async ({ api }) => {
  const { id: requestId, prescriptionId: id } = await openPrescribed(api);
  const { ctx } = systemContext();
  await beginCheck(ctx, id, 1);
  await beginCheck(ctx, id, 2);
  await endCheck(ctx, { id, attempt: 1 }, NONE);
  expect(await reportOf(api, id)).toBeNull();
  await endCheck(ctx, { id, attempt: 2 }, NONE);
  expect(await reportOf(api, id)).toMatchObject({ status: 'none' });
  succeeded(await deleteRequest(api, requestId));
  const [row] = await rows('select signature_report, next_check_at from prescriptions where id = ?', id);
  expect(row).toEqual({ signature_report: null, next_check_at: null });
});

test('a signature that passed is one event, without a name', async ({ api, prescribed: { prescriptionId: id } }) => {
  const { ctx, settled } = systemContext();
  await beginCheck(ctx, id, 1);
  await endCheck(ctx, { id, attempt: 1 }, { ...NONE, status: 'passed', checkedAt: Date.parse('2026-11-20T09:30:00Z') });
  await endCheck(ctx, { id, attempt: 1 }, { ...NONE, status: 'passed' });
  await settled();
  const metadata = { prescription_id: id, provider: 'signature_check', signed_at: '2026-11-20T09:30:00.000Z' };
  const completed = (await happenedIn(api.orgId)).filter(({ type }) => type === 'paperless_signature_completed');
  expect(completed).toMatchObject([{ metadata }]);
});

test('a signature that a program reports is no second event once the check has passed', async ({
  api,
  prescribed: { prescriptionId: id },
}) => {
  await found(id, { status: 'passed' });
  const body = { provider: 'QES AG', signature_reference: 'S-1', signed_at: '2026-11-20T09:30:00Z' };
  succeeded(await callApi(api, 'POST', `/prescriptions/${id}/signature`, { body }));
  const happened = (await happenedIn(api.orgId)).filter(({ type }) => type === 'paperless_signature_completed');
  expect(happened).toMatchObject([{ metadata: { provider: 'signature_check' } }]);
});

test('a check without an answer is repeated after an hour, and what it found stays until then', async ({
  api,
  prescribed: { prescriptionId: id },
}) => {
  const at = (now: number) => systemContext({ now: () => now }).ctx;
  const [now, later] = [Date.now(), Date.now() + 61 * MINUTE];
  const open = { ...NONE, status: 'indeterminate', subIndication: 'TRY_LATER', isUndecided: true } as const;
  await beginCheck(at(now), id, 1);
  await endCheck(at(now), { id, attempt: 1 }, open);
  expect(await beginCheck(at(now), id, 0)).toBeNull();
  expect(await beginCheck(at(later), id, 1)).toMatchObject({ attempt: 1 });
  expect(await reportOf(api, id)).toMatchObject({ status: 'indeterminate', sub_indication: 'TRY_LATER' });
  await beginCheck(at(later), id, 2);
  // Files of other tests have waited too long by then.
  await sweepChecks(at(later + MINUTE), giveCheckUp).catch(() => undefined);
  expect(await reportOf(api, id)).toMatchObject({ sub_indication: 'TRY_LATER' });
  await beginCheck(at(later + 62 * MINUTE), id, 1);
  await endCheck(at(later + 62 * MINUTE), { id, attempt: 1 }, { ...NONE, status: 'passed' });
  expect(await beginCheck(at(later + 200 * MINUTE), id, 9)).toBeNull();
  const happened = (await happenedIn(api.orgId)).filter(({ type }) => type === 'paperless_signature_completed');
  expect(happened).toHaveLength(1);
});

const TOKEN = `Task/160.123.456.789.123.58/$accept?ac=${'0f'.repeat(32)}`;

test('the print-out of an E-Rezept with its token is deleted, stands in the way, and its platform is asked', async ({
  api,
}) => {
  const text = update('', { ...BASE, 4: stream(`BT (${TOKEN.slice(0, 30)}) Tj 0 -9 Td [(${TOKEN.slice(30)})] TJ ET`) });
  const requestId = await openRequest(api, { prescription_pdf_base64: btoa(text) });
  const [{ id }] = succeeded(await callApi(api, 'GET', `/order-requests/${requestId}/prescriptions`)).data;
  const [row] = await rows<{ file_key: string }>('select file_key from prescriptions where id = ?', id);
  await checkerGets(messageOf(id));
  const gone = succeeded(await callApi(api, 'GET', `/prescriptions/${id}`));
  expect(gone).toMatchObject({ status: 'fetch_failed', sha256: null, signature_report: null });
  expect(await env.FILES.head(row?.file_key ?? '')).toBeNull();
  const request = await getRequest(api, requestId);
  expect(request.blockers.map(({ code }: { code: string }) => code)).toContain('erezept_token');
  expect([request.needs_info, request.needs_info_code]).toEqual([true, 'erezept_token']);
  const { browser } = await enter(api.orgId, 'pharmacist');
  const page = await browser.get(`/manage/requests/${requestId}`);
  expect(page.text).toContain('E-Rezept-Ausdruck: bitte über die TI einlösen');
  expect((await happenedIn(api.orgId)).map(({ type }) => type)).toContain('order_request_needs_info');
});

const FAILED = { ...NONE, status: 'failed', subIndication: 'HASH_FAILURE' } as const;

test('a signature that does not hold stops the approval where the organization enforces it, unless a reason is given', async ({
  api,
}) => {
  const decide = async () => {
    const { id: requestId, prescriptionId: id } = await openPrescribed(api);
    await found(id, FAILED);
    const verification = 'verified_elsewhere';
    succeeded(await callApi(api, 'POST', `/prescriptions/${id}/approve`, { body: { verification } }));
    return requestId;
  };
  succeeded(await approve(api, await decide()));
  await operate(`/organizations/${api.orgId}`, { signature_check: 'enforce' }, 'PATCH');
  const requestId = await decide();
  const { blockers } = await getRequest(api, requestId);
  const refused = await approve(api, requestId);
  expectProblem(refused, 409, 'not_approvable');
  expect(refused.body.blockers).toMatchObject([
    { code: 'signature_failed', sub_indication: 'HASH_FAILURE', overridable: true },
  ]);
  expect(blockers).toEqual(refused.body.blockers);
  const listed = succeeded(await callApi(api, 'GET', '/order-requests')).data;
  expect(listed.find((each: { id: string }) => each.id === requestId).blockers).toEqual(blockers);
  const { browser } = await enter(api.orgId, 'pharmacist');
  expect((await browser.get('/manage/requests')).text).toContain(de.requests.blockerShort.signature_failed);
  succeeded(await approve(api, requestId, { override_reason: 'The practice confirmed it by telephone.' }));
});

test('an approval says what was looked at: an original that follows keeps the order from leaving', async ({ api }) => {
  const { id, prescriptionId } = await openPrescribed(api);
  const body = { verification: 'original_follows' };
  succeeded(await callApi(api, 'POST', `/prescriptions/${prescriptionId}/approve`, { body }));
  const { order_id } = succeeded(await approve(api, id));
  expect(await getOrder(api, order_id)).toMatchObject({ flags: { original_missing: true } });
});
