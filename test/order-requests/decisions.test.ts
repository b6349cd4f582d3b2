import { env } from 'cloudflare:workers';
import { readReview } from '../../src/order-requests/inbox/inbox';
import { answerQuestion, askQuestion } from '../../src/order-requests/review/decisions';
import { REASON_CODES } from '../../src/orders/rules';
import {
  approve,
  deleteRequest,
  eventsAfter,
  getRequest,
  openApprovable,
  openRequest,
  reject,
  reopen,
  requestRow,
  staffContext,
} from '../support/order-flow';
import {
  callApi,
  eventsOf,
  expectProblem,
  footprint,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { auditOf } from '../support/rows';
import { describe, expect, test } from '../support/test';
import { PDF_BASE64, PDF_TEXT, rows } from '../support/world';

describe('rejection', () => {
  test.for(REASON_CODES)('takes the reason %s and tells the platform', async (reason_code, { api }) => {
    const { id } = await openApprovable(api);
    const body = { reason_code, ...(reason_code === 'other' && { note: 'Bitte anrufen' }) };
    const happened = await eventsAfter(api.orgId, async () => {
      expect(succeeded(await reject(api, id, body))).toEqual({ id, status: 'rejected', order_id: null });
    });
    expect(happened).toEqual([
      {
        type: 'order_request_rejected',
        metadata: {
          order_request_id: id,
          external_reference: (await getRequest(api, id)).external_reference,
          shop_id: api.shopId,
          source: 'telemed.example',
          reason_code,
        },
      },
    ]);
    expect(await getRequest(api, id)).toMatchObject({
      status: 'rejected',
      reason_code,
      decided_by: api.keyId,
      decided_at: expect.any(String),
      order_id: null,
    });
  });

  test('for another reason needs a note', async ({ api, approvable: { id } }) => {
    const before = await footprint(api.orgId);
    for (const body of [{ reason_code: 'other' }, { reason_code: 'other', note: null }]) {
      const answer = await reject(api, id, body);
      expectProblem(answer, 400, 'validation_failed');
      expect(answer.body.errors).toMatchObject([{ pointer: '/note', code: 'required' }]);
    }
    expectProblem(await reject(api, id, { reason_code: 'other', note: ' ' }), 400, 'validation_failed');
    expectProblem(await reject(api, id, { reason_code: 'because' }), 400, 'validation_failed');
    expectProblem(await reject(api, id, {}), 400, 'validation_failed');
    expect(await footprint(api.orgId)).toEqual(before);
  });

  test('keeps its note to itself: neither the event nor the audit log has it', async ({ api, approvable: { id } }) => {
    succeeded(await reject(api, id, { reason_code: 'other', note: 'Verdacht auf Fälschung' }));
    expect((await requestRow(id)).reason_note).toBe('Verdacht auf Fälschung');
    const traces = JSON.stringify([await eventsOf(api.orgId), await auditOf(id)]);
    expect(traces).not.toContain('Fälschung');
  });

  test('twice is refused the second time with who decided and when', async ({ api, approvable: { id } }) => {
    succeeded(await reject(api, id));
    const { decided_at } = await getRequest(api, id);
    for (const answer of [await reject(api, id), await approve(api, id)]) {
      expectProblem(answer, 409, 'already_decided');
      expect(answer.body).toMatchObject({
        decided_by: api.keyId,
        decided_at,
        order_id: null,
        current_status: 'rejected',
      });
    }
  });
});

describe('reopening', () => {
  test('takes a rejection back without an event; approval is possible again', async ({ api, approvable: { id } }) => {
    succeeded(await reject(api, id, { reason_code: 'other', note: 'Irrtum' }));
    const happened = await eventsAfter(api.orgId, async () => {
      await reopen(api, id);
    });
    expect(happened).toEqual([]);
    expect(await getRequest(api, id)).toMatchObject({
      status: 'pending',
      reason_code: null,
      decided_by: null,
      decided_at: null,
    });
    expect((await requestRow(id)).reason_note).toBeNull();
    succeeded(await approve(api, id));
  });

  test('is refused for a request that waits', async ({ api, approvable: { id } }) => {
    await expect(reopen(api, id)).rejects.toMatchObject({ code: 'already_decided' });
  });

  test('is refused while a later request of the same reference is live, and nothing changes', async ({ api }) => {
    const rest = { external_reference: 'RX-1' };
    const first = await openRequest(api, {}, rest);
    succeeded(await reject(api, first));
    const second = await openRequest(api, { address_city: 'Köln' }, rest);
    const before = await footprint(api.orgId);
    await expect(reopen(api, first)).rejects.toMatchObject({ code: 'superseded' });
    expect(await footprint(api.orgId)).toEqual(before);
    succeeded(await reject(api, second));
    await reopen(api, first);
  });
});

describe('deletion', () => {
  const payload = {
    customer_id: 'K-4711',
    address_street: 'Hauptstraße 1',
    address_city: 'Berlin',
    address_postal_code: '10115',
    address_phone: '+49 30 1234',
    payment_reference: 'TX-1',
    prescription_pdf_base64: PDF_BASE64,
  };

  test.each<[string, (api: OrganizationApi, id: string) => Promise<unknown>]>([
    ['pending', async () => undefined],
    ['rejected', async (api, id) => succeeded(await reject(api, id, { reason_code: 'other', note: 'Siehe Akte' }))],
  ])('of a %s request empties what the person said, gives the PDF up and keeps the skeleton', async (_, prepare) => {
    const api = await openOrganizationApi();
    const id = await openRequest(api, payload);
    await prepare(api, id);
    const before = await requestRow(id);
    const [{ file_key: fileKey = '' } = {}] = await rows<{ file_key: string }>(
      'select file_key from prescriptions where order_request_id = ?',
      id,
    );
    const happened = await eventsAfter(api.orgId, async () => {
      expect(succeeded(await deleteRequest(api, id))).toEqual({ id, deleted: true });
    });
    expect(happened).toEqual([
      {
        type: 'order_request_deleted',
        metadata: {
          order_request_id: id,
          // It goes with the person, out of the news about it too.
          external_reference: '',
          shop_id: api.shopId,
          source: 'telemed.example',
        },
      },
    ]);
    const after = await requestRow(id);
    expect(after).toMatchObject({
      status: 'deleted',
      items: '[]',
      approved_items: null,
      erased_at: expect.any(Number),
      org_id: api.orgId,
      shop_id: api.shopId,
      source: 'telemed.example',
      created_at: before.created_at,
    });
    expect(await rows('select status, file_key, sha256 from prescriptions where order_request_id = ?', id)).toEqual([
      { status: 'erased', file_key: null, sha256: null },
    ]);
    expect(await rows('select file_key from file_deletions where file_key = ?', fileKey)).toHaveLength(1);
    // The sweep deletes it, no request does.
    expect(await (await env.FILES.get(fileKey))?.text()).toBe(PDF_TEXT);
    expect(JSON.stringify([after, await auditOf(id)])).not.toMatch(
      /Erika|erika|Hauptstra|Berlin|10115|1234|K-4711|TX-1|Akte/,
    );
  });

  test('leaves nothing to be found, decided or deleted again', async ({ api, approvable: { id } }) => {
    succeeded(await deleteRequest(api, id));
    const before = await footprint(api.orgId);
    for (const answer of [
      await callApi(api, 'GET', `/order-requests/${id}`),
      await approve(api, id),
      await reject(api, id),
      await deleteRequest(api, id),
    ]) {
      expectProblem(answer, 404, 'order_request_not_found');
    }
    for (const status of ['pending', 'approved', 'rejected']) {
      expect(succeeded(await callApi(api, 'GET', '/order-requests', { query: { status } })).data).toEqual([]);
    }
    expect(await footprint(api.orgId)).toEqual(before);
  });
});

describe('waiting for an answer', () => {
  test.each<[string, (api: OrganizationApi, id: string) => Promise<unknown>]>([
    ['approval', approve],
    ['rejection', (api, id) => reject(api, id)],
    ['deletion', deleteRequest],
  ])('is a flag with a note, told without the note, cleared by %s', async (_, decision) => {
    const api = await openOrganizationApi();
    const { id } = await openApprovable(api);
    const { ctx } = staffContext(api.orgId);
    const happened = await eventsAfter(api.orgId, () =>
      askQuestion(ctx, { id, code: 'dosage', text: 'Welche Stärke?' }),
    );
    expect(happened).toMatchObject([
      { type: 'order_request_needs_info', metadata: { order_request_id: id, code: 'dosage' } },
    ]);
    expect(JSON.stringify(happened)).not.toContain('Welche');
    expect(await getRequest(api, id)).toMatchObject({
      needs_info: true,
      needs_info_code: 'dosage',
      needs_info_note: 'Welche Stärke?',
      status: 'pending',
    });
    await decision(api, id);
    expect(await requestRow(id)).toMatchObject({ needs_info: 0, needs_info_note: null });
  });

  test('ends when every question is answered; is nothing for a decided request', async ({
    api,
    approvable: { id },
  }) => {
    const { ctx } = staffContext(api.orgId, 'staff');
    await askQuestion(ctx, { id, code: 'dosage', text: 'Welche Stärke?' });
    await askQuestion(ctx, { id, code: 'address', text: 'Welche Tür?' });
    expect(await getRequest(api, id)).toMatchObject({ needs_info_code: 'address', needs_info_note: 'Welche Tür?' });
    const [newest, oldest] = (await readReview(ctx, id)).questions;
    await answerQuestion(ctx, { id, questionId: newest?.id ?? '', answer: 'Die linke' });
    expect(await getRequest(api, id)).toMatchObject({ needs_info: true, needs_info_code: 'dosage' });
    const again = answerQuestion(ctx, { id, questionId: newest?.id ?? '', answer: 'Die rechte' });
    await expect(again).rejects.toMatchObject({ code: 'question_not_found' });
    expect((await readReview(ctx, id)).questions[0]).toMatchObject({ answer: 'Die linke' });

    succeeded(await reject(api, id));
    await reopen(api, id);
    expect(await getRequest(api, id)).toMatchObject({ needs_info: true, needs_info_note: 'Welche Stärke?' });
    succeeded(await reject(api, id));
    await answerQuestion(ctx, { id, questionId: oldest?.id ?? '', answer: '400 mg' });
    expect(await requestRow(id)).toMatchObject({ status: 'rejected', needs_info: 0, needs_info_code: null });
    const late = askQuestion(ctx, { id, code: 'other', text: 'Noch da?' });
    await expect(late).rejects.toMatchObject({ code: 'already_decided' });
  });
});
