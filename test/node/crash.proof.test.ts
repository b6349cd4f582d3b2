import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crashTest } from './support/crash';
import { freePort, Service } from './support/service';

const TIMEOUT_MS = 900_000;

const dir = mkdtempSync(join(tmpdir(), 'offizin-crash-'));
let service: Service;

beforeAll(async () => {
  service = new Service(await freePort(), dir);
  await service.start();
});

afterAll(() => {
  service.destroy();
  rmSync(dir, { recursive: true, force: true });
});

test(
  'killed 30 times under load, the service has lost and doubled nothing of what it answered with 200',
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.log(`seed ${seed}`);
    const report = await crashTest(service, { kills: 30, seed, connections: 8, lifeMs: 1_500 });
    console.log(report);
    expect(report).toMatchObject({ kills: 30, lost: [], doubled: [], broken: [] });
    expect(report.accepted).toBeGreaterThanOrEqual(report.kills);
    expect(report.delivered).toBe(2 * report.accepted);
  },
  TIMEOUT_MS,
);
