import { env } from 'cloudflare:workers';
import { readReview } from '../../src/order-requests/inbox/inbox';
import { SUPPLEMENTS_MAX } from '../../src/order-requests/limits';
import { approveOrderRequest } from '../../src/order-requests/review/approve';
import { askQuestion } from '../../src/order-requests/review/decisions';
import { newId } from '../../src/platform/ids';
import { enter } from '../management/browser';
import { faultyDatabase } from '../support/faults';
import { approve, atOnce, getOrder, getRequest, reject, requestRow } from '../support/order-flow';
import { expectProblem, footprint, succeeded } from '../support/organization';
import { send, staffOf, statusOf, supplement, withdraw } from '../support/platform';
import { captureLogs, meteredDb, watchedFiles } from '../support/probe';
import { auditOf } from '../support/rows';
import type { Seller } from '../support/seller';
import { describe, expect, test } from '../support/test';
import { ONE_DATABASE, PDF_BASE64, rows, silentQueue } from '../support/world';

/** A PDF that no other test has. */
const pdf = () => btoa(`%PDF-1.7\n% ${newId()}\n%%EOF\n`);

function ask(seller: Seller, id: string, code: 'dosage' | 'address' | 'signed_file_needed' = 'dosage') {
  return askQuestion(staffOf(seller), { id, code, text: 'Wie oft am Tag?' });
}

async function filesOf(seller: Seller, id: string) {
  const { prescriptions } = await getRequest(seller, id);
  return prescriptions.map(({ status }: { status: string }) => status);
}

