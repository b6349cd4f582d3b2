/**
 * The floor of `npm run bench -- webhooks`: the least that a Worker can do for the same promise. It makes the round trips
 * to D1 that the service makes for an order request and its webhooks, with the same statements over the same tables, the
 * same call of the rate limiter, the same posts right after the commit and the same log line. Everything else is left out:
 * no router, no validation, no ORM, no check of the key, no signature, no check of the encryption keys, no queue, no retry.
 *
 * `npm run bench -- webhooks` prints what D1 counted for one publish to both Workers, side by side; test/node/bench.extended.test.ts
 * holds that round trips, statements and rows written are equal.
 */
import { newId } from './ids';

const POST_TIMEOUT_MS = 10_000;
const LEASE_MS = 60_000;
const SUBSCRIPTIONS_MAX = 5;
/** Outcomes that come within so many ms of each other are recorded together. */
const MOMENT_MS = 4;
/** As in the service; what is over is claimed by the next record of the same subscription. */
const UNDER_WAY_MAX = 20;
const BULK_EVENTS =
  '["product_created","product_updated","products_updated","product_deleted","low_stock","out_of_stock"]';
const EVENT_TYPE = 'order_request_submitted';

const SHOP = `select shops.id, shops.org_id, shops.name, shops.is_active, shops.delivery_service_name
  from shop_hosts inner join shops on shops.id = shop_hosts.shop_id where shop_hosts.host = ?`;

const KEY = `select id, org_id, family_id, name, scopes, hash, sends_submitted_events, created_at, created_by, expires_at,
  revoked_at, last_used_at from api_keys where id = ?`;

const INSERT_REQUEST = `insert into order_requests (id, org_id, shop_id, integration_id, source, external_reference, status,
    fingerprint, supersedes_id, payload, customer_name, customer_email, payment_status, items, needs_info, legal_hold,
    created_at, updated_at, change_number)
  select ?1, ?2, ?3, ?4, ?5, ?6, 'pending', ?7,
    (select earlier.id from order_requests as earlier where earlier.shop_id = ?3 and earlier.external_reference = ?6
      and earlier.integration_id = ?4 and earlier.source = ?5 and earlier.status = 'rejected' order by earlier.id desc limit 1),
    ?8, ?9, ?10, 'cash_on_pickup', ?11, 0, 0, ?12, ?12,
    max(coalesce((select max(change_number) from order_requests where org_id = ?2), 0) + 1, ?12 * 1000)
  where not exists (select 1 from order_requests as earlier where earlier.shop_id = ?3 and earlier.external_reference = ?6
    and earlier.integration_id = ?4 and earlier.source = ?5 and earlier.status = 'rejected' and earlier.fingerprint = ?7)
  on conflict do nothing`;

const INSERT_EVENT = `insert into events (seq, id, org_id, type, body, is_test, created_at)
  select (select coalesce(max(seq), 0) + 1 from events where org_id = ?2), ?1, ?2, ?3, ?4, 0, ?5
  where exists (select 1 from order_requests where id = ?6) on conflict do nothing`;

const INSERT_DELIVERIES = `insert into deliveries (id, org_id, event_id, subscription_id, priority, "trigger", status,
    attempt_count, next_attempt_at, lease_until, created_at)
  select ids.value, found.org_id, found.event_id, found.subscription_id, found.priority, 'event',
    case when found.status <> 'active' then 'held' when found.starts then 'delivering' else 'pending' end,
    found.starts, 0, iif(found.starts, ?1, 0), found.created_at
  from (select *, is_ready and sum(is_ready) over (order by ordinal) <= ${SUBSCRIPTIONS_MAX} as starts
    from (select *, row_number() over (order by priority, position, subscription_id) - 1 as ordinal,
      status = 'active' and is_healthy and (select count(*) from deliveries as open
          where open.subscription_id = matching.subscription_id and open.status = 'delivering' and open.lease_until > ?2)
        + row_number() over (partition by subscription_id order by priority, position) <= ${UNDER_WAY_MAX} as is_ready
    from (select events.id as event_id, events.org_id, events.created_at, news.key as position,
      (events.type in (select value from json_each(?3))) as priority, subscriptions.id as subscription_id, subscriptions.status,
      subscriptions.is_healthy
    from json_each(?4) as news join events on events.id = news.value
      join subscriptions on subscriptions.org_id = events.org_id
    where subscriptions.deleted_at is null and subscriptions.status <> 'disabled'
      and exists (select 1 from json_each(subscriptions.event_types) where value = events.type)) as matching)) as found
    join json_each(?5) as ids on ids.key = found.ordinal where true on conflict do nothing`;

