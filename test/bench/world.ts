import type { Operate } from '../../scripts/demo.ts';
import type { Subscribers } from './subscribers.ts';

/** Where order requests are sent to. */
export interface Shop {
  orgId: string;
  host: string;
  /** An integration key. */
  key: string;
}

/** The subscribers of an organization: how many answer, and how many never do. */
export interface Subscribed {
  healthy: number;
  holes: number;
}

let hosts = 0;

/** Makes an organization with a shop, a key and subscriptions, through the operator API. */
export async function openShop(operate: Operate, subscribers: Subscribers, subscribed: Subscribed): Promise<Shop> {
  hosts += 1;
  const name = `bench-${hosts}`;
  const { org_id: orgId } = await operate<{ org_id: string }>('/organizations', { name });
  const inOrganization: Operate = (path, body) => operate(`/organizations/${orgId}${path}`, body);
  const host = `${name}.localhost`;
  await inOrganization('/shops', { name, hosts: [host] });
  const scopes = ['external_orders.submit'];
  const { api_key: key } = await inOrganization<{ api_key: string }>('/api-keys', { name, scopes });
  const paths = [...pathsOf('healthy', name, subscribed.healthy), ...pathsOf('hole', name, subscribed.holes)];
  for (const path of paths) {
    await inOrganization('/subscriptions', { url: subscribers.url(path), event_types: ['order_request_submitted'] });
  }
  return { orgId, host, key };
}

function pathsOf(kind: string, name: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `/${kind}/${name}/${n}`);
}
