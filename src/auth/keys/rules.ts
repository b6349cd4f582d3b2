/** Whether a key may be used at a time: it was not revoked, and has not run out. The store asks the same in SQL. */
export function isActiveKey(key: { revokedAt: number | null; expiresAt: number | null }, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}
