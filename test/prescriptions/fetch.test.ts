import { env } from 'cloudflare:workers';
import { claimFetches } from '../../src/prescriptions/store';
import { consumeFetches, sweepFetches } from '../../src/prescriptions/sweep';
import { eventually } from '../support/eventually.ts';
import { databaseDown, endlessBody, outsideAnswers } from '../support/outbound';
import { fetchPrescriptions, fileKeys, pdfAnswer, prescriptionRow, submitLink } from '../support/prescriptions';
import { expect, test, vi } from '../support/test';
import { PRODUCTION_SCHEDULE } from '../support/webhooks';
import { PDF_BASE64, PDF_TEXT, rows, systemContext } from '../support/world';

const MINUTE = 60_000;
const LEASE = 60_000;
const GRACE = 5_000;
const MIB = 1024 * 1024;

function fetchAt(now: number, ids: string[], changed: Partial<Env> = {}) {
  return fetchPrescriptions(ids, { now: () => now, env: { ...PRODUCTION_SCHEDULE, ...changed } });
}

async function sweepAt(now: number) {
  const { ctx, fetchesEnqueued } = systemContext({ now: () => now, env: PRODUCTION_SCHEDULE });
  await sweepFetches(ctx);
  return fetchesEnqueued;
}

/** One attempt that meets this answer. @returns what is stored afterwards, and which files are new */
async function attemptThatMeets(answer: () => Response | Promise<Response>, changed: Partial<Env> = {}) {
  const linked = await submitLink();
  const before = await fileKeys();
  const calls = outsideAnswers(answer);
  const now = Date.now();
  const enqueued = await fetchAt(now, [linked.id], changed);
  const newFiles = (await fileKeys()).filter((key) => !before.includes(key));
  return { ...linked, now, calls, enqueued, newFiles, row: await prescriptionRow(linked.id) };
}

/** A PDF of this size, as far as its first bytes go. */
function pdfOf(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode('%PDF-1.7'));
  return bytes;
}

test('a request with a link is accepted at once, and its prescription is fetched later', async () => {
  const calls = outsideAnswers(pdfAnswer);
  const { response, id, url, enqueued } = await submitLink();
  expect(response.status).toBe(200);
  expect(calls).toEqual([]);
  expect(enqueued).toEqual([{ id, delaySeconds: 0 }]);
  expect(await prescriptionRow(id)).toMatchObject({
    origin: 'url',
    status: 'fetching',
    file_key: null,
    source_url: url,
    fetch_attempts: 0,
  });
});

test('the bytes are stored as they came, under a fresh key, with their hash and size', async () => {
  const { row, calls, newFiles, enqueued, url } = await attemptThatMeets(pdfAnswer);
  expect(calls).toMatchObject([{ url, method: 'GET' }]);
  expect(newFiles).toEqual([row.file_key]);
  expect(row.file_key).toMatch(/^prescriptions\/\d{4}-\d\d-\d\d\/[0-9a-f-]{36}$/);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(PDF_TEXT));
  expect(row).toMatchObject({
    status: 'stored',
    sha256: new Uint8Array(digest).toHex(),
    size_bytes: PDF_TEXT.length,
    fetch_attempts: 1,
    fetch_failure: null,
  });
  const file = await env.FILES.get(row.file_key ?? '');
  expect(await file?.text()).toBe(PDF_TEXT);
  expect(file?.httpMetadata?.contentType).toBe('application/pdf');
  expect(enqueued).toEqual([]);
});

test('once the file is here, the query of its address, which may be a credential, is dropped', async () => {
  const { row, url } = await attemptThatMeets(pdfAnswer);
  expect(row.source_url).toBe(url.split('?')[0]);
});

test('redirects are not followed and the whole fetch is given 15 seconds', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const { calls } = await attemptThatMeets(pdfAnswer);
  expect(calls[0]?.init.redirect).toBe('manual');
  expect(calls[0]?.init.signal).toBeInstanceOf(AbortSignal);
  expect(timeout.mock.calls).toEqual([[15_000]]);
});