describe('a supplement', () => {
  test('answers the newest open question, by its platform', async ({ seller }) => {
    const { id } = await send(seller);
    await ask(seller, id, 'address');
    await ask(seller, id);
    const first = succeeded(await supplement(seller, id, { note: 'Dreimal täglich' }));
    expect(first).toMatchObject({ id, status: 'pending', needs_info: true, needs_info_code: 'address' });
    const second = succeeded(await supplement(seller, id, { note: 'Heidestraße 17' }));
    expect(second).toMatchObject({ needs_info: false, needs_info_code: null });
    expect(second).toEqual(succeeded(await statusOf(seller, id)));
    const keyId = seller.integrationKey.split('_')[1];
    const { questions, notes } = await readReview(staffOf(seller), id);
    expect(questions.map(({ code, answer }) => [code, answer])).toEqual([
      ['dosage', 'Dreimal täglich'],
      ['address', 'Heidestraße 17'],
    ]);
    expect(notes).toEqual([]);
    expect((await auditOf(id)).filter(({ action }) => action === 'order_request.supplemented')).toMatchObject([
      { actor_id: keyId },
      { actor_id: keyId },
    ]);
  });

  test('without a question is a note about the request', async ({ seller }) => {
    const { id } = await send(seller);
    succeeded(await supplement(seller, id, { note: ' Bitte erst ab Montag.\nDanke ' }));
    const { notes } = await readReview(staffOf(seller), id);
    expect(notes).toMatchObject([{ text: 'Bitte erst ab Montag.\nDanke', by: null }]);
  });

  test('replaces a prescription by a list of them', async ({ seller }) => {
    const { id } = await send(seller, { prescription_pdf_base64: pdf() });
    const list = { prescriptions: [{ pdf_base64: pdf(), reference: 'B' }, { pdf_base64: pdf() }], replaces: true };
    succeeded(await supplement(seller, id, list));
    succeeded(await supplement(seller, id, list));
    expect((await getRequest(seller, id)).prescriptions).toMatchObject([
      { status: 'set_aside' },
      { status: 'stored', reference: 'B', index: null },
      { status: 'stored', reference: null, index: null },
    ]);
  });

  test('replaces by a file that was sent before without `replaces`', async ({ seller }) => {
    const { id } = await send(seller, { prescription_pdf_base64: pdf() });
    const sent = { prescription_pdf_base64: pdf() };
    succeeded(await supplement(seller, id, sent));
    const replacing = await supplement(seller, id, { ...sent, replaces: true });
    expect(replacing.headers.has('Idempotent-Replayed')).toBe(false);
    expect(await filesOf(seller, id)).toEqual(['set_aside', 'set_aside', 'stored']);
    // What it holds was sent before, so neither form adds anything.
    for (const body of [sent, { ...sent, replaces: true }]) {
      expect((await supplement(seller, id, body)).headers.get('Idempotent-Replayed')).toBe('true');
    }
    expect(await filesOf(seller, id)).toHaveLength(3);
  });

  test('adds a prescription to those that staff have to check', async ({ seller }) => {
    const { id } = await send(seller, { prescription_pdf_base64: PDF_BASE64 });
    // The same file as before is one that was sent anew.
    succeeded(await supplement(seller, id, { prescription_pdf_base64: PDF_BASE64 }));
    expect(await filesOf(seller, id)).toEqual(['stored', 'stored']);
    expect((await getRequest(seller, id)).blockers.map(({ code }: { code: string }) => code)).toContain(
      'prescription_not_reviewed',
    );
  });

  test('with `replaces` sets aside what its platform sent, approved or not, and nothing of staff', async ({
    seller,
  }) => {
    const { id } = await send(seller, { prescription_pdf_base64: PDF_BASE64 });
    const [{ id: first }] = (await getRequest(seller, id)).prescriptions;
    await rows('update prescriptions set approved_at = 1 where id = ?', first);
    await rows(
      `insert into prescriptions (id, org_id, order_request_id, origin, status, file_key, sha256, size_bytes, fetch_attempts, next_fetch_at, created_at, updated_at)
       select 'staff-' || id, org_id, order_request_id, 'staff', status, 'x-' || id, sha256, size_bytes, 0, 0, created_at, updated_at from prescriptions where id = ?`,
      first,
    );
    succeeded(await supplement(seller, id, { prescription_pdf_base64: pdf(), replaces: true }));
    expect((await filesOf(seller, id)).toSorted()).toEqual(['set_aside', 'stored', 'stored']);
    const [aside] = await rows('select * from prescriptions where id = ?', first);
    expect(aside).toMatchObject({ approved_at: null, set_aside_reason: 'replaced' });
    expect(await auditOf(first)).toMatchObject([{ action: 'prescription.set_aside', actor_kind: 'api_key' }]);
  });

  test('with the signed file that was asked for sets aside the one without', async ({ seller }) => {
    const { id } = await send(seller, { prescription_pdf_base64: PDF_BASE64 });
    await ask(seller, id, 'signed_file_needed');
    succeeded(await supplement(seller, id, { prescription_pdf_base64: pdf() }));
    expect((await filesOf(seller, id)).toSorted()).toEqual(['set_aside', 'stored']);
  });

  test('with an address has it fetched once, also if the address is signed anew', async ({ seller }) => {
    const { id } = await send(seller);
    const { queue, enqueued } = silentQueue();
    const url = `https://files-${newId()}.example.com/rx.pdf?signature=`;
    const signed = (by: string) => ({ prescription_pdf_url: url + by });
    succeeded(await supplement(seller, id, signed('a'), { env: { PRESCRIPTION_FETCHES: queue } }));
    expect(await filesOf(seller, id)).toEqual(['fetching']);
    expect(enqueued).toHaveLength(1);
    for (const by of ['a', 'b']) {
      const again = await supplement(seller, id, signed(by));
      expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    }
    expect(await filesOf(seller, id)).toEqual(['fetching']);
  });

  test('is shown in the inbox and on the review, with who sent it', async ({ seller }) => {
    const { id } = await send(seller, { prescription_pdf_base64: PDF_BASE64 });
    await ask(seller, id);
    const { browser } = await enter(seller.orgId, 'pharmacist');
    succeeded(
      await supplement(seller, id, { note: 'Dreimal täglich', prescription_pdf_base64: pdf(), replaces: true }),
    );
    const inbox = (await browser.get('/manage/requests')).text;
    expect(inbox).toContain('Rezept nachgereicht: telemed.example');
    const review = (await browser.get(`/manage/requests/${id}`)).text;
    expect(review).toContain('Dreimal täglich');
    expect(review).toContain('Rezept nachgereicht');
    expect(review).toContain('Die Plattform hat ein neues geschickt.');
    expect(review.match(/<bdi>telemed\.example<\/bdi>/g)?.length).toBeGreaterThanOrEqual(3);
  });
});

