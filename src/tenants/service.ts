import { selectRetention } from './store';
import { selectShopByHost, selectShopOfOrganization } from './store-shops';

export { type DatabaseState, probeDatabases } from './databases';
export { addShopHost, listPendingHosts, removeShopHost } from './hosts';
export {
  createOrganization,
  getOrganization,
  type Organization,
  updateOrganization,
} from './organizations';
export { forbiddenRetention, RETENTION_DAYS, shippingOptionsOf } from './rules';
export { createShop, getShop, listShops, type Shop, setShopActive, updateShop } from './shops';
export type { ShopAtHost } from './store-shops';

/** How long an organization keeps data, in days. */
export interface OrganizationRetention {
  id: string;
  requestRetentionDays: number;
  orderRetentionDays: number;
}

/**
 * The statement that lists the retention times of organizations, ordered by id, for a sweep that goes through all of
 * them.
 */
export function organizationsWithRetention(after: string, limit: number) {
  return selectRetention(after, limit);
}

/** The statement that finds a shop of an organization, for the caller's own batch. */
export function shopOfOrganization(orgId: string, shopId: string) {
  return selectShopOfOrganization({ orgId, shopId });
}

/** The statement that finds the shop of a host, for the caller's own batch. */
export function shopByHost(host: string) {
  return selectShopByHost({ host });
}
