import { expect, test, vi } from 'vitest';
import { costOf } from '../support/cost';
import { de } from '../support/messages';
import { openRequest } from '../support/order-flow';
import { openOrganizationApi } from '../support/organization';
import { freshAddress } from '../support/probe';
import { BASE, call, PDF_TEXT } from '../support/world';
import { Browser, enter, type Page } from './browser';

const { uploadErrors } = de.shared.prescriptions;

/** A pharmacist or a colleague before a request, and the parser that reads uploads. */
async function openUpload(role: 'pharmacist' | 'staff' = 'pharmacist') {
  const api = await openOrganizationApi();
  const { browser } = await enter(api.orgId, role);
  const path = `/manage/requests/${await openRequest(api)}`;
  const { token } = await browser.get(path);
  const parser = vi.spyOn(Response.prototype, 'formData');
  const upload = (body: BodyInit, contentType = 'multipart/form-data; boundary=x') =>
    browser.send(`${path}/prescription`, { method: 'POST', body, headers: { 'Content-Type': contentType } });
  return { browser, path, token, parser, upload };
}

const part = (name: string, value = '') => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (text: string) =>
  `--x\r\nContent-Disposition: form-data; name="prescription_file"; filename="r.pdf"\r\n\r\n${text}\r\n`;

test('an upload of 600 parts is parsed', async () => {
  const { path, token, upload } = await openUpload();
  const body = `${part('form_token', token)}${part('a').repeat(597)}${file(PDF_TEXT)}--x--`;
  expect(await upload(body)).toMatchObject({ status: 303, location: path });
});

const MIB = 1_024 * 1_024;
const disposed = (more: string) => `--x\r\nContent-Disposition: form-data; ${more}\r\n\r\nv\r\n--x--`;

const MINIMAL = '--x\nContent-Disposition:form-data;name=a\n\n\n';
const REFUSED: [string, () => string][] = [
  ['601 parts', () => `${MINIMAL.repeat(601)}--x--`],
  ['190,000 parts', () => `${MINIMAL.repeat(190_000)}--x--`],
  ['a name of 10 MiB', () => disposed(`name="${'n'.repeat(10 * MIB)}"`)],
  ['a file’s name of 66 KiB', () => disposed(`name="f"; filename="${'n'.repeat(66 * 1_024)}"`)],
  ['a header of 66 KiB', () => disposed(`name="f"\r\nX: ${'n'.repeat(66 * 1_024)}`)],
  ['1.5 million parameters', () => disposed(`name="f"${'; a=b'.repeat(1_500_000)}`)],
  ['150 names of 66 KiB', () => `${part('n'.repeat(66 * 1_024)).repeat(150)}--x--`],
  ['headers without an end', () => `--x\r\n${'X: y\r\n'.repeat(1_000)}`],
  ['a long name in the second part', () => `${part('a')}${disposed(`name="${'n'.repeat(5_000)}"`)}`],
  ['a long name behind an empty line', () => `--x\r\n\r\nX: ${'n'.repeat(5_000)}\r\n\r\nv\r\n--x--`],
  ['a long name behind a boundary among headers', () => `--x\nA: b\n--x\n\r${disposed(`name="${'n'.repeat(5_000)}"`)}`],
  [
    'a long name behind content that is the boundary',
    () => `${part('a', '--x')}--x\r\n\r\nX: ${'n'.repeat(5_000)}\r\n\r\nv\r\n--x--`,
  ],
];

test('an upload whose headers or names are too long, or of too many parts, is refused before it is parsed', async () => {
  const { parser, upload } = await openUpload();
  for (const [what, body] of REFUSED) expect([what, (await upload(body())).status]).toEqual([what, 400]);
  expect(parser).not.toHaveBeenCalled();
});

test('an upload that has text or an empty line before its first boundary is not parsed, nor one without a boundary', async () => {
  const { token, parser, upload } = await openUpload();
  const body = `${part('form_token', token)}${file(PDF_TEXT)}--x--`;
  for (const before of ['preamble ', '\r\n']) expect(await upload(before + body)).toMatchObject({ status: 403 });
  for (const more of ['', '; boundary=', '; charset=x; boundary=x y', `; boundary=${'x'.repeat(71)}`]) {
    expect(await upload(body, `multipart/form-data${more}`), more).toMatchObject({ status: 403 });
  }
  expect(parser).not.toHaveBeenCalled();
});

