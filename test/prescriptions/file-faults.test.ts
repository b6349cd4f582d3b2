import { fileFaultOf, isPdf } from '../../src/prescriptions/pdf';
import { enter } from '../management/browser';
import { outsideAnswers } from '../support/outbound';
import { fetchPrescriptions, prescriptionRow, submitLink } from '../support/prescriptions';
import { expect, test } from '../support/test';
import { envelope, PDF_TEXT, submit } from '../support/world';

const bytesOf = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const faultOf = (text: string) => fileFaultOf(bytesOf(text));
const MIB = 1024 * 1024;

/** What qpdf writes for the passwords "user" and "" of a user: revision, dictionary, ID. */
const ENCRYPTED = [
  [
    'locked',
    'R2',
    '/Filter/Standard/V 1/R 2/P -12/Length 40/O<94e8094419662a774442fb072e3d9f19e9d130ec09a4d0061e78fe920f7ab62f>/U<c15b025204d6668eed4cb78ae03a556d363ad2e339768415b1c447d277e50c51>',
    '40e88a3530fdf890ab31bdd7254b4a57',
  ],
  [
    'open',
    'R2',
    '/Filter/Standard/V 1/R 2/P -12/Length 40/O<c92422687facee686e373f10b5c7d04738053152f7e2ee30e11c69ec442576ab>/U<f2658eee7ffd536cb2093095a983ff71151ec6c5a86b5c1dac941e36443379f1>',
    '40e88a3530fdf890ab31bdd7254b4a57',
  ],
  [
    'locked',
    'R3',
    '/Filter/Standard/V 2/R 3/P -1028/Length 128/O<0ba3835f88f90388e74e54584125ce142be0de24c6b0d37746e075b891756671>/U<e7462209358d71a0a0d329358650b5ea0021446990b9e4114071a4d9104984c1>',
    '40e88a3530fdf890ab31bdd7254b4a57',
  ],
  [
    'open',
    'R3',
    '/Filter/Standard/V 2/R 3/P -1028/Length 128/O<566fa873ee33c797cd3b904fdadf814afa34df9a38f6ed41b984e2c6da2aa6f5>/U<6157fb2001f21be105ffa600898dad910021446990b9e4114071a4d9104984c1>',
    '40e88a3530fdf890ab31bdd7254b4a57',
  ],
  [
    'locked',
    'R4',
    '/Filter/Standard/V 4/R 4/P -1028/Length 128/StmF/StdCF/O<0ba3835f88f90388e74e54584125ce142be0de24c6b0d37746e075b891756671>/U<e7462209358d71a0a0d329358650b5ea0021446990b9e4114071a4d9104984c1>',
    '40e88a3530fdf890ab31bdd7254b4a57',
  ],
  [
    'open',
    'R4',
    '/Filter/Standard/V 4/R 4/P -1028/Length 128/StmF/StdCF/O<566fa873ee33c797cd3b904fdadf814afa34df9a38f6ed41b984e2c6da2aa6f5>/U<6157fb2001f21be105ffa600898dad910021446990b9e4114071a4d9104984c1>',
    '40e88a3530fdf890ab31bdd7254b4a57',
  ],
  [
    'locked',
    'R4-nometa',
    '/Filter/Standard/V 4/R 4/P -1028/Length 128/StmF/StdCF/EncryptMetadata false/O<0ba3835f88f90388e74e54584125ce142be0de24c6b0d37746e075b891756671>/U<7e2508a47e0e71712db03a5c7c4f1fda0021446990b9e4114071a4d9104984c1>',
    '40e88a3530fdf890ab31bdd7254b4a57',
  ],
  [
    'open',
    'R4-nometa',
    '/Filter/Standard/V 4/R 4/P -1028/Length 128/StmF/StdCF/EncryptMetadata false/O<566fa873ee33c797cd3b904fdadf814afa34df9a38f6ed41b984e2c6da2aa6f5>/U<e1f3404c42a22b2fa2977c2eee87b5df0021446990b9e4114071a4d9104984c1>',
    '40e88a3530fdf890ab31bdd7254b4a57',
  ],
  [
    'locked',
    'R6',
    '/Filter/Standard/V 5/R 6/P -1028/Length 256/StmF/StdCF/O<c7111ceed5d9500309b840445cf87f6e6e9a014023f14e1b577cf21294fa609534e0e8fb861f88bffbbb0e981ef028a2>/U<faae122c0d7e8549453d081b8da309ea51bf2e2e15193933e9c0700758f8795302257f22ae05a0d9776cdf1166c12667>',
    '40e88a3530fdf890ab31bdd7254b4a57',
  ],
  [
    'open',
    'R6',
    '/Filter/Standard/V 5/R 6/P -1028/Length 256/StmF/StdCF/O<0dde5699ccf7b53d1bedfe5718bbfa1e8d1f2664902df50ce5f311578902097062f4936ab9e385aa3b60703418ce3df1>/U<ee537c598eaf02fb12dca70057359daf91ce46220d786f2e136a954f1bc9ea98272f6de2821b45e5601d17b6a60a7eba>',
    '40e88a3530fdf890ab31bdd7254b4a57',
  ],
] as const;

