import { setTimeout as delay } from 'node:timers/promises';
import { seeded } from '../../support/seeded.ts';
import { Catcher } from './catcher.ts';
import { deliveriesOf, endLeases, waitForDeliveries } from './database.ts';
import { openPharmacy, Platform, readAll } from './load.ts';
import type { Service } from './service.ts';
import { judge, type Verdict } from './verdict.ts';

/** The receiver refuses the first attempt of every n-th post on one of its two paths. */
const REFUSED_EVERY = 10;
/** The lease of an attempt that a kill interrupted. */
const LEASE_MS = 60_000;
/** For the retries after that, and for what still waits. */
const DRAIN_TIMEOUT_MS = 60_000;

export interface CrashPlan {
  kills: number;
  seed: number;
  connections: number;
  /** The service is killed with an answer, at a random moment within so many ms after its first one. */
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
  /** Answers that said that the request was known already. */
  replayed: number;
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
      const load = platform.submit(plan.connections, () => true);
      const nextAnswer = () => Promise.race([platform.nextAnswer(), load]);
      await nextAnswer();
      const family = service.family();
      await delay(random() * plan.lifeMs);
      // At the moment at which a promise was made: what is stored only after it, is lost.
      await nextAnswer();
      await service.cutPower(family);
      await load;
      platform.repeat(plan.connections);
      plan.onKill?.(kill, platform.accepted.size);
      if (kill === plan.kills && plan.endsLeases) endLeases(service.dir);
      await Promise.all([service.start(), catcher.verifyArrived(pharmacy.subscribers)]);
    }
    await platform.submit(plan.connections, () => false);
    if (platform.unanswered.length > 0) {
      throw new Error(`${platform.unanswered.length} requests were refused: ${platform.refusals.slice(-3)}`);
    }
    const leasesMs = plan.endsLeases ? 0 : LEASE_MS;
    await waitForDeliveries(service.dir, pharmacy.orgId, leasesMs + DRAIN_TIMEOUT_MS);
    await catcher.verifyArrived(pharmacy.subscribers);
    const told = await readAll(pharmacy, service.port);
    await service.stop();
    const deliveries = deliveriesOf(service.dir, pharmacy.orgId);
    const verdict = judge({ ...told, pharmacy, accepted: platform.accepted, deliveries, posts: catcher.posts });
    verdict.broken.push(...platform.changed);
    return { ...verdict, kills: plan.kills, seed: plan.seed, sentAgain: platform.failed, replayed: platform.replayed };
  } finally {
    catcher.close();
  }
}
