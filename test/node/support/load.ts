import { Agent } from 'node:http';
import { organizationApi } from '../../../scripts/api.ts';
import { call } from '../../../scripts/http.ts';
import { openPharmacyAt, SUBMITS } from './pharmacy.ts';
import type { Service } from './service.ts';

/** No answer within this time counts as a broken connection. */
const ANSWER_TIMEOUT_MS = 30_000;
const PAGE = 200;

interface Subscriber {
  subscriptionId: string;
  secret: string;
  url: string;
}

/** An organization of its own with one shop, and subscribers of `order_request_submitted`. */
export interface Pharmacy {
  orgId: string;
  host: string;
  integrationKey: string;
  /** Reads order requests and events. */
  apiKey: string;
  subscribers: Subscriber[];
}

/** @param shard the number of the database on which it lives */
export async function openPharmacy(service: Service, urls: readonly string[], shard: number): Promise<Pharmacy> {
  const keys = [SUBMITS, ['order_requests.read', 'events.read']];
  const { keys: made, ...opened } = await openPharmacyAt(service, { fields: { shard }, keys, urls });
  const [integrationKey = '', apiKey = ''] = made;
  return { ...opened, integrationKey, apiKey };
}

/**
 * A platform that submits order requests, each with a reference of its own. What it got no 2xx for it sends again with
 * the same reference, before anything new.
 */
export class Platform {
  /** The id of the answer by reference: what the service has promised. */
  readonly accepted = new Map<string, string>();
  /** How long each of them took to be answered, in ms. */
  readonly answerTimes: number[] = [];
  /** References without a 2xx so far. */
  readonly unanswered: string[] = [];
  /** References that got another id when they were sent again. */
  readonly changed: string[] = [];
  /** Answers that said that the request was known. */
  replayed = 0;
  /** Answers that were not 2xx. */
  readonly refusals: string[] = [];
  /** References in use. */
  sent = 0;
  /** Requests that were not answered with 2xx, and so had to be sent again. */
  failed = 0;
  readonly pharmacy: Pharmacy;
  private answered = Promise.withResolvers<void>();
  private readonly url: string;
  private readonly headers: Record<string, string>;

  constructor(pharmacy: Pharmacy, port: number) {
    this.pharmacy = pharmacy;
    const { host, integrationKey } = pharmacy;
    this.url = `http://${host}:${port}/api/v1/external-order`;
    this.headers = { apikey: integrationKey, 'Content-Type': 'application/json' };
  }

  /**
   * Sends over so many connections at full speed. A connection ends with its first failure, or when there is nothing to
   * send again and `isMore` wants nothing new.
   */
  async submit(connections: number, isMore: () => boolean): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    await Promise.all(Array.from({ length: connections }, () => this.useConnection(agent, isMore)));
    agent.destroy();
  }

  /**
   * Lets the next connections send again what got no answer, each on two of them at once, and the last answered ones, as
   * a platform does that ended before it stored the answers.
   */
  repeat(answered: number): void {
    const open = [...new Set(this.unanswered)];
    const last = [...this.accepted.keys()].slice(-answered);
    this.unanswered.splice(0, this.unanswered.length, ...open.flatMap((each) => [each, each]), ...last);
  }

  /** Resolves with the next 2xx, before anything else happens. */
  nextAnswer(): Promise<void> {
    return this.answered.promise;
  }

  private async useConnection(agent: Agent, isMore: () => boolean): Promise<void> {
    for (;;) {
      const reference = this.unanswered.shift() ?? (isMore() ? `LOAD-${++this.sent}` : null);
      if (reference === null) return;
      const id = await this.submitOne(reference, agent);
      if (id === null) {
        this.unanswered.push(reference);
        this.failed += 1;
        return;
      }
      const earlier = this.accepted.get(reference) ?? id;
      if (earlier !== id) this.changed.push(`${reference}: answered with ${earlier}, then with ${id}`);
      this.accepted.set(reference, earlier);
      this.answered.resolve();
      this.answered = Promise.withResolvers();
    }
  }

  private async submitOne(reference: string, agent: Agent): Promise<string | null> {
    const body = {
      external_reference: reference,
      payload: { customer_name: 'Erika Mustermann', items: [{ name: 'Ibuprofen 400', quantity: 1, price: 4.95 }] },
    };
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await call('POST', this.url, this.headers, JSON.stringify(body), { agent, signal }).catch(
      () => null,
    );
    if (answer === null) return null;
    if (answer.status < 200 || answer.status > 299) {
      this.refusals.push(`${answer.status} ${answer.body}`);
      return null;
    }
    if (answer.headers['idempotent-replayed'] === 'true') this.replayed += 1;
    this.answerTimes.push(performance.now() - startedAt);
    return JSON.parse(answer.body).id;
  }
}

/** What the organization API says is there. */
export interface Told {
  requests: { id: string; reference: string }[];
  events: { id: string; requestId: string }[];
}

/** The values of both lists that are read here. */
interface Row {
  id: string;
  external_reference: string;
  event_type: string;
  metadata: { order_request_id: string };
}

/** Reads all order requests and all events of the pharmacy, page by page. */
export async function readAll(pharmacy: Pharmacy, port: number): Promise<Told> {
  const agent = new Agent({ keepAlive: true });
  const api = await organizationApi(`http://localhost:${port}`, pharmacy.orgId, pharmacy.apiKey, agent);
  const pages = async (path: string) => {
    const rows: Row[] = [];
    for (let cursor = ''; ; ) {
      const page = await api('GET', `${path}&limit=${PAGE}${cursor && `&cursor=${cursor}`}`);
      rows.push(...page.data);
      if (page.data.length < PAGE || page.next_cursor === null) return rows;
      cursor = page.next_cursor;
    }
  };
  const requests = await pages('/order-requests?status=all');
  const events = await pages('/events?');
  agent.destroy();
  return {
    requests: requests.map(({ id, external_reference }) => ({ id, reference: external_reference })),
    events: events
      .filter(({ event_type }) => event_type === 'order_request_submitted')
      .map(({ id, metadata }) => ({ id, requestId: metadata.order_request_id })),
  };
}
