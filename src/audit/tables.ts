import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { business, type FieldsOf } from '../platform/fields';
import type { AuditAction } from './actions';

/**
 * `VIEWS` are actions that only view data. `SIGN_INS` are actions of sign-in and credentials. `SETTINGS` are entities
 * whose other actions change settings.
 */
const VIEWS = ['prescription.viewed', 'organization.rows_read'];
const SIGN_INS = [
  'accepted',
  'signed_in',
  'signed_out_everywhere',
  'password_changed',
  'second_factor_enabled',
  'second_factor_disabled',
  'second_factor_locked',
  'reset_issued',
  'reset_used',
].map((verb) => `member.${verb}`);
const SETTINGS = ['api_key', 'member', 'subscription', 'delivery', 'shop', 'shop_host', 'organization'];

/**
 * SQL condition: the action matches one of these patterns. It contains no commas, because Drizzle splits an index
 * expression at commas.
 */
const isOneOf = (actions: readonly string[]) => actions.map((action) => `action glob '${action}'`).join(' or ');

/**
 * SQL of an action's audit part (`AUDIT_PARTS`); null for a decision. The index below holds only rows that are no
 * decisions. It stays small, because most actions are decisions. A change here needs a migration of that index.
 */
export const auditPart = sql.raw(
  `case when ${isOneOf(VIEWS)} then 'views' when ${isOneOf(SIGN_INS)} then 'sign_ins' when ${isOneOf(SETTINGS.map((entity) => `${entity}.*`))} then 'settings' end`,
);

/**
 * The audit log: who did what. Triggers (in the migrations) refuse to change a row, and to delete a row within ten
 * years. The log holds only ids, field names and codes, never values or free text, so that it has nothing personal
 * after an erasure.
 */
export const auditLog = sqliteTable(
  'audit_log',
  {
    /** UUIDv7, made shortly before the row is written. */
    id: text('id').notNull(),
    orgId: text('org_id').notNull(),
    at: integer('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    /** The id of the key or person, or the name of the operator's token; null for the system. */
    actorId: text('actor_id'),
    action: text('action').$type<AuditAction>().notNull(),
    entityId: text('entity_id').notNull(),
    /**
     * Names of the changed fields. If a product was changed in one shop only, the list begins with `shop:` and the
     * shop’s id. A step of an order is stored as `status:` and the status code. An act on many products or orders is
     * stored as `products:` or `orders:` and their number.
     */
    fields: text('fields', { mode: 'json' }).$type<string[]>(),
    reasonCode: text('reason_code'),
    requestId: text('request_id').notNull(),
    /**
     * The id of a management form that may be submitted only once. This column's index refuses a second submission.
     */
    formId: text('form_id'),
  },
  (t) => [
    // The key reads an organization's whole log, newest first.
    primaryKey({ columns: [t.orgId, t.id] }),
    uniqueIndex('audit_log_one_form').on(t.formId, t.action).where(sql`form_id is not null`),
    index('audit_log_by_entity').on(t.orgId, t.entityId),
    index('audit_log_by_part').on(t.orgId, auditPart, t.id).where(sql`${auditPart} is not null`),
  ],
);

/** How each column of the audit log is classified. The columns hold only ids, names of fields and codes. */
export const auditLogFields = {
  ...business('id', 'orgId', 'at', 'actorKind', 'action', 'entityId', 'fields', 'reasonCode', 'requestId', 'formId'),
  actorId: {
    class: 'person',
    kept: 'for ten years: the id of a member or key, whose name is not here, or the name of an operator',
  },
} as const satisfies FieldsOf<typeof auditLog>;
