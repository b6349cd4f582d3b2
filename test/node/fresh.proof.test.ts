import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, post, Service } from './support/service';

const dir = mkdtempSync(join(tmpdir(), 'offizin-fresh-'));
let service: Service;

beforeAll(async () => {
  service = new Service(await freePort(), dir);
  await service.start();
});

afterAll(() => {
  service.destroy();
  rmSync(dir, { recursive: true, force: true });
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
