import { test as base } from 'vitest';
import { enter, join } from '../management/browser';
import { openOrganization } from './operator';
import { openApprovable, openOrder, openPrescribed } from './order-flow';
import { openOrganizationApi } from './organization';
import { leaveTraces } from './person';
import { submitLink } from './prescriptions';
import { openSeller, placeOrder } from './seller';
import { openDelivery, openSubscribed } from './webhooks';
import { openPharmacy } from './world';

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
  .extend('linked', () => submitLink())
  .extend('subscribed', () => openSubscribed())
  .extend('delivery', () => openDelivery())
  .extend('api', () => openOrganizationApi())
  .extend('approvable', ({ api }) => openApprovable(api))
  .extend('prescribed', ({ api }) => openPrescribed(api))
  .extend('order', ({ api }) => openOrder(api))
  .extend('seller', () => openSeller())
  .extend('placed', ({ seller }) => placeOrder(seller))
  .extend('traces', () => leaveTraces());
