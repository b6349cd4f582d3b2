import { and, eq, inArray } from 'drizzle-orm';
import { type Database, inList } from '../platform/db';
import { inventory } from './tables';

export function selectHeld(db: Database, orgId: string, p1Ids: readonly string[]) {
  return db.orm
    .select({ p1Id: inventory.p1Id })
    .from(inventory)
    .where(and(eq(inventory.orgId, orgId), inArray(inventory.p1Id, inList(p1Ids))));
}
