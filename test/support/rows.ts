import { firstIdAt, newId } from '../../src/platform/ids';
import { rows, rowsIn } from './world';

/** Rows by their table: what is stored, and rows of the test's own without the columns that it says nothing about. */

type Values = Record<string, unknown>;
/** An expression of SQL; in statements that make many rows `i` counts them from 0. */
export type Sql = string;
export type Columns = Record<string, Sql | number | null>;

const UNTOUCHED = { created_at: '0', updated_at: '0' };

/** What a column of a table holds where a test says nothing else of it, and the schema wants something. */
const DEFAULTS: Record<string, Record<string, Sql>> = {
  audit_log: { at: '0', actor_kind: `'system'`, entity_id: `'e'`, request_id: `'r'` },
  catalog_products: { category: `'K'`, price_cents: '100', prescription_required: '0', ...UNTOUCHED },
  customers: { name: `'Erika'`, legal_hold: '0', ...UNTOUCHED },
  deliveries: {
    ...{ trigger: `'event'`, status: `'succeeded'`, attempt_count: '1', next_attempt_at: '0' },
    ...{ lease_until: '0', created_at: '0' },
  },
  delivery_attempts: { attempt: '1', trigger: `'event'`, started_at: '0', duration_ms: '5' },
  events: {
    seq: '(select coalesce(max(seq), 0) from events) + 1 + i',
    ...{ type: `'low_stock'`, body: `'{}'`, is_test: '0', created_at: '0' },
  },
  inventory: { stock_quantity: '1', ...UNTOUCHED },
  listings: { overrides: `'{}'`, attached_at: '0', updated_at: '0' },
  order_requests: {
    change_number: '(select coalesce(max(change_number), 0) from order_requests) + 1 + i',
    ...{ integration_id: `'x'`, source: `'x'`, status: `'pending'`, payment_status: `'pending'`, items: `'[]'` },
    ...UNTOUCHED,
  },
  orders: {
    number: '(select coalesce(max(number), 0) from orders) + 1 + i',
    change_number: '(select coalesce(max(change_number), 0) from orders) + 1 + i',
    ...{ source: `'api'`, status: `'delivered'`, payment_status: `'paid'`, total_cents: '0', items: `'[]'` },
    ...{ on_hold: '0', express: '0', archived: '0', holds_stock: '0', version: '1', ...UNTOUCHED },
  },
  pending_hosts: { created_at: '0' },
  prescriptions: { origin: `'base64'`, fetch_attempts: '0', next_fetch_at: '0', ...UNTOUCHED },
  shops: { name: `'x'`, is_active: '1', delivery_service_name: `'x'`, ...UNTOUCHED },
};

function insertion(table: string, columns: Columns): { into: string; values: string } {
  const all = { ...DEFAULTS[table], ...columns };
  const names = Object.keys(all).map((name) => `"${name}"`);
  return { into: `insert into ${table} (${names.join(', ')})`, values: Object.values(all).map(String).join(', ') };
}

/** One row, in one of the databases. What is undefined is left out. */
export async function insertRow(table: string, columns: Values, shard = 0): Promise<void> {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  const { into, values } = insertion(table, Object.fromEntries(given.map(([name], index) => [name, `?${index + 1}`])));
  await rowsIn(shard, `${into} select ${values} from (select 0 as i)`, ...given.map(([, value]) => value));
}

/** So many rows by one statement. @param where which of them, by `i` */
export async function insertRows(table: string, count: number, columns: Columns, where: Sql = 'true'): Promise<void> {
  const { into, values } = insertion(table, columns);
  await rows(
    `${into} with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})
     select ${values} from n where ${where}`,
  );
}

/** The columns of a row that was made at a time and not changed since. */
export function madeAt<T extends Sql | number>(at: T) {
  return { created_at: at, updated_at: at };
}

/** An id made at a time. */
export function idAt(time: number): string {
  return firstIdAt(time).slice(0, 24) + newId().slice(24);
}

/** A text as an expression. */
export function quoted(text: string): Sql {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The rows of a table that have these values, in the order of their first column. */
export function rowsOf<T = Values>(table: string, where: Values): Promise<T[]> {
  const names = Object.keys(where).map((name) => `${name} is ?`);
  return rows<T>(`select * from ${table} where ${names.join(' and ')} order by 1`, ...Object.values(where));
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at the columns that they know
type Row = Record<string, any>;

/** The first of them. @throws when there is none */
export async function rowOf<T = Row>(table: string, where: Values): Promise<T> {
  const [row] = await rowsOf<T>(table, where);
  if (!row) throw new Error(`no row in ${table}`);
  return row;
}

export interface AuditRow {
  action: string;
  actor_kind: string;
  actor_id: string | null;
  entity_id: string;
  fields: string | null;
  reason_code: string | null;
  request_id: string;
}

/** What the audit log says of a thing, oldest first. @param where what else its rows have */
export function auditOf(entity_id: string, where: Values = {}): Promise<AuditRow[]> {
  return rowsOf<AuditRow>('audit_log', { entity_id, ...where });
}
