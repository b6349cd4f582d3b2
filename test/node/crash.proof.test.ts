import { expect, test } from 'vitest';
import { crashTest } from './support/crash';
import { withService } from './support/service';

const TIMEOUT_MS = 900_000;

test(
  'killed 30 times under load, the service has lost and doubled nothing of what it answered with 200',
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.log(`seed ${seed}`);
    const plan = { kills: 30, seed, connections: 4, lifeMs: 1_500 };
    const report = await withService((service) => crashTest(service, plan));
    console.log(report);
    expect(report).toMatchObject({ kills: 30, lost: [], doubled: [], broken: [] });
    expect(report.accepted).toBeGreaterThanOrEqual(report.kills);
    expect(report.delivered).toBe(2 * report.accepted);
  },
  TIMEOUT_MS,
);
