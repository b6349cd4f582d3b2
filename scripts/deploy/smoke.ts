import { again } from '../again.ts';
import { StartError, VersionFault } from '../errors.ts';
import { jsonOrNothing } from '../http.ts';
import type { Run } from './run.ts';
import { operatorToken } from './secrets.ts';

const WAIT_MS = 2_000;
const TRIES_MAX = 60;
const SUBMITTED = 'order_request_submitted';
const NAME = 'Smoke test';
/** The names under which the organization and its keys are stored with the secrets. They are not sent to the Worker. */
const ORGANIZATION = 'SMOKE_ORG_ID';
const INTEGRATION_KEY = 'SMOKE_INTEGRATION_KEY';
const API_KEY = 'SMOKE_API_KEY';

type Answered = Record<string, unknown>;

/**
 * Sends an order request to the shop's own host, sends it again, waits until its webhook has reached the operator's
 * receiver, and deletes it. The first run creates an organization for this. Each id and key is stored as soon as it is
 * returned. If no answer came, the next run creates it again.
 * @throws VersionFault if the service does anything else
 */
export async function tryAnOrder(run: Run, version: string): Promise<void> {
  const { secrets, names, isDryRun } = run;
  const orgId = await openShop(run);
  const integration = { apikey: secrets.values[INTEGRATION_KEY] ?? '' };
  const submit = () =>
    call(run, 'POST', `https://${names.smokeHost}/api/v1/external-order`, integration, envelopeOf(version));
  const first = await submit();
  const second = await submit();
  if (!isDryRun && (second.id !== first.id || second.replayed !== 'true')) {
    throw new VersionFault('The order request was sent again and not known: the second answer has another id.');
  }
  const api = `${names.baseUrl}/api/v2/public/orgs/${orgId}`;
  const key = { 'X-API-Key': secrets.values[API_KEY] ?? '' };
  const { access_token } = await call(run, 'POST', `${api}/auth/token`, key);
  const authorized = { Authorization: `Bearer ${String(access_token)}` };
  const id = String(first.id ?? '{id}');
  const query = `event_type=${SUBMITTED}&since=${timeOf(id)}&limit=1`;
  await waitForDelivery(run, `${api}/webhooks/deliveries?${query}`, authorized);
  await call(run, 'DELETE', `${api}/order-requests/${id}`, authorized);
  run.did('smoke order', 'taken, known again, delivered to the receiver, deleted');
}

/** Creates what is missing of the organization, its shop, keys and subscription. @returns the organization's id */
async function openShop(run: Run): Promise<string> {
  const { secrets, names, isDryRun, env } = run;
  const operator = `${names.baseUrl}/api/operator/v1/organizations`;
  const headers = { Authorization: `Bearer ${operatorToken(run)}` };
  const create = (path: string, body: unknown, allowed: readonly number[] = []) =>
    call(run, 'POST', `${operator}${path}`, headers, body, allowed);
  const keep = async (name: string, value: unknown) => {
    if (!isDryRun) await secrets.keep(name, String(value));
  };
  if (secrets.values[ORGANIZATION] === undefined) await keep(ORGANIZATION, (await create('', { name: NAME })).org_id);
  const orgId = secrets.values[ORGANIZATION] ?? '{org_id}';
  const makeKey = async (name: string, scopes: readonly string[]) =>
    keep(name, (await create(`/${orgId}/api-keys`, { name: NAME, scopes })).api_key);
  if (secrets.values[INTEGRATION_KEY] === undefined) {
    // 409 means that the host is taken, probably by a run that was killed. The key shows whether this organization has
    // it.
    await create(`/${orgId}/shops`, { name: NAME, hosts: [names.smokeHost] }, [409]);
    await makeKey(INTEGRATION_KEY, ['external_orders.submit']);
  }
  if (secrets.values[API_KEY] === undefined) {
    await create(`/${orgId}/subscriptions`, { url: env.SMOKE_WEBHOOK_URL, event_types: [SUBMITTED] });
    await makeKey(API_KEY, ['order_requests.read', 'order_requests.write', 'webhooks.read']);
  }
  return orgId;
}

/**
 * Returns the time at which a request was accepted, from its id (UUID version 7). Deliveries of earlier runs are older.
 */
function timeOf(id: string): string {
  const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  return Number.isNaN(ms) ? '{created_at}' : new Date(ms).toISOString();
}

async function waitForDelivery(run: Run, url: string, headers: Record<string, string>): Promise<void> {
  let last = 'none was made';
  for (let tried = 1; tried <= TRIES_MAX; tried += 1) {
    const { data } = await call(run, 'GET', url, headers);
    if (run.isDryRun) return;
    const [delivery] = data as { status: string; http_status?: number | null }[];
    if (delivery?.status === 'succeeded') return;
    if (delivery) last = `it is ${delivery.status}`;
    if (tried < TRIES_MAX) await run.wait(WAIT_MS);
  }
  throw new VersionFault(
    `The webhook of the order request did not arrive: ${last}. Does SMOKE_WEBHOOK_URL answer a POST with 2xx?`,
  );
}

/** Calls the service. @param allowed statuses above 299 that are no error */
async function call(
  run: Run,
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: unknown,
  allowed: readonly number[] = [],
): Promise<Answered> {
  // A repeated call of the operator API could create something twice. A repeated order request is recognized by its
  // reference.
  const isRepeatable = !(method === 'POST' && url.includes('/api/operator/'));
  const answer = await again(
    () => run.ask(method, url, headers, body),
    (got) => isRepeatable && (got === null || got.status === 429 || got.status >= 500),
    run.wait,
  ).catch(() => {
    throw new StartError(`${method} ${url}: no answer. Run the same command again: it goes on where it stopped.`);
  });
  // If the answer has no JSON, only its status counts.
  const parsed: Answered = jsonOrNothing(answer.body) ?? {};
  if (answer.status > 299 && !allowed.includes(answer.status)) {
    throw new VersionFault(`${method} ${url} was answered with ${answer.status} ${String(parsed.code ?? '')}.`);
  }
  return { ...parsed, replayed: answer.headers.get('Idempotent-Replayed') };
}

/**
 * Returns an order request of no real person. Its reference is made from the version, so a run after a killed one sends
 * the same request.
 */
function envelopeOf(version: string) {
  return {
    external_reference: `smoke-${version}`,
    source: 'smoke.test',
    payload: {
      customer_name: 'Smoke Test',
      customer_email: 'smoke@example.com',
      items: [{ name: 'Smoke test', quantity: 1, price: 1 }],
    },
  };
}
