import { isTable } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as audit from '../audit/tables';
import * as auth from '../auth/tables';
import * as catalog from '../catalog/tables';
import * as directory from '../directory/tables';
import * as idempotency from '../idempotency/tables';
import * as inventory from '../inventory/tables';
import * as orderRequests from '../order-requests/tables';
import * as orders from '../orders/tables';
import { once } from '../platform/once';
import * as platform from '../platform/tables';
import * as prescriptions from '../prescriptions/tables';
import * as reports from '../reports/tables';
import * as tenants from '../tenants/tables';
import * as webhooks from '../webhooks/tables';

const SLICES: readonly object[] = [
  ...[audit, auth, catalog, directory, idempotency, inventory, orderRequests, orders],
  ...[platform, prescriptions, reports, tenants, webhooks],
];

/** Every table, every column as `table.column`, and every index that the code declares; `selectMissing` takes it. */
export const declaredSchema = once(() => {
  const tables = SLICES.flatMap((slice) => Object.values(slice).filter(isTable)) as SQLiteTable[];
  const configs = tables.map(getTableConfig);
  return {
    tables: configs.map(({ name }) => name),
    columns: configs.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
    indexes: configs.flatMap(({ indexes }) => indexes.map(({ config }) => config.name)),
  };
});
