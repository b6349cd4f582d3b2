import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import { STAYING } from '../../src/directory/move/belongings';
import { newId } from '../../src/platform/ids';
import { type Browser, enter, memberId } from '../management/browser';
import { DAY_MS } from './big';
import { approve, openApprovable, openPrescribed } from './order-flow';
import { attachNewProduct, callApi, succeeded } from './organization';
import { fetchParts, importFrom, newKey, type OpenFile, openedFile, type Progress, written } from './organization-file';
import { outsideAnswers } from './outbound';
import { insertRow } from './rows';
import { makeLink, openSeller, placeOrder, type Seller } from './seller';
import { deliver, newReceiverUrl } from './webhooks';
import { operate, rows, subscribe } from './world';

// SAFETY: wrangler.toml binds it at the top level, which the tests use.
export const DATABASES = [env.DB, env.DB_1 as D1Database] as const;

/** Rows of all tables that move, as texts `table {…}`; of an organization's row without its state and its fence. */
export async function everything(shard: number): Promise<Set<string>> {
  const db = DATABASES[shard] as D1Database;
  const { results: tables } = await db
    .prepare("select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'")
    .all<{ name: string }>();
  const moving = tables
    .map(({ name }) => name)
    .filter((name) => !STAYING.includes(name) && !/^(d1_|sqlite_)/.test(name));
  // Of the catalog, which is on every database, own products alone move.
  const found = await db.batch<Record<string, unknown>>(
    moving.map((name) =>
      db.prepare(`select * from "${name}"${name === 'catalog_products' ? ' where org_id is not null' : ''}`),
    ),
  );
  return new Set(
    found.flatMap(({ results }, index) =>
      results.map((row) => {
        const { state: _, fenced_by: _fence, ...rest } = row;
        return `${moving[index]} ${JSON.stringify(moving[index] === 'organizations' ? rest : row)}`;
      }),
    ),
  );
}

/** What is in a database that was not there before, in order. */
export async function addedSince(before: ReadonlySet<string>, shard: number): Promise<string[]> {
  return [...(await everything(shard)).difference(before)].toSorted();
}

/** In which state the organization is in each database; null where it is not. */
export function statesOf(orgId: string): Promise<(string | null)[]> {
  return Promise.all(
    DATABASES.map(async (db) => {
      const row = await db
        .prepare('select state from organizations where id = ?')
        .bind(orgId)
        .first<{ state: string }>();
      return row?.state ?? null;
    }),
  );
}

/** Lets time pass; `vi.useFakeTimers({ toFake: ['Date'] })` holds it. */
export function pass(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000);
}

/** Closes an organization for a move. @returns its file, which can be fetched two minutes later */
export async function close(orgId: string, shard: number): Promise<{ id: string; fetch: () => Promise<OpenFile> }> {
  const { identity, public_key } = await newKey();
  const { export_id: id } = await operate<{ export_id: string }>(`/organizations/${orgId}/exports`, {
    public_key,
    move_to: shard,
  });
  const fetch = async () => {
    expect(await written(orgId, id)).toMatchObject({ status: 'ready' });
    return openedFile((await fetchParts(orgId, id, identity)).parts);
  };
  return { id, fetch };
}

/** Moves an organization by its file, as `npm run move-organization` does. */
export async function moveTo(orgId: string, shard: number): Promise<Progress> {
  const { fetch } = await close(orgId, shard);
  pass(121);
  return importFrom(orgId, await fetch());
}

export interface Rich extends Seller {
  subscriptionId: string;
  receiver: string;
  p1_id: string;
  /** Of an owner who is signed in. */
  browser: Browser;
}

