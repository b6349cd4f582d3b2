import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ownService } from './support/own-service';
import { post } from './support/service';

const { service } = await ownService();

test('SIGTERM ends everything with 0; after a restart the demo and the idempotency of a reference are the same', async () => {
  const { url, headers, body } = service.curl;
  const before = await post(url, headers, body);
  const demo = readFileSync(service.demoPath, 'utf8');

  expect(await service.stop()).toBe(0);
  await service.start('--log');

  expect(readFileSync(service.demoPath, 'utf8')).toBe(demo);
  const again = await post(url, headers, body);
  expect(again.status, again.body).toBe(200);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(JSON.parse(again.body).id).toBe(JSON.parse(before.body).id);
  // `npm run dev` starts it with --log.
  const requestId = String(again.headers['x-request-id']);
  await eventually(() => expect(service.output).toContain(requestId));
  expect(readFileSync(join(service.dir, 'dev.log'), 'utf8')).toContain(requestId);
});

test.each([
  ['state without demo.json is unfinished, so it is wiped and made again', []],
  ['--fresh wipes what is there and begins anew', ['--fresh']],
])('%s: the old keys are gone', async (_, args) => {
  const { url, headers, body } = service.curl;
  expect(await service.stop()).toBe(0);
  if (args.length === 0) rmSync(service.demoPath);
  await service.start(...args);

  const answer = await post(url, headers, body);
  expect(answer.status, answer.body).toBe(401);
  const fresh = await post(service.curl.url, service.curl.headers, service.curl.body);
  expect(fresh.status, fresh.body).toBe(200);
});

test('killed alone, it leaves a Worker behind that the next start ends', async () => {
  const { url, headers, body } = service.curl;
  await service.cutPower([service.pid]);
  await service.start();
  const answer = await post(url, headers, body);
  expect(answer.status, answer.body).toBe(200);
});
