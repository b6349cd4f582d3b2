import { desc, type SQL, sql } from 'drizzle-orm';
import { type Database, inList } from '../platform/db';
import { type AuditKind, entitiesOf } from './kinds';
import { auditLog } from './tables';

export interface AuditFilter {
  kind?: AuditKind;
  /** The id of a person or key, or the kind of an actor that has no id: `operator`, `system`. */
  actor?: string;
  entityId?: string;
  /** Epoch ms, inclusive. */
  from?: number;
  /** Epoch ms, exclusive. */
  to?: number;
  /** The last id of the previous page. */
  before?: number;
}

/** How many rows to return, and how many to look through where no index fits. */
export interface AuditReach {
  limit: number;
  scanned: number;
}

/** Row ids follow the order of writing; the times in the rows may differ from that order by at most this much. */
const CLOCK_SLACK_MS = 60_000;
/** Larger than every id. */
const NO_ID = Number.MAX_SAFE_INTEGER;

/** Newest first. */
export function selectAuditLog(db: Database, orgId: string, filter: AuditFilter, { limit, scanned }: AuditReach) {
  const { kind, actor, entityId, from = 0, to = NO_ID } = filter;
  const ids =
    entityId === undefined
      ? sql`select id from (select id, at, actor_kind, actor_id, action from ${auditLog}
          where ${stretch(orgId, filter)} order by id desc ${isSearch(filter) ? sql`limit ${scanned}` : sql``})`
      : sql`select id from ${auditLog} where org_id = ${orgId} and entity_id = ${entityId} and id < ${filter.before ?? NO_ID}`;
  const matches = sql`at >= ${from} and at < ${to} ${kind ? sql`and ${isAbout(kind)}` : sql``} ${actor ? sql`and ${isBy(actor)}` : sql``}`;
  const filtered = entityId === undefined ? sql`${ids} where ${matches}` : sql`${ids} and ${matches}`;
  return db.orm
    .select()
    .from(auditLog)
    .where(sql`id in (${filtered} order by id desc limit ${limit})`)
    .orderBy(desc(auditLog.id));
}

/** No index covers kinds and actors, so rows are looked through. */
export function isSearch({ kind, actor, entityId }: AuditFilter): boolean {
  return entityId === undefined && (kind !== undefined || actor !== undefined);
}

/** The oldest id that `selectAuditLog` looks at; none if it reaches the end. */
export function selectScanEnd(db: Database, orgId: string, filter: AuditFilter, { scanned }: AuditReach) {
  return db.orm
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(stretch(orgId, filter))
    .orderBy(desc(auditLog.id))
    .limit(1)
    .offset(scanned - 1);
}

/** The range of the index (org, id) that a period and a cursor select. */
function stretch(orgId: string, { from, to, before = NO_ID }: AuditFilter): SQL {
  const first = from === undefined ? sql`0` : firstIdSince(orgId, from - CLOCK_SLACK_MS);
  const end = to === undefined ? sql`${before}` : sql`min(${before}, ${firstIdSince(orgId, to + CLOCK_SLACK_MS)})`;
  return sql`org_id = ${orgId} and id >= ${first} and id < ${end}`;
}

/**
 * The first of the organization's ids that is not older than a time; a binary search finds it in about twenty steps.
 */
function firstIdSince(orgId: string, time: number): SQL {
  const isOlder = sql`(select at from ${auditLog} where org_id = ${orgId} and id >= (low + high) / 2 order by id limit 1) < ${time}`;
  return sql`(with recursive search(low, high) as (
    select 0, coalesce((select max(id) from ${auditLog} where org_id = ${orgId}), 0) + 1
    union all
    select iif(${isOlder}, (low + high) / 2 + 1, low), iif(${isOlder}, high, (low + high) / 2) from search where low < high
  ) select max(low) from search)`;
}

function isAbout(kind: AuditKind): SQL {
  return sql`substr(action, 1, instr(action, '.') - 1) in ${inList(entitiesOf(kind))}`;
}

function isBy(actor: string): SQL {
  const isNameless = actor === 'operator' || actor === 'system';
  return isNameless ? sql`actor_kind = ${actor}` : sql`actor_id = ${actor}`;
}
