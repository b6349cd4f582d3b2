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
export { type OrganizationRetention, selectPrescriptionValidDays, selectRetention } from './store';
export { type ShopAtHost, selectShopByHost, selectShopOfOrganization } from './store-shops';
