import { and, eq, sql } from 'drizzle-orm';
import type { Condition } from '../platform/data/db';
import { orm, type Value } from '../platform/data/statements';
import { shops } from '../tenants/tables';
import type { MessageSettings } from './fields';
import { messageSettings } from './tables';

/** A shop with what it says about itself in messages. @param shopId may be a subquery */
export function selectMessageSettings(orgId: string, shopId: Value<string> | Condition) {
  return orm
    .select({
      name: sql<string>`${shops.name}`.as('shop_name'),
      street: sql<string | null>`${shops.street}`.as('shop_street'),
      postalCode: sql<string | null>`${shops.postalCode}`.as('shop_postal_code'),
      city: sql<string | null>`${shops.city}`.as('shop_city'),
      phone: sql<string | null>`${shops.phone}`.as('shop_phone'),
      openingHours: sql<string | null>`${shops.openingHours}`.as('shop_opening_hours'),
      replyTo: sql<string | null>`${messageSettings.replyTo}`.as('shop_reply_to'),
      isSending: sql<boolean>`coalesce(${messageSettings.isSending}, 0)`.mapWith(Boolean).as('shop_is_sending'),
    })
    .from(shops)
    .leftJoin(messageSettings, eq(messageSettings.shopId, shops.id))
    .where(and(eq(shops.orgId, orgId), sql`${shops.id} = ${shopId}`));
}

export type ShopMessages = Awaited<ReturnType<typeof selectMessageSettings>>[number];

/** Of a shop that is there. */
export function upsertMessageSettings(of: { orgId: string; shopId: string; now: number }, settings: MessageSettings) {
  const row = { ...settings, updatedAt: of.now };
  return orm
    .insert(messageSettings)
    .values({ shopId: of.shopId, orgId: of.orgId, ...row })
    .onConflictDoUpdate({ target: messageSettings.shopId, set: row, setWhere: eq(messageSettings.orgId, of.orgId) });
}

export function shopIsThere(orgId: string, shopId: string): Condition {
  return sql`exists (select 1 from ${shops} where id = ${shopId} and org_id = ${orgId})`;
}