const SELECT_ANSWER = `select id, status, fingerprint, customer_name, customer_email, customer_id, address_street, address_city,
    address_postal_code, address_phone, shipping_option, payment_status, payment_reference, total_cents, items,
    (select case filed.origin when 'base64' then filed.sha256
        else order_requests.prescription_pdf_url end
      from prescriptions as filed where filed.order_request_id = order_requests.id and filed.origin <> 'staff' limit 1)
  from order_requests
  where id = ?1 or (shop_id = ?2 and external_reference = ?3 and integration_id = ?4 and source = ?5
    and (status in ('pending', 'approved') or (status = 'rejected' and fingerprint = ?6)))
  order by id = ?1 desc, fingerprint = ?6 desc limit 1`;

const SELECT_PRODUCTS = `select inventory.p1_id,
    coalesce(json_extract(listings.overrides, '$.name'), inventory.name, catalog_products.name)
  from inventory inner join catalog_products on catalog_products.p1_id = inventory.p1_id
  left join listings on listings.shop_id = ? and listings.p1_id = inventory.p1_id
  where inventory.org_id = ? and inventory.p1_id in (select value from json_each(?))`;

const ofEvent = (column: string) => `(select ${column} from events where events.id = deliveries.event_id)`;
const ofSubscription = (column: string) =>
  `(select ${column} from subscriptions where subscriptions.id = deliveries.subscription_id)`;

const CLAIMED = `id, org_id, event_id, subscription_id, "trigger", attempt_count, lease_until, ${ofEvent('type')},
  ${ofEvent('body')} as body, ${ofSubscription('url')} as url, ${ofSubscription('secret_ciphertext')},
  ${ofSubscription('previous_secret_ciphertext')}, ${ofSubscription('previous_secret_until')},
  ${ofSubscription('is_healthy')}, ${ofSubscription('status')}`;

const SELECT_STARTED = `select ${CLAIMED}, status, next_attempt_at,
    (select count(*) from deliveries as open where open.subscription_id = deliveries.subscription_id
      and open.status = 'delivering' and open.lease_until > ?3) as under_way
  from deliveries
  where event_id in (select value from json_each(?1)) and "trigger" = 'event'
    and (status = 'pending' or (status = 'delivering' and attempt_count = 1 and lease_until = ?2))`;

/** Takes a list of `Attempted`, as `FINISH`. */
const INSERT_ATTEMPTS = `insert into delivery_attempts (delivery_id, attempt, "trigger", started_at, duration_ms, http_status,
    failure_class, answer_excerpt)
  select value ->> 'id', 1, 'event', value ->> 'startedAt', (value ->> 'endedAt') - (value ->> 'startedAt'), value ->> 'status',
    case when value ->> 'status' < 300 then null when value ->> 'status' is null then 'timeout' else 'http' end, value ->> 'excerpt'
  from json_each(?1) where true on conflict do nothing`;

const FINISH = `update deliveries set status = iif(plan.value ->> 'status' < 300, 'succeeded', 'exhausted'), next_attempt_at = 0,
    lease_until = 0, finished_at = plan.value ->> 'endedAt'
  from json_each(?1) as plan
  where deliveries.id = plan.value ->> 'id' and deliveries.attempt_count = 1 and deliveries.status = 'delivering'`;

