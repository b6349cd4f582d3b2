import { again } from '../again.ts';
import { StartError, VersionFault } from '../errors.ts';
import type { Run } from './run.ts';
import { operatorToken } from './secrets.ts';

const WAIT_MS = 2_000;
const TRIES_MAX = 60;
const SUBMITTED = 'order_request_submitted';
const NAME = 'Smoke test';
/** Names under which its keys are kept with the secrets; the Worker does not get them. */
const KEYS = {
  SMOKE_INTEGRATION_KEY: ['external_orders.submit'],
  SMOKE_API_KEY: ['order_requests.read', 'order_requests.write', 'webhooks.read'],
} as const;

type Answered = Record<string, unknown>;

/**
 * One order request, from the shop's own host to the operator's receiver: taken, known when it is sent again, told by a
 * webhook, deleted. The first run makes an organization for it. What was made is noted after each answer, and made anew where
 * no answer came.
 */
export async function tryAnOrder(run: Run, version: string): Promise<void> {
  const { kept, names, isDryRun } = run;
  if (!isDryRun && kept.known.smoke.version === version) return run.did('smoke order', 'delivered before');
  const orgId = await openShop(run);
  const integration = { apikey: isDryRun ? '' : (kept.secrets.SMOKE_INTEGRATION_KEY ?? '') };
  const submit = () =>
    call(run, 'POST', `https://${names.smokeHost}/api/v1/external-order`, integration, envelopeOf(version));
  const first = await submit();
  const second = await submit();
  if (!isDryRun && (second.id !== first.id || second.replayed !== 'true')) {
    throw new VersionFault('The order request was sent again and not known: the second answer has another id.');
  }
  const api = `${names.baseUrl}/api/v2/public/orgs/${orgId}`;
  const key = isDryRun ? '' : (kept.secrets.SMOKE_API_KEY ?? '');
  const { access_token } = await call(run, 'POST', `${api}/auth/token`, { 'X-API-Key': key });
  const authorized = { Authorization: `Bearer ${String(access_token)}` };
  await waitForDelivery(run, api, authorized);
  await call(run, 'DELETE', `${api}/order-requests/${String(first.id ?? '{id}')}`, authorized);
  if (!isDryRun) {
    kept.known.smoke.version = version;
    kept.saveKnown();
  }
  run.did('smoke order', 'taken, known again, delivered to the receiver, deleted');
}

/** The organization, its shop, keys and subscription, as far as they are not there. @returns the organization's id */
async function openShop(run: Run): Promise<string> {
  const { kept, names, isDryRun, given } = run;
  const { smoke } = kept.known;
  const operator = `${names.baseUrl}/api/operator/v1/organizations`;
  const headers = { Authorization: isDryRun ? '' : `Bearer ${operatorToken(run)}` };
  if (smoke.orgId === undefined) {
    const { org_id } = await call(run, 'POST', operator, headers, { name: NAME });
    if (isDryRun) smoke.orgId = '{org_id}';
    else note(run, { orgId: String(org_id) });
  }
  const orgId = smoke.orgId ?? '';
  if (!smoke.hasShop) {
    // Taken: by the answer of a run that was killed. Whether by this organization, its key tells.
    await call(run, 'POST', `${operator}/${orgId}/shops`, headers, { name: NAME, hosts: [names.smokeHost] }, [409]);
    note(run, { hasShop: true });
  }
  for (const [name, scopes] of Object.entries(KEYS)) {
    if (!isDryRun && kept.secrets[name] !== undefined) continue;
    const { api_key } = await call(run, 'POST', `${operator}/${orgId}/api-keys`, headers, { name: NAME, scopes });
    if (!isDryRun) kept.keepSecret(name, String(api_key));
  }
  if (!smoke.hasSubscription) {
    const body = { url: given.webhookUrl ?? '{SMOKE_WEBHOOK_URL}', event_types: [SUBMITTED] };
    await call(run, 'POST', `${operator}/${orgId}/subscriptions`, headers, body);
    note(run, { hasSubscription: true });
  }
  return orgId;
}

function note({ kept, isDryRun }: Run, made: Partial<Run['kept']['known']['smoke']>): void {
  if (isDryRun) return;
  Object.assign(kept.known.smoke, made);
  kept.saveKnown();
}

async function waitForDelivery(run: Run, api: string, headers: Record<string, string>): Promise<void> {
  const url = `${api}/webhooks/deliveries?event_type=${SUBMITTED}&limit=1`;
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
  if (run.isDryRun) {
    run.say(`would  ${method} ${url}`);
    return {};
  }
  // What the operator creates would be there twice; an order request is known by its reference.
  const isRepeatable = !(method === 'POST' && url.includes('/api/operator/'));
  const answer = await again(
    () => run.ask(method, url, headers, body),
    (got) => isRepeatable && (got === null || got.status === 429 || got.status >= 500),
    run.wait,
  ).catch(() => {
    throw new StartError(`${method} ${url}: no answer. Run the same command again: it goes on where it stopped.`);
  });
  const parsed = parsedBody(answer.body);
  if (answer.status > 299 && !allowed.includes(answer.status)) {
    throw new VersionFault(`${method} ${url} was answered with ${answer.status} ${String(parsed.code ?? '')}.`);
  }
  return { ...parsed, replayed: answer.headers.get('Idempotent-Replayed') };
}

function parsedBody(text: string): Answered {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
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
