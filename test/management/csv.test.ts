import { expect, test } from 'vitest';
import { rowWriter } from '../../src/management/http/csv';
import { openSeller, placeOrder } from '../support/seller';
import { enter } from './browser';

/** Item names that a spreadsheet could run, wherever its country's settings split. */
const NAMES = [
  "Tee;=cmd|'/C calc'!A0;",
  "Tee,=cmd|'/C calc'!A0",
  "Tee\"; =cmd|'/C calc'!A0",
  '=1+1',
  '  +1+1',
  '"=1+1',
  '＝1+1',
  'Tee;＠SUM(1)',
  '－1',
];

/** As a spreadsheet reads a file: quotes hold a cell together only where they open it. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  let [cell, isQuoted, isFresh] = ['', false, true];
  const rest = [...text.replace('\uFEFF', '')];
  for (let at = 0; at < rest.length; at += 1) {
    const each = rest[at] as string;
    if (isQuoted && each === '"' && rest[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (each === '"' && (isQuoted || isFresh)) isQuoted = !isQuoted;
    else if (!isQuoted && (each === separator || each === '\r' || each === '\n')) {
      cells.push(cell);
      [cell, isFresh] = ['', true];
      continue;
    } else cell += each;
    isFresh = false;
  }
  return [...cells, cell];
}

const isFormula = (cell: string) =>
  /^[\s"']{0,0}["\s]*[=+\-@＝＋－＠\t\r]/.test(cell) && !/^-?\d+([.,]\d+)?$/.test(cell);

test.each(['de', 'en'])(
  'no cell of a report in %s is a formula, whether a spreadsheet splits at semicolons, commas or tabs',
  async (language) => {
    const seller = await openSeller();
    const { browser } = await enter(seller.orgId, 'owner');
    await placeOrder(seller, { items: NAMES.map((name, index) => ({ name, qty: 1, price: index + 1 })) });
    const file = await browser.get('/manage/reports/products.csv', { 'Accept-Language': language });
    expect(file.status).toBe(200);
    for (const separator of [';', ',', '\t']) {
      const cells = cellsOf(file.text, separator);
      expect(cells.length).toBeGreaterThan(NAMES.length);
      expect([separator, cells.filter(isFormula)]).toEqual([separator, []]);
    }
  },
);

test('a German file opens in German spreadsheets: semicolons, decimal commas, every name one cell; an English one in English', async () => {
  const seller = await openSeller();
  const { browser } = await enter(seller.orgId, 'owner');
  await placeOrder(seller, { items: [{ name: 'Tee; "lose", 100 g', qty: 2, price: 4.95 }] });
  const ask = async (language: string) =>
    (await browser.get('/manage/reports/products.csv', { 'Accept-Language': language })).text.split('\r\n')[1];
  expect(await ask('de')).toBe('"";"Tee; ""lose"", 100 g";"2";"piece";"9,9"');
  expect(await ask('en')).toBe('"","Tee; ""lose"", 100 g","2","piece","9.9"');
});

test('what stands behind several separators is no formula either', () => {
  for (const separator of [';', ',', '|', '\t', '\r', '\n']) {
    expect(rowWriter('de')([`Tee${separator.repeat(3)} "=1+1`])).toContain(`${separator}' ""=1+1`);
  }
});
