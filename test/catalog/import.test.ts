import { env } from 'cloudflare:workers';
import { newId } from '../../src/platform/ids';
import { type CatalogRow, catalogRow, importFile, importProduct } from '../support/organization';
import { captureLogs, problemOf } from '../support/probe';
import { seeded } from '../support/seeded';
import { expect, test } from '../support/test';
import { BASE, call, ONE_DATABASE, rows } from '../support/world';

const HEADER = 'p1_id,name,slug,category,price,description,thc_percent,cbd_percent,prescription_required';
const CSV = 'text/csv; charset=utf-8';

interface Report {
  imported: number;
  updated: number;
  unchanged: number;
  refused: { line: number; column?: string; reason: string }[];
  refused_not_listed?: number;
}

async function imported(file: BodyInit, type = CSV, changed: Partial<Env> = {}): Promise<Report> {
  const response = await importFile(file, type, { env: changed });
  const report = await response.json<Report>();
  expect({ status: response.status, ...(response.status !== 200 && report) }).toEqual({ status: 200 });
  return report;
}

const report = (counts: Partial<Report>): Report => ({ imported: 0, updated: 0, unchanged: 0, refused: [], ...counts });

function stored(p1Id: string) {
  return rows<Record<string, unknown>>('select * from catalog_products where p1_id = ?', p1Id);
}

/** One CSV line of a product; texts are quoted as RFC 4180 says. */
function csvLine(row: CatalogRow): string {
  const quoted = (value: unknown) => (value === undefined ? '' : `"${String(value).replaceAll('"', '""')}"`);
  return HEADER.split(',')
    .map((column) => quoted(row[column as keyof CatalogRow]))
    .join(',');
}

const FULL: Partial<CatalogRow> = {
  name: 'Cannabisblüten „Gelato“, 10 g',
  category: 'Blüten',
  price: 89.9,
  description: 'Zeile 1\r\nZeile 2, mit "Anführung"\n',
  thc_percent: 22.5,
  cbd_percent: 0,
  prescription_required: true,
};

const STORED = {
  name: 'Cannabisblüten „Gelato“, 10 g',
  name_folded: 'cannabisbluten „gelato“, 10 g',
  category: 'Blüten',
  price_cents: 8990,
  description: 'Zeile 1\r\nZeile 2, mit "Anführung"',
  thc_percent: 22.5,
  cbd_percent: 0,
  prescription_required: 1,
};

test.each<[string, string, (row: CatalogRow) => string]>([
  ['CSV', CSV, (row) => `${HEADER}\n${csvLine(row)}\n`],
  ['CSV with CRLF', CSV, (row) => `${HEADER}\r\n${csvLine(row)}\r\n`],
  ['CSV with a BOM', CSV, (row) => `\ufeff${HEADER}\n${csvLine(row)}\n`],
  ['CSV without a last line break', CSV, (row) => `${HEADER}\n${csvLine(row)}`],
  ['CSV with blank lines', CSV, (row) => `\n${HEADER}\n\r\n\n${csvLine(row)}\n\n\n`],
  [
    'CSV with a header in capitals and spaces',
    CSV,
    (row) => `${HEADER.toUpperCase().replaceAll(',', ' , ')}\n${csvLine(row)}`,
  ],
  ['CSV without charset', 'text/csv', (row) => `${HEADER}\n${csvLine(row)}`],
  ['NDJSON', 'application/x-ndjson', (row) => `${JSON.stringify(row)}\n`],
  [
    'NDJSON with CRLF, blank lines and a BOM',
    'application/x-ndjson',
    (row) => `\ufeff\r\n${JSON.stringify(row)}\r\n\r\n`,
  ],
])('%s arrives as it was sent', async (_, type, fileOf) => {
  const row = catalogRow(FULL);
  expect(await imported(fileOf(row), type)).toEqual(report({ imported: 1 }));
  expect(await stored(row.p1_id)).toMatchObject([{ p1_id: row.p1_id, slug: row.slug, ...STORED }]);
});