test.each(ENCRYPTED)('a file that qpdf has encrypted (%s, %s)', async (kind, _revision, dictionary, id) => {
  const file = (at: string, more = '') =>
    `%PDF-1.7\n9 0 obj<<${at}>>endobj 1 0 obj<</Type/Page>>endobj trailer<</ID[<${id}><00>]${more}>>\n%%EOF\n`;
  expect(await faultOf(file(dictionary, '/Encrypt 9 0 R'))).toBe(kind === 'locked' ? 'locked' : null);
  // A literal string says the same as a hexadecimal one.
  const literal = dictionary.replace(/<([0-9a-f]+)>/g, (_, hex: string) => {
    const escaped = hex.match(/../g)?.map((pair) => `\\${Number.parseInt(pair, 16).toString(8).padStart(3, '0')}`);
    return `(${escaped?.join('')})`;
  });
  expect(await faultOf(file(literal, '/Encrypt 9 0 R'))).toBe(kind === 'locked' ? 'locked' : null);
});

test.each([
  ['a whole file', PDF_TEXT, null],
  ['padding behind the end', PDF_TEXT + '\0'.repeat(9_000), null],
  ['half of it', PDF_TEXT.slice(0, 30), 'truncated'],
  ['its first bytes', '%PDF-', 'truncated'],
  ['a revision that broke off', `${PDF_TEXT}2 0 obj<</Type/Page`, 'truncated'],
  ['no pages', '%PDF-1.7\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n%%EOF', 'empty'],
  ['a handler that wants a certificate', `${PDF_TEXT}/Encrypt <</Filter/Adobe.PubSec/V 4>>\n%%EOF`, 'locked'],
  ['a handler that is nowhere', `${PDF_TEXT}/Encrypt 7 0 R\n%%EOF`, null],
])('%s', async (_, text, fault) => {
  expect(await faultOf(text)).toBe(fault);
});

test('pages are found among compressed objects', async () => {
  for (const [objects, fault] of [
    ['1 0 <</Type/Page>>', null],
    ['1 0 <</Type/Pages/Count 0>>', 'empty'],
  ] as const) {
    const compressed = await new Response(
      new Blob([objects]).stream().pipeThrough(new CompressionStream('deflate')),
    ).bytes();
    const stream = String.fromCharCode(...compressed);
    const file = `%PDF-1.7\n5 0 obj<</Type/ObjStm/N 1>>stream\n${stream}\nendstream endobj\n%%EOF`;
    expect(await faultOf(file)).toBe(fault);
  }
});

test.each([
  ['\u00ef\u00bb\u00bf', true],
  ['\r\n', true],
  [' \n\0\t', true],
  ['<html>', false],
  [' '.repeat(65), false],
])('%j before the header', (lead, isTaken) => {
  expect(isPdf(bytesOf(lead + PDF_TEXT))).toBe(isTaken);
});

test('a file made to be searched again and again is read through a few times at most', async () => {
  let decoded = 0;
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = function (
    this: TextDecoder,
    input?: BufferSource,
    options?: TextDecoderDecodeOptions,
  ) {
    decoded += (input as Uint8Array).length;
    return decode.call(this, input as Uint8Array, options);
  } as typeof decode;
  try {
    for (const part of ['/ObjStm stream\n\x78\x9c', '/Encrypt 1 0 R 1 0 obj ', '/Type /Pag /Kids [ ', '%%EOF ']) {
      const file = bytesOf('%PDF-1.7\n'.padEnd(2 * MIB, part));
      file.set(bytesOf('\n%%EOF'), file.length - 6);
      await fileFaultOf(file);
    }
  } finally {
    TextDecoder.prototype.decode = decode;
  }
  expect(decoded).toBeLessThan(4 * 5 * 2 * MIB);
});

test('a file that cannot be opened is taken: platform and staff are told, also when it is sent again', async ({
  seller,
}) => {
  const body = envelope({ prescription_pdf_base64: btoa('%PDF-1.7\nhalf') });
  for (const _ of [1, 2]) {
    const answer = await submit(seller, body);
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { warnings: [{ code: 'unmatched_item' }, { code: 'prescription_unreadable' }] },
    ]);
  }
  const { id } = (await (await submit(seller, body)).json()) as { id: string };
  const { browser } = await enter(seller.orgId, 'pharmacist');
  expect((await browser.get(`/manage/requests/${id}`)).text).toContain('Die Datei ist unvollständig');
  const { browser: staff } = await enter(seller.orgId, 'staff');
  expect((await staff.get(`/manage/requests/${id}`)).text).toContain('Rezept nicht zu öffnen');
});

test('a file that is fetched is looked at as one that is sent', async () => {
  outsideAnswers(() => new Response('%PDF-1.7\n%%EOF'));
  const { id } = await submitLink();
  await fetchPrescriptions([id]);
  expect(await prescriptionRow(id)).toMatchObject({ status: 'stored', file_fault: 'empty' });
});
