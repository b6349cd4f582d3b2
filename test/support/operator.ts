import { newId } from '../../src/platform/ids';
import { BASE, call, json, OPERATOR_TOKEN, operate } from './world';

export interface Asking {
  method?: string;
  headers?: Record<string, string>;
  env?: Partial<Env>;
}

/** A call of the operator API whose answer the test looks at itself. */
export function ask(path: string, body: unknown, asking: Asking = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}`, ...asking.headers };
  const init = { ...json(body, headers), method: asking.method ?? 'POST' };
  return call(`${BASE}/api/operator/v1${path}`, init, asking.env);
}

/** An organization of the test's own, without shops or keys. */
export async function openOrganization(): Promise<string> {
  const { org_id: orgId = '' } = await operate('/organizations', { name: 'Löwen-Apotheke', shard: 0 });
  return orgId;
}

export function freshHost(domain = 'example.com'): string {
  return `rx-${newId()}.${domain}`;
}

/** The environment as production has it, where local exceptions do not hold. */
export const PRODUCTION = { BASE_URL: 'https://api.offizin.example', OUTBOUND_ALLOW_LOOPBACK: '' };

/** A call of the operator API of a deployment on `api.offizin.example`. */
export function askInProduction(path: string, body: unknown): Promise<Response> {
  const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
  return call(`https://api.offizin.example/api/operator/v1${path}`, json(body, headers), PRODUCTION);
}
