import { DAY_MS } from '../support/big';

/** A request of the walk, and how many rows it may read. */
export interface Visit {
  path: string;
  rows: number;
  status?: number;
  /** How many rows a page may write, where it writes more than others. */
  written?: number;
  /** How many round trips a page may take, where it takes more than others. */
  trips?: number;
}

/** What the paths of the walk name, all of the large organization. */
export interface Ids {
  orgId: string;
  shopId: string;
  /** The other shop has products, but neither orders nor requests. */
  otherShopId: string;
  order: string;
  packing: string;
  ready: string;
  /** Of which a pack comes later. */
  owing: string;
  request: string;
  pending: string;
  /** Of the platform of the organization, whose newest with its reference it is. */
  sent: string;
  product: string;
  importId: string;
  customer: string;
  subscriptions: readonly string[];
  delivery: string;
  event: string;
  key: string;
  integrationKey: string;
  prescription: string;
  member: string;
  host: string;
  payToken: string;
  optOutToken: string;
  /** That began a moment ago. */
  restore: string;
  /** A file of the organization that is ready. */
  exported: string;
  /** Of the link by which its owners fetch it. */
  leavingToken: string;
  /** Products that the shop offers. */
  listed: number;
}

/** The session, its person and what every page shows; up to 100 requests that wait and 100 orders to pack are counted. */
const PAGE = 300;
/** The audit row of a file, with its indexes. */
const FILE_WRITTEN = 5;
/** A list of 50 with what belongs to each entry. */
const LIST = 3_500;
/** A page of orders, and up to 100 of each of the five parts with a number, which are counted. */
const DESK = PAGE + 650;
/** So many of the newest orders are searched. */
const LIST_SEARCH = 2_000;
/** A request with what its review looks at: 500 requests of the last days for a duplicate. */
const REVIEW = 4_000;
/** The hits of a page with what belongs to each, 100 of each kind that are counted, and the blocks of products. */
const SEARCH = 1_800;
/** A page of the inbox that a text filters, beside the counts of its tabs. */
const FOUND_REQUESTS = 8_000;
/** Of an audit log 5,000 rows are looked through, and where that ended. */
const AUDIT_SEARCH = 11_000;
/** Figures of one subscription: its newest 500 deliveries with their attempts, 1,000 that failed, and 1,000 that wait. */
const HEALTH = 6_000;
/** A page of a log, and where it begins and ends. */
const LOG = 400;
/** A filter looks through 1,000 deliveries. */
const LOG_SEARCH = 4_200;
/** Filters for which a log looks no further than it shows, and the others. */
const FOUND = ['', '?status=held', '?period=week', '?type=low_stock', '?type=order_created'];
const SEARCHED = [
  ...['failed', 'waiting', 'succeeded', 'cancelled'].map((status) => `?status=${status}`),
  ...['?type=order_request_submitted', '?failure=dns', '?status=failed&failure=dns'],
];
/** Subscriptions that have deliveries. */
const BUSY = 2;
/** Day totals of the period, and what the newest hours add. */
const REPORT = 20_000;

/** 500 rows are looked through for what no index finds, and once more for where that ends. */
const LOOKED = 12_000;
/** As much for each of three statuses, and again by each statement that reads what the requests name. */
const LOOKED_REQUESTS = 28_000;

const monthAgo = () => new Date(Date.now() - 30 * DAY_MS).toISOString();

function period(days: number): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return `from=${day(Date.now() - days * DAY_MS)}&to=${day(Date.now())}`;
}

/** Blocks of so many products: each holds from 128 to 256 of them, and is read as one row. */
const blocks = (products: number) => Math.ceil(products / 128);

/**
 * Every GET route, as the router names it, with the requests that try it. Rows are those of an organization of any size,
 * but where the number of products is named: a search reads their blocks, and a filtered total counts them.
 */