test('500, then 200: tried again a minute later, and stored', async ({ linked: { id } }) => {
  const calls = outsideAnswers((_, count) => (count === 1 ? new Response(null, { status: 500 }) : pdfAnswer()));
  const now = Date.now();
  expect(await fetchAt(now, [id])).toEqual([{ id, delaySeconds: 60 }]);
  expect(await prescriptionRow(id)).toMatchObject({
    status: 'fetching',
    fetch_attempts: 1,
    next_fetch_at: now + MINUTE,
    fetch_failure: 'server_error',
  });
  await fetchAt(now + MINUTE, [id]);
  expect(calls).toHaveLength(2);
  expect(await prescriptionRow(id)).toMatchObject({ status: 'stored', fetch_attempts: 2, fetch_failure: null });
});

test.each([
  ['a 404', () => new Response('gone', { status: 404 }), 'refused'],
  ['a 401', () => new Response(null, { status: 401 }), 'refused'],
  ['a 410', () => new Response(null, { status: 410 }), 'refused'],
  ['a sign-in page', () => new Response('<!doctype html><title>Sign in</title>'), 'not_a_pdf'],
  ['an empty answer', () => new Response(null, { status: 204 }), 'not_a_pdf'],
  ['a PDF behind other text', () => new Response(`%!\n${PDF_TEXT}`), 'not_a_pdf'],
  [
    'HTML that calls itself a PDF',
    () => new Response('<html>', { headers: { 'Content-Type': 'application/pdf' } }),
    'not_a_pdf',
  ],
  ['a redirect', () => Response.redirect('https://elsewhere.example.com/', 302), 'redirect'],
  ['a permanent redirect', () => Response.redirect('https://elsewhere.example.com/', 308), 'redirect'],
])('%s ends the fetching at once', async (_, answer, failure) => {
  const { row, calls, newFiles, enqueued } = await attemptThatMeets(answer);
  expect(row).toMatchObject({ status: 'fetch_failed', fetch_attempts: 1, fetch_failure: failure, file_key: null });
  expect(calls).toHaveLength(1);
  expect(newFiles).toEqual([]);
  expect(enqueued).toEqual([]);
});

test.each([
  ['a 500', () => new Response(null, { status: 500 }), 'server_error'],
  ['a 503', () => new Response(null, { status: 503 }), 'server_error'],
  ['a 429', () => new Response(null, { status: 429 }), 'server_error'],
  ['a 408', () => new Response(null, { status: 408 }), 'server_error'],
  ['no connection', () => Promise.reject(new Error('Network connection lost.')), 'connect'],
  ['no answer in time', () => Promise.reject(new DOMException('timed out', 'TimeoutError')), 'timeout'],
])('%s may pass, and is tried again', async (_, answer, failure) => {
  const { row, newFiles, enqueued, id } = await attemptThatMeets(answer);
  expect(row).toMatchObject({ status: 'fetching', fetch_attempts: 1, fetch_failure: failure });
  expect(newFiles).toEqual([]);
  expect(enqueued).toEqual([{ id, delaySeconds: 60 }]);
});

test('a file that breaks off halfway is tried again, and nothing of it is stored', async () => {
  const { row, newFiles } = await attemptThatMeets(() => {
    let pulls = 0;
    const stream = new ReadableStream({
      pull(controller) {
        pulls += 1;
        if (pulls === 1) controller.enqueue(pdfOf(1000));
        else controller.error(new Error('Network connection lost.'));
      },
    });
    return new Response(stream);
  });
  expect(row).toMatchObject({ status: 'fetching', fetch_failure: 'connect' });
  expect(newFiles).toEqual([]);
});

test('a file whose rest does not come in time is tried again', async () => {
  const { row } = await attemptThatMeets(() => {
    const stream = new ReadableStream({
      pull: (controller) => controller.error(new DOMException('timed out', 'TimeoutError')),
    });
    return new Response(stream);
  });
  expect(row).toMatchObject({ status: 'fetching', fetch_failure: 'timeout' });
});

test('a file that never ends is cut behind 10 MiB and refused', async () => {
  const endless = endlessBody(pdfOf(MIB));
  const { row, newFiles } = await attemptThatMeets(() => new Response(endless.stream));
  expect(row).toMatchObject({ status: 'fetch_failed', fetch_failure: 'too_large', file_key: null });
  expect(newFiles).toEqual([]);
  expect(endless.readBytes()).toBeLessThanOrEqual(13 * MIB);
});

