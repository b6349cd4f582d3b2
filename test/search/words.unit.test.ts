import { expect, test } from 'vitest';
import { ordersFields } from '../../src/orders/fields';
import { foldText } from '../../src/platform/fold';
import { isMatched, matchText, phoneFromEnd, readQuery, type SearchedRow, termsOf } from '../../src/search/words';

/** What people take for the same. */
const SAME: readonly (readonly string[])[] = [
  ['Kästner', 'KAESTNER', 'kastner', 'Ka\u0308stner', 'kåstner'],
  ['Müller', 'Mueller', 'MULLER'],
  ['Schröder', 'schroeder', 'Schrøder', 'schroder'],
  ['Weiß', 'WEISS', 'weiẞ'],
  ['René', 'rene', 'RENÉ'],
  ['Wałęsa', 'walesa'],
  ['Sørensen', 'Soerensen', 'sorensen'],
  ['Œuvre', 'oeuvre', 'ouvre'],
  ['İstanbul', 'istanbul', 'ISTANBUL'],
  ['Brühe', 'Bruehe', 'bruhe'],
  ['ﬁeber', 'fieber'],
];

test.each(SAME)('%s is the same however it is written', (first, ...others) => {
  for (const other of others) expect(foldText(other), other).toBe(foldText(first ?? ''));
});

test('names that are different stay so', () => {
  const names = ['Meier', 'Maier', 'Mayer', 'Meyer', 'Bauer', 'Bär', 'Busse', 'Buse'];
  expect(new Set(names.map(foldText)).size).toBe(names.length);
});

test('the beginning of a name is the beginning of what it becomes', () => {
  for (const name of SAME.flat().map((text) => text.normalize('NFC')))
    for (let length = 1; length <= name.length; length += 1)
      expect(foldText(name).startsWith(foldText(name.slice(0, length))), name.slice(0, length)).toBe(true);
});

test('a phone number is the same however it is written, and its end is the beginning of what it becomes', () => {
  const written = ['+49 171 1234567', '0049171/1234567', '0171-123 45 67', '+49 (0) 171 1234567', '49 171 1234567'];
  expect(written.map(phoneFromEnd)).toEqual(written.map(() => '7654321171'));
  expect(phoneFromEnd('34567')).toBe('76543');
  expect(phoneFromEnd('49123')).toBe('32194');
  expect(phoneFromEnd('+43 664 12345')).toBe('5432146634');
});

const ORDER: SearchedRow = {
  id: '019aa0b2-1111-7222-8333-0a1b2c3d4e5f',
  number: 4711,
  externalReference: 'RX-2026-0001',
  paymentReference: 'TX 9',
  customerName: 'Dr. Ulrike Kästner-Weiß',
  customerEmail: 'u.kaestner@mail.example',
  addressCity: 'Bad Münder',
  addressPostalCode: '31848',
  addressPhone: '+49 (0)5042 / 93 12 34',
  items: JSON.stringify([{ name: 'Ibu 400', productName: 'Ibuprofen AL 400 mg', p1Id: 'P1-10001' }]),
  pzns: '04114918',
};
test('an order of a hundred lines is found by its person, its number and each PZN', () => {
  const lines = Array.from({ length: 100 }, (_, place) => ({
    name: `Wunsch${place} Stärke${place}`,
    productName: `Mittel${place} Form${place} Packung${place}`,
    p1Id: `P1-${place}`,
  }));
  const pzns = lines.map((_, place) => String(10_000_000 + place)).join(' ');
  const terms = termsOf(ordersFields, { ...ORDER, items: JSON.stringify(lines), pzns });
  for (const text of ['kästner', '31848', '931234', '4711', '10000099', 'Wunsch0']) {
    const { wanted } = readQuery(text);
    expect(wanted !== null && isMatched(wanted, terms), text).toBe(true);
  }
});

const found = (text: string) => {
  const { wanted } = readQuery(text);
  return wanted !== null && isMatched(wanted, termsOf(ordersFields, ORDER));
};