export const VISITS: Record<string, (ids: Ids) => Visit[]> = {
  '/base/healthz': () => [{ path: '/healthz', rows: 0 }],
  '/base/livez': () => [{ path: '/livez', rows: 0 }],
  // The names of all indexes and columns. Nobody tries the deliveries that fill the tables, and it says so.
  '/base/readyz': () => [{ path: '/readyz', rows: 6_000, status: 503 }],
  '/base/api/operator/v1/switches': () => [{ path: '/api/operator/v1/switches', rows: 0 }],
  // Without a bucket for them.
  '/base/api/operator/v1/backups': () => [{ path: '/api/operator/v1/backups', rows: 0, status: 409 }],
  '/base/api/operator/v1/trust-lists': () => [{ path: '/api/operator/v1/trust-lists', rows: 0 }],
  // Of each table of an organization up to 10,000 rows are counted.
  '/base/api/operator/v1/organizations': () => [{ path: '/api/operator/v1/organizations', rows: 450_000 }],
  // Totals of a month, what waits in the inbox, and the files that came.
  '/base/api/operator/v1/usage': () => [
    { path: `/api/operator/v1/usage?month=${new Date().toISOString().slice(0, 7)}`, rows: 60_000 },
  ],
  // Objects of the bucket; the file adds a row to the audit log.
  '/base/api/operator/v1/organizations/:orgId/exports/:exportId': ({ orgId, exported }) => [
    { path: `/api/operator/v1/organizations/${orgId}/exports/${exported}`, rows: 10 },
  ],
  '/base/api/operator/v1/organizations/:orgId/exports/:exportId/file': ({ orgId, exported }) => [
    { path: `/api/operator/v1/organizations/${orgId}/exports/${exported}/file`, rows: 10 },
  ],
  '/base/leaving/:token': ({ leavingToken }) => [{ path: `/leaving/${leavingToken}`, rows: 10 }],
  '/base/leaving/:token/file': ({ leavingToken }) => [{ path: `/leaving/${leavingToken}/file`, rows: 10 }],
  // What was made since then, of which there is nothing.
  '/base/api/operator/v1/restores/:id/files': ({ restore }) => [
    { path: `/api/operator/v1/restores/${restore}/files`, rows: 50 },
  ],
  // All members, keys, subscriptions, shops and hosts are copied, and compared row by row.
  '/base/api/operator/v1/restores/:id/losses': ({ restore }) => [
    { path: `/api/operator/v1/restores/${restore}/losses`, rows: 6_000 },
  ],
  '/base/api/operator/v1/restores/:id/rows': ({ restore, orgId }) => [
    { path: `/api/operator/v1/restores/${restore}/rows?org_id=${orgId}`, rows: 50 },
  ],
  '/base/api/operator/v1/hosts': () =>
    ['pending', 'verifying', 'failed', 'moved'].map((status) => ({
      path: `/api/operator/v1/hosts?status=${status}`,
      rows: 200,
    })),
  ...api({
    '/shops': () => [['', 20]],
    '/products': ({ shopId, listed }) => [
      [`?shop_id=${shopId}`, 200],
      [`?shop_id=${shopId}&page=150&limit=20`, 500 + 3 * blocks(listed)],
      [`?shop_id=${shopId}&page=${Math.floor(listed / 20)}&limit=20`, 500 + 3 * blocks(listed)],
      [`?shop_id=${shopId}&q=nirgends`, 100 + 6 * blocks(listed)],
      // For the total each product is counted once, in the blocks that hold some.
      [`?shop_id=${shopId}&q=produkt`, 1_000 + listed + 6 * blocks(listed)],
      [`?shop_id=${shopId}&q=produkt&page=150&limit=20`, 1_000 + listed + 6 * blocks(listed)],
      [`?shop_id=${shopId}&category=K3`, 1_000 + listed + 6 * blocks(listed)],
      [`?shop_id=${shopId}&available=false`, 1_000 + listed + 6 * blocks(listed)],
      [`?shop_id=${shopId}&q=produkt&category=K3&available=true`, 1_000 + listed + 6 * blocks(listed)],
    ],
    '/products/:p1Id': ({ shopId, product }) => [[`?shop_id=${shopId}`, 20, product]],
    '/inventory': () => [['', 200]],
    '/inventory/:p1Id': ({ product }) => [['', 20, product]],
    '/inventory/:p1Id/log': ({ product }) => [['', 100, product]],
    // The catalog is the deployment's, not the organization's.
    '/catalog/products': ({ listed }) => [
      ['', 200],
      ['?q=nirgends', 100 + 3 * blocks(listed)],
      ['?q=produkt', 500],
      ['?category=K3', 1_000],
      ['?pzn=01126619', 100],
      ['?updated_after=2001-01-01T00:00:00Z', 200],
      ['?updated_after=2001-01-01T00:00:00Z&q=produkt&category=K3', 1_000],
    ],
    '/order-requests': ({ shopId, otherShopId }) => [
      ['', LIST],
      ['?status=all', LIST],
      ['?status=rejected', LIST],
      ['?external_reference=RX-77', 100],
      ['?external_reference=nix', 50],
      ['?status=all&payment_status=paid', LOOKED_REQUESTS],
      ['?payment_status=paid', LOOKED],
      ['?status=all&created_after=2020-01-01T00:00:00Z', LIST],
      [`?updated_after=${monthAgo()}`, LIST],
      ['?updated_after=1970-01-01T00:00:00Z&status=rejected', LOOKED],
      [`?status=all&shop_id=${shopId}`, 2 * LIST],
      [`?status=all&shop_id=${otherShopId}`, LIST],
    ],
    '/order-requests/:id': ({ request, pending }) => [
      ['', REVIEW, request],
      ['', REVIEW, pending],
    ],
    '/orders': ({ shopId, otherShopId }) => [
      ['', 200],
      ['?status=shipped', 50],
      ['?status=delivered', 200],
      ['?external_id=nix', 50],
      [`?shop_id=${shopId}`, LIST],
      [`?shop_id=${otherShopId}`, 100],
      ['?status=shipped,delivered', 500],
      ['?payment_status=refunded', LOOKED],
      ['?payment_status=refunded&status=delivered,shipped', LOOKED],
      ['?created_before=2020-01-01T00:00:00Z', 50],
      [`?created_after=${monthAgo()}&status=delivered`, 200],
      ['?external_reference=RX-77', 50],
      ['?external_reference=nix', 50],
      ['?updated_after=1970-01-01T00:00:00Z', 200],
      [`?updated_after=${monthAgo()}`, 200],
      ['?updated_after=1970-01-01T00:00:00Z&payment_status=refunded', LOOKED],
      [`?status=delivered&shop_id=${otherShopId}`, 50],
    ],
    '/order-requests/:id/prescriptions': ({ request }) => [['', 20, request]],
    // The audit log says who read it.
    '/prescriptions/:id/file': ({ prescription }) => [['', 20, prescription, 3]],
    '/prescriptions/:id': ({ prescription }) => [['', 20, prescription]],
    '/orders/:id': ({ order }) => [['', 20, order]],
    '/batches': () => [['?batch=ab%2012', LIST]],
    '/orders/:id/dispensing-record': ({ order }) => [['', 120, order]],
    '/customers': () => [['?email=kundin77@example.com', 100]],
    '/customers/:id': ({ customer }) => [['', 3 * LIST, customer]],
    '/reports/summary': () => [['', REPORT]],
    '/events': () => [
      ['', 500],
      ['?event_type=order_created', 500],
      ['?event_type=order_created,order_status_updated,low_stock', 1_000],
      ['?event_type=order_request_submitted', 3_000],
    ],
    '/webhooks/subscriptions': () => [['', BUSY * HEALTH]],
    '/webhooks/deliveries': ({ event }) => [
      ['', BUSY * LOG],
      ['?status=exhausted', BUSY * LOG],
      ['?status=held', BUSY * LOG],
      ['?status=exhausted,held', 2 * BUSY * LOG],
      ['?status=succeeded', BUSY * LOG_SEARCH],
      // The ids that a type's part of the log gives are read once more, as JSON.
      ['?event_type=order_created', 1.2 * BUSY * LOG],
      ['?event_type=order_created,low_stock', 2 * BUSY * LOG],
      ['?event_type=order_request_submitted', BUSY * LOG_SEARCH],
      [`?event_id=${event}`, BUSY * LOG],
      ['?status=cancelled', 5 * BUSY * LOG_SEARCH],
    ],
  }),
  ...still('/base/api/v2/public/openapi.json', '/base/api/v2/public/webhooks.json', '/base/docs', '/base/llms.txt'),
  '/base/docs/:page': () => ['/docs/errors', '/docs/search?q=stock'].map((path) => ({ path, rows: 0 })),
  '/base/docs/:page/:part': () => [{ path: '/docs/webhooks/order_created', rows: 0 }],
  ...manage({
    // Whether the organization has a key for a platform: all keys are looked through.
    '': () => [['', PAGE + 250, 303]],
    '/sign-in': () => [['/sign-in', PAGE, 303]],
    '/sign-in/pharmacy': () => [['/sign-in/pharmacy', PAGE, 303]],
    '/sign-in/code': () => [['/sign-in/code', PAGE]],
    '/invitation/:token': () => [[`/invitation/${'x'.repeat(43)}`, PAGE, 404]],
    '/reset/:token': () => [[`/reset/${'x'.repeat(43)}`, PAGE, 404]],
    '/welcome': () => [['/welcome', PAGE + 250]],
    '/rail': () => [['/rail', PAGE]],
    '/search/batches': () => [['/search/batches?q=AB12', PAGE + 150, 200, 3]],
    '/search': ({ listed }) =>
      ['nirgends', 'kundin', 'k', 'kundin%20produkt', 'produkt&tab=orders', 'produkt&tab=products', '12345'].map(
        (q) => [`/search?q=${q}`, SEARCH + 2 * blocks(listed)],
      ),
    '/requests': ({ shopId, otherShopId, pending }) => [
      ['/requests', 8_000],
      ['/requests?tab=needs_info', 8_000],
      ['/requests?tab=approved', 8_000],
      ['/requests?tab=rejected', 8_000],
      [`/requests?after=${pending}`, 8_000],
      [`/requests?tab=approved&shop=${shopId}`, 8_000],
      [`/requests?tab=approved&shop=${otherShopId}`, 8_000],
      ['/requests?q=nirgends', FOUND_REQUESTS],
      ['/requests?q=kundin', FOUND_REQUESTS],
      ['/requests?tab=approved&q=nirgends', FOUND_REQUESTS],
      ['/requests?tab=approved&q=kundin', FOUND_REQUESTS],
      [`/requests?tab=approved&shop=${otherShopId}&q=kundin`, FOUND_REQUESTS],
    ],
    // Yesterday and today: most at the end of a day, 49 hours with one of 25.
    '/today': () => [['/today', 8_500]],
    '/requests/:id': ({ request, pending }) => [
      [`/requests/${request}`, REVIEW],
      [`/requests/${pending}`, REVIEW],
    ],
    // The best of 100 that begin with the text and 100 that hold it, of the shop and of the inventory.
    '/requests/:id/products': ({ pending, listed }) => [
      [`/requests/${pending}/products?q=nirgends`, PAGE + 5 * blocks(listed)],
      [`/requests/${pending}/products?q=produkt`, 2_500],
      [`/requests/${pending}/products?q=forte`, 2_500 + 2 * blocks(listed)],
    ],
    '/requests/:id/hold': ({ request }) => [[`/requests/${request}/hold`, REVIEW]],
    '/requests/:id/delete': ({ pending }) => [[`/requests/${pending}/delete`, REVIEW]],
    // The audit log says who looked.
    '/prescriptions/:id/view': ({ prescription }) => [[`/prescriptions/${prescription}/view`, PAGE]],
    '/prescriptions/:id/pdf': ({ prescription }) => [[`/prescriptions/${prescription}/pdf`, PAGE, 200, 3]],
    '/account': () => [['/account', PAGE]],
    '/account/second-factor': () => [['/account/second-factor', PAGE]],
    '/settings/organization': () => [['/settings/organization', PAGE]],
    // A download is an entry of the audit log.
    '/settings/organization/export/:id': ({ exported }) => [
      [`/settings/organization/export/${exported}`, PAGE, 200, 3],
    ],
    '/settings/organization/rules': () => [['/settings/organization/rules', PAGE]],
    '/settings/shops': () => [['/settings/shops', PAGE]],
    '/settings/shops/:id': ({ shopId }) => [[`/settings/shops/${shopId}`, PAGE]],
    '/settings/shops/:id/deactivate': ({ shopId }) => [[`/settings/shops/${shopId}/deactivate`, PAGE]],
    '/settings/shops/:id/hosts/:host/remove': ({ shopId, host }) => [
      [`/settings/shops/${shopId}/hosts/${host}/remove`, PAGE],
    ],
    '/settings/members': () => [['/settings/members', PAGE]],
    '/settings/members/:id/reset': ({ member }) => [[`/settings/members/${member}/reset`, PAGE]],
    '/settings/members/:id/revoke': ({ member }) => [[`/settings/members/${member}/revoke`, PAGE]],
    // All keys are shown, those that were revoked too: there are a hundred here.
    '/settings/keys': () => [['/settings/keys', PAGE + 250]],
    '/settings/keys/:id': ({ key }) => [[`/settings/keys/${key}`, PAGE + 250]],
    '/settings/keys/:id/revoke': ({ key }) => [[`/settings/keys/${key}/revoke`, PAGE + 250]],
    '/settings/keys/:id/rotate': ({ key }) => [[`/settings/keys/${key}/rotate`, PAGE + 250]],
    '/settings/webhooks': () => [['/settings/webhooks', PAGE + BUSY * HEALTH]],
    '/settings/webhooks/:id': ({ subscriptions }) =>
      // With 500 rows of its history.
      subscriptions.flatMap((id): ManageVisit[] => [
        ...FOUND.map((query): ManageVisit => [`/settings/webhooks/${id}${query}`, PAGE + 500 + HEALTH + LOG]),
        ...SEARCHED.map((query): ManageVisit => [`/settings/webhooks/${id}${query}`, PAGE + 500 + HEALTH + LOG_SEARCH]),
      ]),
    '/settings/webhooks/:id/edit': ({ subscriptions: [id] }) => [[`/settings/webhooks/${id}/edit`, PAGE]],
    '/settings/webhooks/:id/delete': ({ subscriptions: [id] }) => [[`/settings/webhooks/${id}/delete`, PAGE]],
    '/settings/webhooks/:id/secret': ({ subscriptions: [id] }) => [[`/settings/webhooks/${id}/secret`, PAGE]],
    '/settings/webhooks/:id/secret/end': ({ subscriptions: [id] }) => [[`/settings/webhooks/${id}/secret/end`, PAGE]],
    '/settings/webhooks/:id/redeliver': ({ subscriptions: [id] }) => [[`/settings/webhooks/${id}/redeliver`, LOG]],
    '/settings/webhooks/:id/deliveries/:deliveryId': ({ subscriptions: [id], delivery }) => [
      [`/settings/webhooks/${id}/deliveries/${delivery}`, 2_000],
    ],
    '/settings/audit': ({ order }) => [
      ['/settings/audit', PAGE + 500],
      ...['all', 'settings', 'sign_ins', 'views'].map((tab): ManageVisit => [`/settings/audit?tab=${tab}`, PAGE + 500]),
      ['/settings/audit?q=77', PAGE + 500],
      ['/settings/audit?q=RX-77', PAGE + 500],
      ['/settings/audit?kind=member', AUDIT_SEARCH],
      ['/settings/audit?kind=order_request', AUDIT_SEARCH],
      ['/settings/audit?actor=nobody', AUDIT_SEARCH],
      [`/settings/audit?${period(30)}`, PAGE + 500],
      [`/settings/audit?entity=${order}`, 500],
    ],
    // 10,000 rows.
    '/settings/audit/export.csv': () => [['/settings/audit/export.csv', 31_000]],
    '/orders': ({ otherShopId, ready }) => [
      ...['', '?tab=ready_pickup', '?tab=ready_shipping', '?tab=waiting', '?tab=all'].map((query): [string, number] => [
        `/orders${query}`,
        DESK,
      ]),
      ['/orders?status=shipped', DESK],
      ['/orders?status=delivered', DESK],
      ['/orders?tab=all&when=week', DESK],
      [`/orders?tab=all&shop=${otherShopId}`, DESK],
      // No index has these by shop: 500 are looked through, and where that ended.
      [`/orders?shop=${otherShopId}`, DESK + 1_100],
      [`/orders?tab=waiting&shop=${otherShopId}`, DESK + 1_100],
      [`/orders?tab=ready_shipping&shop=${otherShopId}`, DESK + 1_100],
      ['/orders?q=nirgends', DESK + 2 * LIST_SEARCH],
      [`/orders?tab=all&q=${ready}`, DESK + 2 * LIST_SEARCH],
      ['/orders?did=ready&orders=1,2,3,4,5', DESK + 100],
    ],
    // 2,000 orders, by an index.
    '/desk/orders.csv': () => [
      // Each is a row of the audit log.
      ['/desk/orders.csv?tab=all&when=today', PAGE + 4_100, 200, FILE_WRITTEN],
      ['/desk/orders.csv?tab=waiting', PAGE + 4_100, 200, FILE_WRITTEN],
      // Too many: back to the list.
      ['/desk/orders.csv?tab=all', PAGE + 6_100, 303],
    ],
    '/desk/tour': ({ otherShopId }) => [
      // Up to 100 stops, and 500 ended orders of the day are looked through.
      ['/desk/tour', DESK + 1_200],
      [`/desk/tour?shop=${otherShopId}`, DESK + 2_200],
    ],
    // Back to the order, which no courier brings.
    '/desk/tour/:id': ({ order }) => [[`/desk/tour/${order}`, PAGE, 303]],
    '/desk/papers': () => [['/desk/papers?print=slips&orders=1,2,3,4,5', PAGE + 200]],
    '/orders/:id': ({ order }) => [[`/orders/${order}`, PAGE + 100]],
    // As many orders as the list shows, each with its product, and those that wait are looked through twice.
    '/expected': () => [['/expected', 6 * PAGE + 1_000]],
    '/orders/:id/later': ({ order }) => [[`/orders/${order}/later?line=0`, PAGE]],
    '/orders/:id/rest-slip': ({ owing }) => [[`/orders/${owing}/rest-slip`, PAGE + 100]],
    '/orders/:id/cancel-rest': ({ owing }) => [[`/orders/${owing}/cancel-rest`, PAGE]],
    '/orders/:id/return': ({ order }) => [[`/orders/${order}/return`, PAGE + 100]],
    '/orders/:id/label': ({ order }) => [[`/orders/${order}/label`, PAGE + 100]],
    '/orders/:id/slip': ({ order }) => [[`/orders/${order}/slip`, PAGE + 100]],
    '/orders/:id/dispensing-record': ({ order }) => [[`/orders/${order}/dispensing-record`, PAGE + 100]],
    '/orders/:id/refund': ({ order }) => [[`/orders/${order}/refund`, PAGE]],
    '/orders/:id/cancel': ({ order }) => [[`/orders/${order}/cancel`, PAGE]],
    '/orders/:id/delete': ({ order }) => [[`/orders/${order}/delete`, PAGE]],
    '/orders/:id/hand-over': ({ ready }) => [[`/orders/${ready}/hand-over`, PAGE + 100]],
    '/orders/:id/other-product': ({ packing }) => [[`/orders/${packing}/other-product?line=0`, PAGE + 100]],
    '/orders/:id/shipping': ({ order }) => [[`/orders/${order}/shipping`, PAGE + 100]],
    // Back to the order, which is not for these.
    '/orders/:id/hold': ({ order }) => [[`/orders/${order}/hold`, PAGE]],
    '/orders/:id/original': ({ order }) => [[`/orders/${order}/original`, PAGE, 303]],
    '/orders/:id/ship': ({ order }) => [[`/orders/${order}/ship`, PAGE, 303]],
    '/orders/:id/payment-link': ({ order }) => [[`/orders/${order}/payment-link`, PAGE, 303]],
    '/reports': () => ['/reports', '/reports?period=30', `/reports?${period(60)}`].map((path) => [path, REPORT]),
    '/reports/days.csv': () => [[`/reports/days.csv?${period(60)}`, REPORT]],
    '/reports/products.csv': () => [[`/reports/products.csv?${period(60)}`, REPORT]],
    '/products': ({ product, listed }) => [
      ['/products', 700 + blocks(listed)],
      ['/products?stock=low', 700 + blocks(listed)],
      ['/products?stock=out', 700 + blocks(listed)],
      // A pack that is scanned: its row, or what the catalog has with it.
      ['/products?q=00000015', 600 + 2 * blocks(listed)],
      ['/products?q=nirgends', PAGE + 2 * blocks(listed)],
      ['/products?q=produkt', 1_200],
      [`/products?q=produkt&after=${product}`, 1_200],
      ['/products?stock=low&q=nirgends', PAGE + 100],
    ],
    '/products/:p1Id': ({ product }) => [[`/products/${product}`, 2_000]],
    // 2,000 movements, once themselves, once for their orders and once for who did it; and up to 2,000 orders, each found in an index.
    '/products/:p1Id/movements.csv': ({ product }) => [[`/products/${product}/movements.csv`, PAGE + 12_000]],
    '/products/:p1Id/edit': ({ product }) => [[`/products/${product}/edit`, 2_000]],
    '/products/:p1Id/shops/:shopId': ({ product, shopId }) => [[`/products/${product}/shops/${shopId}`, 2_000]],
    '/products/:p1Id/shops/:shopId/detach': ({ product, shopId }) => [
      [`/products/${product}/shops/${shopId}/detach`, 2_000],
    ],
    // No own product: its page asks whether there is one to join with.
    '/products/:p1Id/unit': ({ product }) => [[`/products/${product}/unit`, 2_000]],
    '/products/:p1Id/join': ({ product }) => [[`/products/${product}/join`, 2_000, 404]],
    '/products/:p1Id/remove': ({ product }) => [[`/products/${product}/remove`, 2_000]],
    // The file has them all, up to 20,000, read in parts of 2,000.
    '/inventory-export': ({ listed }) => [
      ['/inventory-export', PAGE + 5 * listed, 200, undefined, 2 + Math.ceil(listed / 2_000)],
    ],
    '/inventory-import': () => [['/inventory-import', PAGE]],
    '/inventory-import/:id': ({ importId }) => [[`/inventory-import/${importId}`, PAGE]],
    '/inventory-import/:id/failed': ({ importId }) => [[`/inventory-import/${importId}/failed`, PAGE]],
    // The catalog is the deployment's, not the organization's.
    '/catalog/new': () => [['/catalog/new', PAGE]],
    '/catalog': ({ listed }) => [
      ['/catalog', 600],
      ['/catalog?q=nirgends', PAGE + 3 * blocks(listed)],
      ['/catalog?q=produkt', 800],
    ],
  }),
  '/shop/healthz': () => [{ path: '/healthz', rows: 10 }],
  '/shop/api/v1/external-order': () => [
    { path: '/api/v1/external-order?external_reference=RX-sent', rows: 30 },
    { path: '/api/v1/external-order?external_reference=RX-77', rows: 30, status: 404 },
  ],
  '/shop/api/v1/external-order/:id': ({ sent }) => [{ path: `/api/v1/external-order/${sent}`, rows: 30 }],
  '/shop/api/v1/shop': () => [{ path: '/api/v1/shop', rows: 20 }],
  '/shop/api/v1/products': ({ listed, product }) => [
    { path: '/api/v1/products', rows: 200 },
    { path: '/api/v1/products?limit=20', rows: 100 },
    { path: '/api/v1/products?q=nirgends', rows: 50 + 3 * blocks(listed) },
    // A block that may hold some is taken apart.
    { path: '/api/v1/products?q=produkt', rows: 500 + 3 * blocks(listed) },
    { path: `/api/v1/products?q=${product}`, rows: 300 + 3 * blocks(listed) },
    { path: '/api/v1/products?pzn=1', rows: 50 },
  ],
  '/shop/messages/:token': ({ optOutToken }) => [{ path: `/messages/${optOutToken}`, rows: 20 }],
  '/shop/pay/:token': ({ payToken }) => [{ path: `/pay/${payToken}`, rows: 50 }],
};

