import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { AuditAction } from './actions';

/**
 * Who did what, append-only by trigger (migrations). Ids, field names and codes only, never values or free text:
 * an erasure then leaves nothing of a person behind.
 */
export const auditLog = sqliteTable(
  'audit_log',
  {
    id: integer('id').primaryKey(),
    orgId: text('org_id').notNull(),
    at: integer('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    /** The key's or the person's id; null for the operator and for the system. */
    actorId: text('actor_id'),
    action: text('action').$type<AuditAction>().notNull(),
    entityId: text('entity_id').notNull(),
    /** Names of the changed fields; what is said of a product in one shop alone begins with `shop:` and the shop’s id. */
    fields: text('fields', { mode: 'json' }).$type<string[]>(),
    reasonCode: text('reason_code'),
    requestId: text('request_id').notNull(),
    /** The form of the management interface that asked, where it may be sent once: its second sending is refused here. */
    formId: text('form_id'),
  },
  (t) => [
    uniqueIndex('audit_log_one_form').on(t.formId, t.action).where(sql`form_id is not null`),
    index('audit_log_by_org').on(t.orgId, t.entityId),
    // The whole record of an organization, newest first.
    index('audit_log_newest').on(t.orgId, t.id),
  ],
);
