import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabases } from '../../../scripts/database.ts';

const POLL_MS = 250;

export interface DeliveryRow {
  id: string;
  eventId: string;
  subscriptionId: string;
  trigger: string;
  status: string;
  /** Attempts whose outcome nobody knows, because the process ended in between. */
  interrupted: number;
}

/** The numbers of the service's databases. */
export function shardsOf(dir: string): number[] {
  return openDatabases(dir).map((database, shard) => {
    database.close();
    return shard;
  });
}

/** The deliveries of an organization. */
export function deliveriesOf(dir: string, orgId: string): DeliveryRow[] {
  using database = databaseOf(dir, orgId);
  const rows = database
    .prepare(
      `select id, event_id as eventId, subscription_id as subscriptionId, "trigger", status,
        (select count(*) from delivery_attempts as tried
          where tried.delivery_id = deliveries.id and tried.failure_class = 'interrupted') as interrupted
      from deliveries where org_id = ?`,
    )
    .all(orgId);
  // SAFETY: the columns are those of the statement.
  return rows as unknown as DeliveryRow[];
}

/** Waits until no delivery of the organization is on its way any more, at most until the time limit. */
export async function waitForDeliveries(dir: string, orgId: string, timeoutMs: number): Promise<void> {
  using database = databaseOf(dir, orgId);
  const open = database.prepare(
    `select count(*) as open from deliveries where status in ('pending', 'delivering') and org_id = ?`,
  );
  const deadline = Date.now() + timeoutMs;
  while (Number(open.get(orgId)?.open) > 0 && Date.now() < deadline) await delay(POLL_MS);
}

/** Ends every open lease, as a minute without the service would. To be called while the service is down. */
export function endLeases(dir: string): void {
  for (const database of openDatabases(dir, { isWritten: true })) {
    database.exec(`update deliveries set lease_until = 1 where status = 'delivering'`);
    database.close();
  }
}

/** The database on which the directory says that the organization lives. */
function databaseOf(dir: string, orgId: string): DatabaseSync {
  const databases = openDatabases(dir);
  const home = databases[0]?.prepare(`select shard from directory where kind = 'organization' and key = ?`).get(orgId);
  const database = databases[Number(home?.shard)];
  for (const other of databases) if (other !== database) other.close();
  if (!database) throw new Error(`The directory does not know ${orgId}.`);
  return database;
}