/** Takes a list of ids. */
const MARK_HEALTHY = `update subscriptions set is_healthy = 1, exhausted_in_row = 0
  where id in (select value from json_each(?1)) and (is_healthy = 0 or exhausted_in_row > 0)`;

const nextOf = (priority: number) => `select * from (select id, priority, next_attempt_at from deliveries
  where subscription_id = freed.key and status = 'pending' and priority = ${priority} and next_attempt_at <= ?2
    and (priority = 0 or (select count(*) from deliveries as open where open.subscription_id = freed.key
      and open.status = 'delivering' and open.lease_until > ?2 and open.priority > 0) < 1)
  order by next_attempt_at, id limit ?3)`;

const CLAIM_NEXT = `update deliveries set status = 'delivering', attempt_count = attempt_count + 1, lease_until = ?4
  where id in (select id from (select due.id, freed.value as count,
        row_number() over (partition by due.subscription_id order by due.priority, due.next_attempt_at, due.id) as place
      from json_each(?1) as freed join deliveries as due on due.id in (
        select id from (${nextOf(0)} union all ${nextOf(1)}) order by priority, next_attempt_at, id limit ?3)) where place <= count)
    and exists (select 1 from subscriptions as subscription where subscription.id = deliveries.subscription_id
      and subscription.deleted_at is null and (subscription.status = 'active'
        or (subscription.status = 'holding' and subscription.hold_reason = 'receiver_failing')))
  returning ${CLAIMED}`;

interface OrderRequest {
  external_reference: string;
  source: string;
  payload: { customer_name: string; customer_email: string; items: { p1_id: string }[] };
}

interface Shop {
  id: string;
  org_id: string;
}

interface Claimed {
  id: string;
  subscription_id: string;
  body: string;
  url: string;
}

interface Attempted {
  id: string;
  subscriptionId: string;
  startedAt: number;
  endedAt: number;
  status: number | null;
  excerpt: string | null;
}

export default {
  async fetch(request, env, executionCtx) {
    const now = Date.now();
    const keyId = request.headers.get('apikey')?.split('_')[1] ?? '';
    const [shops, keys] = await env.DB.batch([
      env.DB.prepare(SHOP).bind(new URL(request.url).hostname),
      env.DB.prepare(KEY).bind(keyId),
    ]);
    const shop = shops?.results[0] as Shop | undefined;
    const key = keys?.results[0] as { family_id: string } | undefined;
    if (!shop || !key) return new Response(null, { status: 404 });
    await env.RATE_CONNECTOR.limit({ key: keyId });

    const payload = await request.text();
    const order = JSON.parse(payload) as OrderRequest;
    const { id, claimed } = await accept(env.DB, { now, shop, familyId: key.family_id, payload, order });
    executionCtx.waitUntil(deliver(env.DB, claimed));
    console.info(JSON.stringify({ level: 'info', event: 'request', route: 'floor', duration_ms: Date.now() - now }));
    return Response.json({ id, status: 'pending', external_reference: order.external_reference, warnings: [] });
  },
} satisfies ExportedHandler<Env>;

interface Accepted {
  now: number;
  shop: Shop;
  familyId: string;
  payload: string;
  order: OrderRequest;
}

