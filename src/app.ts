import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { requireShop } from './connector/authenticate';
import { connectorRoutes } from './connector/routes';
import { assertNotLost, noteAnswer } from './health/notes';
import { lookAfterCron } from './health/watch';
import { managementRoutes } from './management/routes';
import { readyRoutes } from './operator/ready';
import { operatorRoutes } from './operator/routes';
import { noteSearchedWrite } from './order-requests/search/search';
import { answerDoor, leavingRoutes, problemAsPage } from './outside/routes';
import { readConfig } from './platform/config';
import { type Context, openContext } from './platform/context';
import { AppError, notFound } from './platform/errors/errors';
import { answerError, type HttpContext, type HttpEnv, urlOf } from './platform/http/http';
import { hostOf } from './platform/http/outgoing';
import { newId } from './platform/ids';
import { answerDocument, docsRoutes, publicApiRoutes } from './public-api/routes';
import { wireMembers } from './wire/problems';

/**
 * The value of the header `Strict-Transport-Security`: browsers use only HTTPS for one year (RFC 6797 §6.1.1).
 * `includeSubDomains` is left out, because this service does not control other names below the base host or below a
 * pharmacy's domain.
 */
const STRICT_TRANSPORT = 'max-age=31536000';

/**
 * Returns the path that routes are matched against: `/base` or `/shop`, followed by the requested path. `/base` stands
 * for the base host, `/shop` for every other host. Hono calls this function first for every request. It never reads
 * `X-Forwarded-Host`.
 */
function pathInSpace(request: Request, options?: { env?: Env }): string {
  const url = urlOf(request);
  const isBase = options?.env !== undefined && hostOf(url) === readConfig(options.env).baseHost;
  const path = url.pathname.replace(ESCAPED, (escaped) => decodeURIComponent(escaped));
  if (!isBase) return `/shop${path}`;
  return `/base${path.startsWith(OPERATOR) ? path.replace(UUID, (id) => id.toLowerCase()) : path}`;
}

/**
 * The start of the operator's paths. Each id in these paths is a UUID. It may be sent in upper case (RFC 9562 §4) and
 * is changed to lower case. Ids in other paths stay as they are, because the case of a product id matters.
 */
const OPERATOR = '/api/operator/';
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/**
 * Escapes of a letter, digit, `-`, `.`, `_` or `~`. An address with such an escape equals the address without it (RFC
 * 3986 §6.2.2.2), so these escapes are decoded.
 */
const ESCAPED = /%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/**
 * Matches the paths of requests whose host, key or token is looked up in `DB`. If such a request finds nothing, `DB`
 * may have been lost. The pages of the management interface are left out, because they check this themselves.
 */
const ASKS_WHO = /^\/(?:shop|base\/api\/v2)\//;

function isUnknown({ req, res }: HttpContext): boolean {
  return (res.status === 401 || res.status === 404) && ASKS_WHO.test(req.path);
}

function answerProblem(error: unknown, c: HttpContext): Promise<Response> {
  return problemAsPage(c, answerError(error, c, wireMembers));
}

/**
 * Returns a redirect to HTTPS for a page that was requested by plain HTTP; null for a request by HTTPS and in
 * development.
 * @throws AppError `https_required` for any other request by plain HTTP, because others could read it on its way
 */
function requireHttps({ req }: HttpContext, { config }: Context): Response | null {
  if (config.isDevelopment || req.raw.url.startsWith('https:')) return null;
  const isPage = (req.method === 'GET' || req.method === 'HEAD') && (req.header('Accept') ?? '').includes('text/html');
  if (!isPage) throw new AppError('https_required', 'Send this request by HTTPS.');
  const target = new URL(req.raw.url);
  target.protocol = 'https:';
  return new Response(null, { status: 308, headers: { Location: target.href } });
}

// The router is named, so that a route that it cannot compile fails at start. Hono's default would silently use a
// slower router.
export const app = new Hono<HttpEnv>({ getPath: pathInSpace, router: new RegExpRouter() });

