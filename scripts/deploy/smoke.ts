import { again } from '../again.ts';
import { StartError, VersionFault } from '../errors.ts';
import { jsonOrNothing } from '../http.ts';
import type { Run } from './run.ts';
import { operatorToken } from './secrets.ts';

const WAIT_MS = 2_000;
const TRIES_MAX = 60;
const SUBMITTED = 'order_request_submitted';
const NAME = 'Smoke test';
/** Names under which its organization and keys are kept with the secrets; the Worker does not get them. */
const ORGANIZATION = 'SMOKE_ORG_ID';
const INTEGRATION_KEY = 'SMOKE_INTEGRATION_KEY';
const API_KEY = 'SMOKE_API_KEY';

type Answered = Record<string, unknown>;

/**
 * One order request, from the shop's own host to the operator's receiver: taken, known when it is sent again, told by a
 * webhook, deleted. The first run makes an organization for it. What was made is kept after each answer, and made anew where
 * no answer came.
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

/** The organization, its shop, keys and subscription, as far as they are not there. @returns the organization's id */
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
    // Taken: by the answer of a run that was killed. Whether by this organization, its key tells.
    await create(`/${orgId}/shops`, { name: NAME, hosts: [names.smokeHost] }, [409]);
    await makeKey(INTEGRATION_KEY, ['external_orders.submit']);
  }
  if (secrets.values[API_KEY] === undefined) {
    await create(`/${orgId}/subscriptions`, { url: env.SMOKE_WEBHOOK_URL, event_types: [SUBMITTED] });
    await makeKey(API_KEY, ['order_requests.read', 'order_requests.write', 'webhooks.read']);
  }
  return orgId;
}

/** When a request was taken, as its id says (UUID version 7): deliveries of runs before are older. */
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

/** @param allowed statuses besides 2xx that are an answer */
async function call(
  run: Run,
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: unknown,
  allowed: readonly number[] = [],
): Promise<Answered> {
  // What the operator creates would be there twice; an order request is known by its reference.
  const isRepeatable = !(method === 'POST' && url.includes('/api/operator/'));
  const answer = await again(
    () => run.ask(method, url, headers, body),
    (got) => isRepeatable && (got === null || got.status === 429 || got.status >= 500),
    run.wait,
  ).catch(() => {
    throw new StartError(`${method} ${url}: no answer. Run the same command again: it goes on where it stopped.`);
  });
  // An answer without JSON tells by its status alone.
  const parsed: Answered = jsonOrNothing(answer.body) ?? {};
  if (answer.status > 299 && !allowed.includes(answer.status)) {
    throw new VersionFault(`${method} ${url} was answered with ${answer.status} ${String(parsed.code ?? '')}.`);
  }
  return { ...parsed, replayed: answer.headers.get('Idempotent-Replayed') };
}

/** Nobody's order. Its reference is the version's, so that a run that is killed sends the same again. */
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
