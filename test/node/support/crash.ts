import { setTimeout as delay } from 'node:timers/promises';
import { seeded } from '../../support/seeded.ts';
import { Catcher } from './catcher.ts';
import { deliveriesOf, endLeases, waitForDeliveries } from './database.ts';
import { openPharmacy, Platform, readAll } from './load.ts';
import type { Service } from './service.ts';
import { until } from './until.ts';
import { judge, type Verdict } from './verdict.ts';

/** The receiver refuses the first attempt of every n-th post on one of its two paths. */
const REFUSED_EVERY = 10;
/** For the first answer after a start. */
const ANSWER_TIMEOUT_MS = 30_000;
/** The lease of an interrupted attempt (60 s), its retry, and what the queue then works off. */
const DRAIN_TIMEOUT_MS = 180_000;

export interface CrashPlan {
  kills: number;
  seed: number;
  connections: number;
  /** The service is killed at a random moment within so many ms after its first answer. */
  lifeMs: number;
  /**
   * Ends every open lease in the database before the last start, as a minute without the service would. Otherwise the
   * leases of the last kill are waited for.
   */
  endsLeases?: boolean;
  /** Is told after each kill. */
  onKill?: (kill: number, accepted: number) => void;
}

export interface CrashReport extends Verdict {
  kills: number;
  seed: number;
  /** Requests that were sent again, as no 2xx had come. */
  sentAgain: number;
}

/**
 * Kills a started service again and again while platforms submit order requests, starts it again on the same state,
 * waits until everything is delivered, stops it, and compares what was promised with what is there. The platforms and
 * the receiver live in this process, which no kill reaches.
 */
export async function crashTest(service: Service, plan: CrashPlan): Promise<CrashReport> {
  const random = seeded(plan.seed);
  const catcher = await new Catcher().open();
  try {
    const refusing = catcher.answering('/refusing', (n, { headers }) => {
      const isRefused = n % REFUSED_EVERY === 0 && headers['x-service-attempt'] === '1';
      return { status: isRefused ? 500 : 204 };
    });
    const pharmacy = await openPharmacy(service, [catcher.url('/steady'), refusing]);
    const platform = new Platform(pharmacy, service.port);
    for (let kill = 1; kill <= plan.kills; kill += 1) {
      const before = platform.accepted.size;
      const load = platform.submit(plan.connections, () => true);
      await until(
        () => platform.accepted.size > before,
        () => `no answer: ${platform.refusals}`,
        ANSWER_TIMEOUT_MS,
      );
      await delay(random() * plan.lifeMs);
      await service.cutPower(service.family());
      await load;
      plan.onKill?.(kill, platform.accepted.size);
      if (kill === plan.kills && plan.endsLeases) endLeases(service.dir);
      await Promise.all([service.start(), catcher.verifyArrived(pharmacy.subscribers)]);
    }
    await platform.submit(plan.connections, () => false);
    if (platform.unanswered.length > 0) {
      throw new Error(`${platform.unanswered.length} requests were refused: ${platform.refusals.slice(-3)}`);
    }
    await waitForDeliveries(service.dir, pharmacy.orgId, DRAIN_TIMEOUT_MS);
    await catcher.verifyArrived(pharmacy.subscribers);
    const told = await readAll(pharmacy, service.port);
    await service.stop();
    const deliveries = deliveriesOf(service.dir, pharmacy.orgId);
    const verdict = judge({ ...told, pharmacy, accepted: platform.accepted, deliveries, posts: catcher.posts });
    return { ...verdict, kills: plan.kills, seed: plan.seed, sentAgain: platform.failed };
  } finally {
    catcher.close();
  }
}