test('columns may come in any order, and optional ones may be missing or empty', async () => {
  const [first, second] = [catalogRow(), catalogRow()];
  const head = 'price,category,slug,p1_id,name,thc_percent';
  const lines = [first, second].map(
    ({ price, category, slug, p1_id, name }, index) =>
      `${price},${category},${slug},${p1_id},"${name}",${index ? '' : '0.5'}`,
  );
  expect(await imported([head, ...lines].join('\n'))).toEqual(report({ imported: 2 }));
  expect(await stored(first.p1_id)).toMatchObject([{ thc_percent: 0.5, description: null, prescription_required: 0 }]);
  expect(await stored(second.p1_id)).toMatchObject([{ thc_percent: null, price_cents: 495 }]);
});

test.each([
  ['true', 1],
  ['false', 0],
  ['1', 1],
  ['0', 0],
  ['', 0],
])('prescription_required of "%s" is read as %i', async (text, expected) => {
  const { p1_id, slug } = catalogRow();
  const file = `p1_id,name,slug,category,price,prescription_required\n${p1_id},N,${slug},C,1,${text}`;
  expect(await imported(file)).toEqual(report({ imported: 1 }));
  expect(await stored(p1_id)).toMatchObject([{ prescription_required: expected }]);
});

/** A line of `p1_id,name,slug,category,price,thc_percent`, and what is said of it. */
const FAULTS: [string, (id: string) => string, string | undefined, RegExp][] = [
  ['a German decimal', (id) => `${id},N,s-${id},C,"4,95",`, 'price', /number/],
  ['a German decimal without quotes', (id) => `${id},N,s-${id},C,4,95,`, undefined, /7 columns, the header 6/],
  ['a currency sign', (id) => `${id},N,s-${id},C,4.95 €,`, 'price', /number/],
  ['three decimals', (id) => `${id},N,s-${id},C,4.955,`, 'price', /two decimals/],
  ['a price below 0', (id) => `${id},N,s-${id},C,-1,`, 'price', /at least 0/],
  ['no price', (id) => `${id},N,s-${id},C,,`, 'price', /Send this field/],
  ['1e3 as price', (id) => `${id},N,s-${id},C,1e3,`, 'price', /number/],
  ['more than 10 million', (id) => `${id},N,s-${id},C,10000000.01,`, 'price', /two decimals|million/],
  ['no p1_id', (id) => `,N,s-${id},C,1,`, 'p1_id', /Send this field/],
  ['a p1_id of 101 characters', (id) => `${'x'.repeat(101)},N,s-${id},C,1,`, 'p1_id', /at most 100/],
  ['no name', (id) => `${id},"  ",s-${id},C,1,`, 'name', /Send this field/],
  ['a NUL', (id) => `${id},N\u0000N,s-${id},C,1,`, 'name', /control characters/],
  ['a slug with capitals', (id) => `${id},N,S-${id},C,1,`, 'slug', /lower-case/],
  ['101 % THC', (id) => `${id},N,s-${id},C,1,101`, 'thc_percent', /at most 100/],
  ['too few columns', (id) => `${id},N,s-${id},C,1`, undefined, /5 columns, the header 6/],
  ['a quote that is never closed', (id) => `${id},N,s-${id},C,1,"5`, undefined, /not closed/],
];

test.each(FAULTS)('%s is refused with line and column; the other lines arrive', async (_, lineOf, column, reason) => {
  const [before, after, id] = [catalogRow(), catalogRow(), newId()];
  const good = (row: CatalogRow) => `${row.p1_id},N,${row.slug},C,1,`;
  const file = ['p1_id,name,slug,category,price,thc_percent', good(before), good(after), '', lineOf(id)].join('\n');
  const result = await imported(file);
  expect(result).toMatchObject({ imported: 2, refused: [{ line: 5, reason: expect.stringMatching(reason) }] });
  expect(result.refused[0]?.column).toBe(column);
  expect(await stored(id)).toEqual([]);
});

test('a refused line behind a field with line breaks has the line on which it begins', async () => {
  const row = catalogRow({ description: 'a\nb\r\nc' });
  const file = `${HEADER}\n${csvLine(row)}\nx\n"y\nz"`;
  const { imported: count, refused } = await imported(file);
  expect([count, refused.map(({ line }) => line)]).toEqual([1, [5, 6]]);
});

