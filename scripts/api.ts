import type { Agent } from 'node:http';
import { StartError } from './errors.ts';
import { call } from './http.ts';

/**
 * Makes a call that must succeed.
 * @param body a text is sent as NDJSON, anything else as JSON
 * @returns the parsed answer, which is not validated
 * @throws StartError if the status is not 2xx
 */
export async function ask(
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: unknown,
  agent?: Agent | undefined,
) {
  const isText = typeof body === 'string';
  const type = body !== undefined && { 'Content-Type': isText ? 'application/x-ndjson' : 'application/json' };
  const sent = body === undefined || isText ? body : JSON.stringify(body);
  const answer = await call(method, url, { ...headers, ...type }, sent, { agent });
  if (answer.status > 299) throw new StartError(`${method} ${url} was answered with ${answer.status}: ${answer.body}`);
  return JSON.parse(answer.body);
}

/** Makes calls below one address with the credentials of one caller. */
export type Api = (method: string, path: string, body?: unknown) => ReturnType<typeof ask>;

export function operatorApi(baseUrl: string, token: string): Api {
  return (method, path, body) => ask(method, `${baseUrl}/api/operator/v1${path}`, bearer(token), body);
}

/** The organization API with a token for this key. */
export async function organizationApi(baseUrl: string, orgId: string, apiKey: string, agent?: Agent): Promise<Api> {
  const base = `${baseUrl}/api/v2/public/orgs/${orgId}`;
  const { access_token } = await ask('POST', `${base}/auth/token`, { 'X-API-Key': apiKey });
  return (method, path, body) => ask(method, base + path, bearer(access_token), body, agent);
}

export function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/** Makes an organization with one shop and an integration key, through the operator API. */
export async function openOrganization(operate: Api, organization: { name: string; shard?: number }, host: string) {
  const { org_id } = await operate('POST', '/organizations', organization);
  const within = (path: string, body: unknown) => operate('POST', `/organizations/${org_id}${path}`, body);
  const { name } = organization;
  const { shop_id } = await within('/shops', { name, hosts: [host] });
  const keyFor = async (scopes: readonly string[]) => String((await within('/api-keys', { name, scopes })).api_key);
  const integrationKey = await keyFor(['external_orders.submit']);
  return { orgId: String(org_id), shopId: String(shop_id), integrationKey, within, keyFor };
}
