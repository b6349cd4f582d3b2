import { expect, test, vi } from 'vitest';
import { callOut } from '../../src/platform/http/outgoing';

const EDGE = { Server: 'cloudflare', 'CF-RAY': '9a0-FRA' };
const answering = (answer: () => Promise<Response>) => vi.spyOn(globalThis, 'fetch').mockImplementation(answer);
const call = () => callOut('https://hooks.example/in', { headers: { Accept: '*/*' }, timeoutMs: 1_000 });

test.each([
  [530, 'error code: 1016', 'dns'],
  [530, 'error code: 1033', 'connect'],
  [521, 'error code: 521', 'connect'],
  [522, '', 'timeout'],
  [523, '', 'connect'],
  [524, '', 'timeout'],
  [525, '', 'tls'],
  [526, '', 'tls'],
])('%i of the edge (%j) is no answer of the server: %s', async (status, body, failure) => {
  answering(async () => new Response(body, { status, headers: EDGE }));
  expect(await call()).toEqual({ failure });
});

test.each<[number, Record<string, string>]>([
  [500, EDGE],
  [503, EDGE],
  [530, {}],
  [522, { Server: 'cloudflare' }],
  [525, { 'CF-RAY': '9a0-FRA', Server: 'nginx' }],
])('%i with %j is an answer of the server', async (status, headers) => {
  answering(async () => new Response('oops', { status, headers }));
  expect((await call()).answer?.status).toBe(status);
});

test.each([
  [new DOMException('', 'TimeoutError'), 'timeout'],
  [new Error('DNS lookup failed'), 'dns'],
  [new Error('TLS handshake failed'), 'tls'],
  [new Error('Network connection lost'), 'connect'],
])('%s is %s', async (error, failure) => {
  answering(() => Promise.reject(error));
  expect(await call()).toEqual({ failure });
});

test('a call names this service, stays out of caches and follows no redirect', async () => {
  const fetched = answering(async () => new Response());
  await call();
  expect(fetched.mock.calls[0]).toMatchObject([
    'https://hooks.example/in',
    {
      headers: { 'User-Agent': expect.stringContaining('Offizin'), Accept: '*/*' },
      cache: 'no-store',
      redirect: 'manual',
    },
  ]);
});
