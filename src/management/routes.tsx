import { Hono } from 'hono';
import { notFound } from '../platform/errors';
import { accountRoutes } from './access/account';
import { answerFailure } from './access/ended';
import { invitationRoutes } from './access/invitation';
import { resetRoutes } from './access/reset';
import { restoreFields } from './access/restore';
import { requireSession, signedIn } from './access/session';
import { signInRoutes } from './access/sign-in';
import type { ManageEnv } from './env';
import { firstPage } from './navigation';
import { orderRoutes } from './orders/routes';
import { answerAsset } from './page/assets';
import { checkForm } from './page/forms';
import { chooseLanguage } from './page/language';
import { applyPolicy } from './page/policy';
import { productRoutes } from './products/routes';
import { reportRoutes } from './reports/routes';
import { prescriptionRoutes } from './requests/pdf';
import { requestRoutes } from './requests/routes';
import { searchRoutes } from './requests/search';
import { auditRoutes } from './settings/audit';
import { keyRoutes } from './settings/keys';
import { memberRoutes } from './settings/members';
import { organizationRoutes } from './settings/organization';
import { shopRoutes } from './settings/shops';
import { webhookRoutes } from './webhooks/routes';

/** The management interface, on the base host alone. Order matters: what stands above `requireSession` is open. */
export const managementRoutes = new Hono<ManageEnv>()
  .use(applyPolicy)
  .get('/assets/:name', answerAsset)
  .use(chooseLanguage, checkForm)
  .route('/', signInRoutes)
  .route('/', invitationRoutes)
  .route('/', resetRoutes)
  .use(requireSession, restoreFields)
  .get('/', (c) => c.redirect(firstPage(signedIn(c).role), 303))
  .route('/search', searchRoutes)
  .route('/requests', requestRoutes)
  .route('/prescriptions', prescriptionRoutes)
  .route('/account', accountRoutes)
  .route('/settings/organization', organizationRoutes)
  .route('/settings/shops', shopRoutes)
  .route('/settings/members', memberRoutes)
  .route('/settings/keys', keyRoutes)
  .route('/settings/webhooks', webhookRoutes)
  .route('/settings/audit', auditRoutes)
  .route('/orders', orderRoutes)
  .route('/reports', reportRoutes)
  .route('/products', productRoutes)
  .all('*', (c) => {
    const { pathname } = new URL(c.req.url);
    if (c.req.method === 'GET' && pathname.endsWith('/')) return c.redirect(pathname.replace(/\/+$/, ''), 303);
    throw notFound();
  });

managementRoutes.onError(answerFailure);
