/**
 * Whether a key may be used at a given time: it is neither revoked nor expired. `isActive` in store.ts is the same rule
 * in SQL.
 */
export function isActiveKey(key: { revokedAt: number | null; expiresAt: number | null }, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}
