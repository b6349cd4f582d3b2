/**
 * A table whose rows move with an organization to another database. In its SQL, `$org` stands for the organization's
 * id, `$now` for the time (epoch ms), and `t` for the table.
 */
export interface Belonging {
  table: string;
  /** The primary key. */
  key: readonly string[];
  /**
   * The FROM clause, in SQL. It joins `t` with the tables through which its rows belong to the organization. Default:
   * only the table itself.
   */
  from?: string;
  /** The WHERE clause, in SQL. Default: the rows with the organization's `org_id`. */
  where?: string;
  /** The columns by which rows are sorted; together they are unique. Default: the key. */
  order?: readonly string[];
  /** Columns that get another value in the copy, each with its SQL. */
  written?: Readonly<Record<string, string>>;
  /** How many rows a page has, for tables whose rows may be long. */
  page?: number;
}

const ofMember = 't.member_id in (select id from members where org_id = $org)';
const LONG_PAGE = 40;
/**
 * The WHERE clause of a table with a partial index such as `members_of`. SQLite uses this index only for statements
 * that also compare the id. The index is partial, because SQLite would otherwise prefer it to a better index.
 */
const BY_ID = "t.org_id = $org and t.id > ''";

/**
 * The tables in the order in which they are copied. Their rows are deleted in the opposite order. A row comes after the
 * rows that it refers to. The organization comes first: its row tells the sweeps of the database that the copy is not
 * complete. Stock movements come before the stock, because the trigger of the movements would change the copied stock.
 */
export const BELONGINGS: readonly Belonging[] = [
  { table: 'organizations', key: ['id'], where: 't.id = $org', written: { state: "'moving'" } },
  // The trigger of `listings` counts each listing that is copied.
  { table: 'shops', key: ['id'], written: { listed_count: '0' } },
  { table: 'shop_hosts', key: ['host'], where: 't.shop_id in (select id from shops where org_id = $org)' },
  { table: 'pending_hosts', key: ['id'] },
  { table: 'api_keys', key: ['id'] },
  { table: 'idempotency_keys', key: ['org_id', 'family_id', 'key'], page: LONG_PAGE },
  { table: 'members', key: ['id'], where: BY_ID },
  { table: 'notice_readers', key: ['member_id'] },
  { table: 'message_settings', key: ['shop_id'] },
  { table: 'staff_accounts', key: ['id'], where: ofMember },
  { table: 'staff_second_factors', key: ['id'], where: ofMember },
  { table: 'staff_resets', key: ['member_id'], where: ofMember },
  { table: 'staff_sessions', key: ['id'], where: ofMember },
  // Expired rows may be deleted at any time, so they are not moved.
  { table: 'staff_page_data', key: ['id'], where: `${ofMember} and t.expires_at > $now` },
  // Only the organization's own products are moved, because the catalog is on every database.
  { table: 'catalog_products', key: ['p1_id'] },
  { table: 'stock_movements', key: ['org_id', 'p1_id', 'id'] },
  { table: 'inventory', key: ['org_id', 'p1_id'] },
  { table: 'listings', key: ['shop_id', 'p1_id'] },
  // Expired rows may be deleted at any time, so they are not moved.
  { table: 'inventory_imports', key: ['id'], where: 't.org_id = $org and t.expires_at > $now' },
  {
    table: 'inventory_import_parts',
    key: ['import_id', 'place'],
    from: 'inventory_imports as parent join inventory_import_parts as t on t.import_id = parent.id',
    where: 'parent.org_id = $org and parent.expires_at > $now',
    order: ['parent.id', 't.place'],
    page: 2,
  },
  { table: 'reservations', key: ['order_request_id', 'p1_id'] },
  { table: 'customers', key: ['id'], where: BY_ID },
  { table: 'orders', key: ['org_id', 'id'], page: LONG_PAGE },
  { table: 'courier_tours', key: ['org_id'] },
  {
    table: 'payment_links',
    key: ['id'],
    from: 'orders as parent cross join payment_links as t on t.order_id = parent.id',
    where: 'parent.org_id = $org',
    order: ['parent.id', 't.id'],
  },
  { table: 'order_requests', key: ['id'], order: ['t.status', 't.id'], page: LONG_PAGE },
  { table: 'request_questions', key: ['id'], where: BY_ID },
  { table: 'staff_notes', key: ['id'], where: BY_ID },
  // Triggers do not count copied orders and requests again (migrations), so the totals are copied.
  { table: 'day_totals', key: ['org_id', 'starts_at', 'shop_id'] },
  { table: 'product_totals', key: ['org_id', 'span', 'starts_at', 'p1_id', 'name', 'shop_id'] },
  // Copied deliveries are not counted again, so the totals are copied.
  { table: 'delivery_totals', key: ['org_id', 'starts_at'] },
  { table: 'emails', key: ['id'], order: ['t.about', 't.kind'] },
  { table: 'email_opt_outs', key: ['org_id', 'customer_id'] },
  { table: 'prescriptions', key: ['id'], where: BY_ID },
  { table: 'subscriptions', key: ['id'] },
  { table: 'events', key: ['org_id', 'seq'], page: LONG_PAGE },
  {
    table: 'deliveries',
    key: ['id'],
    from: 'events as parent join deliveries as t on t.event_id = parent.id',
    where: 'parent.org_id = $org',
    order: ['parent.seq', 't.id'],
  },
  {
    table: 'delivery_attempts',
    key: ['delivery_id', 'attempt'],
    from: `events as parent join deliveries as run on run.event_id = parent.id
      join delivery_attempts as t on t.delivery_id = run.id`,
    where: 'parent.org_id = $org',
    order: ['parent.seq', 'run.id', 't.attempt'],
  },
  { table: 'told_subscriptions', key: ['subscription_id'] },
  { table: 'audit_log', key: ['org_id', 'id'] },
];

/**
 * The names of the tables that are not moved: tables of the database itself, tables that only `DB` uses, and tables
 * whose rows last for minutes, such as codes of a sign-in. The search index is not moved either: it is built again
 * after the move. The file of each table says more.
 */
export const STAYING: readonly string[] = [
  'directory',
  'file_deletions',
  'guards',
  'inbox_changes',
  'installation',
  'moves',
  'order_batches',
  'product_blocks',
  'released_hosts',
  'search_cursors',
  'search_entries',
  'search_words',
  'search_words_config',
  'search_words_data',
  'search_words_idx',
  'secret_canaries',
  'staff_verifications',
  'sweep_cursors',
];
