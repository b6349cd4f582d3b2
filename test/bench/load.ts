import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from '../../scripts/http.ts';
import { nowMs } from './clock.ts';
import { orderRequest } from './order-request.ts';

const REQUEST_TIMEOUT_MS = 60_000;

/** Where order requests are sent to. */
export interface Shop {
  orgId: string;
  host: string;
  /** An integration key. */
  key: string;
}

/** One order request that was accepted; times by the clock of clock.ts. */
export interface Publish {
  reference: string;
  sentAt: number;
  answeredAt: number;
}

export interface Steady {
  rate: number;
  count: number;
  signal?: AbortSignal;
}

export interface AtOnce {
  count: number;
  connections: number;
}

/** Sends order requests to the connector over connections that stay open. */
export class Publisher {
  private readonly agent: Agent;
  private readonly port: number;

  constructor(port: number) {
    this.port = port;
    this.agent = new Agent({ keepAlive: true });
  }

  /**
   * At an even rate, each at a random moment of its turn (so that it does not keep time with something else that is sent at an
   * even rate), whether or not those before have been answered.
   * @param rate a second
   * @param count how many, or until the signal
   */
  async steadily(shop: Shop, prefix: string, { rate, count, signal }: Steady): Promise<Publish[]> {
    const begun = nowMs();
    const sent: Promise<Publish>[] = [];
    for (let n = 0; n < count; n += 1) {
      await delay(Math.max(0, begun + ((n + Math.random()) * 1000) / rate - nowMs()), undefined, { signal }).catch(
        () => undefined,
      );
      if (signal?.aborted) break;
      const publish = this.publish(shop, `${prefix}${n}`);
      // Awaited below; until then a failure is not unhandled.
      publish.catch(() => undefined);
      sent.push(publish);
    }
    return Promise.all(sent);
  }

  /** As fast as the connections allow: each sends its next request once the one before is answered. */
  async atOnce(shop: Shop, prefix: string, { count, connections }: AtOnce): Promise<Publish[]> {
    const all: Publish[] = [];
    let next = 0;
    const connection = async () => {
      while (next < count) all.push(await this.publish(shop, `${prefix}${next++}`));
    };
    await Promise.all(Array.from({ length: connections }, connection));
    return all;
  }

  close(): void {
    this.agent.destroy();
  }

  /** @throws Error unless it is answered with 200: the bench measures nothing else */
  private async publish({ host, key }: Shop, reference: string): Promise<Publish> {
    const body = orderRequest(reference);
    const url = `http://${host}:${this.port}/api/v1/external-order`;
    const headers = { apikey: key, 'Content-Type': 'application/json' };
    const sentAt = nowMs();
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const answer = await call('POST', url, headers, body, { agent: this.agent, signal });
    const answeredAt = nowMs();
    if (answer.status !== 200) throw new Error(`A publish was answered with ${answer.status}: ${answer.body}`);
    return { reference, sentAt, answeredAt };
  }
}
