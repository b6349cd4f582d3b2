export const TRUST_LIST_BYTES_MAX = 10 * 1024 * 1024;
/** The most hosts of a new shop. */
export const NEW_SHOP_HOSTS_MAX = 20;
/** The most entries of a page of hosts, and of a page of organizations. */
export const HOSTS_PAGE_MAX = 200;
export const ORGANIZATIONS_PAGE_MAX = 50;
