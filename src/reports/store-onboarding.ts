import { eq, sql } from 'drizzle-orm';
import { apiKeys, members } from '../auth/tables';
import { inventory } from '../inventory/tables';
import { orderRequests } from '../order-requests/tables';
import type { Condition } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { organizations, shopHosts, shops } from '../tenants/tables';

/** What an organization has of all that it takes to work here; each is one look into an index. */
export function selectOnboarding(of: { orgId: string; memberId: string; now: number }) {
  const { orgId } = of;
  // Of the shops, the one that can be reached comes first.
  const first = (column: 'id' | 'name' | 'host') => sql<
    string | null
  >`(select ${sql.raw(column === 'host' ? 'own.host' : `shop.${column}`)}
    from ${shops} as shop left join ${shopHosts} as own on own.shop_id = shop.id where shop.org_id = ${orgId} and shop.is_active = 1
    order by own.host is null, shop.id, own.created_at limit 1)`;
  const exists = (what: Condition) => sql<number>`exists (${what})`;
  return orm
    .select({
      shopId: first('id').as('first_shop_id'),
      shopName: first('name').as('first_shop_name'),
      host: first('host').as('first_shop_host'),
      hasKey: exists(sql`select 1 from ${apiKeys} as present, json_each(present.scopes) as scope
        where present.org_id = ${orgId} and scope.value = 'external_orders.submit' and present.revoked_at is null
          and (present.expires_at is null or present.expires_at > ${of.now})`).as('has_key'),
      hasRequest: exists(sql`select 1 from ${orderRequests} as sent where sent.org_id = ${orgId}`).as('has_request'),
      hasProducts: exists(sql`select 1 from ${inventory} as own where own.org_id = ${orgId}`).as('has_products'),
      hasTeam: exists(sql`select 1 from ${members} as other where other.org_id = ${orgId} and other.id <> ${of.memberId}
        and other.revoked_at is null`).as('has_team'),
    })
    .from(organizations)
    .where(eq(organizations.id, orgId));
}