test.each(['\r\n', '\n'])('an upload whose lines end with %j is parsed, with a long file name too', async (end) => {
  const { path, token, upload } = await openUpload();
  const named = file(PDF_TEXT).replace('r.pdf', `${'ä'.repeat(255)}.pdf`);
  const body = `${part('form_token', token)}${part('empty')}${named}--x--\r\n`;
  expect(await upload(body.replaceAll('\r\n', end))).toMatchObject({ status: 303, location: path });
});

test.each([
  ['in quotes', 'multipart/form-data; boundary="x"'],
  ['in capitals', 'Multipart/Form-Data; BOUNDARY=x'],
  ['right behind the type', 'multipart/form-data;boundary=x'],
  ['before another one', 'multipart/form-data; boundary=x; boundary=y'],
])('a boundary %s is one', async (_, contentType) => {
  const { path, token, upload } = await openUpload();
  const body = `${part('form_token', token)}${file(PDF_TEXT)}--x--`;
  expect(await upload(body, contentType)).toMatchObject({ status: 303, location: path });
});

test('what a PDF contains is no part of the form, however often it says the boundary', async () => {
  const { path, token, upload } = await openUpload();
  const body = `${part('form_token', token)}${file(`${PDF_TEXT}${' --x'.repeat(1_000)}`)}--x--`;
  expect(await upload(body)).toMatchObject({ status: 303, location: path });
});

test.each([
  ['text', part('note', 'x'.repeat(65 * 1024))],
  ['names', part('x'.repeat(3_500)).repeat(19)],
])('an upload with 65 KiB of %s beside the file is too large', async (_, more) => {
  const { token, upload } = await openUpload();
  const answer = await upload(`${part('form_token', token)}${more}${file(PDF_TEXT)}--x--`);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(uploadErrors.prescription_too_large);
});

test('the upload of somebody who may not file prescriptions is not read', async () => {
  const { token, parser, upload } = await openUpload('staff');
  let isRead = false;
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      isRead = true;
      controller.enqueue(new TextEncoder().encode(`${part('form_token', token)}${file(PDF_TEXT)}--x--`));
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  expect((await upload(body)).status).toBe(403);
  expect(isRead).toBe(false);
  expect(parser).not.toHaveBeenCalled();
});

test.each([
  [1_000, 401],
  [1_001, 400],
  [32_000, 400],
])('a form of %i fields is answered with %i', async (count, status) => {
  const browser = new Browser();
  const { token } = await browser.get('/manage/sign-in');
  const fields = `form_token=${token}&email=a%40b.de&password=x${'&a'.repeat(count - 3)}`;
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const parsed = vi.spyOn(TextDecoder.prototype, 'decode');
  const answer = await browser.send('/manage/sign-in', { method: 'POST', body: fields, headers });
  expect(answer.status).toBe(status);
  const longest = Math.max(0, ...parsed.mock.results.map(({ value }) => String(value).length));
  expect(longest >= fields.length).toBe(status === 401);
});

test('a long form of somebody who is signed in is read while strangers have all of their memory, in as many round trips', async () => {
  const { browser, path, token } = await openUpload();
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const send = (length: number) => {
    const body = `form_token=${token}&info_note=${'x'.repeat(length)}`;
    const headers = { ...type, 'Content-Length': String(body.length) };
    return browser.send(`${path}/needs-info`, { method: 'POST', body, headers });
  };
  const answers: Page[] = [];
  const costs = [await costOf(async () => answers.push(await send(3_000)))];
  const senders: ReadableByteStreamController[] = [];
  let ended = 0;
  const strangers = Array.from({ length: 32 }, () => {
    const body = new ReadableStream({
      type: 'bytes',
      start(controller) {
        senders.push(controller);
        controller.enqueue(new Uint8Array(5_000));
      },
    });
    const headers = { ...type, 'Content-Length': String(64 * 1024), 'CF-Connecting-IP': freshAddress() };
    return call(`${BASE}/manage/sign-in`, { method: 'POST', body, headers }).finally(() => {
      ended += 1;
    });
  });
  costs.push(await costOf(async () => answers.push(await send(20_000))));
  expect(ended).toBe(0);
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  expect(costs[1]?.roundTrips).toBe(costs[0]?.roundTrips);
  for (const each of senders) {
    each.close();
    each.byobRequest?.respond(0);
  }
  for (const answer of strangers) await (await answer).body?.cancel();
});