/** An organization on `DB` with rows in every table that moves, and deliveries that wait. */
export async function openRich(): Promise<Rich> {
  const seller = await openSeller();
  const { orgId } = seller;
  const receiver = newReceiverUrl();
  const { subscriptionId } = await subscribe(orgId, receiver, ['order_request_submitted', 'order_created']);
  const { p1_id } = await attachNewProduct(seller, { overrides: { price: 3.5 } });
  succeeded(await callApi(seller, 'POST', '/products', { body: { name: 'Hausmischung', price: 4.95 } }), 201);
  await openPrescribed(seller);
  outsideAnswers(() => new Response('not now', { status: 500 }));
  const waiting = await rows<{ id: string }>('select id from deliveries where org_id = ?', orgId);
  await deliver(waiting.map(({ id }) => id));
  vi.restoreAllMocks();
  const { id } = await openApprovable(seller);
  succeeded(await approve(seller, id));
  await makeLink(seller, (await placeOrder(seller)).id);
  await oweTwo(seller);
  const { browser, email } = await enter(orgId, 'owner');
  await seedRest(seller, await memberId(email));
  return { ...seller, subscriptionId, receiver, p1_id, browser };
}

/** Two orders that wait for all that they have, whose change numbers follow each other. */
async function oweTwo(seller: Seller): Promise<void> {
  const ids = [(await placeOrder(seller)).id, (await placeOrder(seller)).id];
  await rows(
    `update orders set expected_on = '2026-01-01', supply = (select json_group_array(
       json_object('owed', value ->> 'quantity', 'expectedOn', '2026-01-01', 'supplied', 0)) from json_each(items))
     where id in (?, ?)`,
    ...ids,
  );
}

/** Rows that no short way through the service writes. */
async function seedRest({ orgId: org_id, shopId: shop_id }: Seller, member_id: string): Promise<void> {
  const later = Date.now() + 365 * DAY_MS;
  const secrets = { secret: 'sealed', backup_codes: 'sealed', verified: 0, failed_verification_count: 0 };
  await insertRow('staff_resets', { member_id, token_hash: newId(), expires_at: later, ends_second_factor: 0 });
  await insertRow('staff_second_factors', { id: newId(), member_id, ...secrets });
  await insertRow('staff_page_data', { id: newId(), member_id, sealed: 'sealed', expires_at: later });
  const imported = newId();
  const file = { header: '[]', ignored: '[]', line_count: 0, created_at: 1, expires_at: later };
  await insertRow('inventory_imports', { id: imported, org_id, ...file });
  await insertRow('inventory_import_parts', { import_id: imported, place: 0, lines: '[]', preview: '[]' });
  await insertRow('reservations', { order_request_id: newId(), p1_id: newId(), org_id, quantity: 1, until: later });
  const asked = { key: newId(), fingerprint: 'f', request_id: 'r', created_at: Date.now() };
  await insertRow('idempotency_keys', { org_id, family_id: 'erp', ...asked });
  await insertRow('request_questions', {
    id: newId(),
    org_id,
    order_request_id: newId(),
    code: 'other',
    text: 'x',
    asked_at: 1,
  });
  await insertRow('staff_notes', { id: newId(), org_id, order_request_id: newId(), text: 'x', written_at: 1 });
  const email = { language: 'de', state: 'sent', attempts: 1, due_at: 1, created_at: 1, updated_at: 1 };
  await insertRow('emails', { id: newId(), org_id, shop_id, about: newId(), kind: 'ready', ...email });
  await insertRow('courier_tours', { org_id, sequence: '[]' });
  await insertRow('email_opt_outs', { org_id, customer_id: newId(), created_at: 1 });
  await insertRow('message_settings', { shop_id, org_id, is_sending: 1, updated_at: 1 });
  await insertRow('notice_readers', { member_id, org_id, created_at: 1 });
  await insertRow('told_subscriptions', { subscription_id: newId(), org_id, kind: 'webhook_held', updated_at: 1 });
  await insertRow('delivery_totals', { org_id, starts_at: 0, summed_until: 3_600_000, delivered: 5, exhausted: 2 });
  for (const created_at of [1, 2]) {
    await insertRow('pending_hosts', { id: newId(), org_id, shop_id, host: `own-${newId()}.example`, created_at });
  }
}