/** The one write of a submission: request, event and deliveries, these already claimed, and what the answer needs. */
async function accept(db: D1Database, { now, shop, familyId, payload, order }: Accepted) {
  const { external_reference: reference, source, payload: sent } = order;
  const [id, eventId] = [newId(now), newId(now)];
  const deliveryIds = JSON.stringify(Array.from({ length: SUBSCRIPTIONS_MAX }, () => newId(now)));
  const fingerprint = id.padEnd(64, '0');
  const body = JSON.stringify({
    id: eventId,
    org_id: shop.org_id,
    event_type: EVENT_TYPE,
    title: 'Order request submitted',
    description: 'An external platform submitted an order request.',
    metadata: { order_request_id: id, external_reference: reference, shop_id: shop.id, source },
    created_at: new Date(now).toISOString(),
  });
  const items = JSON.stringify(sent.items);
  const products = JSON.stringify(sent.items.map(({ p1_id }) => p1_id));
  const results = await db.batch([
    db
      .prepare(INSERT_REQUEST)
      .bind(
        ...[id, shop.org_id, shop.id, familyId, source, reference, fingerprint, payload],
        ...[sent.customer_name, sent.customer_email, items, now],
      ),
    db.prepare(INSERT_EVENT).bind(eventId, shop.org_id, EVENT_TYPE, body, now, id),
    db.prepare(SELECT_ANSWER).bind(id, shop.id, reference, familyId, source, fingerprint),
    db.prepare(SELECT_PRODUCTS).bind(shop.id, shop.org_id, products),
    db.prepare(INSERT_DELIVERIES).bind(now + LEASE_MS, now, BULK_EVENTS, JSON.stringify([eventId]), deliveryIds),
    db.prepare(SELECT_STARTED).bind(JSON.stringify([eventId]), now + LEASE_MS, now),
  ]);
  const started = (results[5]?.results ?? []) as unknown as (Claimed & { status: string })[];
  return { id, claimed: started.filter(({ status }) => status === 'delivering') };
}

/**
 * Posts all at once; outcomes of one moment are recorded together, and a post that hangs delays no other's record. Goes on
 * with what is due next of the same subscriptions, as the service does.
 */
async function deliver(db: D1Database, claimed: readonly Claimed[]): Promise<void> {
  const done: Attempted[] = [];
  let underWay = claimed.length;
  let isWriting = false;
  await Promise.all(
    claimed.map(async (delivery) => {
      done.push(await post(delivery));
      underWay -= 1;
      if (isWriting) return;
      isWriting = true;
      await scheduler.wait(underWay > 0 ? MOMENT_MS : 0);
      const next: Claimed[] = [];
      while (done.length > 0) next.push(...(await record(db, done.splice(0))));
      isWriting = false;
      if (next.length > 0) await deliver(db, next);
    }),
  );
}

async function post({ id, subscription_id: subscriptionId, url, body }: Claimed): Promise<Attempted> {
  const startedAt = Date.now();
  const headers = { 'Content-Type': 'application/json', 'X-Service-Event': EVENT_TYPE, 'X-Service-Delivery-Id': id };
  try {
    const signal = AbortSignal.timeout(POST_TIMEOUT_MS);
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const excerpt = await answer.text();
    return { id, subscriptionId, startedAt, endedAt: Date.now(), status: answer.status, excerpt };
  } catch {
    return { id, subscriptionId, startedAt, endedAt: Date.now(), status: null, excerpt: null };
  }
}

/** One batch for all outcomes; of those that failed it only notes that they did. @returns what it claimed */
async function record(db: D1Database, moment: readonly Attempted[]): Promise<Claimed[]> {
  const now = Date.now();
  const attempts = JSON.stringify(moment);
  const accepted = moment.filter(({ status }) => status !== null && status < 300).map((each) => each.subscriptionId);
  const freed = Map.groupBy(accepted, (id) => id);
  const counts = Object.fromEntries([...freed].map(([id, { length }]) => [id, length]));
  const results = await db.batch([
    db.prepare(INSERT_ATTEMPTS).bind(attempts),
    db.prepare(FINISH).bind(attempts),
    ...(accepted.length > 0
      ? [
          db.prepare(MARK_HEALTHY).bind(JSON.stringify(accepted)),
          db.prepare(CLAIM_NEXT).bind(JSON.stringify(counts), now, accepted.length, now + LEASE_MS),
        ]
      : []),
  ]);
  return (results[3]?.results ?? []) as unknown as Claimed[];
}