test.each([
  [0, 'stored', null],
  [1, 'fetch_failed', 'too_large'],
])('a file of 10 MiB and %d bytes: %s', async (extra, status, failure) => {
  const { row } = await attemptThatMeets(() => new Response(pdfOf(10 * MIB + extra)));
  expect(row).toMatchObject({ status, fetch_failure: failure });
  if (status === 'stored') expect(row.size_bytes).toBe(10 * MIB);
});

test.each([404, 500, 302])('the body that comes with a %d is not read', async (status) => {
  const endless = endlessBody(new Uint8Array(MIB));
  await attemptThatMeets(() => new Response(endless.stream, { status }));
  expect(endless.readBytes()).toBeLessThanOrEqual(2 * MIB);
});

// Every other address: test/platform/addresses.rounds.test.ts; what is refused with the request: test/connector/bad-input.test.ts.
test('loopback that stands in the database is not called, not even in development', async ({ linked: { id } }) => {
  await rows("update prescriptions set source_url = 'http://127.0.0.1:9900/a.pdf' where id = ?", id);
  const calls = outsideAnswers(pdfAnswer);
  await fetchAt(Date.now(), [id]);
  await expect(calls).toEqual([]);
  expect(await prescriptionRow(id)).toMatchObject({
    status: 'fetch_failed',
    fetch_failure: 'blocked',
    file_key: null,
  });
});

test('R2 down: the fetch is tried again and stored then', async () => {
  const FILES = { put: () => Promise.reject(new Error('R2 is down')) } as unknown as R2Bucket;
  const { row, id, now, newFiles } = await attemptThatMeets(pdfAnswer, { FILES });
  expect(row).toMatchObject({ status: 'fetching', fetch_attempts: 1, fetch_failure: 'storage', file_key: null });
  expect(newFiles).toEqual([]);
  await fetchAt(now + MINUTE, [id]);
  expect(await prescriptionRow(id)).toMatchObject({ status: 'stored', fetch_attempts: 2, fetch_failure: null });
});

test('three attempts at most, however often messages come and sweeps run', async ({ linked: { id } }) => {
  const calls = outsideAnswers(() => new Response(null, { status: 500 }));
  let now = Date.now();
  for (let round = 0; round < 6; round += 1) {
    await sweepAt(now);
    await fetchAt(now, [id]);
    now += 24 * 60 * MINUTE;
  }
  expect(calls).toHaveLength(3);
  expect(await prescriptionRow(id)).toMatchObject({
    status: 'fetch_failed',
    fetch_attempts: 3,
    fetch_failure: 'server_error',
  });
});

test('20 copies of a message at once fetch once', async ({ linked: { id } }) => {
  const calls = outsideAnswers(pdfAnswer);
  await Promise.all(Array.from({ length: 20 }, () => fetchPrescriptions([id])));
  expect(calls).toHaveLength(1);
  expect(await prescriptionRow(id)).toMatchObject({ status: 'stored', fetch_attempts: 1 });
});

test('a message before its time claims nothing, up to 2 s early it does', async ({ linked: { id } }) => {
  const calls = outsideAnswers(() => new Response(null, { status: 500 }));
  const now = Date.now();
  await fetchAt(now, [id]);
  await fetchAt(now + MINUTE - 2_001, [id]);
  expect(calls).toHaveLength(1);
  await fetchAt(now + MINUTE - 2_000, [id]);
  expect(calls).toHaveLength(2);
});

test('a message that was lost is enqueued again by the sweep', async ({ linked: { id } }) => {
  const now = Date.now();
  expect((await sweepAt(now)).map((enqueued) => enqueued.id)).not.toContain(id);
  expect((await sweepAt(now + GRACE + 1)).map((enqueued) => enqueued.id)).toContain(id);
});

