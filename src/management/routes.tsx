import { Hono } from 'hono';
import { notFound } from '../platform/errors';
import { accountRoutes } from './account';
import { answerAsset } from './assets';
import { auditRoutes } from './audit';
import type { ManageEnv } from './env';
import { answerErrorPage } from './errors';
import { checkForm } from './forms';
import { invitationRoutes } from './invitation';
import { keyRoutes } from './keys';
import { chooseLanguage } from './language';
import { memberRoutes } from './members';
import { firstPage } from './navigation';
import { orderRoutes } from './orders';
import { organizationRoutes } from './organization';
import { applyPolicy } from './policy';
import { productRoutes } from './products';
import { reportRoutes } from './reports';
import { requestRoutes } from './requests';
import { prescriptionRoutes } from './requests-pdf';
import { resetRoutes } from './reset';
import { searchRoutes } from './search';
import { requireSession, signedIn } from './session';
import { shopRoutes } from './shops';
import { signInRoutes } from './sign-in';
import { webhookRoutes } from './webhooks';

/** The management interface, on the base host alone. Order matters: what stands above `requireSession` is open. */
export const managementRoutes = new Hono<ManageEnv>()
  .use(applyPolicy)
  .get('/assets/:name', answerAsset)
  .use(chooseLanguage, checkForm)
  .route('/', signInRoutes)
  .route('/', invitationRoutes)
  .route('/', resetRoutes)
  .use(requireSession)
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

managementRoutes.onError(answerErrorPage);
