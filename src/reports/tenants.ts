import { inOrganization } from '../directory/route';
import { selectOrganizationEntries } from '../directory/store';
import { requireOperator } from '../platform/access';
import { type Context, onEachDatabase } from '../platform/context';
import { pageOf } from '../platform/data/page';
import { firstIdAt } from '../platform/ids';
import { startOf } from '../platform/pharmacy-time';
import { TENANT_ROWS_COUNTED_MAX } from './limits';
import type { Range } from './parts';
import { selectFileBytes, selectTenant, selectUsage, type Usage } from './store';

const ORGANIZATIONS_PAGE = 100;
const FILES_PAGE = 10_000;

/**
 * Returns a page of all organizations, sorted by id; it includes test organizations. The organizations are queried one
 * after the other, so that other requests can run in between.
 */
export async function listTenants(ctx: Context, { after, limit }: { after: string; limit: number }) {
  requireOperator(ctx);
  const { entries } = await ctx.databases.at(0).run({ entries: selectOrganizationEntries(after, limit + 1) });
  const { page, nextCursor } = pageOf(entries, limit, ({ orgId }) => orgId);
  const tenants = [];
  for (const { orgId, shard } of page) {
    const at = (await inOrganization(ctx, orgId)) ?? ctx;
    const [found] = await at.db.rows(selectTenant(orgId, TENANT_ROWS_COUNTED_MAX));
    if (!found) continue;
    const status = found.suspended ? 'suspended' : found.state === 'moving' ? 'moving' : 'active';
    tenants.push({ orgId, shard, name: found.name, status, rows: found.rows, lastOrderAt: found.last });
  }
  return { tenants, nextCursor };
}

/**
 * Returns the usage of each organization in a month of the pharmacies' time zone, for invoices. Reads totals. Only the
 * sizes of files are read row by row.
 * @param month for example `2026-11`
 */
export async function readUsage(ctx: Context, month: string): Promise<(Usage & { bytes: number })[]> {
  requireOperator(ctx);
  const [year = 0, number = 0] = month.split('-').map(Number);
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
  const range = { from: startOf(`${month}-01`), to: startOf(`${next}-01`) };
  const ofDatabases = await Promise.all(onEachDatabase(ctx).map((at) => usageIn(at, range)));
  return ofDatabases.flat().sort((a, b) => (a.orgId < b.orgId ? -1 : 1));
}

async function usageIn(ctx: Context, range: Range) {
  const found: Usage[] = [];
  for (let after = ''; ; after = found.at(-1)?.orgId ?? '') {
    const page = await ctx.db.rows(selectUsage(range, after, ORGANIZATIONS_PAGE));
    found.push(...page);
    if (page.length < ORGANIZATIONS_PAGE) break;
  }
  const bytes = new Map<string, number>();
  for (let after = firstIdAt(range.from), files = FILES_PAGE; files === FILES_PAGE; ) {
    const page = await ctx.db.rows(selectFileBytes(range, after, FILES_PAGE));
    for (const each of page) bytes.set(each.orgId, (bytes.get(each.orgId) ?? 0) + each.bytes);
    files = page.reduce((sum, each) => sum + each.files, 0);
    after = page.reduce((last, each) => (each.last > last ? each.last : last), after);
  }
  return found.map((each) => ({ ...each, bytes: bytes.get(each.orgId) ?? 0 }));
}
