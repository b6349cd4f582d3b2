import { newId } from '../../src/platform/ids';
import type { OrganizationApi } from './organization';
import { insertRows, quoted } from './rows';

/** Large tables, made by one statement each. */

export const DAY_MS = 86_400_000;

/** So many products in the organization's inventory and its first shop. @returns what their ids begin with */
export async function stockUp(api: OrganizationApi, count: number): Promise<string> {
  const run = newId();
  const p1_id = `'${run}-' || printf('%05d', i)`;
  const named = { name: `'Produkt ' || i`, name_folded: `'produkt ' || i`, slug: p1_id, category: `'K' || (i % 10)` };
  await insertRows('catalog_products', count, { p1_id, ...named });
  await insertRows('inventory', count, { p1_id, org_id: quoted(api.orgId), stock_quantity: '500' });
  await insertRows('listings', count, { p1_id, org_id: quoted(api.orgId), shop_id: quoted(api.shopId) });
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
  const body = `json_object('id', ${idOf(0)}, 'org_id', '${orgId}', 'event_type', 'product_deleted', 'title', 'Product deleted',
    'description', 'A product left the inventory.', 'metadata', json('{"p1_id":"P1-1"}'),
    'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', ${at} / 1000.0, 'unixepoch'))`;
  const org_id = quoted(orgId);
  await insertRows('events', count, { id: idOf(0), org_id, type: `'product_deleted'`, body, created_at: at });
  if (subscriptionId === undefined) return;
  await insertRows('deliveries', count, {
    ...{ id: idOf(1), org_id, event_id: idOf(0), subscription_id: quoted(subscriptionId), status: quoted(status) },
    ...{ attempt_count: status === 'succeeded' ? '1' : '0', created_at: at },
  });
  if (status !== 'succeeded') return;
  await insertRows('delivery_attempts', count, { delivery_id: idOf(1), started_at: at, http_status: '204' });
}
