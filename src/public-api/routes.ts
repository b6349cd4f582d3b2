import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { HttpEnv } from '../platform/http/http';
import { bulkEndpoints } from './bulk';
import { customerEndpoints } from './customers';
import { answerDocument } from './documents';
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