describe('a repeated supplement', () => {
  test.for([
    ['a note', () => ({ note: 'Dreimal täglich' })],
    ['a prescription', () => ({ prescription_pdf_base64: pdf(), replaces: true })],
    ['both', () => ({ note: 'Dreimal täglich', prescription_pdf_base64: pdf() })],
  ] as const)('of %s writes nothing and has the same answer', async ([_, make], { seller }) => {
    const { id } = await send(seller);
    const body = make();
    const first = succeeded(await supplement(seller, id, body));
    const before = await footprint(seller.orgId);
    const { FILES, keys } = watchedFiles();
    const again = await supplement(seller, id, body, { env: { FILES } });
    expect(again).toMatchObject({ status: 200, body: first });
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await footprint(seller.orgId)).toEqual(before);
    expect(keys).toEqual([]);
  });

  test('answers a question that was asked since, and files the same file once', async ({ seller }) => {
    const { id } = await send(seller);
    const body = { note: 'Ja', prescription_pdf_base64: pdf() };
    succeeded(await supplement(seller, id, body));
    await ask(seller, id);
    const again = await supplement(seller, id, body);
    expect(again).toMatchObject({ status: 200, body: { needs_info: false } });
    expect(again.headers.get('Idempotent-Replayed')).toBeNull();
    expect(await filesOf(seller, id)).toEqual(['stored']);
  });

  test('at the same moment is one, and leaves one file', async ({ seller }) => {
    const { id } = await send(seller);
    await ask(seller, id);
    const body = { note: 'Dreimal täglich', prescription_pdf_base64: pdf() };
    const { FILES, keys } = watchedFiles();
    const answers = await atOnce(
      ...Array.from({ length: 4 }, () => () => supplement(seller, id, body, { env: { FILES } })),
    );
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { needs_info: false } });
    expect(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === null)).toHaveLength(1);
    expect(await filesOf(seller, id)).toEqual(['stored']);
    const kept = await rows<{ file_key: string }>('select file_key from prescriptions where order_request_id = ?', id);
    const given = await rows<{ file_key: string }>('select file_key from file_deletions');
    const unexplained = keys.filter((key) => ![...kept, ...given].some(({ file_key }) => file_key === key));
    expect(unexplained).toEqual([]);
  });

  test('after a lost answer is the same', async ({ seller }) => {
    captureLogs();
    for (const how of [
      'is carried out and its answer lost, an error that is not sent again',
      'is carried out and its answer lost, a transient error',
    ] as const) {
      const { id } = await send(seller);
      const body = { note: 'Dreimal täglich', prescription_pdf_base64: pdf() };
      const { DB } = faultyDatabase({ batch: 3, how });
      const first = await supplement(seller, id, body, { env: { ...ONE_DATABASE, DB } });
      expect(first.status).toBe(how.endsWith('transient error') ? 200 : 502);
      expect(await supplement(seller, id, body)).toMatchObject({ status: 200, body: { status: 'pending' } });
      expect(await filesOf(seller, id)).toEqual(['stored']);
      expect((await readReview(staffOf(seller), id)).notes).toHaveLength(1);
      const [{ file_key: key }] = (await rows<{ file_key: string }>(
        'select file_key from prescriptions where order_request_id = ?',
        id,
      )) as [{ file_key: string }];
      expect(await env.FILES.head(key)).not.toBeNull();
      expect(await rows('select * from file_deletions where file_key = ?', key)).toEqual([]);
    }
  });
});

