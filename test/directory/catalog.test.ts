import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newId } from '../../src/platform/ids';
import { type CatalogRow, catalogRow, importFile } from '../support/organization';
import { problemOf } from '../support/probe';
import { DB_1, OUT_OF_REACH } from './shards';

interface Report {
  imported: number;
  updated: number;
  unchanged: number;
  refused: { line: number; column: string }[];
}

const send = (rows: readonly CatalogRow[], changed?: Partial<Env>) =>
  importFile(rows.map((row) => JSON.stringify(row)).join('\n'), 'application/x-ndjson', { env: changed });

async function imported(...rows: CatalogRow[]): Promise<Report> {
  const response = await send(rows);
  expect(response.status).toBe(200);
  return response.json();
}

/** Names of a product, database by database; null where it is not. */
async function namesOf({ p1_id }: CatalogRow): Promise<(string | null)[]> {
  const query = 'select name from catalog_products where p1_id = ?';
  const found = await Promise.all([env.DB, DB_1].map((db) => db.prepare(query).bind(p1_id).first<{ name: string }>()));
  return found.map((row) => row?.name ?? null);
}

test('an import reaches every database, and its report counts each product once', async () => {
  const [one, two] = [catalogRow({ name: 'Eins' }), catalogRow({ name: 'Zwei' })];
  expect(await imported(one, two)).toMatchObject({ imported: 2, updated: 0, unchanged: 0, refused: [] });
  expect(await imported({ ...one, name: 'Neu' }, two)).toMatchObject({ imported: 0, updated: 1, unchanged: 1 });
  expect([await namesOf(one), await namesOf(two)]).toEqual([
    ['Neu', 'Neu'],
    ['Zwei', 'Zwei'],
  ]);
});

test('one database that cannot be reached: the answer says to repeat, and the repetition completes it', async () => {
  const product = catalogRow({ name: 'Eins' });
  const { detail } = await problemOf(await send([product], { DB_1: OUT_OF_REACH }), 502, 'backend_unreachable');
  expect(detail).toContain('send the same request again');
  expect(await namesOf(product)).toEqual(['Eins', null]);
  expect(await imported(product)).toMatchObject({ imported: 0, unchanged: 1, refused: [] });
  expect(await namesOf(product)).toEqual(['Eins', 'Eins']);
});

test('after an import that did not reach all, a slug is no two products’ either', async () => {
  const slug = `eins-${newId()}`;
  const [one, other] = [catalogRow({ name: 'Eins', slug }), catalogRow({ name: 'Andere', slug })];
  await send([one], { DB_1: OUT_OF_REACH });
  expect(await imported(other)).toMatchObject({ imported: 0, refused: [{ line: 1, column: 'slug' }] });
  expect(await namesOf(other)).toEqual([null, null]);

  const moved = catalogRow({ name: 'Umgezogen' });
  await imported(moved);
  await send([{ ...moved, slug: `neu-${newId()}` }], { DB_1: OUT_OF_REACH });
  const heir = catalogRow({ name: 'Erbe', slug: moved.slug });
  expect(await imported(heir)).toMatchObject({ imported: 1, refused: [{ line: 1, column: 'slug' }] });
  expect(await namesOf(heir)).toEqual(['Erbe', null]);
});
