import { rmSync } from 'node:fs';
import { DEFAULT_EVENT_TYPES } from '../src/webhooks/event-types.ts';
import { type Api, operatorApi, organizationApi } from './api.ts';
import { makeAssortment } from './assortment.ts';
import type { DemoMember } from './day/desk.ts';
import { makeMembers } from './members.ts';
import { PATHS } from './paths.ts';
import { readWhole, writeWhole } from './write-whole.ts';

/** What developers and tests need to know about the demo organization: the content of demo.json. */
export interface Demo {
  base_url: string;
  org_id: string;
  /** Has every scope except `external_orders.submit`. */
  api_key: string;
  /** Has only the scope `external_orders.submit`. */
  integration_key: string;
  /** Has every scope. */
  operator_token: string;
  members: DemoMember[];
  shops: { shop_id: string; url: string; host: string }[];
  subscription: { url: string; signing_secret: string };
  /** The test organization, with keys and an address of its own. */
  test: Pick<Demo, 'org_id' | 'api_key' | 'integration_key' | 'shops'>;
}

export interface DemoPlan {
  baseUrl: string;
  operatorToken: string;
  webhookUrl: string;
}

const ORGANIZATION = {
  name: 'Löwen-Apotheke',
  // The example of the IBAN registry.
  iban: 'DE89370400440532013000',
  payment_recipient: 'Löwen-Apotheke Erika Muster e.K.',
};

const SHOPS = [
  {
    name: 'Löwen-Apotheke',
    hosts: ['loewen.localhost'],
    street: 'Lindenstraße 80',
    postal_code: '10969',
    city: 'Berlin',
    phone: '030 5557 1200',
    opening_hours: 'Mo–Fr 8–18.30 Uhr, Sa 8–13 Uhr',
  },
  { name: 'Stern-Apotheke', hosts: ['stern.localhost'] },
];

/** An API key with every scope except the one of platforms, `external_orders.submit`. */
export const API_KEY = {
  name: 'Demo: organization API',
  scopes: [
    'products.read',
    'products.write',
    'inventory.read',
    'inventory.write',
    'order_requests.read',
    'order_requests.write',
    'orders.read',
    'orders.write',
    'customers.read',
    'customers.write',
    'prescriptions.read',
    'prescriptions.write',
    'events.read',
    'reports.read',
    'webhooks.read',
    'webhooks.write',
  ],
};

const INTEGRATION_KEY = { name: 'Demo: telemedicine platform', scopes: ['external_orders.submit'], reserves: true };

/** Makes a POST to the operator API for the demo organization. */
type Operate = (path: string, body: unknown) => ReturnType<Api>;

/** Creates the demo organization; every step uses an API. */
export async function makeDemo({ baseUrl, operatorToken, webhookUrl }: DemoPlan): Promise<Demo> {
  const operate = operatorApi(baseUrl, operatorToken);
  const { org_id: orgId } = await operate('POST', '/organizations', { ...ORGANIZATION, shard: 0 });
  const inOrganization: Operate = (path, body) => operate('POST', `/organizations/${orgId}${path}`, body);

  const shops = await makeShops(inOrganization, baseUrl);
  const { api_key: apiKey } = await inOrganization('/api-keys', API_KEY);
  const { api_key: integrationKey } = await inOrganization('/api-keys', INTEGRATION_KEY);
  const organization = await organizationApi(baseUrl, orgId, apiKey);
  await makeAssortment(
    operate,
    organization,
    shops.map(({ shop_id }) => shop_id),
  );
  const members = await makeMembers((person) => inOrganization('/members', person));
  // Subscribed last, so that the first webhook a developer sees is that of their own request.
  const subscription = await subscribe(inOrganization, webhookUrl);
  return {
    base_url: baseUrl,
    org_id: orgId,
    api_key: apiKey,
    integration_key: integrationKey,
    operator_token: operatorToken,
    members,
    shops,
    subscription,
    test: await makeTest(baseUrl, orgId, operate),
  };
}

async function makeTest(baseUrl: string, liveId: string, operate: Api): Promise<Demo['test']> {
  const { org_id: orgId } = await operate('POST', `/organizations/${liveId}/test`);
  const { api_key: apiKey } = await operate('POST', `/organizations/${orgId}/api-keys`, API_KEY);
  const { api_key: integrationKey } = await operate('POST', `/organizations/${orgId}/api-keys`, INTEGRATION_KEY);
  const organization = await organizationApi(baseUrl, orgId, apiKey);
  const { data } = await organization('GET', '/shops');
  const shops = (data as { shop_id: string; url: string }[]).map(({ shop_id, url }) => ({
    shop_id,
    url,
    host: new URL(url).hostname,
  }));
  return { org_id: orgId, api_key: apiKey, integration_key: integrationKey, shops };
}

async function makeShops(inOrganization: Operate, baseUrl: string): Promise<Demo['shops']> {
  const shops: Demo['shops'] = [];
  for (const shop of SHOPS) {
    const { shop_id } = await inOrganization('/shops', shop);
    const [host = ''] = shop.hosts;
    shops.push({ shop_id, url: addressOf(host, baseUrl), host });
  }
  return shops;
}

async function subscribe(inOrganization: Operate, url: string): Promise<Demo['subscription']> {
  const made = await inOrganization('/subscriptions', { url, event_types: DEFAULT_EVENT_TYPES });
  return { url, signing_secret: made.signing_secret };
}

/** Returns the same demo for a service on another port. D1 stores hosts without a port. */
export function demoAt(demo: Demo, baseUrl: string): Demo {
  const moved = (shops: Demo['shops']) => shops.map((shop) => ({ ...shop, url: addressOf(shop.host, baseUrl) }));
  const test = { ...demo.test, shops: moved(demo.test.shops) };
  return { ...demo, base_url: baseUrl, shops: moved(demo.shops), test };
}

function addressOf(host: string, baseUrl: string): string {
  const url = new URL(baseUrl);
  url.hostname = host;
  return url.origin;
}

export const readDemo = () => readWhole<Demo>(PATHS.demo);

/** Writes demo.json as a whole, after everything else. If the file exists, the file and the demo are complete. */
export function writeDemo(demo: Demo): void {
  writeWhole(PATHS.demo, `${JSON.stringify(demo, null, 2)}\n`, 0o600);
}

/** Deletes the stored state. demo.json is deleted first, because state without it is known to be incomplete. */
export function wipe(): void {
  rmSync(PATHS.demo, { force: true });
  rmSync(PATHS.state, { recursive: true, force: true });
}
