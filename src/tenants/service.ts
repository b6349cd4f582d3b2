export { checkHostNow } from './domain-check';
export { addShopHost, listMovedHosts, listPendingHosts, removeHostAgain, removeShopHost } from './hosts';
export {
  createOrganization,
  getOrganization,
  type Organization,
  updateOrganization,
} from './organizations';
export { forbiddenRetention, RETENTION_DAYS, shippingOptionIn, shippingOptionsOf } from './rules';
export { addressOf, createShop, getShop, listShops, type Shop, setShopActive, updateShop } from './shops';
export { type OrganizationRetention, selectPrescriptionValidDays, selectRetention } from './store';
export {
  type HostStatus,
  isServed,
  type ShopAtDoor,
  type ShopAtHost,
  selectShopAtDoor,
  selectShopByHost,
  selectShopOfOrganization,
  selectShopsWithHost,
} from './store-shops';
export {
  isTestAnywhere,
  isTestOrganization,
  openTestOrganization,
  type TestOrganization,
  testOrganizationOf,
} from './test-organization';