describe('a request that does not wait takes no supplement', () => {
  test.for([
    ['approved', (seller: Seller, id: string) => approve(seller, id)],
    ['rejected', (seller: Seller, id: string) => reject(seller, id)],
    ['deleted', (seller: Seller, id: string) => withdraw(seller, id)],
  ] as const)('%s', async ([status, end], { seller }) => {
    const { id } = await send(seller);
    expect((await end(seller, id)).status).toBe(200);
    const before = await footprint(seller.orgId);
    const { FILES, keys } = watchedFiles();
    const answer = await supplement(seller, id, { prescription_pdf_base64: pdf() }, { env: { FILES } });
    expectProblem(answer, 409, 'already_decided');
    expect(answer.body).toMatchObject({ current_status: status, decided_by: null });
    expect(await footprint(seller.orgId)).toEqual(before);
    expect(keys).toEqual([]);
  });

  test('but one that was sent before its decision is answered as then', async ({ seller }) => {
    const { id } = await send(seller);
    succeeded(await supplement(seller, id, { note: 'Ja' }));
    const { order_id } = succeeded(await approve(seller, id));
    expect(await supplement(seller, id, { note: 'Ja' })).toMatchObject({
      status: 200,
      body: { status: 'approved', order: { id: order_id } },
    });
    await getOrder(seller, order_id);
  });

  test('an approval of what was seen before it is refused', async ({ seller }) => {
    const { id } = await send(seller, { prescription_pdf_base64: PDF_BASE64 });
    const ctx = staffOf(seller);
    const { prescriptionsVersion } = await readReview(ctx, id);
    succeeded(await supplement(seller, id, { prescription_pdf_base64: pdf() }));
    await expect(approveOrderRequest(ctx, { id, prescriptionsVersion })).rejects.toMatchObject({
      code: 'prescriptions_changed',
    });
  });
});

describe('a supplement that is not right stores nothing', () => {
  const INVALID: [string, unknown, code: string, pointer: string][] = [
    ['nothing', {}, 'validation_failed', ''],
    ['replaces alone', { note: 'x', replaces: true }, 'validation_failed', '/replaces'],
    ['another member', { note: 'x', prescription: 'x' }, 'validation_failed', '/prescription'],
    ['no PDF', { prescription_pdf_base64: btoa('no') }, 'invalid_prescription_pdf', '/prescription_pdf_base64'],
    [
      'a plain URL',
      { prescription_pdf_url: 'http://a.example/x.pdf' },
      'invalid_prescription_url',
      '/prescription_pdf_url',
    ],
  ];

  test.for(INVALID)('%s', async ([_, body, code, pointer], { seller }) => {
    const { id } = await send(seller);
    const before = await footprint(seller.orgId);
    const answer = await supplement(seller, id, body);
    expectProblem(answer, 400, code);
    expect(answer.body.errors).toMatchObject([{ pointer }]);
    expect(await footprint(seller.orgId)).toEqual(before);
  });

  test('the host of a shop of this service', async ({ seller }) => {
    const { id } = await send(seller);
    // Not a loopback name: as a shop is outside of the tests.
    const host = `rx-${newId()}.example.com`;
    await rows(
      'insert into shop_hosts (host, org_id, shop_id, created_at) values (?, ?, ?, 1)',
      host,
      seller.orgId,
      seller.shopId,
    );
    const answer = await supplement(seller, id, { prescription_pdf_url: `https://${host}/x.pdf` });
    expectProblem(answer, 400, 'invalid_prescription_url');
  });

  test('more than fit one request', async ({ seller }) => {
    const { id } = await send(seller);
    const many = JSON.stringify(Array.from({ length: SUPPLEMENTS_MAX }, () => ({ at: 1, note: newId(), file: null })));
    await rows('update order_requests set supplements = ? where id = ?', many, id);
    expectProblem(await supplement(seller, id, { note: 'x' }), 409, 'supplement_limit_reached');
    expect(JSON.parse(String((await requestRow(id)).supplements))).toHaveLength(SUPPLEMENTS_MAX);
  });

  test('what is too large', async ({ seller }) => {
    const { id } = await send(seller);
    expectProblem(await supplement(seller, id, { note: 'ä'.repeat(40_000) }), 400, 'payload_too_large');
  });
});

test('a supplement costs three round trips, a repetition two that write nothing', async ({ seller }) => {
  const { id } = await send(seller);
  await ask(seller, id);
  const body = { note: 'Ja', prescription_pdf_base64: pdf(), replaces: true };
  const first = meteredDb();
  succeeded(await supplement(seller, id, body, { env: { ...ONE_DATABASE, DB: first.DB } }));
  expect(first.trips).toHaveLength(3);
  const again = meteredDb();
  succeeded(await supplement(seller, id, body, { env: { ...ONE_DATABASE, DB: again.DB } }));
  expect(again.trips.map(({ rowsWritten }) => rowsWritten)).toEqual([0, 0]);
});