test.each<[string, string]>([
  ['no JSON', '{'],
  ['an array', '[]'],
  ['a number', '7'],
  ['null', 'null'],
  ['an unknown member', JSON.stringify({ ...catalogRow(), colour: 'S3NT1NEL' })],
  ['a price as text', JSON.stringify({ ...catalogRow(), price: '1' })],
  ['a NUL', JSON.stringify({ ...catalogRow(), name: 'a\u0000' })],
  ['half a character', JSON.stringify({ ...catalogRow(), name: 'a\ud800' })],
])('an NDJSON line with %s is refused by its number', async (_, line) => {
  const row = catalogRow();
  const { imported: count, refused } = await imported(`${JSON.stringify(row)}\n\n${line}\n`, 'application/x-ndjson');
  expect([count, refused.map(({ line: number }) => number)]).toEqual([1, [3]]);
  expect(JSON.stringify(refused)).not.toContain('S3NT1NEL');
});

test.each<[string, string]>([
  ['nothing', ''],
  ['blank lines only', '\n\r\n\n'],
  ['data at once', 'P1-1,Name,slug,C,1'],
  ['a missing column', 'p1_id,name,slug,category\nP1-1,N,s,C'],
  ['an unknown column', 'p1_id,name,slug,category,price,colour\nP1-1,N,s,C,1,red'],
  ['a column twice', 'p1_id,name,slug,category,price,price\nP1-1,N,s,C,1,2'],
  ['semicolons', 'p1_id;name;slug;category;price\nP1-1;N;s;C;1'],
])('a CSV of %s is refused whole: its header does not name the columns', async (_, file) => {
  const { detail } = await problemOf(await importFile(file, CSV), 400, 'invalid_header');
  expect(detail).toContain('p1_id,name,slug,category,price');
});

test('an empty NDJSON file imports nothing', async () => {
  expect(await imported('', 'application/x-ndjson')).toEqual(report({}));
});

test('a file that is not UTF-8 is refused', async () => {
  const latin1 = Uint8Array.from(`${HEADER}\nP1,Bl\u00fcten`, (character) => character.charCodeAt(0));
  await problemOf(await importFile(latin1, CSV), 400, 'invalid_encoding');
  const cut = new TextEncoder().encode('{"name":"ü').slice(0, -1);
  await problemOf(await importFile(cut, 'application/x-ndjson'), 400, 'invalid_encoding');
});

test.each(['application/json', 'text/plain', 'text/csvx', 'multipart/form-data'])('%s is refused', async (type) => {
  await problemOf(await importFile('x', type), 415, 'unsupported_media_type');
});

test('an import needs the operator’s token', async ({ api: { token, apiKey } }) => {
  const row = catalogRow();
  for (const wrong of [token, apiKey, 'x']) {
    const response = await importFile(JSON.stringify(row), 'application/x-ndjson', { token: wrong });
    await problemOf(response, 401, 'invalid_token');
  }
  const anonymous = { method: 'POST', headers: { 'Content-Type': CSV }, body: HEADER };
  await problemOf(await call(`${BASE}/api/operator/v1/catalog`, anonymous), 401, 'invalid_token');
  expect(await stored(row.p1_id)).toEqual([]);
});

test('a product that comes twice ends as its last line says', async () => {
  const row = catalogRow();
  const file = [row, { ...row, name: 'Zuletzt', price: 7 }].map((each) => JSON.stringify(each)).join('\n');
  expect(await imported(file, 'application/x-ndjson')).toEqual(report({ imported: 1 }));
  expect(await stored(row.p1_id)).toMatchObject([{ name: 'Zuletzt', price_cents: 700 }]);
});

