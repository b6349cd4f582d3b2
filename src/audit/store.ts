import { and, desc, eq, type InferSelectModel, type SQL, sql } from 'drizzle-orm';
import { has, pick } from '../platform/data/columns';
import { inList, insertSelect } from '../platform/data/db';
import { type Condition, columnsOf, type Named, orm, prepared } from '../platform/data/statements';
import { firstIdAt } from '../platform/ids';
import { type AuditKind, type AuditPart, entitiesOf } from './actions';
import { AUDIT_KEPT_MS, HISTORY_ROWS_MAX } from './limits';
import { auditLog, auditPart } from './tables';

/** Writes the row if the condition holds within the batch. Writes it once even if D1 runs the batch twice. */
export const insertAuditRow = prepared((row: Named<InferSelectModel<typeof auditLog>>, onlyIf: Condition) =>
  insertSelect(auditLog, columnsOf(auditLog, row), sql`where ${onlyIf}`).onConflictDoNothing(),
);

/**
 * Deletes up to `limit` rows of an organization that are older than ten years by the caller's clock and by the clock of
 * the database.
 */
export function deleteOldAudit(orgId: string, now: number, limit: number) {
  const old = sql`(select id from ${auditLog} where org_id = ${orgId} and id < ${firstIdAt(now - AUDIT_KEPT_MS)}
    and at < min(${now}, unixepoch() * 1000) - ${AUDIT_KEPT_MS} order by id limit ${limit})`;
  return orm.delete(auditLog).where(sql`org_id = ${orgId} and id in ${old}`);
}

/** Condition: the audit log has a row with this id, so the batch that writes this row was already committed. */
export function isRecorded(orgId: string, id: string): Condition {
  return sql`exists (select 1 from ${auditLog} where org_id = ${orgId} and id = ${id})`;
}

/** Returns a row if this audit entry exists. A retry uses it to detect that its first attempt was committed. */
export function selectRecorded(orgId: string, id: string) {
  return orm.select({ id: auditLog.id }).from(auditLog).where(has(auditLog, { orgId, id }));
}

/**
 * The audit log for queries by entity: put it after FROM and filter by organization and entity. Without this index
 * hint, SQLite reads the organization's whole log by the key as long as it has no statistics.
 */
export const auditByEntity: Condition = sql`${auditLog} indexed by audit_log_by_entity`;

/**
 * Condition: the row is among the newest `limit` rows about these entities.
 * @param entityIds a subquery of ids
 */
function isNewestOf(orgId: string, entityIds: Condition, limit: number): Condition {
  return sql`${auditLog.orgId} = ${orgId} and ${auditLog.id} in (select id from ${auditByEntity}
    where org_id = ${orgId} and entity_id in ${entityIds} order by id desc limit ${limit})`;
}

export function selectActOfForm(formId: string) {
  return orm.select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.formId, formId)).limit(1);
}

/** Selects the history of some entities, newest first. */
export function selectAuditOf(orgId: string, entityIds: string[]) {
  return orm
    .select(pick(auditLog, ['at', 'actorKind', 'actorId', 'action', 'fields', 'reasonCode']))
    .from(auditLog)
    .where(isNewestOf(orgId, inList(entityIds), HISTORY_ROWS_MAX))
    .orderBy(desc(auditLog.id));
}

export interface AuditFilter {
  part?: AuditPart;
  kind?: AuditKind;
  /** The id of a person or key, or the actor kind `operator` or `system`. */
  actor?: string;
  entityId?: string;
  /** A subquery of entity ids, used instead of `entityId`. Each of these entities must have few rows in the log. */
  entities?: Condition;
  /** Epoch ms, inclusive. */
  from?: number;
  /** Epoch ms, exclusive. */
  to?: number;
  /** The last id of the previous page. */
  before?: string;
}

/**
 * The most rows that a page has (`limit`), and the most rows that a search without a fitting index reads (`scanned`).
 */
