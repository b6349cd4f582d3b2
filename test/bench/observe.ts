import { Agent } from 'node:http';
import { type Answer, exchange, type Sent } from '../../scripts/http.ts';
import { operatorTokenOf } from '../../scripts/secrets.ts';
import { openPharmacies, type Pharmacies, type Size } from './pharmacies.ts';
import { type EachRoute, ROUTE_NAMES, ROUTES, type Route, type RouteName } from './routes.ts';
import { type Served, type ServeOptions, serve } from './serve.ts';
import { type Observed, Tap } from './tapped.ts';

/** A bound for a hang. */
const ANSWER_MS_MAX = 60_000;

/** Sends to the loopback address, whatever host the request names, over connections that stay open. */
export class Line {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  /** @throws Error when there is no answer */
  async send(sent: Sent): Promise<Answer> {
    try {
      return await this.trySending(sent);
    } catch (error) {
      // The service may close an idle connection in the moment in which it is used again.
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error;
      return this.trySending(sent);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private trySending(sent: Sent): Promise<Answer> {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    return exchange(this.port, { ...sent, host: `${sent.host}:${this.port}` }, { agent: this.agent, signal });
  }
}

/**
 * What a request of each route asks of a Worker's bindings. The first request fills what the isolate keeps: it tells of the
 * second. @param open what is asked; the data are made where there are none
 */
export async function observe(
  paths: ServeOptions,
  open: Size | Pharmacies,
): Promise<{ pharmacies: Pharmacies; observed: EachRoute<Observed> }> {
  const tap = new Tap();
  const served = await serve({ ...paths, isTapped: true, onLog: tap.onLog });
  if ('requests' in open) await served.migrate();
  const pharmacies = 'requests' in open ? await openPharmacies(served, operatorTokenOf(paths.secrets), open) : open;
  await observeRoutes(served, tap, pharmacies);
  const observed = await observeRoutes(served, tap, pharmacies);
  await served.close();
  return { pharmacies, observed };
}

async function observeRoutes(served: Served, tap: Tap, pharmacies: Pharmacies): Promise<EachRoute<Observed>> {
  const line = new Line(served.port);
  const observed: Partial<EachRoute<Observed>> = {};
  for (const name of ROUTE_NAMES) {
    const route: Route = ROUTES[name];
    let each: Observed;
    // A page that was to be the same may just have become another one.
    do each = await tap.observe(() => ask(line, name, pharmacies));
    while (each.recording.answer.status !== (route.status ?? 200));
    observed[name] = each;
  }
  line.close();
  // SAFETY: one for each name.
  return observed as EachRoute<Observed>;
}

/** @throws Error unless it is answered as it should be: the bench measures nothing else */
export async function ask(line: Line, name: RouteName, pharmacies: Pharmacies): Promise<Answer> {
  const { request, status = 200 }: Route = ROUTES[name];
  const { headers, ...sent } = request(pharmacies);
  const answer = await line.send({ ...sent, headers: { ...headers, 'X-Bench-Route': name } });
  const { etag } = answer.headers;
  // The page tells how long requests have waited: about once a minute a new one is sent where the last one is known.
  const isNewPage = status === 304 && answer.status === 200 && etag && etag !== headers['If-None-Match'];
  if (answer.status !== status && !isNewPage)
    throw new Error(`${name} was answered with ${answer.status}: ${answer.body}`);
  if (etag) pharmacies.asked.inboxTag = etag;
  return answer;
}
