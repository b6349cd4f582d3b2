import { and, desc, type SQL, sql } from 'drizzle-orm';
import { inList } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { firstIdAt } from '../platform/ids';
import { type AuditKind, entitiesOf } from './kinds';
import { auditByEntity } from './store';
import { auditLog } from './tables';

export interface AuditFilter {
  kind?: AuditKind;
  /** The id of a person or key, or the kind of actors that are chosen together: `operator`, `system`. */
  actor?: string;
  entityId?: string;
  /** Epoch ms, inclusive. */
  from?: number;
  /** Epoch ms, exclusive. */
  to?: number;
  /** The last id of the previous page. */
  before?: string;
}

/** How many rows to return, and how many to look through where no index fits. */
export interface AuditReach {
  limit: number;
  scanned: number;
}

/** An id is made shortly before its row is written, by an isolate whose clock may differ a little from the row's time. */
const CLOCK_SLACK_MS = 60_000;

/** Newest first. */
export function selectAuditLog(orgId: string, filter: AuditFilter, { limit, scanned }: AuditReach) {
  const { kind, actor, entityId, from, to } = filter;
  const ids =
    entityId === undefined
      ? sql`select id from (select id, at, actor_kind, actor_id, action from ${auditLog}
          where ${stretch(orgId, filter)} order by id desc ${isSearch(filter) ? sql`limit ${scanned}` : sql``})`
      : sql`select id from ${auditByEntity} where ${stretch(orgId, filter)} and entity_id = ${entityId}`;
  const matches = and(
    from === undefined ? sql`1` : sql`at >= ${from}`,
    to === undefined ? undefined : sql`at < ${to}`,
    kind === undefined ? undefined : isAbout(kind),
    actor === undefined ? undefined : isBy(actor),
  );
  const filtered = entityId === undefined ? sql`${ids} where ${matches}` : sql`${ids} and ${matches}`;
  return orm
    .select()
    .from(auditLog)
    .where(sql`org_id = ${orgId} and id in (${filtered} order by id desc limit ${limit})`)
    .orderBy(desc(auditLog.id));
}

/** No index covers kinds and actors, so rows are looked through. */
export function isSearch({ kind, actor, entityId }: AuditFilter): boolean {
  return entityId === undefined && (kind !== undefined || actor !== undefined);
}

/** The oldest id that `selectAuditLog` looks at; none if it reaches the end. */
export function selectScanEnd(orgId: string, filter: AuditFilter, { scanned }: AuditReach) {
  return orm
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(stretch(orgId, filter))
    .orderBy(desc(auditLog.id))
    .limit(1)
    .offset(scanned - 1);
}

/** The range of the key (org, id) that a period and a cursor select. */
function stretch(orgId: string, { from, to, before }: AuditFilter): SQL | undefined {
  return and(
    sql`org_id = ${orgId}`,
    from === undefined ? undefined : sql`id >= ${firstIdAt(from - CLOCK_SLACK_MS)}`,
    to === undefined ? undefined : sql`id < ${firstIdAt(to + CLOCK_SLACK_MS)}`,
    before === undefined ? undefined : sql`id < ${before}`,
  );
}

function isAbout(kind: AuditKind): SQL {
  return sql`substr(action, 1, instr(action, '.') - 1) in ${inList(entitiesOf(kind))}`;
}

function isBy(actor: string): SQL {
  const isNameless = actor === 'operator' || actor === 'system';
  return isNameless ? sql`actor_kind = ${actor}` : sql`actor_id = ${actor}`;
}
