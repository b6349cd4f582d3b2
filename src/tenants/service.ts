import type { Context } from '../platform/context';
import { selectRetention } from './store';
import { selectShopByHost, selectShopOfOrganization } from './store-shops';

export { organizationFields, shopFields } from './fields';
export { addShopHost, HOSTS_MAX, listPendingHosts, removeShopHost } from './hosts';
export {
  createOrganization,
  getOrganization,
  type Organization,
  type OrganizationFields,
  updateOrganization,
} from './organizations';
export { forbiddenRetention, RETENTION_DAYS, shippingOptionsOf } from './rules';
export { createShop, getShop, listShops, SHOPS_MAX, type Shop, setShopActive, updateShop } from './shops';
export type { ShopAtHost } from './store-shops';

/** The statement that lists how long each organization keeps what, for the nightly job. */
export function organizationsWithRetention(ctx: Context) {
  return selectRetention(ctx.db);
}

/** The statement that finds a shop of an organization, for the caller's own batch. */
export function shopOfOrganization(ctx: Context, orgId: string, shopId: string) {
  return selectShopOfOrganization(ctx.db, orgId, shopId);
}

/** The statement that finds the shop behind a host, for the caller's own batch. */
export function shopByHost(ctx: Context, host: string) {
  return selectShopByHost(ctx.db, host);
}
