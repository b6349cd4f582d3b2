import { expect, test } from 'vitest';
import { rounds } from '../support/rounds';
import { crashTest } from './support/crash';
import { withService } from './support/service';

const TIMEOUT_MS = 900_000;
const KILLS = rounds(12, 12, 30);

test(
  `killed ${KILLS} times under load, the service has lost and doubled nothing of what it answered with 200`,
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.log(`seed ${seed}`);
    const plan = { kills: KILLS, seed, connections: 4, lifeMs: 1_500 };
    const report = await withService((service) => crashTest(service, plan));
    console.log(report);
    expect(report).toMatchObject({ kills: KILLS, lost: [], doubled: [], broken: [] });
    expect(report.accepted).toBeGreaterThanOrEqual(report.kills);
    expect(report.delivered).toBe(2 * report.accepted);
  },
  TIMEOUT_MS,
);
