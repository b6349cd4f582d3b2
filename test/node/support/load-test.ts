import { Catcher } from './catcher.ts';
import { shardsOf, waitForDeliveries } from './database.ts';
import { heapInUse } from './inspector.ts';
import { openPharmacy, Platform } from './load.ts';
import { residentMemory } from './processes.ts';
import type { Service } from './service.ts';
import { type Verdict, verdictOn } from './verdict.ts';

const DRAIN_TIMEOUT_MS = 180_000;
/** The load is sent in so many parts; memory is measured after each, when its deliveries are recorded. */
const PARTS = 5;
/** The smallest of so many measures counts: one moment's work adds up to 1 MiB, and nothing lowers what is held. */
const HEAP_MEASURES = 4;
/**
 * Bound of `heapBytesPerRequest`. It is 17 to 34 where nothing is held; a map that keeps the id and the fingerprint of
 * each request takes 340.
 */
export const HEAP_BYTES_PER_REQUEST_MAX = 128;
/** Holds the Worker, D1, R2 and the queues; a second one is wrangler's proxy before it. */
const RUNTIME = 'workerd';
const MIB = 2 ** 20;

export interface LoadPlan {
  /** As many to each database. */
  requests: number;
  connections: number;
}

export interface LoadReport extends Verdict {
  acceptedPerSecond: number;
  /** Of the answers, in ms. */
  p50: number;
  p95: number;
  /** Answers other than 2xx, and broken connections. */
  failed: number;
  /** From the last answer until the last delivery was recorded. */
  drainSeconds: number;
  /** What the Worker's JavaScript heap holds after a garbage collection, in MiB, after each fifth is delivered. */
  heapMiB: number[];
  /** How much it grew from the first to the last of them, for each request in between. */
  heapBytesPerRequest: number;
  /** Resident memory of the local runtime, wrangler's proxy and simulators included, in MiB, at the same moments. */
  residentMiB: number[];
}

/**
 * Sends that many order requests at full speed to a started service, to a pharmacy on each of its databases, waits until all are delivered, stops it, and
 * compares what was promised with what is there.
 */
export async function loadTest(service: Service, plan: LoadPlan): Promise<LoadReport> {
  const catcher = await new Catcher().open();
  try {
    const platforms = await Promise.all(
      shardsOf(service.dir).map(async (shard) => {
        const url = catcher.answering(`/${shard}/steady`, () => ({ status: 204 }));
        return new Platform(await openPharmacy(service, [url], shard), service.port);
      }),
    );
    const subscribers = platforms.flatMap(({ pharmacy }) => pharmacy.subscribers);
    const share = plan.requests / platforms.length;
    const processes = service.family();
    const heapMiB: number[] = [];
    const residentMiB: number[] = [];
    let seconds = 0;
    let drainSeconds = Number.NaN;
    for (let part = 1; part <= PARTS; part += 1) {
      const startedAt = performance.now();
      await Promise.all(
        platforms.map((platform) =>
          platform.submit(plan.connections / platforms.length, () => platform.sent < (part * share) / PARTS),
        ),
      );
      seconds += (performance.now() - startedAt) / 1000;
      const answeredAt = performance.now();
      for (const { pharmacy } of platforms) await waitForDeliveries(service.dir, pharmacy.orgId, DRAIN_TIMEOUT_MS);
      drainSeconds = rounded((performance.now() - answeredAt) / 1000);
      residentMiB.push(Math.round(residentMemory(processes, RUNTIME) / MIB));
      heapMiB.push(rounded((await heapHeld(service.inspectorPort)) / MIB));
      await catcher.verifyArrived(subscribers);
    }
    const verdict = await verdictOn(platforms, service, catcher.posts);
    const sorted = platforms.flatMap(({ answerTimes }) => answerTimes).toSorted((a, b) => a - b);
    const grownMiB = (heapMiB.at(-1) ?? Number.NaN) - (heapMiB[0] ?? Number.NaN);
    return {
      ...verdict,
      acceptedPerSecond: Math.round(verdict.accepted / seconds),
      p50: quantile(sorted, 0.5),
      p95: quantile(sorted, 0.95),
      failed: platforms.reduce((sum, { failed }) => sum + failed, 0),
      drainSeconds,
      heapMiB,
      heapBytesPerRequest: Math.round((grownMiB * MIB) / ((plan.requests * (PARTS - 1)) / PARTS)),
      residentMiB,
    };
  } finally {
    catcher.close();
  }
}

async function heapHeld(inspectorPort: number): Promise<number> {
  let smallest = Number.POSITIVE_INFINITY;
  for (let measure = 0; measure < HEAP_MEASURES; measure += 1) {
    smallest = Math.min(smallest, await heapInUse(inspectorPort));
  }
  return smallest;
}

function quantile(sorted: readonly number[], q: number): number {
  return rounded(sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
