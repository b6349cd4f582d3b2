import { expect, test } from 'vitest';
import { readImportFile } from '../../src/management/products/import-file';
import { utf8 } from '../../src/platform/crypto/crypto';

const read = (text: string | Uint8Array) => readImportFile(typeof text === 'string' ? utf8(text) : text);
const itemsOf = (text: string | Uint8Array) => {
  const file = read(text);
  return file.refused ?? Array.from(file.lines, ({ item, fault, column }) => item ?? [fault, column]);
};
const COUNTED = { pzn: '01126619', stock: { onHand: 12 }, reason: 'count', priceCents: 495 };

test.for<[string, string | Uint8Array]>([
  ['commas, a point', 'pzn,on_hand,price\n01126619,12,4.95'],
  ['semicolons, a comma, a BOM, lines of Windows', '\uFEFFPZN;Bestand;Preis\r\n01126619;12;4,95\r\n'],
  ['tabs, as a spreadsheet copies them', 'PZN\tLagerbestand\tEigener Preis\n01126619\t12\t4,95 €'],
  ['quotes, and a PZN that lost its zero', '"PZN";"Bestand";"Preis"\n"1126619";"12";"4,95"'],
  [
    'a further column with separators and line breaks',
    'Name;PZN;Bestand;Preis\n"Salbe; ""rot""\nneu";01126619;12;4,95',
  ],
  ['apostrophes that keep a spreadsheet from computing', "pzn;on_hand;price\n'01126619;'12;4,95"],
  ['rows of separators alone, as spreadsheets write them', 'PZN;Bestand;Preis\n;;\n01126619;12;4,95\n ; ;\n;;;;\n'],
  ['a line that names the separator', 'sep=;\r\nPZN;Bestand;Preis\r\n01126619;12;4,95'],
  ['a control character at the end', 'PZN;Bestand;Preis\n01126619;12;4,95\n\x1a'],
  ['lines that end with CR alone', 'PZN;Bestand;Preis\r01126619;12;4,95\r'],
  ['lines that end with CR CR LF', 'PZN;Bestand;Preis\r\r\n01126619;12;4,95\r\r\n'],
  ['a text written as a formula', 'PZN;Bestand;Preis\n="01126619";12;4,95'],
  ['the same in quotes', 'PZN;Bestand;Preis\n"=""01126619""";12;4,95'],
  ['a PZN with its prefix', 'PZN;Bestand;Preis\nPZN-01126619;12;4,95'],
  ['a PZN with a minus sign', 'PZN;Bestand;Preis\n-01126619;12;4,95'],
  ['the name of the article', 'PZN;Bezeichnung;Bestand;Preis\n01126619;Salbe;12;4,95'],
  [
    'UTF-16',
    Uint8Array.from([0xff, 0xfe, ...[...'pzn;bestand;preis\n01126619;12;4,95'].flatMap((c) => [c.charCodeAt(0), 0])]),
  ],
])('a file is read: %s', ([, text]) => expect(itemsOf(text)).toEqual([COUNTED]));

test('Windows-1252 is read where the text is no UTF-8', () => {
  const bytes = Uint8Array.from([...'PZN;\xc4nderung;Reference\n01126619;-2;B\xfcro'].map((c) => c.charCodeAt(0)));
  expect(itemsOf(bytes)).toEqual([{ pzn: '01126619', stock: { delta: -2 }, reason: 'correction', reference: 'Büro' }]);
});

test('headings are compared in their composed form', () => {
  expect(itemsOf('PZN;Änderung\n01126619;-2'.normalize('NFD'))).toMatchObject([{ stock: { delta: -2 } }]);
});

test('amounts are read with thousands in groups', () => {
  const prices = ['1.234,50', '1.234,50 €', "1'234.50", '1,234.50', '12.345,00', '1.234', '1.23,45'];
  const file = itemsOf(['PZN\tPreis', ...prices.map((price) => `01126619\t${price}`)].join('\n'));
  const found = [123450, 123450, 123450, 123450, 1234500].map((priceCents) => ({ pzn: '01126619', priceCents }));
  expect(file).toEqual([...found, ['unreadable', 'Preis'], ['unreadable', 'Preis']]);
});