type ApiVisit = [query: string, rows: number, id?: string, written?: number];
type ManageVisit = [path: string, rows: number, status?: number, written?: number, trips?: number];

function api(visits: Record<string, (ids: Ids) => ApiVisit[]>): typeof VISITS {
  const entries = Object.entries(visits).map(([route, of]) => {
    const visitsOf = (ids: Ids): Visit[] =>
      of(ids).map(([query, rows, id = '', written]) => {
        const path = `/api/v2/public/orgs/${ids.orgId}${route.replace(/:\w+/, id)}${query}`;
        return { path, rows, written };
      });
    return [`/base/api/v2/public/orgs/:orgId${route}`, visitsOf] as const;
  });
  return Object.fromEntries(entries);
}

function manage(visits: Record<string, (ids: Ids) => ManageVisit[]>): typeof VISITS {
  const entries = Object.entries(visits).map(([route, of]) => {
    const visitsOf = (ids: Ids): Visit[] =>
      of(ids).map(([path, rows, status, written, trips]) => ({ path: `/manage${path}`, rows, status, written, trips }));
    return [`/base/manage${route}`, visitsOf] as const;
  });
  return Object.fromEntries(entries);
}

/** Routes that read no database. */
function still(...routes: string[]): typeof VISITS {
  return Object.fromEntries(routes.map((route) => [route, () => [{ path: route.replace('/base', ''), rows: 0 }]]));
}
