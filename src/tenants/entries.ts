import type { Entry } from '../directory/service';
import type { Database } from '../platform/data/db';
import { selectOrganizationIds } from './store';
import { selectActiveHosts } from './store-hosts';

/** The entries of the directory whose host is active in a shop of their organization. */
export async function activeHosts<E extends Entry>(db: Database, entries: readonly E[]): Promise<readonly E[]> {
  const hosts = entries.map(({ key }) => key);
  const { rows } = await db.run({ rows: selectActiveHosts(hosts) });
  const active = new Set(rows.map(({ host, orgId }) => `${orgId} ${host}`));
  return entries.filter(({ key, orgId }) => active.has(`${orgId} ${key}`));
}

/** The entries of the directory whose organization is there. */
export async function existingOrganizations<E extends Entry>(
  db: Database,
  entries: readonly E[],
): Promise<readonly E[]> {
  const ids = entries.map(({ orgId }) => orgId);
  const { rows } = await db.run({ rows: selectOrganizationIds(ids) });
  const existing = new Set(rows.map(({ id }) => id));
  return entries.filter(({ orgId }) => existing.has(orgId));
}