test('a slug that another product has is refused, in the file and in the catalog', async () => {
  const [known, first] = [await importProduct(), catalogRow()];
  const lines = [first, catalogRow({ slug: first.slug }), catalogRow({ slug: known.slug })];
  const result = await imported(lines.map((row) => JSON.stringify(row)).join('\n'), 'application/x-ndjson');
  expect(result).toEqual(
    report({
      imported: 1,
      refused: [2, 3].map((line) => ({ line, column: 'slug', reason: 'Another product has this slug.' })),
    }),
  );
  expect(await stored(known.p1_id)).toMatchObject([{ name: known.name }]);
});

test('what changed is updated, what did not is left alone, and each is counted', async () => {
  const rowsSent = [await importProduct(), await importProduct(), catalogRow()];
  const [changed, same, fresh] = rowsSent as [CatalogRow, CatalogRow, CatalogRow];
  const [before] = await stored(same.p1_id);
  const file = [{ ...changed, price: 1 }, same, fresh].map((row) => JSON.stringify(row)).join('\n');
  expect(await imported(file, 'application/x-ndjson')).toEqual(report({ imported: 1, updated: 1, unchanged: 1 }));
  expect(await stored(changed.p1_id)).toMatchObject([{ price_cents: 100 }]);
  expect(await stored(same.p1_id)).toEqual([before]);
});

test('a second run changes nothing and writes nothing, from either format', async () => {
  const products = Array.from({ length: 30 }, () => catalogRow(FULL));
  const file = [HEADER, ...products.map(csvLine)].join('\n');
  expect(await imported(file)).toEqual(report({ imported: 30 }));
  const { requests } = captureLogs();
  expect(await imported(file)).toEqual(report({ unchanged: 30 }));
  const asJson = products.map((row) => JSON.stringify(row)).join('\n');
  expect(await imported(asJson, 'application/x-ndjson')).toEqual(report({ unchanged: 30 }));
  expect(requests().map(({ d1_rows_written }) => d1_rows_written)).toEqual([0, 0]);
});

test('an import sends no events', async () => {
  const before = await rows('select count(*) as n from events');
  await importProduct();
  expect(await rows('select count(*) as n from events')).toEqual(before);
});

/** The same bytes in pieces of 1 to 7. */
function inPieces(text: string, random: () => number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      const size = 1 + Math.floor(random() * 7);
      controller.enqueue(bytes.slice(offset, offset + size));
      offset += size;
    },
  });
}

test.each([1, 2, 3])('where the network cuts the file changes nothing (seed %i)', async (seed) => {
  const emoji = { name: 'Grüße 🌿 «𝛼» ß', description: 'a,"b"\r\n\r\n"" 🌿🌿' };
  const products = Array.from({ length: 5 }, () => catalogRow({ ...FULL, ...emoji }));
  const file = `\ufeff${HEADER}\r\n${products.map(csvLine).join('\r\n')}\r\nx,y\r\n,"",\r\n,"x",\r\n"z\n`;
  const whole = await imported(file);
  expect([whole.imported, whole.refused.length]).toEqual([5, 3]);
  const inOne = await Promise.all(products.map(({ p1_id }) => stored(p1_id)));
  await rows(
    'delete from catalog_products where p1_id in (select value from json_each(?))',
    JSON.stringify(products.map(({ p1_id }) => p1_id)),
  );
  expect(await imported(inPieces(file, seeded(seed)))).toEqual(whole);
  const inMany = await Promise.all(products.map(({ p1_id }) => stored(p1_id)));
  const timeless = (found: Record<string, unknown>[][]) =>
    found.flat().map(({ created_at: _, updated_at: __, ...row }) => row);
  expect(timeless(inMany)).toEqual(timeless(inOne));
});

test('10,000 products arrive in one call, with two round trips for 500 of them and each database', async () => {
  const run = newId();
  const line = (index: number) =>
    `${run}-${index},Produkt ${index},p-${run}-${index},Kategorie ${index % 20},${index / 100}`;
  const file = ['p1_id,name,slug,category,price', ...Array.from({ length: 10_000 }, (_, index) => line(index))].join(
    '\n',
  );
  const { requests } = captureLogs();
  expect(await imported(file, CSV, ONE_DATABASE)).toEqual(report({ imported: 10_000 }));
  expect(await imported(file, CSV, ONE_DATABASE)).toEqual(report({ unchanged: 10_000 }));
  const [count] = await rows<{ n: number }>(
    "select count(*) as n from catalog_products where p1_id like ? || '-%'",
    run,
  );
  expect(count?.n).toBe(10_000);
  const [first, second] = requests();
  expect([first?.d1_round_trips, second?.d1_round_trips]).toEqual([40, 20]);
  expect(second?.d1_rows_written).toBe(0);
  // Ids and slugs are looked up by their indexes: what is read grows with the file, not with the catalog.
  expect(second?.d1_rows_read).toBeLessThanOrEqual(60_000);
}, 60_000);

