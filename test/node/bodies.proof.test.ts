import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, post, Service } from './support/service';

const MIB = 1024 * 1024;
const dir = mkdtempSync(join(tmpdir(), 'offizin-bodies-'));
const sockets: Socket[] = [];
let service: Service;

beforeAll(async () => {
  service = await new Service(await freePort(), dir).start();
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  service.destroy();
  rmSync(dir, { recursive: true, force: true });
});

/** A submission over a real connection: its head, and so much of its body. */
async function send(declaredBytes: number, body: string): Promise<Socket> {
  const { url, headers } = service.curl;
  const socket = connect(service.port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  const fields = { Host: new URL(url).host, ...headers, 'Content-Length': String(declaredBytes) };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/v1/external-order HTTP/1.1\r\n${head.join('')}\r\n${body}`);
  return socket;
}

async function submit(payload: Record<string, unknown> = {}) {
  const { url, headers, body } = service.curl;
  const { payload: sent } = JSON.parse(body);
  const answer = await post(url, headers, JSON.stringify({ source: 'test', payload: { ...sent, ...payload } }));
  return answer.status;
}

const largestPdf = () =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(10 * MIB - 9, 0x20)]).toString('base64');

test('six connections that announce 12 MiB and send a byte stop nobody, and end with 408', async () => {
  const idle = await Promise.all(Array.from({ length: 6 }, () => send(12 * MIB, '{')));
  const answers = idle.map(async (socket) => String((await once(socket, 'data'))[0]));
  expect(await submit()).toBe(200);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test('connections that break off in the middle of a large body leave no memory taken', async () => {
  for (let round = 0; round < 2; round += 1) {
    const halves = await Promise.all(Array.from({ length: 3 }, () => send(12 * MIB, ' '.repeat(MIB))));
    expect(await submit()).toBe(200);
    for (const socket of halves) socket.destroy();
  }
  expect(await submit({ prescription_pdf_base64: largestPdf() })).toBe(200);
});

test('a body of 14 MiB of empty objects is refused, and the next request is served', async () => {
  const { url, headers } = service.curl;
  const answer = await post(url, headers, `{"payload":{"customer_name":"x","z":[${'{},'.repeat((14 * MIB) / 3)}{}]}}`);
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'too_complex']);
  expect(await submit()).toBe(200);
});
