import { setTimeout as delay } from 'node:timers/promises';
import { seeded } from '../../support/seeded.ts';
import { Catcher } from './catcher.ts';
import { endLeases, shardsOf, waitForDeliveries } from './database.ts';
import { openPharmacy, Platform } from './load.ts';
import type { Service } from './service.ts';
import { type Verdict, verdictOn } from './verdict.ts';

/** The receiver refuses the first attempt of every n-th post on one of its two paths. */
const REFUSED_EVERY = 10;
/** The lease of an attempt that a kill interrupted. */
const LEASE_MS = 60_000;
/** A bound for the retries after that, and for what still waits. */
const DRAIN_TIMEOUT_MS = 180_000;

export interface CrashPlan {
  kills: number;
  seed: number;
  /** To each database. */
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
 * Kills a started service again and again while platforms submit order requests to a pharmacy on each of its databases, starts it again on the same state,
 * waits until everything is delivered, stops it, and compares what was promised with what is there. The platforms and
 * the receiver live in this process, which no kill reaches.
 */
export async function crashTest(service: Service, plan: CrashPlan): Promise<CrashReport> {
  const random = seeded(plan.seed);
  const catcher = await new Catcher().open();
  try {
    const platforms = await Promise.all(shardsOf(service.dir).map((shard) => openPlatform(service, catcher, shard)));
    const subscribers = platforms.flatMap(({ pharmacy }) => pharmacy.subscribers);
    const submit = (isMore: () => boolean) =>
      Promise.all(platforms.map((platform) => platform.submit(plan.connections, isMore)));
    const sum = (of: (platform: Platform) => number) => platforms.reduce((total, each) => total + of(each), 0);
    for (let kill = 1; kill <= plan.kills; kill += 1) {
      const load = submit(() => true);
      const nextAnswer = () => Promise.race([...platforms.map((platform) => platform.nextAnswer()), load]);
      await nextAnswer();
      const family = service.family();
      await delay(random() * plan.lifeMs);
      // At the moment at which a promise was made: what is stored only after it, is lost.
      await nextAnswer();
      await service.cutPower(family);
      await load;
      for (const platform of platforms) platform.repeat(plan.connections);
      plan.onKill?.(
        kill,
        sum(({ accepted }) => accepted.size),
      );
      if (kill === plan.kills && plan.endsLeases) endLeases(service.dir);
      await Promise.all([service.start(), catcher.verifyArrived(subscribers)]);
    }
    await submit(() => false);
    for (const { unanswered, refusals } of platforms) {
      if (unanswered.length > 0) throw new Error(`${unanswered.length} requests were refused: ${refusals.slice(-3)}`);
    }
    const leasesMs = plan.endsLeases ? 0 : LEASE_MS;
    for (const { pharmacy } of platforms) {
      await waitForDeliveries(service.dir, pharmacy.orgId, leasesMs + DRAIN_TIMEOUT_MS);
    }
    await catcher.verifyArrived(subscribers);
    const verdict = await verdictOn(platforms, service, catcher.posts);
    return {
      ...verdict,
      kills: plan.kills,
      seed: plan.seed,
      sentAgain: sum(({ failed }) => failed),
      replayed: sum(({ replayed }) => replayed),
    };
  } finally {
    catcher.close();
  }
}

/** A platform of a pharmacy on this database with two subscribers, one of which refuses posts now and then. */
async function openPlatform(service: Service, catcher: Catcher, shard: number): Promise<Platform> {
  const refusing = catcher.answering(`/${shard}/refusing`, (n, { headers }) => {
    const isRefused = n % REFUSED_EVERY === 0 && headers['x-service-attempt'] === '1';
    return { status: isRefused ? 500 : 204 };
  });
  const pharmacy = await openPharmacy(service, [catcher.url(`/${shard}/steady`), refusing], shard);
  return new Platform(pharmacy, service.port);
}
