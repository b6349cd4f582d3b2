import type { Sent } from '../../scripts/http.ts';
import { onePagePdf } from '../../scripts/pdf.ts';
import { newId } from './floor/recording.ts';
import { ORDERED, type Orderable, orderRequest, type Pharmacies, type Pharmacy } from './pharmacies.ts';

export interface Route {
  title: string;
  /** The least share of the floor's requests a second that the service has to reach (goals.ts). */
  ratioAtLeast: number;
  /** 200 unless it says otherwise. */
  status?: number;
  /** A new request each time. */
  request: (pharmacies: Pharmacies) => Sent;
}

const PDF_BYTES = 200 * 1024;
/** With a comment after its end, which readers skip. */
const PDF = Buffer.concat([onePagePdf('Rezept'), Buffer.alloc(PDF_BYTES, '%\n')])
  .subarray(0, PDF_BYTES)
  .toString('base64');
const BASE_HOST = 'localhost';

/** What is measured. */
export const ROUTES = {
  connector: {
    title: 'order request by the connector',
    ratioAtLeast: 0.9,
    request: ({ ordering }) => submission(ordering),
  },
  connector_pdf: {
    title: 'the same with a PDF of 200 KB',
    ratioAtLeast: 0.9,
    request: ({ ordering }) => submission(ordering, PDF),
  },
  connector_reserving: {
    title: 'the same where the shop reserves stock',
    ratioAtLeast: 0.9,
    request: ({ reserving }) => submission(reserving),
  },
  list: {
    title: 'organization API: list of 50 products',
    ratioAtLeast: 0.9,
    request: ({ asked }) => read(asked, '/products', '&limit=50'),
  },
  single: {
    title: 'organization API: one product',
    ratioAtLeast: 0.9,
    request: ({ asked }) => read(asked, `/products/${ORDERED.p1_id}`),
  },
  token: {
    title: 'token for an API key',
    ratioAtLeast: 0.85,
    request: ({ asked: { orgId, apiKey } }) => ({
      method: 'POST',
      host: BASE_HOST,
      path: `/api/v2/public/orgs/${orgId}/auth/token`,
      headers: { 'X-API-Key': apiKey },
    }),
  },
  inbox: {
    title: 'management interface: order requests',
    ratioAtLeast: 0.7,
    request: ({ asked }) => readInbox(asked),
  },
  inbox_refresh: {
    title: 'the same, looked at again by its script',
    ratioAtLeast: 0.7,
    status: 304,
    request: ({ asked }) => readInbox(asked, { 'Sec-Fetch-Dest': 'empty', 'If-None-Match': asked.inboxTag }),
  },
} satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;
// SAFETY: these are the keys of the object literal above.
export const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[];

/** Something of each route. */
export type EachRoute<T> = Record<RouteName, T>;

export function eachRoute<T>(make: (name: RouteName) => T): EachRoute<T> {
  // SAFETY: one for each name.
  return Object.fromEntries(ROUTE_NAMES.map((name) => [name, make(name)])) as EachRoute<T>;
}

function submission({ host, integrationKey }: Orderable, pdf?: string): Sent {
  return {
    method: 'POST',
    host,
    path: '/api/v1/external-order',
    headers: { apikey: integrationKey, 'Content-Type': 'application/json' },
    // An id: the floor replaces those that were made for the recorded request (floor/replay.ts).
    body: Buffer.from(orderRequest(newId(Date.now()), pdf)),
  };
}

function readInbox({ cookie }: Pharmacy, headers: Record<string, string> = {}): Sent {
  return {
    method: 'GET',
    host: BASE_HOST,
    path: '/manage/requests',
    headers: { Cookie: cookie, ...headers },
  };
}

function read({ orgId, shopId, token }: Pharmacy, path: string, query = ''): Sent {
  return {
    method: 'GET',
    host: BASE_HOST,
    path: `/api/v2/public/orgs/${orgId}${path}?shop_id=${shopId}${query}`,
    headers: { Authorization: `Bearer ${token}` },
  };
}
