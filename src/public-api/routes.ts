import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { HttpEnv } from '../platform/http/http';
import { authenticate } from './authenticate';
import { bulkEndpoints } from './bulk';
import { customerEndpoints } from './customers';
import { mount } from './endpoint';
import { eventEndpoints } from './events';
import { inventoryEndpoints } from './inventory';
import { callsDocument, openApiDocument, webhooksDocument } from './openapi';
import { orderRequestEndpoints } from './order-requests';
import { orderEndpoints } from './orders';
import { prescriptionEndpoints } from './prescriptions';
import { productEndpoints } from './products';
import { reportEndpoints } from './reports';
import { subscriptionEndpoints } from './subscriptions';
import { answerToken } from './token';

/** Every endpoint of the organization API; the routes and the OpenAPI document are made from this list. */
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
for (const name of ['openapi', 'webhooks'] as const) {
  publicApiRoutes.get(`/${name}.json`, etag(), (c) =>
    c.body(documentsOf(c.var.ctx.config.baseUrl)[name], 200, DOCUMENT_HEADERS),
  );
}
publicApiRoutes.post('/orgs/:orgId/auth/token', answerToken);

const organizationRoutes = new Hono<HttpEnv>().use(authenticate);
for (const each of endpoints) mount(organizationRoutes, each);
publicApiRoutes.route('/orgs/:orgId', organizationRoutes);

const DOCUMENT_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
};

/** Made once per isolate: it takes milliseconds and never changes. */
let documents: { openapi: string; webhooks: string } | undefined;

function documentsOf(baseUrl: string) {
  if (documents) return documents;
  // SAFETY: the document of everything has these parts.
  const whole = openApiDocument(baseUrl, endpoints) as unknown as Parameters<typeof callsDocument>[0];
  documents = { openapi: JSON.stringify(callsDocument(whole)), webhooks: JSON.stringify(webhooksDocument(whole)) };
  return documents;
}
