import { Hono } from 'hono';
import type { HttpEnv } from '../platform/http/http';
import { authenticate } from './authenticate';
import { bulkEndpoints } from './bulk';
import { customerEndpoints } from './customers';
import { mount } from './endpoint';
import { eventEndpoints } from './events';
import { inventoryEndpoints } from './inventory';
import { openApiDocument } from './openapi';
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
publicApiRoutes.get('/openapi.json', (c) => c.body(documentText(c.var.ctx.config.baseUrl), 200, DOCUMENT_HEADERS));
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
let document: string | undefined;

function documentText(baseUrl: string): string {
  document ??= JSON.stringify(openApiDocument(baseUrl, endpoints));
  return document;
}