test('a process that died while it fetched: after its lease the sweep sends a message, and the next attempt stores', async () => {
  const { id } = await submitLink();
  const { ctx } = systemContext();
  const now = Date.now();
  await ctx.db.run({ claimed: claimFetches([id], now, now + LEASE) });
  const calls = outsideAnswers(pdfAnswer);
  await fetchAt(now + LEASE / 2, [id]);
  expect((await sweepAt(now + LEASE)).map((enqueued) => enqueued.id)).not.toContain(id);
  expect(calls).toEqual([]);
  expect((await sweepAt(now + LEASE + GRACE)).map((enqueued) => enqueued.id)).toContain(id);
  await fetchAt(now + LEASE + GRACE, [id]);
  expect(await prescriptionRow(id)).toMatchObject({ status: 'stored', fetch_attempts: 2 });
});

test('a third attempt that was interrupted is ended by the sweep, as failed', async ({ linked: { id } }) => {
  const { ctx } = systemContext();
  let now = Date.now();
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const { claimed } = await ctx.db.run({ claimed: claimFetches([id], now, now + LEASE) });
    expect(claimed).toMatchObject([{ id, attempt }]);
    now += LEASE + GRACE;
  }
  expect((await sweepAt(now)).map((enqueued) => enqueued.id)).not.toContain(id);
  expect(await prescriptionRow(id)).toMatchObject({ status: 'fetch_failed', fetch_failure: 'interrupted' });
});

test('D1 down when the result is to be recorded: fetched again after the lease, and the row names the later file', async () => {
  const { id } = await submitLink();
  const calls = outsideAnswers(pdfAnswer);
  const DB = databaseDown(1);
  const now = Date.now();
  await expect(fetchAt(now, [id], { DB })).rejects.toMatchObject({ code: 'backend_unreachable' });
  await fetchAt(now + LEASE, [id]);
  expect(calls).toHaveLength(2);
  const row = await prescriptionRow(id);
  expect(row).toMatchObject({ status: 'stored', fetch_attempts: 2 });
  expect(await env.FILES.head(row.file_key ?? '')).not.toBeNull();
});

test('one link that fails keeps none of its batch from being fetched; the batch costs 2 round trips', async () => {
  const links = [await submitLink(), await submitLink(), await submitLink(), await submitLink()];
  outsideAnswers(({ url }) => {
    if (url === links[1]?.url) throw new Error('connection refused');
    return url === links[2]?.url ? new Response('<html>') : pdfAnswer();
  });
  const { ctx } = systemContext({ env: PRODUCTION_SCHEDULE });
  await consumeFetches(
    ctx,
    links.map(({ id }) => id),
  );
  const statuses = links.map(async ({ id }) => (await prescriptionRow(id)).status);
  expect(await Promise.all(statuses)).toEqual(['stored', 'fetching', 'fetch_failed', 'stored']);
  expect(ctx.db.meter).toMatchObject({ roundTrips: 2, statements: 6 });
});

test('at most two files are fetched at once: each may hold 10 MiB', async () => {
  const links = [await submitLink(), await submitLink(), await submitLink(), await submitLink()];
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let most = 0;
  outsideAnswers(async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise<void>((resolve) => waiting.push(resolve));
    underWay -= 1;
    return pdfAnswer();
  });
  const fetching = fetchPrescriptions(links.map(({ id }) => id));
  for (let answered = 0; answered < links.length; answered += 1) {
    await eventually(() => expect(waiting.length).toBeGreaterThan(answered));
    waiting[answered]?.();
  }
  await fetching;
  expect(most).toBe(2);
});

test('with base64 and link, the base64 is used, the link noted without its query, and nothing fetched', async () => {
  const calls = outsideAnswers(pdfAnswer);
  const { id, url, enqueued } = await submitLink({ prescription_pdf_base64: PDF_BASE64 });
  expect(enqueued).toEqual([]);
  const row = await prescriptionRow(id);
  expect(row).toMatchObject({ origin: 'base64', status: 'stored', source_url: url.split('?')[0], fetch_attempts: 0 });
  expect(await (await env.FILES.get(row.file_key ?? ''))?.text()).toBe(PDF_TEXT);
  await fetchPrescriptions([id]);
  expect(calls).toEqual([]);
  expect(await prescriptionRow(id)).toEqual(row);
});
