import { and, eq, sql } from 'drizzle-orm';
import { apiKeys, members } from '../auth/tables';
import type { Condition } from '../platform/data/db';
import { orm } from '../platform/data/statements';

/** Names of people and keys, including revoked ones. @param ids a subquery */
export function selectNamesOf(orgId: string, ids: Condition) {
  const name = sql<string>`coalesce(${members.name}, ${members.email})`;
  return {
    people: orm
      .select({ id: members.id, name: name.as('member_name') })
      .from(members)
      .where(and(eq(members.orgId, orgId), sql`${members.id} in ${ids}`)),
    keys: orm
      .select({ id: apiKeys.id, name: apiKeys.name })
      .from(apiKeys)
      .where(and(eq(apiKeys.orgId, orgId), sql`${apiKeys.id} in ${ids}`)),
  };
}
