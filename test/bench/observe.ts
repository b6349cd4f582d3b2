import type { Answer } from '../../scripts/http.ts';
import { operatorTokenOf } from '../../scripts/secrets.ts';
import { Line } from './line.ts';
import { openPharmacies, type Size } from './pharmacies.ts';
import { type EachRoute, type Pharmacies, ROUTE_NAMES, ROUTES, type Route, type RouteName } from './routes.ts';
import { type Served, type ServeOptions, serve } from './serve.ts';
import { type Observed, Tap } from './tapped.ts';

/** Makes the data, and tells of the second request of each route: the first one fills what the isolate keeps for later ones. */
export async function observeService(
  paths: ServeOptions,
  size: Size,
): Promise<{ pharmacies: Pharmacies; observed: EachRoute<Observed> }> {
  const tap = new Tap();
  const served = await serve({ ...paths, isTapped: true, onLog: tap.onLog });
  await served.migrate();
  const token = operatorTokenOf(paths.secrets);
  const pharmacies = await openPharmacies(served, token, size, ['asked', 'ordering']);
  await observeRoutes(served, tap, pharmacies);
  const observed = await observeRoutes(served, tap, pharmacies);
  await served.close();
  return { pharmacies, observed };
}

/** The same for the floor, with the recordings that it gets. */
export async function observeFloor(options: ServeOptions, pharmacies: Pharmacies): Promise<EachRoute<Observed>> {
  const tap = new Tap();
  const served = await serve({ ...options, isTapped: true, onLog: tap.onLog });
  const observed = await observeRoutes(served, tap, pharmacies);
  await served.close();
  return observed;
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
