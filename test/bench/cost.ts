import { setTimeout as delay } from 'node:timers/promises';
import { Publisher, type Shop } from './load.ts';
import { settle } from './phases.ts';
import { type LogLine, type ServeOptions, serve } from './serve.ts';
import type { Subscribers } from './subscribers.ts';
import { tappedCall } from './tapped.ts';

const ARRIVAL_MS = 30_000;
/** A log line takes a moment from the Worker to here. */
const LAST_LINE_MS = 250;

/** What one publish to one subscriber asks of the platform, answer and delivery together. */
export interface Cost {
  /** One for each round trip to D1, in order. */
  batches: { statements: number; rows_read: number; rows_written: number }[];
  /** Names of the limiters, in order. */
  limiter_calls: string[];
}

/** Publishes twice with the bindings tapped and tells of the second time: the first also notes that the key is used. */
export async function costOf(
  options: ServeOptions,
  { subscribers, shop }: { subscribers: Subscribers; shop: Shop },
): Promise<Cost> {
  let cost: Cost = { batches: [], limiter_calls: [] };
  const onLog = (line: LogLine) => {
    const tapped = tappedCall(line);
    if (!tapped) return;
    const { binding, method, statements, rows_read, rows_written } = tapped;
    if (method === 'limit') cost.limiter_calls.push(binding);
    if (method === 'batch') cost.batches.push({ statements, rows_read, rows_written });
  };
  const served = await serve({ ...options, isTapped: true, onLog });
  const publisher = new Publisher(served.port);
  try {
    for (const time of ['first', 'second']) {
      cost = { batches: [], limiter_calls: [] };
      const prefix = `cost-${time}-`;
      subscribers.begin(prefix);
      await publisher.atOnce(shop, prefix, { count: 1, connections: 1 });
      await subscribers.collect(1, ARRIVAL_MS);
      await settle(served, [shop]);
      await delay(LAST_LINE_MS);
    }
  } finally {
    publisher.close();
    await served.close();
  }
  return cost;
}