export interface AuditReach {
  limit: number;
  scanned: number;
}

/**
 * The most ms by which the time in a row's `id` may differ from its `at`. The id is made shortly before the row is
 * written, and the clocks of isolates differ a little.
 */
const CLOCK_SLACK_MS = 60_000;

/** Selects one page of the log, newest first. */
export function selectAuditLog(orgId: string, filter: AuditFilter, { limit, scanned }: AuditReach) {
  return orm
    .select()
    .from(auditLog)
    .where(sql`org_id = ${orgId} and id in (${idsOf(orgId, filter, { limit, scanned })})`)
    .orderBy(desc(auditLog.id));
}

function idsOf(orgId: string, filter: AuditFilter, { limit, scanned }: AuditReach): SQL {
  const { entityId, entities } = filter;
  if (entityId !== undefined || entities !== undefined) {
    const about = entities === undefined ? sql`= ${entityId}` : sql`in ${entities}`;
    return sql`select id from ${auditByEntity} where ${stretch(orgId, filter)} and entity_id ${about}
      and ${matching(filter)} order by id desc limit ${limit}`;
  }
  // The outer query has no ORDER BY, so it takes rows in the order of the inner one and stops at its limit.
  const part = partIndexed(filter);
  const rows = sql`select id, at, actor_kind, actor_id, action from ${auditLog}
    ${part === undefined ? sql`` : sql`indexed by audit_log_by_part`} where ${stretch(orgId, filter)}
    order by id desc ${isSearch(filter) ? sql`limit ${scanned}` : sql``}`;
  return sql`select id from (${rows}) where ${matching(filter)} limit ${limit}`;
}

function matching({ part, kind, actor, from, to }: AuditFilter): SQL | undefined {
  return and(
    from === undefined ? sql`1` : sql`at >= ${from}`,
    to === undefined ? undefined : sql`at < ${to}`,
    part === 'decisions' ? sql`${auditPart} is null` : undefined,
    part === undefined || part === 'decisions' ? undefined : sql`${auditPart} = ${part}`,
    kind === undefined ? undefined : isAbout(kind),
    actor === undefined ? undefined : isBy(actor),
  );
}

/** Returns the filter's `part` if the rows are read by the index of `part`; otherwise undefined. */
function partIndexed({ part, entityId, entities }: AuditFilter): AuditPart | undefined {
  return part === 'decisions' || entityId !== undefined || entities !== undefined ? undefined : part;
}

/**
 * Whether the filter needs a scan of rows, because no index covers it. There is an index for entities, and none for
 * `decisions`, kinds and actors.
 */
export function isSearch({ part, kind, actor, entityId, entities }: AuditFilter): boolean {
  if (entityId !== undefined || entities !== undefined) return false;
  return part === 'decisions' || kind !== undefined || actor !== undefined;
}

/** Selects the oldest id that `selectAuditLog` scans. Returns no row if the scan reaches the end of the log. */
export function selectScanEnd(orgId: string, filter: AuditFilter, { scanned }: AuditReach) {
  const from = partIndexed(filter) === undefined ? sql`${auditLog}` : sql`${auditLog} indexed by audit_log_by_part`;
  return orm
    .select({ id: sql<string>`id`.as('scan_end') })
    .from(from)
    .where(stretch(orgId, filter))
    .orderBy(sql`id desc`)
    .limit(1)
    .offset(scanned - 1);
}

/**
 * Condition: the row's id is in the filter's period and before the cursor `before`. SQLite reads one range of the key
 * (org, id), or of the index by part.
 */
function stretch(orgId: string, filter: AuditFilter): SQL | undefined {
  const { from, to, before } = filter;
  const part = partIndexed(filter);
  return and(
    sql`org_id = ${orgId}`,
    part === undefined ? undefined : sql`${auditPart} = ${part} and ${auditPart} is not null`,
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
