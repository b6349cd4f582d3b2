/**
 * The floor of `npm run bench -- webhooks`: the least that a Worker can do for the same promise. It makes the round trips
 * to D1 that the service makes for an order request and its webhooks, with the same statements over the same tables, the
 * same calls of the rate limiter, the same post and the same log line. Everything else is left out: no router, no
 * validation, no ORM, no check of the key, no signature, no queue, no retry.
 *
 * `npm run bench` prints what D1 counted for one publish in both Workers, side by side; test/node/bench.proof.test.ts
 * holds that the number of round trips, statements and rows written are equal.
 */
const POST_TIMEOUT_MS = 10_000;
const LEASE_MS = 60_000;
const SUBSCRIPTIONS_MAX = 5;
const EVENT_TYPE = 'order_request_submitted';

const SHOP = `select shops.id, shops.org_id, shops.name, shops.is_active, shops.delivery_service_name
  from shop_hosts inner join shops on shops.id = shop_hosts.shop_id where shop_hosts.host = ? and shop_hosts.status = 'active'`;

const KEY = `select id, org_id, family_id, name, scopes, hash, sends_submitted_events, created_at, created_by, expires_at,
  revoked_at, last_used_at from api_keys where id = ?`;

const INSERT_REQUEST = `insert into order_requests (id, org_id, shop_id, integration_id, source, external_reference, status,
    fingerprint, supersedes_id, payload, customer_name, customer_email, payment_status, items, needs_info, legal_hold,
    created_at, updated_at)
  select ?1, ?2, ?3, ?4, ?5, ?6, 'pending', ?7,
    (select earlier.id from order_requests as earlier where earlier.shop_id = ?3 and earlier.external_reference = ?6
      and earlier.integration_id = ?4 and earlier.source = ?5 and earlier.status = 'rejected' order by earlier.id desc limit 1),
    ?8, ?9, ?10, 'cash_on_pickup', ?11, 0, 0, ?12, ?12
  where not exists (select 1 from order_requests as earlier where earlier.shop_id = ?3 and earlier.external_reference = ?6
    and earlier.integration_id = ?4 and earlier.source = ?5 and earlier.status = 'rejected' and earlier.fingerprint = ?7)
  on conflict do nothing`;

const INSERT_EVENT = `insert into events (seq, id, org_id, type, body, is_test, created_at)
  select null, ?, ?, ?, ?, 0, ? where exists (select 1 from order_requests where id = ?) on conflict do nothing`;

const INSERT_DELIVERIES = `insert into deliveries (id, org_id, event_id, subscription_id, "trigger", status, attempt_count,
    next_attempt_at, lease_until, created_at)
  select ids.value, ?1, events.id, matching.id, 'event', 'delivering', 1, 0, ?2, ?3
  from events
  join (select subscriptions.id as id, row_number() over (order by subscriptions.id) - 1 as position from subscriptions
    where org_id = ?1 and deleted_at is null and status = 'active'
      and exists (select 1 from json_each(event_types) where value = ?4)) as matching
  join json_each(?5) as ids on ids.key = matching.position
  where events.id = ?6 on conflict do nothing`;

const SELECT_ANSWER = `select id, status, fingerprint, customer_name, customer_email, customer_id, address_street, address_city,
    address_postal_code, address_phone, shipping_option, payment_status, payment_reference, total_cents, items,
    (select case filed.origin when 'base64' then filed.sha256
        else json_extract(order_requests.payload, '$.payload.prescription_pdf_url') end
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

const SELECT_CLAIMED = `select deliveries.id, events.body, subscriptions.url, subscriptions.secret_ciphertext,
    subscriptions.previous_secret_ciphertext, subscriptions.previous_secret_until
  from deliveries join events on events.id = deliveries.event_id
  join subscriptions on subscriptions.id = deliveries.subscription_id
  where deliveries.id in (select value from json_each(?)) and deliveries.status = 'delivering' and deliveries.attempt_count = 1`;

const INSERT_ATTEMPT = `insert into delivery_attempts (delivery_id, attempt, "trigger", started_at, duration_ms, http_status,
  failure_class, answer_excerpt) values (?, 1, 'event', ?, ?, ?, ?, ?) on conflict do nothing`;

const FINISH = `update deliveries set status = ?, next_attempt_at = 0, lease_until = 0, finished_at = ?
  where id = ? and attempt_count = 1 and status = 'delivering'`;

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
  body: string;
  url: string;
}

interface Attempted {
  id: string;
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
    db.prepare(INSERT_DELIVERIES).bind(shop.org_id, now + LEASE_MS, now, EVENT_TYPE, deliveryIds, eventId),
    db.prepare(SELECT_CLAIMED).bind(deliveryIds),
    db.prepare(SELECT_ANSWER).bind(id, shop.id, reference, familyId, source, fingerprint),
    db.prepare(SELECT_PRODUCTS).bind(shop.id, shop.org_id, products),
  ]);
  return { id, claimed: (results[3]?.results ?? []) as unknown as Claimed[] };
}

/** Posts each at once; outcomes of one moment are recorded together, and a post that hangs delays no other's record. */
async function deliver(db: D1Database, claimed: readonly Claimed[]): Promise<void> {
  const done: Attempted[] = [];
  await Promise.all(
    claimed.map(async (delivery) => {
      done.push(await post(delivery));
      await scheduler.wait(0);
      const batch = done.splice(0);
      if (batch.length > 0) await db.batch(batch.flatMap((each) => recorded(db, each)));
    }),
  );
}

async function post({ id, url, body }: Claimed): Promise<Attempted> {
  const startedAt = Date.now();
  const headers = { 'Content-Type': 'application/json', 'X-Service-Event': EVENT_TYPE, 'X-Service-Delivery-Id': id };
  try {
    const signal = AbortSignal.timeout(POST_TIMEOUT_MS);
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    return { id, startedAt, endedAt: Date.now(), status: answer.status, excerpt: await answer.text() };
  } catch {
    return { id, startedAt, endedAt: Date.now(), status: null, excerpt: null };
  }
}

function recorded(db: D1Database, { id, startedAt, endedAt, status, excerpt }: Attempted): D1PreparedStatement[] {
  const failureClass = status === null ? 'timeout' : status < 300 ? null : 'http';
  return [
    db.prepare(INSERT_ATTEMPT).bind(id, startedAt, endedAt - startedAt, status, failureClass, excerpt),
    db.prepare(FINISH).bind(failureClass === null ? 'succeeded' : 'exhausted', endedAt, id),
  ];
}

/** Grows with time like the ids of the service (UUIDv7), so that the same pages of an index are written. */
function newId(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
