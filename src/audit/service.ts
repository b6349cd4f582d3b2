import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { selectAuditOf } from './store';

export type AuditRow = Awaited<ReturnType<typeof listAudit>>[number];

/** What happened to an order and to what belongs to it, newest first: ids, names of fields and codes. */
export async function listAudit(ctx: Context, ...entityIds: string[]) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows } = await ctx.db.run({ rows: selectAuditOf(ctx.db, orgId, entityIds) });
  return rows;
}
