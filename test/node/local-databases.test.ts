import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { applyMigrations, openDatabases } from '../../scripts/database';

const dir = mkdtempSync(join(tmpdir(), 'offizin-databases-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Of each local database: names of tables, and of the migrations that were applied. */
function contents() {
  return openDatabases(dir).map((database) => {
    const namesOf = (query: string) =>
      database
        .prepare(query)
        .all()
        .map(({ name }) => String(name));
    const tables = namesOf(`select name from sqlite_master where type = 'table'`);
    const migrations = namesOf('select name from d1_migrations order by id');
    database.close();
    return { tables, migrations };
  });
}

test('every local database gets every migration once, in order', () => {
  applyMigrations(dir);
  const first = contents();
  expect(first).toHaveLength(2);
  for (const { tables, migrations } of first) {
    expect(tables).toEqual(expect.arrayContaining(['organizations', 'directory', 'order_requests', 'deliveries']));
    expect(migrations).not.toEqual([]);
    expect(migrations).toEqual(migrations.toSorted());
  }
  applyMigrations(dir);
  expect(contents()).toEqual(first);
});

test('a database that was bound later gets all of them', () => {
  applyMigrations(dir);
  const before = contents();
  const [, second] = openDatabases(dir);
  const path = second?.location() ?? '';
  second?.close();
  rmSync(path);
  applyMigrations(dir);
  expect(contents()).toEqual(before);
});

test('data that were made by other migrations are refused, with the way out', () => {
  const [first] = openDatabases(dir, { isWritten: true });
  first?.exec(`insert into d1_migrations (name) values ('9999_of_another_branch.sql')`);
  first?.close();
  expect(() => applyMigrations(dir)).toThrow(/npm start -- --fresh/);
});
