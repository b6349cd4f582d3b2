import { test as base } from 'vitest';
import { enter, join, openOwned } from '../management/browser';
import { openOrganization } from './operator';
import { openApprovable, openOrder, openPrescribed, openRequest } from './order-flow';
import { attachNewProduct, holdProduct, openOrganizationApi } from './organization';
import { outsideAnswers } from './outbound';
import { leaveTraces } from './person';
import { submitLink } from './prescriptions';
import { openSeller, placeOrder } from './seller';
import { openDelivery, openSubscribed } from './webhooks';
import { openPharmacy, PDF_BASE64 } from './world';

/** Vitest, whose `test` knows the fixtures below. */
export * from 'vitest';

/**
 * A test gets what it names in its parameter (`async ({ api, order }) => …`), made for it alone and before its first line.
 * What is named beside another belongs to the same organization.
 */
export const test = base
  .extend('orgId', () => openOrganization())
  .extend('owner', ({ orgId }) => enter(orgId, 'owner'))
  .extend('staff', ({ orgId }) => enter(orgId, 'staff'))
  .extend('signedOut', ({ orgId }) => join(orgId, 'staff'))
  .extend('pharmacy', () => openPharmacy())
  .extend('owned', () => openOwned())
  .extend('linked', () => submitLink())
  .extend('subscribed', () => openSubscribed())
  .extend('delivery', () => openDelivery())
  .extend('api', () => openOrganizationApi())
  .extend('approvable', ({ api }) => openApprovable(api))
  .extend('prescribed', ({ api }) => openPrescribed(api, { pdf: PDF_BASE64 }))
  .extend('order', ({ api }) => openOrder(api))
  .extend('seller', () => openSeller())
  .extend('placed', ({ seller }) => placeOrder(seller))
  .extend('traces', () => leaveTraces())
  .extend('held', ({ api }) => holdProduct(api))
  .extend('attached', ({ api }) => attachNewProduct(api))
  .extend('requestId', ({ api }) => openRequest(api))
  // Watches what comes after all others were made.
  .extend('posts', () => outsideAnswers());
