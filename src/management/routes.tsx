// All texts are imported first, so that they are adjacent in the bundle. Its compressed size is then 4 KiB smaller.

import './account/messages';
import './audit/messages';
import './keys/messages';
import './members/messages';
import './orders/messages';
import './organization/messages';
import './products/messages';
import './products/import-messages';
import './reports/messages';
import './requests/messages';
import './search/messages';
import './shops/messages';
import './sign-in/messages';
import './ui/messages';
import './webhooks/messages';
import './welcome/messages';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { notFound } from '../platform/errors/errors';
import { accountRoutes } from './account/routes';
import { auditRoutes } from './audit/routes';
import { answerFetchedForm, checkForm } from './http/check-form';
import { chooseLanguage } from './http/cookies';
import type { ManageEnv } from './http/env';
import { requireSession } from './http/session';
import { keyRoutes } from './keys/routes';
import { memberRoutes } from './members/routes';
import { expectedRoutes } from './orders/packing/routes';
import { deskRoutes, orderRoutes } from './orders/routes';
import { tourRoutes } from './orders/tour-routes';
import { organizationRoutes } from './organization/routes';
import { ruleRoutes } from './organization/rules';
import { importRoutes } from './products/import-routes';
import { catalogRoutes, productRoutes, respondExport } from './products/routes';
import { reportRoutes } from './reports/routes';
import { prescriptionRoutes, requestRoutes, respondTodayLine } from './requests/routes';
import { searchRoutes } from './search/routes';
import { shopRoutes } from './shops/routes';
import { invitationRoutes, resetRoutes, respondFailure, signInRoutes } from './sign-in/routes';
import { respondRail } from './ui/frame';
import { webhookRoutes } from './webhooks/routes';
import { leadIn, welcomeRoutes } from './welcome/routes';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "frame-src 'self'",
].join('; ');

/** Security headers of every response, errors included. */
const applyPolicy = createMiddleware<ManageEnv>(async (c, next) => {
  await next();
  // The headers are set directly because `c.header` copies a finished response for each header.
  const { headers } = c.res;
  // A prescription's PDF has its own policy: with this one, browsers refuse to show it.
  if (!headers.has('Content-Security-Policy')) {
    headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    // URLs of pages hold ids and the tokens of invitations.
    headers.set('Referrer-Policy', 'same-origin');
  }
  headers.set('X-Robots-Tag', 'noindex');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
});

/** The management interface, on the base host only. Order matters: routes above `requireSession` need no session. */
export const managementRoutes = new Hono<ManageEnv>()
  .use(applyPolicy)
  .use(answerFetchedForm, chooseLanguage, checkForm)
  .route('/', signInRoutes)
  .route('/', invitationRoutes)
  .route('/', resetRoutes)
  .use(requireSession)
  .get('/', leadIn)
  .get('/rail', respondRail)
  .get('/today', respondTodayLine)
  .route('/welcome', welcomeRoutes)
  .route('/search', searchRoutes)
  .route('/requests', requestRoutes)
  .route('/prescriptions', prescriptionRoutes)
  .route('/account', accountRoutes)
  .route('/settings/organization', organizationRoutes)
  .route('/settings/organization/rules', ruleRoutes)
  .route('/settings/shops', shopRoutes)
  .route('/settings/members', memberRoutes)
  .route('/settings/keys', keyRoutes)
  .route('/settings/webhooks', webhookRoutes)
  .route('/settings/audit', auditRoutes)
  .route('/orders', orderRoutes)
  .route('/expected', expectedRoutes)
  .route('/desk', deskRoutes)
  .route('/desk/tour', tourRoutes)
  .route('/reports', reportRoutes)
  .route('/products', productRoutes)
  .route('/catalog', catalogRoutes)
  .route('/inventory-import', importRoutes)
  .get('/inventory-export', respondExport)
  .all('*', (c) => {
    const { pathname } = new URL(c.req.url);
    if (c.req.method === 'GET' && pathname.endsWith('/')) return c.redirect(withoutSlashes(pathname), 303);
    throw notFound();
  });

managementRoutes.onError(respondFailure);

/** The path without trailing slashes. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