/** D1 that keeps the size of every value it is given. */
function weighedDb(): { DB: D1Database; sizes: number[] } {
  const sizes: number[] = [];
  const prepare = (query: string) => {
    const statement = env.DB.prepare(query);
    const bind = (...values: unknown[]) => {
      sizes.push(...values.map((value) => new TextEncoder().encode(String(value)).length));
      return statement.bind(...values);
    };
    return { bind } as unknown as D1PreparedStatement;
  };
  const DB = { prepare, batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements) };
  return { DB: DB as unknown as D1Database, sizes };
}

test('products with the longest texts fit, 500 at a time, and no value is more than D1 takes', async () => {
  const products = Array.from({ length: 500 }, (_, index) =>
    catalogRow({ name: '漢'.repeat(200), description: `${'漢'.repeat(3990)}${index}` }),
  );
  const file = products.map((row) => JSON.stringify(row)).join('\n');
  const { DB, sizes } = weighedDb();
  const response = await importFile(file, 'application/x-ndjson', { env: { DB } });
  expect(await response.json()).toEqual(report({ imported: 500 }));
  expect(Math.max(...sizes)).toBeLessThan(2_000_000);
  expect(await imported(file, 'application/x-ndjson')).toEqual(report({ unchanged: 500 }));
}, 60_000);

test('at most 1,000 refused lines are listed, and the others counted', async () => {
  const file = Array.from({ length: 1_003 }, () => '{').join('\n');
  const { refused, refused_not_listed } = await imported(file, 'application/x-ndjson');
  expect([refused.length, refused_not_listed]).toEqual([1_000, 3]);
});

test.each([
  [
    'CSV',
    CSV,
    (row: CatalogRow, pzn: string) => `p1_id,name,slug,category,price,pzn\n${row.p1_id},N,${row.slug},C,1,${pzn}`,
  ],
  ['NDJSON', 'application/x-ndjson', (row: CatalogRow, pzn: string) => JSON.stringify({ ...row, pzn })],
  [
    'NDJSON with numbers',
    'application/x-ndjson',
    (row: CatalogRow, pzn: string) => JSON.stringify({ ...row, pzn: Number(pzn) }),
  ],
])('%s carries the PZN, with its leading zero, and a changed one', async (_, type, fileOf) => {
  const row = catalogRow();
  expect(await imported(fileOf(row, '1126619'), type)).toEqual(report({ imported: 1 }));
  expect(await stored(row.p1_id)).toMatchObject([{ pzn: '01126619' }]);
  expect(await imported(fileOf(row, '01126619'), type)).toEqual(report({ unchanged: 1 }));
  expect(await imported(fileOf(row, '12345678'), type)).toEqual(report({ updated: 1 }));
  expect(await stored(row.p1_id)).toMatchObject([{ pzn: '12345678' }]);
});

test('a PZN with a wrong check digit refuses its line alone', async () => {
  const [wrong, right] = [catalogRow({ pzn: '12345679' }), catalogRow({ pzn: '' })];
  const file = [wrong, { ...right, pzn: undefined }].map((row) => JSON.stringify(row)).join('\n');
  const { refused, ...counts } = await imported(file, 'application/x-ndjson');
  expect(counts).toMatchObject({ imported: 1 });
  expect(refused).toEqual([{ line: 1, column: 'pzn', reason: expect.stringContaining('check digit') }]);
  expect(await stored(wrong.p1_id)).toEqual([]);
  expect(await stored(right.p1_id)).toMatchObject([{ pzn: null }]);
});
