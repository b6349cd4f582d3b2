import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { members } from '../../auth/tables';
import { orderRequests } from '../../order-requests/tables';
import { orders } from '../../orders/tables';
import { changeAt, has } from '../../platform/data/columns';
import { inList, insertSelect } from '../../platform/data/db';
import { type Condition, orm } from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { type OrganizationState, organizations } from '../../platform/tables';
import { fileDeletions, prescriptions } from '../../prescriptions/tables';
import { shopHosts } from '../../tenants/tables';

/** An organization's stored PDFs, by id. */
export function selectStored(orgId: string, { after, limit }: { after: string; limit: number }) {
  return orm
    .select({ id: prescriptions.id, fileKey: prescriptions.fileKey, sizeBytes: prescriptions.sizeBytes })
    .from(prescriptions)
    .where(and(eq(prescriptions.orgId, orgId), gt(prescriptions.id, after), eq(prescriptions.status, 'stored')))
    .orderBy(asc(prescriptions.id))
    .limit(limit);
}

interface Marked {
  /** The highest event, change and audit numbers, as one text. Each command raises at least one of these numbers. */
  mark: string;
  state: OrganizationState;
  suspended: number | null;
}

/**
 * Selects an organization's mark, its state, and since when it is suspended (epoch ms). The mark changes with each
 * command. Selects no row if the organization is not here.
 */
export function selectMark(orgId: string) {
  return orm.all<Marked>(sql`select ${markOf(sql`${orgId}`)} as mark, state, suspended_at as suspended
    from ${organizations} where id = ${orgId}`);
}

function markOf(orgId: Condition) {
  const highest = (text: string) => sql`(select max(${sql.raw(text)} where org_id = ${orgId})`;
  const numbers = [
    highest('seq) from events'),
    highest('change_number) from orders'),
    highest('change_number) from order_requests'),
    highest('id) from audit_log'),
  ];
  return sql`json_array(${sql.join(numbers, sql`, `)})`;
}

/** Selects the active organizations with ids after `after`, each with its mark. Leaves test organizations out. */
export function selectMarks(after: string, limit: number) {
  return orm.all<Pick<Marked, 'mark'> & { id: string }>(sql`select home.id, ${markOf(sql`home.id`)} as mark
    from ${organizations} as home where home.id > ${after} and home.state = 'active' and home.is_test = 0
    order by home.id limit ${limit}`);
}

/** The orders and requests of an organization that have changed since a time (epoch ms). */
export function selectChangedSince({ orgId, since }: { orgId: string; since: number }) {
  const ids = (kind: string, table: SQLiteTable) =>
    sql`select ${kind} as kind, id from ${table} where org_id = ${orgId} and change_number > ${changeAt(since)}`;
  return orm.all<{ kind: string; id: string }>(sql`${ids('order', orders)} union all ${ids('request', orderRequests)}`);
}

/**
 * Selects the keys of an organization's directory entries: its active hosts, and the e-mail addresses of its members.
 */
export function selectLeading(orgId: string) {
  return {
    hosts: orm
      .select({ host: shopHosts.host })
      .from(shopHosts)
      .where(eq(shopHosts.orgId, orgId))
      .orderBy(shopHosts.createdAt),
    emails: orm
      .select({ email: members.email })
      .from(members)
      .where(has(members, { orgId, revokedAt: null })),
  };
}

/** Selects where the PDFs of these prescriptions are stored, and the shop, request and order that they belong to. */
export function selectFilesOf(orgId: string, ids: readonly string[]) {
  const { id, fileKey, sha256, shopId, orderRequestId, orderId } = prescriptions;
  return orm
    .select({ id, fileKey, sha256, shopId, orderRequestId, orderId })
    .from(prescriptions)
    .where(and(eq(prescriptions.orgId, orgId), sql`${id} in ${inList(ids)}`));
}

/** The test organizations of an organization. */
export function selectTestsOf(orgId: string) {
  return orm
    .select({ id: organizations.id })
    .from(organizations)
    .where(has(organizations, { counterpartId: orgId, isTest: true }));
}

/**
 * Closes an organization: its state is `gone`, and it is suspended. Nothing works for it from then on, so its rows may
 * be deleted.
 */
export function shutOut(orgId: string, now: number) {
  return orm
    .update(organizations)
    .set({ state: 'gone', suspendedAt: sql`coalesce(${organizations.suspendedAt}, ${now})`, updatedAt: now })
    .where(eq(organizations.id, orgId));
}

/** Puts all PDFs of an organization on the deletion list. */
export function giveUpFilesOf(orgId: string, now: number) {
  const row = { fileKey: sql`file_key`, createdAt: now };
  const from = sql`from ${prescriptions} where org_id = ${orgId} and id > '' and file_key is not null`;
  return insertSelect(fileDeletions, row, from).onConflictDoNothing();
}

/** Removes the link to the test organization `orgId` from its live organization. */
export function forgetTestOf(orgId: string) {
  return orm
    .update(organizations)
    .set({ counterpartId: null })
    .where(has(organizations, { counterpartId: orgId, isTest: false }));
}

/** Selects test organizations that nobody has used since a time, each with the id of its live organization. */
export function selectUnusedTests(since: number, limit: number) {
  const { id, createdAt, isTest, counterpartId } = organizations;
  const has = (table: Condition, where: Condition) =>
    sql`exists (select 1 from ${table} where org_id = ${id} and ${where})`;
  const isChanged = sql`change_number > ${changeAt(since)}`;
  const isUsed = sql`${has(sql`order_requests`, isChanged)} or ${has(sql`orders`, isChanged)}
    or ${has(sql`audit_log`, sql`audit_log.id > ${firstIdAt(since)}`)} or ${has(sql`api_keys`, sql`last_used_at > ${since}`)}`;
  return orm
    .select({ id, liveId: counterpartId })
    .from(organizations)
    .where(and(eq(isTest, true), eq(organizations.state, 'active'), lt(createdAt, since), sql`not (${isUsed})`))
    .limit(limit);
}
