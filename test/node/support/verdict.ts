import type { Post } from './catcher.ts';
import { type DeliveryRow, deliveriesOf } from './database.ts';
import { type Pharmacy, type Platform, readAll, type Told } from './load.ts';
import type { Service } from './service.ts';

const POSTS_MAX = 3;

/** What was promised, beside what is there. Each fault is one line of text. */
export interface Verdict {
  accepted: number;
  /** Accepted, but without its order request, its event, a successful delivery or a post that was received. */
  lost: string[];
  /** More than one order request, event or delivery for the same. */
  doubled: string[];
  /** Other broken promises: more than three posts of a delivery, other bytes, a post again without an interruption. */
  broken: string[];
  /** Pairs of event and subscription that were delivered. */
  delivered: number;
  /** The most posts of one delivery. */
  attemptsMax: number;
  /** Posts of what the receiver had accepted before: at least once is the promise. */
  postedAgain: number;
}

interface Evidence extends Told {
  pharmacy: Pharmacy;
  /** The id of the answer by reference. */
  accepted: ReadonlyMap<string, string>;
  deliveries: readonly DeliveryRow[];
  posts: readonly Post[];
}

/**
 * Compares what each platform was promised with what the service says, then stops the service and compares with what its
 * databases hold.
 * @param posts what the subscribers of all received
 */
export async function verdictOn(
  platforms: readonly Platform[],
  service: Service,
  posts: readonly Post[],
): Promise<Verdict> {
  const told = await Promise.all(
    platforms.map(async (platform) => ({ platform, ...(await readAll(platform.pharmacy, service.port)) })),
  );
  await service.stop();
  const verdicts = told.map(({ platform: { pharmacy, accepted, changed }, ...rest }) => {
    const paths = new Set(pharmacy.subscribers.map(({ url }) => new URL(url).pathname));
    const own = posts.filter(({ path }) => paths.has(path));
    const deliveries = deliveriesOf(service.dir, pharmacy.orgId);
    const verdict = judge({ ...rest, pharmacy, accepted, deliveries, posts: own });
    return { ...verdict, broken: [...verdict.broken, ...changed] };
  });
  return together(verdicts);
}

function together(verdicts: readonly Verdict[]): Verdict {
  const sum = (of: (verdict: Verdict) => number) => verdicts.reduce((total, verdict) => total + of(verdict), 0);
  return {
    accepted: sum(({ accepted }) => accepted),
    lost: verdicts.flatMap(({ lost }) => lost),
    doubled: verdicts.flatMap(({ doubled }) => doubled),
    broken: verdicts.flatMap(({ broken }) => broken),
    delivered: sum(({ delivered }) => delivered),
    attemptsMax: Math.max(...verdicts.map(({ attemptsMax }) => attemptsMax)),
    postedAgain: sum(({ postedAgain }) => postedAgain),
  };
}

/** Compares what was promised with what is there. Signatures are checked elsewhere, as they expire. */
function judge({ pharmacy, accepted, requests, events, deliveries, posts }: Evidence): Verdict {
  const verdict: Verdict = {
    ...{ accepted: accepted.size, delivered: 0, attemptsMax: 0, postedAgain: 0 },
    ...{ lost: [], doubled: [], broken: [] },
  };
  const requestsOf = Map.groupBy(requests, ({ reference }) => reference);
  const eventsOf = Map.groupBy(events, ({ requestId }) => requestId);
  const deliveriesOf = Map.groupBy(deliveries, ({ eventId, subscriptionId }) => `${eventId} ${subscriptionId}`);
  const postsOf = Map.groupBy(posts, (post) => `${eventIdOf(post)} ${post.path}`);

  for (const reference of requestsOf.keys()) {
    if (!accepted.has(reference)) verdict.broken.push(`${reference}: stored, but never answered with 2xx`);
  }
  for (const [reference, id] of accepted) {
    const stored = requestsOf.get(reference) ?? [];
    if (stored.length > 1) verdict.doubled.push(`${reference}: ${stored.length} order requests`);
    if (!stored.some((request) => request.id === id)) {
      verdict.lost.push(`${reference}: no order request ${id}`);
      continue;
    }
    const news = eventsOf.get(id) ?? [];
    if (news.length > 1) verdict.doubled.push(`${reference}: ${news.length} events`);
    const [event] = news;
    if (!event) {
      verdict.lost.push(`${reference}: no event`);
      continue;
    }
    for (const { subscriptionId, url } of pharmacy.subscribers) {
      const about = `${reference} at ${new URL(url).pathname}`;
      const runs = deliveriesOf.get(`${event.id} ${subscriptionId}`) ?? [];
      const received = postsOf.get(`${event.id} ${new URL(url).pathname}`) ?? [];
      judgeDelivery(verdict, about, runs, received);
    }
  }
  judgePosts(verdict, posts);
  return verdict;
}

function judgeDelivery(verdict: Verdict, about: string, runs: readonly DeliveryRow[], received: readonly Post[]): void {
  const first = runs.filter(({ trigger }) => trigger === 'event');
  if (first.length > 1) verdict.doubled.push(`${about}: ${first.length} deliveries`);
  const taken = received.filter(({ status = 0 }) => status >= 200 && status < 300);
  const hasSucceeded = runs.some(({ status }) => status === 'succeeded');
  if (hasSucceeded && taken.length > 0) verdict.delivered += 1;
  else {
    const states = runs.map(({ trigger, status }) => `${trigger} ${status}`).join(', ') || 'no delivery';
    verdict.lost.push(`${about}: ${states}; posts received: ${received.length}`);
  }
  const again = Math.max(0, taken.length - 1);
  verdict.postedAgain += again;
  const interrupted = runs.reduce((sum, run) => sum + run.interrupted, 0);
  if (again > interrupted) {
    verdict.broken.push(`${about}: accepted ${taken.length} times, with ${interrupted} interrupted attempts`);
  }
}

function judgePosts(verdict: Verdict, posts: readonly Post[]): void {
  for (const [deliveryId, run] of Map.groupBy(posts, ({ headers }) => headers['x-service-delivery-id'] ?? '')) {
    verdict.attemptsMax = Math.max(verdict.attemptsMax, run.length);
    const attempts = run.map(({ headers }) => headers['x-service-attempt']);
    const isCounted = new Set(attempts).size === run.length && attempts.every((n) => /^[123]$/.test(n ?? ''));
    if (run.length > POSTS_MAX || !isCounted) verdict.broken.push(`delivery ${deliveryId}: attempts ${attempts}`);
  }
  for (const [eventId, of] of Map.groupBy(posts, eventIdOf)) {
    const bodies = new Set(of.map(({ body }) => body));
    if (bodies.size > 1) verdict.broken.push(`event ${eventId}: ${bodies.size} different bodies`);
  }
}

function eventIdOf({ headers }: Post): string {
  return headers['webhook-id'] ?? '';
}
