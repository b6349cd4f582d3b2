import { randomUUID } from 'node:crypto';
import type { Service } from './service.ts';

export const SUBMITS = ['external_orders.submit'];

/** What an organization of its own has on a service that runs. */
interface Wanted {
  /** Of the organization. */
  fields?: Record<string, unknown>;
  /** A key for each list of scopes. */
  keys: readonly (readonly string[])[];
  /** Addresses that are sent events of these types. */
  urls?: readonly string[];
  eventTypes?: readonly string[];
}

/** An organization with one shop. Its keys and subscribers come in the order in which they were asked for. */
export async function openPharmacyAt(service: Service, { fields, keys, urls = [], eventTypes }: Wanted) {
  const named = { name: 'Löwen-Apotheke', shard: 0, ...fields };
  const { org_id: orgId = '' } = await service.operate('/organizations', named);
  const within = (path: string, body: object) => service.operate(`/organizations/${orgId}${path}`, body);
  const host = `rx-${randomUUID()}.localhost`;
  const { shop_id: shopId = '' } = await within('/shops', { name: named.name, hosts: [host] });
  const made: string[] = [];
  for (const scopes of keys) made.push((await within('/api-keys', { name: 'erp', scopes })).api_key ?? '');
  const subscribers: { subscriptionId: string; secret: string; url: string }[] = [];
  for (const url of urls) {
    const subscription = { url, event_types: eventTypes ?? ['order_request_submitted'] };
    const { subscription_id = '', signing_secret = '' } = await within('/subscriptions', subscription);
    subscribers.push({ subscriptionId: subscription_id, secret: signing_secret, url });
  }
  const connector = `http://${host}:${service.port}/api/v1/external-order`;
  return { orgId, shopId, host, connector, keys: made, subscribers, within };
}