app.use(async (c, next) => {
  const ctx = openContext(c.env, {
    actor: { kind: 'anonymous' },
    requestId: newId(),
    defer: (work) => c.executionCtx.waitUntil(work),
  });
  c.set('ctx', ctx);
  const startedAt = ctx.now();
  try {
    const redirect = requireHttps(c, ctx);
    if (redirect) c.res = redirect;
    else await next();
    if (isUnknown(c)) await assertNotLost(ctx);
  } catch (error) {
    // Hono passes on thrown values that are not an Error, and errors of its own not-found handler.
    c.res = await answerProblem(error, c);
  }
  // `c.header` is not used, because it copies a finished response for each header.
  const { headers } = c.res;
  headers.set('X-Request-Id', ctx.requestId);
  headers.set('X-Content-Type-Options', 'nosniff');
  // Without `no-transform`, Cloudflare may insert scripts into pages and hide e-mail addresses.
  if (headers.get('Content-Type')?.startsWith('text/html')) headers.append('Cache-Control', 'no-transform');
  if (ctx.config.baseUrl.startsWith('https://')) headers.set('Strict-Transport-Security', STRICT_TRANSPORT);
  const { roundTrips, statements, rowsRead, rowsWritten, failure } = ctx.db.meter;
  const acted = c.get('ctx');
  const { actor } = acted;
  ctx.log('info', 'request', {
    method: c.req.method,
    route: c.req.routePath,
    status: c.res.status,
    code: c.get('problemCode'),
    org_id: 'orgId' in actor ? actor.orgId : undefined,
    key_id: 'keyId' in actor ? actor.keyId : undefined,
    duration_ms: ctx.now() - startedAt,
    d1_round_trips: roundTrips,
    d1_statements: statements,
    d1_rows_read: rowsRead,
    d1_rows_written: rowsWritten,
    d1_failure: failure,
  });
  if ('orgId' in actor && c.req.method !== 'GET') noteSearchedWrite(acted, actor.orgId);
  noteAnswer(ctx, c.res.status);
  lookAfterCron(ctx);
});

app.get('/base/healthz', (c) => c.json({ status: 'ok' }));
app.get('/base/livez', (c) => c.json({ status: 'ok' }, 200, { 'Cache-Control': 'no-store' }));
app.route('/base', readyRoutes);
app.route('/base/api/operator/v1', operatorRoutes);
app.route('/base/api/v2/public', publicApiRoutes);
app.route('/base/docs', docsRoutes);
app.get('/base/llms.txt', etag(), answerDocument);
app.route('/base/leaving', leavingRoutes);
app.route('/base/manage', managementRoutes);

app.get('/shop/healthz', async (c) => {
  await requireShop(c.var.ctx, hostOf(urlOf(c.req.raw)));
  return c.json({ status: 'ok' });
});
app.route('/shop', connectorRoutes);

app.notFound(async (c) => {
  const door = await answerDoor(c);
  if (door) return door;
  const path = pathInSpace(c.req.raw, { env: c.env });
  const allowed = methodsAt(path);
  const nearMiss = allowed.length === 0 ? nearMissOf(path, c) : undefined;
  if (allowed.length === 0 && !nearMiss) return answerProblem(notFound(), c);
  // For a host without a shop, every method gets 404.
  if (path.startsWith('/shop')) await requireShop(c.var.ctx, hostOf(urlOf(c.req.raw)));
  if (nearMiss) return answerProblem(notFound('not_found', nearMiss), c);
  const detail = `Allowed here: ${allowed.join(', ')}.`;
  return answerProblem(new AppError('method_not_allowed', detail, { headers: { Allow: allowed.join(', ') } }), c);
});

/** Returns a hint if the address exists on another host or in another spelling; undefined otherwise. */
function nearMissOf(path: string, c: HttpContext): string | undefined {
  const [, space = '', rest = ''] = /^\/(base|shop)(\/.*)$/.exec(path) ?? [];
  const { baseUrl } = c.get('ctx').config;
  if (space === 'base' && rest.startsWith('/api/v1/'))
    return "The connector is at each shop's own address, not at this one.";
  if (space === 'shop' && /^\/(api\/v2|api\/operator|manage|docs)(\/|$)/.test(rest))
    return `This address is at ${baseUrl}.`;
  const written = rest.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
  const isOne = (each: string) => each !== rest && methodsAt(`/${space}${each}`).length > 0;
  if (isOne(written)) return `There is nothing at this address. Write the path as ${written}.`;
  // The address is not repeated, because it may contain ids.
  return isOne(written.toLowerCase()) ? 'There is nothing at this address. Write the path in lower case.' : undefined;
}

app.onError(answerProblem);

/**
 * The methods of the routes that match this path. Only the routes with the fewest parameters count: a route with
 * exactly this path (`/products/add-to-inventory`) hides a route that takes the last segment as an id.
 */
function methodsAt(path: string): string[] {
  const matching = app.routes.filter((route) => route.method !== 'ALL' && isRouteOf(route.path, path));
  const fewestParameters = Math.min(...matching.map((route) => parametersIn(route.path)));
  const methods = matching
    .filter((route) => parametersIn(route.path) === fewestParameters)
    .map((route) => route.method);
  return [...new Set(methods)];
}

function parametersIn(routePath: string): number {
  return routePath.split('/:').length - 1;
}

function isRouteOf(routePath: string, path: string): boolean {
  const [parts, given] = [routePath.split('/'), path.split('/')];
  return (
    parts.length === given.length &&
    parts.every((part, at) => part === given[at] || (part.startsWith(':') && given[at] !== ''))
  );
}
