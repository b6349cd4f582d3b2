import { expect, test } from 'vitest';
import {
  hostOf,
  isOfBaseHost,
  type OutboundRefusal,
  REFUSAL_MESSAGES,
  readBounded,
  refusalOf,
} from '../../src/platform/http/outgoing';

const rules = { isOwnHost: (host: string) => host === 'rx.pharmacy.example' || host === 'api.offizin.example' };

test('nothing is no address', () => {
  expect(refusalOf('', rules)).toBe('not_a_url');
});

test('an address of exactly 2048 characters passes', () => {
  expect(refusalOf('https://hooks.example.com/'.padEnd(2048, 'x'), rules)).toBeNull();
  expect(refusalOf('https://hooks.example.com/'.padEnd(2049, 'x'), rules)).toBe('too_long');
});

test.each<[string, OutboundRefusal | null]>([
  ['http://127.0.0.1:9000/hook', null],
  ['https://127.0.0.1/', null],
  ['http://[::1]:9000/', null],
  ['http://user@127.0.0.1/', 'credentials'],
  ['ftp://127.0.0.1/', 'not_https'],
  ['http://127.0.0.2/', 'not_https'],
  ['https://127.0.0.2/', 'ip_address'],
  ['http://localhost:9000/', 'not_https'],
  ['https://localhost/', 'not_public'],
  ['http://10.0.0.1/', 'not_https'],
  ['https://[::ffff:7f00:1]/', 'ip_address'],
  ['https://127.0.0.1.example.com:9000/', 'port'],
  ['https://rx.pharmacy.example/', 'own_host'],
])('where loopback is allowed, %s is refused as %j', (url, refusal) => {
  expect(refusalOf(url, { ...rules, allowLoopback: true })).toBe(refusal);
});

test('every refusal has a message that says what to change', () => {
  for (const message of Object.values(REFUSAL_MESSAGES)) expect(message).toMatch(/^(Use|Send|Remove) .+\.$/);
});

test.each([
  ['https://RX.Example.COM/', 'rx.example.com'],
  ['https://rx.example.com./', 'rx.example.com'],
  ['http://rx.localhost:8787/', 'rx.localhost'],
  ['https://müller.example/', 'xn--mller-kva.example'],
])('the host of %s is %s', (url, host) => {
  expect(hostOf(new URL(url))).toBe(host);
});

/** An answer of so many chunks of 10 bytes, and how it was read. */
function answerOf(chunks: number) {
  const seen = { isCancelled: false, pulls: 0 };
  const body = new ReadableStream(
    {
      pull(controller) {
        seen.pulls += 1;
        if (seen.pulls > chunks) controller.close();
        else controller.enqueue(new Uint8Array(10).fill(seen.pulls));
      },
      cancel() {
        seen.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(body), seen };
}

test.each([
  [0, 25, 0, false],
  [1, 25, 10, false],
  [2, 20, 20, false],
  [3, 25, 25, true],
  [1000, 25, 25, true],
])('of %i chunks of 10 bytes at most %i bytes are read', async (chunks, limit, size, isCut) => {
  const { response, seen } = answerOf(chunks);
  const read = await readBounded(response, limit);
  expect([read.bytes.length, read.isCut]).toEqual([size, isCut]);
  expect(seen.isCancelled).toBe(isCut);
  expect(seen.pulls).toBeLessThanOrEqual(4);
});

test('an answer without a body is empty', async () => {
  expect(await readBounded(new Response(null), 10)).toEqual({ bytes: new Uint8Array(), isCut: false });
});

test('what is read are the bytes that came, in their order', async () => {
  const { bytes } = await readBounded(answerOf(3).response, 25);
  expect([...bytes]).toEqual([...Array(10).fill(1), ...Array(10).fill(2), ...Array(5).fill(3)]);
});

test.each([
  ['offizin.example', true],
  ['api.offizin.example', true],
  ['notoffizin.example', false],
  ['pharmacy.example', false],
])('%s belongs to the base host offizin.example: %j', (host, expected) => {
  expect(isOfBaseHost(host, 'offizin.example')).toBe(expected);
});
