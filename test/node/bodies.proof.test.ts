import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { ownService } from './support/own-service';
import { openPharmacyAt, SUBMITS } from './support/pharmacy';
import { post } from './support/service';

const MIB = 1024 * 1024;
const sockets: Socket[] = [];
const { service } = await ownService();

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** A submission over a real connection: its head, and so much of its body. */
async function send(declaredBytes: number, body: string, { url, headers } = service.curl): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  const fields = { Host: new URL(url).host, ...headers, 'Content-Length': String(declaredBytes) };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/v1/external-order HTTP/1.1\r\n${head.join('')}\r\n${body}`);
  return socket;
}

async function submit(payload: Record<string, unknown> = {}, { url, headers } = service.curl) {
  const { payload: sent } = JSON.parse(service.curl.body);
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

/** Another pharmacy, as `service.curl` is the demo's, under so many keys. */
async function openPharmacy(name: string, count: number) {
  const { connector: url, keys } = await openPharmacyAt(service, {
    fields: { name },
    keys: Array(count).fill(SUBMITS),
  });
  return keys.map((apikey) => ({ url, headers: { apikey, 'Content-Type': 'application/json' }, body: '' }));
}

test('slow bodies of 14 MiB under two keys of an organization keep nobody else’s prescription waiting for five seconds', async () => {
  const attackers = await openPharmacy('attacker', 2);
  const [other] = await openPharmacy('other', 1);
  const open = await Promise.all(attackers.map((each) => send(14 * MIB, ' '.repeat(70 * 1024), each)));
  const trickle = setInterval(() => {
    for (const socket of open) socket.write(' '.repeat(17 * 256));
  }, 250);
  try {
    const pdf = { prescription_pdf_base64: largestPdf().slice(0, MIB) };
    for (let time = 0; time < 10; time += 1) {
      const begunAt = performance.now();
      expect(await submit(pdf, other)).toBe(200);
      expect(performance.now() - begunAt).toBeLessThan(5_000);
    }
  } finally {
    clearInterval(trickle);
  }
});
