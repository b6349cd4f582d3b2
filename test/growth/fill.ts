import { env } from 'cloudflare:workers';
import { DAY_MS } from '../support/big';
import { insertRows, madeAt, quoted, type Sql } from '../support/rows';
import { PDF_TEXT, rows } from '../support/world';

/** Every table, filled by one statement each in the proportions of an organization that has been at work for long. */

export interface Filled {
  orgId: string;
  shopId: string;
  otherShopId: string;
  /** Five of them: the first one is healthy, the second one on hold, the third one disabled. */
  subscriptionIds: readonly string[];
  memberId: string;
}

/** So much of everything else for so many orders. */
function sizesFor(orders: number) {
  return {
    products: Math.ceil(orders / 5),
    /** Most of an assortment is seldom ordered. */
    sold: Math.min(500, Math.ceil(orders / 5)),
    customers: Math.ceil(orders / 4),
    waiting: Math.ceil(orders / 200),
    audit: 3 * orders,
    /** Orders of the last 34 days of 280: events are kept for 35. */
    recent: Math.ceil((orders * 34) / 280),
    few: Math.ceil(orders / 100),
  };
}

const DAYS = 280;

/** @param orders how many, at least 500; there are three audit rows for each */
export async function fill(of: Filled, orders: number): Promise<void> {
  const { orgId, shopId, otherShopId, memberId } = of;
  const [healthy = '', held = ''] = of.subscriptionIds;
  const size = sizesFor(orders);
  const since = Date.now() - DAYS * DAY_MS;
  const step = Math.floor((DAYS * DAY_MS) / orders);
  const now = Date.now();
  /** When an order was made: they are spread evenly. */
  const atOf = (i: Sql) => `(${since} + (${i}) * ${step})`;
  /** A UUIDv7 of that time. @param kind three digits, one value for each table */
  const idAt = (kind: string, at: Sql, i: Sql): Sql => {
    const hex = `printf('%012x', ${at})`;
    return `(substr(${hex}, 1, 8) || '-' || substr(${hex}, 9) || '-7${kind}-8000-${orgId.slice(-6)}' || printf('%06x', ${i}))`;
  };
  const idOf = (kind: string, i: Sql = 'i') => idAt(kind, atOf(i), i);
  const product = (i: Sql = 'i') => `('${orgId}-' || printf('%06d', ${i}))`;
  const [org, shop] = [quoted(orgId), quoted(shopId)];
  const email = (i: Sql) => `('kundin' || (${i}) || iif((${i}) % 500 = 3, 'ü', '') || '@example.com')`;
  const line = `json_array(json_object('name', 'Salbe', 'quantity', 1, 'priceCents', 495, 'p1Id', ${product(`i % ${size.sold}`)}, 'prescriptionRequired', json('false'), 'productName', 'Salbe'))`;
  const isWaiting = `i >= ${orders - size.waiting}`;
  const isRejected = 'i % 20 = 19';
  const isOpen = `i >= ${orders - 2 * size.few}`;
  const isOwed = `(${isOpen} and i % 4 = 0)`;
  const person = {
    customer_name: `'Kundin ' || (i / 4)`,
    customer_email: email('i / 4'),
    address_postal_code: `'10' || (i % 900)`,
    address_city: `'Berlin'`,
  };
  const times = { created_at: atOf('i'), updated_at: `${atOf('i')} + 60000` };
  const epoch = madeAt('0');

  await insertRows('catalog_products', size.products, {
    p1_id: product(),
    pzn: `printf('%08d', i)`,
    name: `'Produkt ' || i || ' forte'`,
    name_folded: `'produkt ' || i || ' forte'`,
    slug: product(),
    category: `'K' || (i % 10)`,
  });
  await insertRows('inventory', size.products, {
    org_id: org,
    p1_id: product(),
    stock_quantity: '50 + i % 50',
    slug: `iif(i % 7 = 0, 'own-' || i, null)`,
  });
  for (const listedIn of [shopId, otherShopId]) {
    await insertRows('listings', size.products, {
      shop_id: quoted(listedIn),
      p1_id: product(),
      org_id: org,
      overrides: `iif(i % 5 = 0, '{"price":3}', '{}')`,
    });
  }
  await insertRows('customers', size.customers, {
    id: idOf('00c', 'i * 4'),
    org_id: org,
    name: `'Kundin ' || i`,
    name_folded: `'kundin ' || i`,
    email: email('i'),
    created_at: atOf('i * 4'),
    updated_at: atOf('i * 4'),
  });
  await insertRows('order_requests', orders, {
    customer_name_folded: `'kundin ' || (i / 4)`,
    id: idOf('000'),
    org_id: org,
    shop_id: shop,
    source: `'telemed'`,
    external_reference: `'RX-' || i`,
    status: `case when ${isWaiting} then 'pending' when ${isRejected} then 'rejected' else 'approved' end`,
    fingerprint: `'f' || i`,
    payload: `'{"payload":{}}'`,
    ...person,
    customer_id: `iif(i % 50 = 0, ${idOf('00c', '(i / 4) * 4')}, null)`,
    total_cents: '495',
    items: line,
    needs_info: `${isWaiting} and i % 10 = 0`,
    decided_by: `iif(${isWaiting}, null, '${memberId}')`,
    decided_at: `iif(${isWaiting}, null, ${atOf('i')} + 60000)`,
    order_id: `iif(${isWaiting} or ${isRejected}, null, ${idOf('001')})`,
    change_number: `(${atOf('i')}) * 1000 + i`,
    ...times,
  });
  await insertRows('orders', orders, {
    id: idOf('001'),
    org_id: org,
    number: '1000 + i',
    shop_id: shop,
    external_id: `iif(${isWaiting} or ${isRejected}, 'E-' || i, null)`,
    order_request_id: `iif(${isWaiting} or ${isRejected}, null, ${idOf('000')})`,
    source: `'telemed'`,
    external_reference: `'RX-' || i`,
    customer_id: idOf('00c', '(i / 4) * 4'),
    status: `case when ${isOpen} then case i % 8 when 0 then 'awaiting_packing' when 2 then 'awaiting_packing'
        when 5 then 'ready_shipping' when 6 then 'ready_shipping' else 'ready_pickup' end
      when i % 10 < 5 then 'delivered' when i % 10 < 9 then 'picked_up' else 'cancelled' end`,
    payment_reference: `'P-' || i`,
    paid_at: `${atOf('i')} + 120000`,
    ...person,
    total_cents: '495',
    shipping_option: `case i % 8 when 5 then 'Versand' when 6 then 'Botendienst' when 7 then 'Botendienst' end`,
    on_hold: `${isOpen} and i % 16 = 3`,
    items: `json_set(iif(i % 40 = 0, json_set(${line}, '$[0].batches', json_array(json_object('batch', 'AB12', 'quantity', 1))), ${line}), '$[0].quantity', iif(${isOwed}, 2, 1))`,
    // Some of them lack a pack.
    supply: `iif(${isOwed}, json_array(json_object('owed', 1, 'expectedOn', '2026-01-01', 'supplied', 0)), null)`,
    expected_on: `iif(${isOwed}, '2026-01-01', null)`,
    deleted_at: `iif(i % 997 = 5, ${atOf('i')}, null)`,
    change_number: `(${atOf('i')}) * 1000 + i`,
    ...times,
  });
  await insertRows(
    'payment_links',
    orders,
    {
      id: idOf('00a'),
      org_id: org,
      order_id: idOf('001'),
      amount_cents: '495',
      status: `'paid'`,
      expires_at: `${now + DAY_MS}`,
      created_at: atOf('i'),
    },
    'i % 5 = 0',
  );
  const fileKey = `growth-${orgId}`;
  await env.FILES.put(fileKey, PDF_TEXT);
  await insertRows('prescriptions', orders, {
    id: idOf('002'),
    org_id: org,
    order_request_id: idOf('000'),
    status: `'stored'`,
    file_key: `iif(i = ${orders - 1}, '${fileKey}', ${idOf('002')})`,
    sha256: `'x'`,
    size_bytes: `${PDF_TEXT.length}`,
    ...times,
  });
  await insertRows('request_questions', orders, {
    id: idOf('010'),
    org_id: org,
    order_request_id: idOf('000'),
    code: `'dosage'`,
    text: `'Welche Stärke?'`,
    asked_by: `'${memberId}'`,
    asked_at: atOf('i'),
    answer: `iif(${isWaiting}, null, '400 mg')`,
    answered_at: `iif(${isWaiting}, null, ${atOf('i')} + 60000)`,
  });
  await insertRows('staff_notes', orders, {
    id: idOf('011'),
    org_id: org,
    order_request_id: idOf('000'),
    text: `'Ruft zurück.'`,
    written_by: `'${memberId}'`,
    written_at: atOf('i'),
  });
  await insertRows('emails', orders, {
    id: idOf('012'),
    org_id: org,
    shop_id: shop,
    about: idOf('001'),
    kind: `'ready'`,
    language: `'de'`,
    customer_id: idOf('00c', '(i / 4) * 4'),
    state: `'sent'`,
    attempts: '1',
    due_at: atOf('i'),
    provider_id: idOf('012'),
    created_at: atOf('i'),
    updated_at: atOf('i'),
  });
  await insertRows('email_opt_outs', orders / 20, { org_id: org, customer_id: idOf('00c', 'i * 4'), created_at: '1' });
  await insertRows('message_settings', 1, { shop_id: shop, org_id: org, is_sending: '1', updated_at: '1' });
  await insertRows('notice_readers', 1, { member_id: `'${memberId}'`, org_id: org, created_at: '1' });
  await insertRows('told_subscriptions', 1, {
    subscription_id: `'${healthy}'`,
    org_id: org,
    kind: `'webhook_recovered'`,
    updated_at: '1',
  });
  await insertRows('stock_movements', orders, {
    id: idOf('003'),
    org_id: org,
    // Every eighth is of one product.
    p1_id: product(`iif(i % 8 = 0, 0, i % ${size.products})`),
    delta: 'iif(i % 2 = 0, -1, 1)',
    stock_before: '100',
    stock_after: 'iif(i % 2 = 0, 99, 101)',
    on_hand_after: 'iif(i % 2 = 0, 99, 101)',
    reason: `'order'`,
    order_id: idOf('001'),
    created_at: atOf('i'),
  });
  const auditAt = `(${atOf('i / 3')} + (i % 3) * 60000)`;
  await insertRows('audit_log', size.audit, {
    id: idAt('004', auditAt, 'i'),
    org_id: org,
    at: auditAt,
    actor_kind: `'staff'`,
    actor_id: `'${memberId}'`,
    action: `case when i % 3 = 0 then 'order_request.approved' when i % 300 = 1 then 'product.updated'
      when i % 1500 = 2 then 'subscription.updated' else 'order.status_changed' end`,
    entity_id: `case when i % 3 = 0 then ${idOf('000', 'i / 3')} when i % 300 = 1 then ${product('0')}
      when i % 1500 = 2 then '${healthy}' else ${idOf('001', 'i / 3')} end`,
    fields: `'["status"]'`,
    form_id: `iif(i % 50 = 0, ${idAt('005', auditAt, 'i')}, null)`,
  });

  const first = orders - size.recent;
  const eventOrder = `(${first} + i / 4)`;
  const eventAt = `(${atOf(eventOrder)} + (i % 4) * 60000)`;
  const eventType = `case i % 4 when 0 then 'order_request_submitted' when 1 then 'order_request_approved'
    when 2 then 'order_created' else 'order_status_updated' end`;
  const requestKeys = `'order_request_id', ${idOf('000', eventOrder)}, 'external_reference', 'RX-' || ${eventOrder}`;
  await insertRows('events', 4 * size.recent, {
    seq: '1000 + i',
    id: idAt('006', eventAt, 'i'),
    org_id: org,
    type: eventType,
    body: `json_object('id', ${idAt('006', eventAt, 'i')}, 'org_id', ${org}, 'event_type', ${eventType}, 'title', 't',
      'description', 'd', 'metadata', iif(i % 4 < 2, json_object(${requestKeys}), json_object('order_id', ${idOf('001', eventOrder)},
      'external_reference', 'RX-' || ${eventOrder})), 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', ${eventAt} / 1000.0, 'unixepoch'))`,
    created_at: eventAt,
  });
  for (const [kind, subscriptionId] of [
    ['007', healthy],
    ['008', held],
  ] as const) {
    const lasts = `i >= ${4 * size.recent - size.few}`;
    const status =
      kind === '007'
        ? `case when i % 50 = 7 then 'exhausted' when i = 1 then 'pending' else 'succeeded' end`
        : `iif(${lasts}, 'held', iif(i % 50 = 7, 'exhausted', 'succeeded'))`;
    await insertRows('deliveries', 4 * size.recent, {
      id: idAt(kind, eventAt, 'i'),
      org_id: org,
      event_id: idAt('006', eventAt, 'i'),
      subscription_id: quoted(subscriptionId),
      event_type: eventType,
      status,
      attempt_count: kind === '008' ? `iif(${lasts}, 0, 1)` : '1',
      next_attempt_at: kind === '007' ? `iif(i = 1, ${now + DAY_MS}, 0)` : '0',
      created_at: eventAt,
      finished_at: `iif(${lasts}, null, ${eventAt})`,
    });
    await insertRows('delivery_attempts', 4 * size.recent, {
      delivery_id: idAt(kind, eventAt, 'i'),
      started_at: eventAt,
      http_status: 'iif(i % 50 = 7, 500, 204)',
      failure_class: `iif(i % 50 = 7, 'http_error', null)`,
      answer_excerpt: `iif(i % 50 = 7, 'no', null)`,
    });
  }

  await insertRows('courier_tours', 1, { org_id: org, sequence: `json_array(${idOf('001', String(orders - 1))})` });
  await insertRows('idempotency_keys', size.few, {
    org_id: org,
    family_id: `'x'`,
    key: `'k' || i`,
    fingerprint: `'f'`,
    request_id: `'r'`,
    status: '200',
    answer: `'{}'`,
    about: `'x' || i`,
    created_at: `${now - DAY_MS} + i`,
  });
  await insertRows('members', size.few, {
    id: idOf('00d'),
    org_id: org,
    email: `'frueher' || i || '@example.com'`,
    name: `'Früher ' || i`,
    role: `'staff'`,
    two_factor_enabled: '0',
    invited_at: '0',
    accepted_at: '0',
    revoked_at: '1',
    updated_at: '0',
  });
  await insertRows('api_keys', 100, {
    id: idOf('00e'),
    org_id: org,
    family_id: idOf('00e'),
    name: `'alt'`,
    scopes: `'[]'`,
    hash: `'${orgId}' || i`,
    sends_submitted_events: '1',
    created_at: '0',
    created_by: `'${memberId}'`,
    revoked_at: '1',
  });
  const ofFormer = { id: idOf('00f'), member_id: idOf('00d') };
  const kept = { expires_at: `${now + DAY_MS}`, created_at: '0' };
  await insertRows('staff_accounts', size.few, {
    ...ofFormer,
    password_hash: `'x'`,
    ...epoch,
  });
  await insertRows('staff_sessions', size.few, { ...ofFormer, token_hash: idOf('00f'), ...kept });
  await insertRows('staff_page_data', size.few, { ...ofFormer, sealed: `'x'`, expires_at: kept.expires_at });
  await insertRows('reservations', size.few, {
    ...{ order_request_id: idOf('00f'), p1_id: `'P' || i`, org_id: org, quantity: '1' },
    until: `${now + DAY_MS}`,
  });
  await insertRows('inventory_imports', size.few, {
    id: idOf('00f'),
    org_id: org,
    header: `'["pzn"]'`,
    ignored: `'[]'`,
    line_count: '1',
    ...kept,
  });
  await insertRows('inventory_import_parts', size.few, {
    import_id: idOf('00f'),
    place: '0',
    lines: `'[]'`,
    preview: `'[]'`,
  });
  await insertRows('staff_second_factors', size.few, {
    ...ofFormer,
    secret: `'x'`,
    backup_codes: `'x'`,
    verified: '1',
    failed_verification_count: '0',
  });
  await insertRows('staff_resets', size.few, {
    member_id: idOf('00d'),
    token_hash: idOf('00f'),
    expires_at: kept.expires_at,
    ends_second_factor: '0',
  });
  await insertRows('staff_verifications', size.few, {
    id: idOf('00f'),
    identifier: idOf('00f'),
    value: `'x'`,
    ...kept,
  });
  await insertRows('file_deletions', size.few, { file_key: idOf('00b'), created_at: `${now}` });
  await insertRows('directory', size.few, {
    kind: `'email'`,
    key: idOf('00d'),
    org_id: org,
    shard: '0',
    created_at: '0',
  });
  await insertRows(
    'pending_hosts',
    5,
    {
      id: idOf('010'),
      org_id: org,
      shop_id: shop,
      host: `'wunsch-' || i || '.example.com'`,
      created_at: `${now}`,
    },
    `not exists (select 1 from pending_hosts where host = 'wunsch-' || i || '.example.com' and shop_id = ${shop})`,
  );
  await rows(`insert or ignore into released_hosts (host, created_at) values ('alt.example.com', 0)`);
  await rows(
    `insert or ignore into moves (org_id, from_shard, to_shard, step, copied, round, lease, lease_until, started_at, updated_at, finished_at)
     values (?, 1, 0, 'done', 0, 0, '', 0, 0, 0, 1)`,
    `moved-${orgId}`,
  );
  await rows(
    `insert or ignore into sweep_cursors (name, position, has_more, done_night) values ('retention', '', 0, '2020-01-01')`,
  );
  await rows(`insert or ignore into secret_canaries (key_id, fingerprint, created_at) values ('growth', 'x', 0)`);
  await rows(`insert into inbox_changes (org_id, changes) values (?, 1) on conflict do nothing`, orgId);
  const [, , disabled = ''] = of.subscriptionIds;
  await rows(
    `update subscriptions set status = 'holding', hold_reason = 'receiver_failing', held_since = ?, next_probe_at = ? where id = ?`,
    now - DAY_MS,
    now + DAY_MS,
    held,
  );
  await rows(`update subscriptions set status = 'disabled' where id = ?`, disabled);
  await rows(`update subscriptions set sources = '["telemed.example"]' where id = ?`, healthy);
  await rows(
    'update subscriptions set previous_secret_ciphertext = secret_ciphertext, previous_secret_until = ? where id = ?',
    now + DAY_MS,
    healthy,
  );
}
