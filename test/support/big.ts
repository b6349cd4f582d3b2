import { newId } from '../../src/platform/ids';
import type { OrganizationApi } from './organization';
import { rows } from './world';

/** Large tables, made by one statement each. */

export const DAY_MS = 86_400_000;

function numbers(count: number): string {
  return `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})`;
}

/** So many products in the organization's inventory and its first shop. @returns what their ids begin with */
export async function stockUp(api: OrganizationApi, count: number): Promise<string> {
  const run = newId();
  const id = "?1 || '-' || printf('%05d', i)";
  await rows(
    `insert into catalog_products (p1_id, name, name_folded, slug, category, price_cents, prescription_required, created_at, updated_at)
     ${numbers(count)} select ${id}, 'Produkt ' || i, 'produkt ' || i, ${id}, 'K' || (i % 10), 100, 0, 0, 0 from n`,
    run,
  );
  await rows(
    `insert into inventory (org_id, p1_id, stock_quantity, created_at, updated_at)
     ${numbers(count)} select ?2, ${id}, 500, 0, 0 from n`,
    run,
    api.orgId,
  );
  await rows(
    `insert into listings (shop_id, p1_id, org_id, overrides, attached_at, updated_at)
     ${numbers(count)} select ?3, ${id}, ?2, '{}', 0, 0 from n`,
    run,
    api.orgId,
    api.shopId,
  );
  return run;
}

let made = 0;

/**
 * So many events of an organization, spread evenly over a time, with ids of that time and, where a subscription is
 * named, one run that was delivered at its first attempt each.
 */
export async function happened(
  orgId: string,
  count: number,
  {
    from,
    to,
    subscriptionId,
    status = 'succeeded',
  }: { from: number; to: number; subscriptionId?: string; status?: string },
): Promise<void> {
  made += 1;
  const at = `(${from} + cast(i * ${(to - from) / count} as integer))`;
  const hex = `printf('%012x', ${at})`;
  const idOf = (kind: number) =>
    `substr(${hex}, 1, 8) || '-' || substr(${hex}, 9) || printf('-7%03x-8${kind}${made.toString(16).padStart(2, '0')}-%012x', i % 4096, i)`;
  const body = `json_object('id', ${idOf(0)}, 'org_id', ?1, 'event_type', 'product_updated', 'title', 'Product updated',
    'description', 'A product was changed.', 'metadata', json('{"p1_id":"P1-1","changed_fields":["price"]}'),
    'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', ${at} / 1000.0, 'unixepoch'))`;
  await rows(
    `insert into events (seq, id, org_id, type, body, is_test, created_at)
     ${numbers(count)} select (select coalesce(max(seq), 0) from events where org_id = ?1) + 1 + i, ${idOf(0)}, ?1,
       'product_updated', ${body}, 0, ${at} from n`,
    orgId,
  );
  if (subscriptionId === undefined) return;
  await rows(
    `insert into deliveries (id, org_id, event_id, subscription_id, "trigger", status, attempt_count, next_attempt_at, lease_until, created_at)
     ${numbers(count)} select ${idOf(1)}, ?1, ${idOf(0)}, ?2, 'event', ?3, iif(?3 = 'succeeded', 1, 0), 0, 0, ${at} from n`,
    orgId,
    subscriptionId,
    status,
  );
  if (status !== 'succeeded') return;
  await rows(
    `insert into delivery_attempts (delivery_id, attempt, "trigger", started_at, duration_ms, http_status)
     ${numbers(count)} select ${idOf(1)}, 1, 'event', ${at}, 5, 204 from n`,
  );
}
