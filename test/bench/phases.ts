import { setTimeout as delay } from 'node:timers/promises';
import { nowMs } from './clock.ts';
import { type Latency, latencyOf, median, rounded } from './figures.ts';
import type { Publish, Publisher, Shop } from './load.ts';
import type { Arrival } from './receiver.ts';
import type { Served } from './serve.ts';
import type { Subscribers } from './subscribers.ts';

/** How much is sent; the defaults are in run.ts. */
export interface Amounts {
  /** Publishes a second where the load is steady. */
  rate: number;
  /** For how long. */
  seconds: number;
  /** Publishes of a burst, and of the smaller ones beside black holes. */
  events: number;
  smallEvents: number;
  connections: number;
}

/** The subscribers of an organization: how many answer, and how many never do. */
export interface Subscribed {
  healthy: number;
  holes: number;
}

interface Phase {
  load: 'steady' | 'burst' | 'small_burst';
  here: Subscribed;
  /** Another organization that gets order requests at the steady rate meanwhile. */
  elsewhere?: Subscribed;
}

/** A hole is a receiver that takes the request and never answers. */
export const PHASES = {
  steady: { load: 'steady', here: { healthy: 1, holes: 0 } },
  steady_hole_beside: { load: 'steady', here: { healthy: 1, holes: 1 } },
  steady_holes_elsewhere: { load: 'steady', here: { healthy: 1, holes: 0 }, elsewhere: { healthy: 0, holes: 5 } },
  burst_1: { load: 'burst', here: { healthy: 1, holes: 0 } },
  burst_5: { load: 'burst', here: { healthy: 5, holes: 0 } },
  small_burst: { load: 'small_burst', here: { healthy: 1, holes: 0 } },
  small_burst_hole_beside: { load: 'small_burst', here: { healthy: 1, holes: 1 } },
  small_burst_holes_elsewhere: {
    load: 'small_burst',
    here: { healthy: 1, holes: 0 },
    elsewhere: { healthy: 0, holes: 5 },
  },
} satisfies Record<string, Phase>;

export type PhaseName = keyof typeof PHASES;
// SAFETY: these are the keys of the object literal above.
export const PHASE_NAMES = Object.keys(PHASES) as PhaseName[];

/** How long deliveries that are still missing are waited for. */
const LATE_MS = 30_000;
/** How long the work for receivers that never answered may take once they say that they are gone. */
const SETTLE_MS = 60_000;
const SETTLE_POLL_MS = 50;
/** The floor has no queue: what waits for a receiver that never answered is not begun there. */
const OPEN_DELIVERIES = `select count(*) as count from deliveries
  where org_id in (select value from json_each(?)) and (status = 'delivering' or (status = 'pending' and attempt_count > 0))`;

/** What one phase needs: the Worker under test, and organizations that nothing was sent to before. */
export interface Bench {
  served: Served;
  publisher: Publisher;
  subscribers: Subscribers;
  shop: Shop;
  other?: Shop;
}

/** One phase, once. Only subscribers that answer are counted. */
export interface Measured {
  /** Publish to answer, ms. */
  answers: number[];
  /** Publish to the first byte of each delivery, ms. For one that is missing: as long as it was waited for. */
  firstBytes: number[];
  acceptedPerSecond: number;
  deliveriesPerSecond: number;
  missing: number;
  doubled: number;
}

/**
 * Runs one phase to its end: sends, waits for what was sent to arrive, then ends what hangs, so that the next phase finds
 * an idle Worker.
 * @param prefix begins every reference of this phase and of no other
 */
export async function measure(name: PhaseName, amounts: Amounts, bench: Bench, prefix: string): Promise<Measured> {
  const phase: Phase = PHASES[name];
  const { subscribers } = bench;
  subscribers.begin(`${prefix}here-`);
  const sent = await send(phase, amounts, bench, prefix);
  const expected = sent.length * phase.here.healthy;
  const arrivals = await subscribers.collect(expected, LATE_MS);
  const endedAt = nowMs();
  subscribers.release();
  const { served, shop, other } = bench;
  await settle(served, [shop, ...(other ? [other] : [])]);
  return figuresOf(sent, arrivals, expected, endedAt);
}

