import { Hono } from 'hono';
import type { HttpEnv } from '../platform/http/http';
import { answerOwnShop, answerProducts } from './offer';
import { answerOptOut, answerOptOutPage } from './opt-out';
import { answerPayPage } from './pay';
import {
  answerStatus,
  answerStatusOfReference,
  answerSubmission,
  answerSupplement,
  answerWithdrawal,
  refuseOtherMethod,
} from './sent-requests';

/** Routes on a shop's host: for the platforms that send requests, and for the shop's customers who pay. */
export const connectorRoutes = new Hono<HttpEnv>();
connectorRoutes.get('/pay/:token', answerPayPage);
connectorRoutes.get('/messages/:token', answerOptOutPage);
connectorRoutes.post('/messages/:token', answerOptOut);
connectorRoutes.post('/api/v1/external-order', answerSubmission);
connectorRoutes.get('/api/v1/external-order', answerStatusOfReference);
connectorRoutes.all('/api/v1/external-order', refuseOtherMethod);
connectorRoutes.get('/api/v1/external-order/:id', answerStatus);
connectorRoutes.delete('/api/v1/external-order/:id', answerWithdrawal);
connectorRoutes.post('/api/v1/external-order/:id/supplement', answerSupplement);
connectorRoutes.get('/api/v1/shop', answerOwnShop);
connectorRoutes.get('/api/v1/products', answerProducts);