test.each([
  ...['kaestner', 'KASTNER ulr', 'weiss ulrike', 'Kästner-Weiß', 'münder', 'bad muender', '31848', 'Kastner 31848'],
  ...[
    'u.kaestner@mail.example',
    'u.kastner@mail',
    '31234',
    '93 12 34',
    '05042 / 93 12 34',
    '05042/931234',
    '+49 5042 931234',
    'Tel. 931234',
  ],
  ...['Nr.4711', 'Bestellnummer 4711', 'Bestell-Nr. 4711', 'Auftragsnummer: 4711', 'Tel.:05042/931234', 'PZN:04114918'],
  ...['4711', 'die 4711', 'Bestellung 4711', '#4711', 'Nr. 4711', 'kästner 4711', '4711 kästner'],
  ...[
    'RX-2026-0001',
    'rx20260001',
    'rx 0001',
    'TX 9',
    'ibuprofen kästner',
    'ibu',
    'P1-10001',
    'PZN 04114918',
    '4114918',
  ],
  ...['019aa0b2-1111-7222-8333-0a1b2c3d4e5f', '0A1B2C3D4E5F'],
])('%s finds the order', (text) => {
  expect(found(text)).toBe(true);
});

test.each([
  ...['471', 'stner', 'kästner berlin', '1234', '312345', 'bestellung 4712', 'die', '', '%', '"', '* - ()', '04114917'],
])('%s does not', (text) => {
  expect(found(text)).toBe(false);
});

test('each of two phone numbers in one field finds the order', () => {
  const addressPhone = 'privat 030 / 555 12 34, mobil: +49 171 1234567 oder 0049 40 98765';
  const terms = termsOf(ordersFields, { ...ORDER, addressPhone });
  const isFound = (text: string) => {
    const { wanted } = readQuery(text);
    return wanted !== null && isMatched(wanted, terms);
  };
  for (const text of ['51234', '030 5551234', '+49 30 5551234', '34567', '0171 1234567', '98765', '04098765'])
    expect(isFound(text), text).toBe(true);
  for (const text of ['0305551', '123401', '67004']) expect(isFound(text), text).toBe(false);
});

test.each(['05678', '005678', '40005678', '0171 40005678', '0005678'])(
  'the end of a phone number finds it where the end begins with a zero: %s',
  (text) => {
    const { wanted } = readQuery(text);
    const of = (addressPhone: string) => termsOf(ordersFields, { ...ORDER, addressPhone });
    expect(wanted !== null && isMatched(wanted, of('+49 171 / 400 05678'))).toBe(true);
    expect(wanted !== null && isMatched(wanted, of('+49 171 / 400 15678'))).toBe(false);
  },
);

test('that a number is an order’s is said, or is not', () => {
  const said = (text: string) => [readQuery(text).number, readQuery(text).isNumber];
  for (const text of ['die 4711', 'Bestellung 4711', '#4711', '# 4711', 'NR. 4711', 'Nr.4711', 'Bestellnummer 4711'])
    expect(said(text)).toEqual([4711, true]);
  expect(said('4711')).toEqual([4711, false]);
  for (const text of ['die Müller', 'order-4711', 'Müller 4711', '4711 4712', '1234567890'])
    expect(said(text)[0]).toBe(null);
});

test('nothing that is typed becomes anything but quoted letters and digits, however long', () => {
  const evil = [
    '"',
    'a" OR "b',
    'NEAR(a b)',
    '{terms}:a',
    'terms:a',
    'a*b',
    '^a',
    '(a',
    'a AND NOT b',
    `a'; --`,
    'a\u0000b',
    '-a',
  ];
  for (const text of [...evil, 'ab"* '.repeat(2_000), '1 '.repeat(5_000)]) {
    const { wanted } = readQuery(text);
    const match = wanted === null ? '' : matchText(wanted, 'abco');
    expect(
      match.replace(/"abco[wtnp][\p{L}\p{N}]{1,39}"\*?/gu, '').replace(/ AND | OR |[()]/g, ''),
      text.slice(0, 20),
    ).toBe('');
  }
});