async function send(phase: Phase, amounts: Amounts, { publisher, shop, other }: Bench, prefix: string) {
  const { rate, seconds, connections } = amounts;
  const done = new AbortController();
  const steady = { rate, count: rate * seconds };
  const meanwhile = other
    ? publisher.steadily(other, `${prefix}elsewhere-`, { rate, count: Infinity, signal: done.signal })
    : null;
  // Between two publishes of the other organization.
  if (meanwhile) await delay(500 / rate);
  try {
    return phase.load === 'steady'
      ? await publisher.steadily(shop, `${prefix}here-`, steady)
      : await publisher.atOnce(shop, `${prefix}here-`, {
          count: phase.load === 'burst' ? amounts.events : amounts.smallEvents,
          connections,
        });
  } finally {
    done.abort();
    await meanwhile;
  }
}

/** Waits until the Worker has nothing left to do for these organizations; for a while, then goes on all the same. */
export async function settle(served: Served, shops: readonly Shop[]): Promise<void> {
  const deadline = nowMs() + SETTLE_MS;
  const ids = JSON.stringify(shops.map(({ orgId }) => orgId));
  for (;;) {
    const row = await served.ask<{ count: number }>(OPEN_DELIVERIES, ids);
    if (!row?.count) return;
    if (nowMs() > deadline) {
      console.error(`After ${SETTLE_MS / 1000} s ${row.count} deliveries are still open; going on.`);
      return;
    }
    await delay(SETTLE_POLL_MS);
  }
}

function figuresOf(sent: Publish[], arrivals: Arrival[], expected: number, endedAt: number): Measured {
  const sentAt = new Map(sent.map((publish) => [publish.reference, publish.sentAt]));
  const seen = new Map<string, Arrival>();
  for (const arrival of arrivals) {
    const delivery = `${arrival.path} ${arrival.reference}`;
    if (!seen.has(delivery)) seen.set(delivery, arrival);
  }
  const times = (by: 'sentAt' | 'answeredAt') => sent.map((publish) => publish[by]);
  const arrivedAt = [...seen.values()].map(({ at }) => at);
  const missing = expected - seen.size;
  const firstAt = least(times('sentAt'));
  const deliveredBy = missing > 0 ? endedAt : greatest(arrivedAt);
  const firstBytes = [...seen.values()].map(({ reference, at }) => at - (sentAt.get(reference) ?? at));
  return {
    answers: sent.map((publish) => publish.answeredAt - publish.sentAt),
    firstBytes: [...firstBytes, ...lateBy(sent, seen, expected, endedAt)],
    acceptedPerSecond: (sent.length * 1000) / (greatest(times('answeredAt')) - firstAt),
    deliveriesPerSecond: (seen.size * 1000) / (deliveredBy - firstAt),
    missing,
    doubled: arrivals.length - seen.size,
  };
}

/** For each delivery that is missing: how long it was waited for. */
function lateBy(sent: Publish[], seen: Map<string, Arrival>, expected: number, endedAt: number): number[] {
  const each = expected / sent.length;
  const arrived = new Map<string, number>();
  for (const { reference } of seen.values()) arrived.set(reference, (arrived.get(reference) ?? 0) + 1);
  return sent.flatMap(({ reference, sentAt }) =>
    Array.from({ length: each - (arrived.get(reference) ?? 0) }, () => endedAt - sentAt),
  );
}

/** A phase over all rounds: latencies of all of them together, rates of the middle one. */
export interface Summary {
  answer_ms: Latency;
  first_byte_ms: Latency;
  accepted_per_second: number;
  deliveries_per_second: number;
  /** Deliveries a second, divided by what was accepted a second times the subscribers that answer. */
  delivered_ratio: number;
  missing: number;
  doubled: number;
  rounds: { accepted_per_second: number; deliveries_per_second: number }[];
}

export function summaryOf(name: PhaseName, rounds: readonly Measured[]): Summary {
  const { healthy } = PHASES[name].here;
  const middle = (of: (round: Measured) => number) => rounded(median(rounds.map(of)) ?? Number.NaN);
  const sum = (of: (round: Measured) => number) => rounds.reduce((total, round) => total + of(round), 0);
  return {
    answer_ms: latencyOf(rounds.flatMap(({ answers }) => answers)),
    first_byte_ms: latencyOf(rounds.flatMap(({ firstBytes }) => firstBytes)),
    accepted_per_second: middle((round) => round.acceptedPerSecond),
    deliveries_per_second: middle((round) => round.deliveriesPerSecond),
    delivered_ratio: middle((round) => round.deliveriesPerSecond / (round.acceptedPerSecond * healthy)),
    missing: sum((round) => round.missing),
    doubled: sum((round) => round.doubled),
    rounds: rounds.map((round) => ({
      accepted_per_second: rounded(round.acceptedPerSecond),
      deliveries_per_second: rounded(round.deliveriesPerSecond),
    })),
  };
}

/** Without spreading: a burst has more values than a call may have arguments. */
function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function greatest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}
