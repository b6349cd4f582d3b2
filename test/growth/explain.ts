import { rows } from '../support/world';
import type { Sent } from './recorder';

/** Tables that grow with an organization or with the deployment. */
const GROWING = [
  ...[
    'audit_log',
    'catalog_products',
    'customers',
    'deliveries',
    'delivery_attempts',
    'events',
    'inventory',
    'listings',
  ],
  ...['order_requests', 'orders', 'payment_links', 'prescriptions', 'stock_movements'],
];

/** Steps that read a table or an organization from one end, and why they may: by the step and the statement. */
const ALLOWED: readonly { why: string; step: RegExp; sql?: RegExp }[] = [
  {
    why: 'in the order of the key, up to a limit',
    step: /^SEARCH (?!audit_log)\w+ .*\(org_id=\?\)$/,
    sql: /\blimit\b/,
  },
  { why: 'the log, newest first, up to a limit', step: /^SEARCH audit_log/, sql: /^(?!.*entity_id =).* limit /s },
  { why: 'the newest one', step: /^SEARCH events /, sql: /max\(seq\)|order by seq desc limit 1/ },
  { why: 'few by its condition', step: /order_requests_by_unfolded_email|inventory_short|deliveries_leased/ },
  {
    why: 'a filter looks through the products of the organization',
    step: /^SEARCH inventory/,
    sql: /count\(\*\) as "total"/,
  },
  {
    why: 'the catalog in the order of its key, up to a limit',
    step: /^SCAN catalog_products USING INDEX/,
    sql: /\blimit\b/,
  },
];

/** The steps of SQLite's plan for a statement that read a table, or all of an organization. */
export async function explain({ sql, params }: Sent): Promise<string[]> {
  const plan = await rows<{ detail: string }>(`explain query plan ${sql}`, ...params);
  const tables = new Map(
    [...sql.matchAll(/"?(\w+)"?(?: indexed by \w+)? as "?(\w+)"?/g)].map(([, table = '', alias = '']) => [
      alias,
      table,
    ]),
  );
  const faults = plan.filter(({ detail }) => {
    const [, how = '', name = '', rest = ''] = /^(SCAN|SEARCH) (\w+)(.*)$/.exec(detail) ?? [];
    const isWhole = how === 'SCAN' || rest.endsWith('(org_id=?)');
    return GROWING.includes(tables.get(name) ?? name) && isWhole && !ALLOWED.some((each) => allows(each, detail, sql));
  });
  return faults.map(({ detail }) => `${detail}: ${sql.replace(/\s+/g, ' ').slice(0, 600)}`);
}

function allows({ step, sql }: (typeof ALLOWED)[number], detail: string, text: string): boolean {
  return step.test(detail) && (sql === undefined || sql.test(text));
}