test('both identifiers of a line are kept, so that they can be compared', () => {
  expect(itemsOf('P1-ID;PZN;Bestand\nP1-1;01126619;3')).toMatchObject([{ p1Id: 'P1-1', pzn: '01126619' }]);
  expect(itemsOf('P1-ID;PZN;Bestand\nP1-1;x;3')).toEqual([['unreadable', 'PZN']]);
});

const MIB = 1024 * 1024;
test.for<[string, string, string]>([
  ['empty', 'a million rows of separators', `p1_id,stock_quantity\n${',\n'.repeat(MIB)}`],
  ['empty', 'a million blank rows', `p1_id,stock_quantity\n${' \n'.repeat(MIB)}`],
  ['header', 'a heading of two million separators', ','.repeat(2 * MIB)],
  ['header', 'a heading of a hundred and one columns', `p1_id,stock_quantity${',x'.repeat(99)}\nP1-1,2`],
  ['lines', 'a million lines', `p1_id,stock_quantity\n${'a\n'.repeat(MIB)}`],
  ['lines', '20,001 lines', `p1_id,stock_quantity\n${'a,1\n'.repeat(20_001)}`],
])('refuses as %s: %s', ([refused, , text]) => expect(read(text).refused).toBe(refused));

test('takes 20,000 lines, whatever stands between them', () => {
  const file = read(`p1_id,stock_quantity\n${'a,1\n,\n'.repeat(20_000)}`);
  expect(file.refused ?? [...file.lines].length).toBe(20_000);
});

test('each line that cannot be read says which column, by its own heading', () => {
  const lines = [
    'PZN;Bestand;Änderung;Preis;Aufnehmen',
    'x;1;;;',
    '1126619;1;1;;',
    '1126619;;1,5;;',
    '1126619;1;;4,999;',
    '1126619;;1;;ja',
    '1126619;;;;',
    '1126619;1',
  ];
  expect(itemsOf(lines.join('\n'))).toEqual([
    ['unreadable', 'PZN'],
    ['unreadable', 'Änderung'],
    ['unreadable', 'Änderung'],
    ['unreadable', 'Preis'],
    ['unreadable', 'Aufnehmen'],
    // Nothing is asked.
    { pzn: '01126619' },
    ['columns', undefined],
  ]);
});

test('columns that nobody knows are named and not read', () => {
  const file = read('Hersteller;PZN;Bestand;Lager\nX;01126619;3;A');
  expect(file).toMatchObject({ ignored: ['Hersteller', 'Lager'], header: ['Hersteller', 'PZN', 'Bestand', 'Lager'] });
});

test.for<[string, string]>([
  ['', 'header'],
  ['p1_id\nP1-1', 'header'],
  ['pzn,name\n1,x', 'header'],
  ['pzn,delta,Änderung\n1,1,1', 'header'],
  ['pzn,delta', 'empty'],
  ['PK\u0003\0\0', 'binary'],
  [`pzn,delta\n${'1126619,1\n'.repeat(20_001)}`, 'lines'],
])('%j is refused as %s', ([text, refused]) => expect(itemsOf(text)).toBe(refused));

test('a line that is too long keeps nothing of its text; an open quote takes the rest of the file as one line', () => {
  const [long] = itemsOf(`pzn,on_hand,reference\n1126619,1,${'x'.repeat(600)}`);
  expect(long).toEqual(['too_long', undefined]);
  const file = read(`pzn,on_hand\n"1126619,1\n${'1126619,1\n'.repeat(50_000)}`);
  expect(file.refused ?? Array.from(file.lines, ({ fault, fields }) => [fault, fields])).toEqual([['too_long', []]]);
});

test('a file with very many columns is refused, and a line with very many is kept without them', () => {
  const wide = `pzn;delta;${'x;'.repeat(450_000)}\n${'1;2\n'.repeat(19_000)}`;
  expect(read(wide)).toEqual({ refused: 'header' });
  const file = read(`pzn;delta\n1${';'.repeat(1_900_000)}`);
  expect(file.refused ?? [...file.lines]).toMatchObject([{ fault: 'too_long', fields: [] }]);
});
