import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { notFound } from '../platform/errors/errors';
import type { HttpContext, HttpEnv } from '../platform/http/http';
import { CACHED_SECONDS } from '../platform/limits';
import { bulkEndpoints } from './bulk';
import { customerEndpoints } from './customers';
import { mount } from './endpoint/endpoint';
import { inventoryEndpoints } from './inventory';
import { orderRequestEndpoints } from './order-requests';
import { orderEndpoints } from './orders';
import { prescriptionEndpoints } from './prescriptions';
import { productEndpoints } from './products';
import { reportEndpoints } from './reports';
import { eventEndpoints, subscriptionEndpoints } from './subscriptions';
import { answerToken, authenticate } from './token';

/** All endpoints of the organization API. The routes and the OpenAPI document are made from this list. */
export const endpoints = [
  ...productEndpoints,
  ...inventoryEndpoints,
  ...bulkEndpoints,
  ...orderRequestEndpoints,
  ...orderEndpoints,
  ...prescriptionEndpoints,
  ...customerEndpoints,
  ...reportEndpoints,
  ...eventEndpoints,
  ...subscriptionEndpoints,
];

export const publicApiRoutes = new Hono<HttpEnv>();
publicApiRoutes.get('/openapi.json', etag(), answerDocument);
publicApiRoutes.get('/webhooks.json', etag(), answerDocument);
publicApiRoutes.post('/auth/token', answerToken);
publicApiRoutes.post('/orgs/:orgId/auth/token', answerToken);

const organizationRoutes = new Hono<HttpEnv>().use(authenticate);
for (const each of endpoints) mount(organizationRoutes, each);
publicApiRoutes.route('/orgs/:orgId', organizationRoutes);

/**
 * Matches the base URLs in documents that scripts/build.ts wrote. There is one base URL for local services, and one for
 * all others.
 */
const WRITTEN = /https?:\/\/(rx\.)?(?:localhost:8787|api\.offizin\.example)/g;
const TYPES: Record<string, string> = {
  html: 'text/html; charset=UTF-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};
const SCHEMA = 'application/schema+json';
const OF_PAGES = {
  'Content-Security-Policy':
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};
const OF_FILES = { 'Access-Control-Allow-Origin': '*' };

/** The routes of the reference below `/docs`. openapi.json, webhooks.json and llms.txt have addresses of their own. */
export const docsRoutes = new Hono<HttpEnv>().use(etag());
docsRoutes.get('/', answerDocument);
docsRoutes.get('/:page', answerDocument);
docsRoutes.get('/:page/:part', answerDocument);

/**
 * Responds with the file that scripts/build.ts made for this path. Its base URL is replaced by the deployment's base
 * URL.
 */
export async function answerDocument(c: HttpContext): Promise<Response> {
  const { baseUrl, isDevelopment } = c.var.ctx.config;
  const { pathname } = new URL(c.req.url);
  const [, ending = 'html'] = /\.(\w+)$/.exec(pathname) ?? [];
  const file = ending === 'html' ? `${pathname}.html` : pathname;
  const asset = await c.env.ASSETS.fetch(`http://assets/site/${isDevelopment ? 'local' : 'deployed'}${file}`);
  const type = pathname.startsWith('/docs/schemas/') ? SCHEMA : TYPES[ending];
  if (!asset.ok || !type) throw notFound();
  const { protocol, host } = new URL(baseUrl);
  const text = (await asset.text()).replaceAll(WRITTEN, `${protocol}//$1${host}`);
  return c.body(text, 200, {
    'Content-Type': type,
    'Cache-Control': `public, max-age=${CACHED_SECONDS.documents}`,
    ETag: asset.headers.get('ETag') ?? '',
    ...(ending === 'html' ? OF_PAGES : OF_FILES),
  });
}
