import { and, desc, eq, getTableColumns, type InferInsertModel, type InferSelectModel, sql } from 'drizzle-orm';
import { has, unset } from '../../platform/data/columns';
import { insertSelect, mustChangeOneRow, updateOneRow } from '../../platform/data/db';
import { type Condition, type Named, namedAlike, orm, prepared } from '../../platform/data/statements';
import { isSuspended } from '../../tenants/tables';
import { API_KEYS_MAX } from '../limits';
import { apiKeys } from '../tables';

/** The row of a key. `isSuspended` is 1 if the key's organization is suspended, else 0. */
export type ApiKeyRow = InferSelectModel<typeof apiKeys> & { isSuspended: number };

/**
 * Condition: the API key in the row of this table alias may be used. It is the same rule as `isActiveKey` (format.ts).
 */
function isActive(alias: 'api_keys' | 'present' | 'old' | 'other', now: number): Condition {
  const [revokedAt, expiresAt] = [sql.raw(`${alias}.revoked_at`), sql.raw(`${alias}.expires_at`)];
  return sql`${revokedAt} is null and (${expiresAt} is null or ${expiresAt} > ${now})`;
}

/** Inserts a key. The batch is undone if the organization has reached its limit of keys. */
export function insertApiKey(row: InferInsertModel<typeof apiKeys>, now: number) {
  const write = insertSelect(
    apiKeys,
    { ...unset(apiKeys), ...row },
    sql`where (select count(*) from ${apiKeys} as present where present.org_id = ${row.orgId}
          and ${isActive('present', now)}) < ${API_KEYS_MAX}`,
  );
  return mustChangeOneRow(write);
}

export const selectApiKey = prepared(({ id }: Named<{ id: string }>) =>
  orm
    .select({
      ...namedAlike(getTableColumns(apiKeys)),
      isSuspended: sql<number>`${isSuspended(apiKeys.orgId)}`.as('isSuspended'),
    })
    .from(apiKeys)
    .where(eq(apiKeys.id, id)),
);

export const touchApiKey = prepared(({ id, now }: Named<{ id: string; now: number }>) =>
  orm
    .update(apiKeys)
    .set({ lastUsedAt: sql`${now}` })
    .where(eq(apiKeys.id, id)),
);

/**
 * Like `touchApiKey`, but also replaces the key's stored hash by `hash`, which was made under the current root secret.
 */
export const touchWithHash = prepared(({ id, now, hash }: Named<{ id: string; now: number; hash: string }>) =>
  orm
    .update(apiKeys)
    .set({ lastUsedAt: sql`${now}`, hash: sql`${hash}` })
    .where(eq(apiKeys.id, id)),
);

/** Condition: the integration has a key that may be used. */
export function hasActiveKey(of: { orgId: string; familyId: string | Condition; now: number }): Condition {
  return sql`exists (select 1 from ${apiKeys} as present where present.org_id = ${of.orgId}
    and present.family_id = ${of.familyId} and ${isActive('present', of.now)})`;
}

/** Condition: the integration has no key that may be used. */
export function hasNoActiveKey(of: Parameters<typeof hasActiveKey>[0]): Condition {
  return sql`not ${hasActiveKey(of)}`;
}

/**
 * Returns a subquery that selects the family of a key: the key, the keys that it replaced, and the keys that replaced
 * it.
 */
export function familyOf(orgId: string, keyId: string): Condition {
  return sql`(select family_id from ${apiKeys} where id = ${keyId} and org_id = ${orgId})`;
}

/** Revokes a key. A revoked key keeps the time of its first revocation. The batch is undone if there is no such key. */
export function revokeApiKeyRow(orgId: string, id: string, now: number) {
  const revoked = { revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now})` };
  return updateOneRow(apiKeys, revoked, has(apiKeys, { orgId, id }));
}

/**
 * Selects an organization's keys, without the columns `orgId`, `hash` and `createdBy`. Keys that are not revoked come
 * first, then the newest.
 */
export function selectApiKeys(orgId: string, limit: number) {
  const { orgId: _, hash: __, createdBy: ___, ...shown } = getTableColumns(apiKeys);
  return orm
    .select(shown)
    .from(apiKeys)
    .where(eq(apiKeys.orgId, orgId))
    .orderBy(sql`${apiKeys.revokedAt} is not null`, desc(apiKeys.createdAt))
    .limit(limit);
}

/** The settings of an integration key about stock. */
export type KeyStock = Pick<ApiKeyRow, 'reserves' | 'reserveShare' | 'stockShown'>;

/** Changes an integration key. The batch is undone if the key is revoked or is no integration key. */
export function updateIntegrationKey(
  orgId: string,
  id: string,
  changes: Partial<Pick<ApiKeyRow, 'sendsSubmittedEvents' | keyof KeyStock>>,
) {
  const isIntegration = sql`exists (select 1 from json_each(${apiKeys.scopes}) where value = 'external_orders.submit')`;
  const isTheirs = and(has(apiKeys, { orgId, id }), sql`${apiKeys.revokedAt} is null`);
  return updateOneRow(apiKeys, changes, and(isTheirs, isIntegration));
}

export interface Rotation {
  orgId: string;
  keyId: string;
  now: number;
  /** How long the old key stays valid, in ms; 0 revokes it at once. */
  overlapMs: number;
}

/**
 * Inserts a key that replaces an active key (the old key) and has the same family. The batch is undone if the old key
 * is not active, or if another key of the family is active. If the overlap is 0, other active keys are allowed if they
 * are older than the old key. The limit of keys is not checked, because at most two keys of a family are active.
 */
export function insertRotatedKey(
  rotation: Rotation,
  key: { id: string; hash: string; createdBy: string; expiresAt: number | null },
) {
  const { orgId, keyId, now, overlapMs } = rotation;
  const row = {
    ...unset(apiKeys),
    ...key,
    orgId,
    familyId: sql`old.family_id`,
    name: sql`old.name`,
    scopes: sql`old.scopes`,
    prescriptionShopIds: sql`old.prescription_shop_ids`,
    sendsSubmittedEvents: sql`old.sends_submitted_events`,
    reserves: sql`old.reserves`,
    reserveShare: sql`old.reserve_share`,
    stockShown: sql`old.stock_shown`,
    createdAt: now,
  };
  const write = insertSelect(
    apiKeys,
    row,
    sql`from ${apiKeys} as old where old.id = ${keyId} and old.org_id = ${orgId} and ${isActive('old', now)}
      and not exists (select 1 from ${apiKeys} as other where other.org_id = ${orgId} and other.id <> old.id
        and other.family_id = old.family_id and ${isActive('other', now)}
        and ${overlapMs > 0 ? sql`true` : sql`other.created_at >= old.created_at`})`,
  );
  return mustChangeOneRow(write);
}

/**
 * Ends a key that was replaced. It is revoked at once if the overlap is 0. Otherwise it expires when the overlap ends,
 * unless it expires earlier.
 */
export function retireKey({ orgId, keyId, now, overlapMs }: Rotation) {
  const until = now + overlapMs;
  return orm
    .update(apiKeys)
    .set(
      overlapMs > 0
        ? { expiresAt: sql`min(coalesce(${apiKeys.expiresAt}, ${until}), ${until})` }
        : { revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now})` },
    )
    .where(has(apiKeys, { orgId, id: keyId }));
}
