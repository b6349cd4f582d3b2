import { type Context, onEachDatabase, withDatabase } from '../platform/context';
import { invalidField, notFound } from '../platform/errors/errors';
import { IsolateCache } from '../platform/isolate-cache';
import { type EntryRow, ping, selectEntries } from './store';

/** An organization, and the number of its database. */
type Home = Pick<EntryRow, 'orgId' | 'shard'>;

/**
 * How long a route is cached. Each batch detects that its organization has moved (`Databases.of`), so an outdated route
 * costs only a round trip. While the directory is unreachable, the last known route is used.
 */
const ROUTE_MS = 60_000;
const ROUTES_MAX = 10_000;
const routes = new IsolateCache<Home>(ROUTES_MAX, ROUTE_MS);

/**
 * The context on the database of an organization. Makes no round trip with one database or while the route is cached.
 * @returns null if there is no such organization. This is not checked with one database
 */
export async function inOrganization(ctx: Context, orgId: string): Promise<Context | null> {
  if (ctx.databases.count === 1) return ctx;
  const home = await known(ctx, 'organization', orgId);
  return home ? settleIn(ctx, home) : null;
}

/**
 * Contexts on the databases that may have an organization's rows. If the directory does not know the organization
 * (after a restore), these are all databases.
 */
export async function homesOf(ctx: Context, orgId: string): Promise<Context[]> {
  const home = await inOrganization(ctx, orgId);
  return home ? [home] : onEachDatabase(ctx);
}

/**
 * Like `inOrganization`, for the organization whose shop has this host.
 * @throws AppError `not_found` when the directory has no such host
 */
export async function atHost(ctx: Context, host: string): Promise<Context> {
  if (ctx.databases.count === 1) return ctx;
  const home = await known(ctx, 'host', host);
  if (!home) throw notFound();
  return settleIn(ctx, home);
}

/** Drops the cached route of a host whose shop was not found. The next request asks the directory again. */
export function forgetHost(host: string): void {
  routes.delete(routeOf('host', host));
}

/** The context on the database on which an organization was found, without asking the directory. */
export function settleIn(ctx: Context, { orgId, shard }: Home): Context {
  const find = async () => {
    routes.delete(routeOf('organization', orgId));
    return (await known(ctx, 'organization', orgId))?.shard ?? null;
  };
  return withDatabase(ctx, ctx.databases.of(shard, { orgId, find }));
}

async function known(ctx: Context, kind: 'organization' | 'host', key: string): Promise<Home | undefined> {
  const ask = async () => (await ctx.databases.at(0).rows(selectEntries(kind, key)))[0];
  const route = routeOf(kind, key);
  try {
    return await routes.get(route, ask, ctx.now());
  } catch (error) {
    // The directory cannot be read, so the last known route is used. That database itself checks whether the route is
    // right.
    const last = routes.last(route);
    if (!last) throw error;
    return last;
  }
}

function routeOf(kind: string, key: string): string {
  return `${kind} ${key}`;
}

/**
 * The number of the smallest reachable database, for a new organization. With several databases, pings all in parallel.
 * @throws AppError `backend_unreachable` when no database can be reached; an unreachable database is left out
 */
export async function mostRoom(ctx: Context): Promise<number> {
  if (ctx.databases.count === 1) return 0;
  const answers = await Promise.allSettled(
    onEachDatabase(ctx).map(({ db }) => db.run({ answer: ping() }).then(() => db)),
  );
  const reached = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const [first, ...others] = reached;
  if (!first) throw (answers[0] as PromiseRejectedResult).reason;
  return others.reduce((best, db) => ((db.sizeBytes ?? 0) < (best.sizeBytes ?? 0) ? db : best), first).shard;
}

/**
 * Checks that a database with this number is bound.
 * @throws AppError `validation_failed` when no database has this number
 */
export function requireBound(ctx: Context, shard: number): void {
  const { count } = ctx.databases;
  if (shard < count) return;
  throw invalidField('/shard', 'not_bound', `Send the number of a database: 0 to ${count - 1}.`);
}
