import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { labelText, shopMark } from '../../src/codes/label';
import { checkCharacter, gtinCheckDigit, ppnCheckDigits, pznCheckDigit } from '../../src/codes/numbers';
import { pznOf, readCode } from '../../src/codes/read';

const GS = '\x1d';
const NOTHING_ELSE = { gtin: null, serial: null, expires: null, batch: null };

/** What a German keyboard shows of keys that an American one was to send. */
const ON_GERMAN = new Map(
  [...'yzYZ-_/[]()=>'].map((character, place) => [character, [...'zyZYß?-ü+)=´:'][place] as string]),
);
const onGerman = (text: string) => [...text].map((character) => ON_GERMAN.get(character) ?? character).join('');
const swapped = (each: string) => (each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase());
const withCapsLock = (text: string) => [...text].map((each) => (each === 'ß' ? each : swapped(each))).join('');
const LOCKED = new Map([...'0123456789ß'].map((key, place) => [key, [...'=!"§$%&/()?'][place] as string]));
const withGermanCapsLock = (text: string) => [...withCapsLock(text)].map((each) => LOCKED.get(each) ?? each).join('');

const sevenDigits = fc.stringMatching(/^\d{7}$/).filter((digits) => pznCheckDigit(digits) !== null);
const pzns = sevenDigits.map((digits) => `${digits}${pznCheckDigit(digits)}`);
const ntinOf = (pzn: string) => `04150${pzn}${gtinCheckDigit(`04150${pzn}`)}`;
const ppnOf = (pzn: string) => `11${pzn}${ppnCheckDigits(`11${pzn}`)}`;
const serials = fc.stringMatching(/^[0-9A-Z]{1,20}$/);

describe('check digits', () => {
  test('are those of the published examples', () => {
    // IFA: check digit of the PZN, PPN; GS1: NTIN, GTIN-13, -12 and -8; ISO 7064: GRid and ISAN.
    expect(['1234567', '0375286', '0112661'].map(pznCheckDigit)).toEqual(['8', '4', '9']);
    expect(ppnCheckDigits('1112345678')).toBe('42');
    expect(ppnCheckDigits('1103752864')).toBe('14');
    expect(['0415012345678', '950600013435', '400638133393', '03600029145', '9638507'].map(gtinCheckDigit)).toEqual([
      ...['2', '2', '1', '2', '4'],
    ]);
    expect(checkCharacter('A12425GABC1234002')).toBe('M');
    expect(checkCharacter('0000000189470000')).toBe('8');
  });

  test('a number whose rest is ten is no PZN', () => {
    expect(pznCheckDigit('0000003')).toBeNull();
    expect(pznOf('-00000030')).toBeNull();
  });

  test('one wrong digit makes a PZN text', () => {
    fc.assert(
      fc.property(pzns, fc.nat(7), fc.integer({ min: 1, max: 9 }), (pzn, place, more) => {
        const digit = (Number(pzn[place]) + more) % 10;
        expect(pznOf(`-${pzn.slice(0, place)}${digit}${pzn.slice(place + 1)}`)).toBeNull();
      }),
    );
  });

  test('one wrong character makes a label text', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999 }),
        fc.nat(),
        fc.constantFrom(...'0123456789ABCDEF'),
        (n, at, c) => {
          const label = labelText({ shop: '3F9A', number: n });
          const place = at % label.length;
          const wrong = `${label.slice(0, place)}${c}${label.slice(place + 1)}`;
          expect(readCode(wrong)?.kind === 'label').toBe(wrong === label);
        },
      ),
    );
  });
});

describe('a PZN', () => {
  test('is read as people, Code 39, NTIN and PPN write it', () => {
    fc.assert(
      fc.property(pzns, (pzn) => {
        const written = [pzn, `-${pzn}`, `PZN${pzn}`, `PZN - ${pzn}`, ntinOf(pzn), ntinOf(pzn).slice(1), ppnOf(pzn)];
        expect(written.map(pznOf)).toEqual(written.map(() => pzn));
      }),
    );
  });

  test('of seven digits is read behind its prefix alone', () => {
    expect(pznOf('PZN 1126619')).toBe('01126619');
    expect(pznOf('PZN: 1126619')).toBe('01126619');
    expect(pznOf('-1126619')).toBe('01126619');
    expect(pznOf('1126619')).toBeNull();
  });

  test('is read through a German keyboard, Caps Lock and both', () => {
    for (const text of ['ß01126619', '?01126619', '_=!!"&&!)', '?=!!"&&!)', 'pzn-01126619', 'pynß01126619']) {
      expect(readCode(text), text).toEqual({ kind: 'pack', pzn: '01126619', ...NOTHING_ELSE });
    }
  });
});

describe('a DataMatrix', () => {
  test('of GS1 gives number, batch, expiry and serial', () => {
    expect(readCode(`0104150123456782101A234B5${GS}1715123121ABC12345${GS}`)).toEqual({
      kind: 'pack',
      pzn: '12345678',
      gtin: '04150123456782',
      batch: '1A234B5',
      expires: '2015-12-31',
      serial: 'ABC12345',
    });
  });

  test('of the IFA gives the same, with or without its envelope', () => {
    const content = `9N110375286414${GS}1T12345ABCD${GS}D150617${GS}SABCDEF1234567890`;
    const expected = {
      ...{ kind: 'pack', pzn: '03752864', gtin: null, batch: '12345ABCD' },
      ...{ expires: '2015-06-17', serial: 'ABCDEF1234567890' },
    };
    expect(readCode(`[)>\x1e06${GS}${content}\x1e\x04`)).toEqual(expected);
    expect(readCode(content)).toEqual(expected);
    expect(readCode(onGerman(`[)>06${content}`))).toEqual(expected);
    expect(readCode(withCapsLock(content))).toEqual(expected);
  });

  test('gives all of it in any order of its fields, with any separator', () => {
    const separators = fc.constantFrom(GS, '|', '{GS}', '<GS>', ']', '~', '[GS]', '{FNC1}', '\\u001d');
    fc.assert(
      fc.property(pzns, serials, serials, separators, fc.nat(5), (pzn, serial, batch, separator, order) => {
        const fields = [`17281231`, `21${serial}${separator}`, `10${batch}${separator}`];
        const [first] = fields.splice(order % 3, 1);
        if (order > 2) fields.reverse();
        const read = readCode(`01${ntinOf(pzn)}${first}${fields.join('')}`);
        expect(read).toEqual({ kind: 'pack', pzn, gtin: ntinOf(pzn), serial, batch, expires: '2028-12-31' });
      }),
    );
  });

  test('without separators gives the number and the same serial for the same pack, and never a wrong day', () => {
    fc.assert(
      fc.property(pzns, serials, serials, fc.boolean(), (pzn, serial, batch, isDayFirst) => {
        const rest = isDayFirst ? `1728123110${batch}21${serial}` : `21${serial}1728123110${batch}`;
        const text = `01${ntinOf(pzn)}${rest}`;
        const read = readCode(text);
        expect(read).toMatchObject({ kind: 'pack', pzn });
        expect(read).toEqual(readCode(text));
        if (read?.kind !== 'pack') return;
        expect([serial, rest]).toContain(read.serial);
        if (isDayFirst) expect(read.expires).toBe('2028-12-31');
        else expect(['2028-12-31', null]).toContain(read.expires);
      }),
    );
  });

  test('is read as printed beside the code, and where spelled-out separators make it long', () => {
    const read = { pzn: '01126619', expires: '2027-03-31', batch: 'AB12', serial: 'SER99' };
    expect(readCode(`(01)${ntinOf('01126619')}(17)270331(10)AB12(21)SER99`)).toMatchObject(read);
    const long = [`712${'7'.repeat(20)}`, `240${'1'.repeat(20)}`, '10AB12', '21SER99', `713${'1'.repeat(20)}`];
    const text = [...long, `01${ntinOf('01126619')}17270331`].join('{GS}');
    expect(text.length).toBeGreaterThan(120);
    expect(readCode(text)).toMatchObject(read);
    expect(readCode(`${text}{GS}240${'1'.repeat(9)}`)).toBeNull();
  });

  test('tells the last day of a month as 00, and refuses a day that is none', () => {
    const expiresIn = (day: string) => {
      const read = readCode(`01${ntinOf('12345678')}17${day}21A1`);
      return read?.kind === 'pack' ? read.expires : read;
    };
    expect(expiresIn('280200')).toBe('2028-02-29');
    expect(expiresIn('270230')).toBeNull();
    expect(expiresIn('271300')).toBeNull();
  });

  test('with a national number gives the PZN beside a foreign GTIN', () => {
    expect(readCode(`010950600013435210B1${GS}71001126619${GS}21S1`)).toMatchObject({
      ...{ pzn: '01126619', gtin: '09506000134352', serial: 'S1', batch: 'B1' },
    });
  });

  test('skips identifiers that are not known, wherever they stand', () => {
    const unknown = fc.constantFrom(
      ...[
        `711123${GS}`,
        `7127098690${GS}`,
        `91XYZ${GS}`,
        `8008260101${GS}`,
        `310300${'1'.repeat(4)}`,
        '13260101',
        '2012',
      ],
    );
    const known = [`17281231`, `21S1${GS}`, `10B1${GS}`, `01${ntinOf('01126619')}`];
    fc.assert(
      fc.property(
        fc.array(unknown, { minLength: 1, maxLength: 3 }),
        fc.shuffledSubarray(known, { minLength: 4 }),
        fc.nat(4),
        (others, fields, place) => {
          const read = readCode([...fields.slice(0, place), ...others, ...fields.slice(place)].join(''));
          expect(read).toMatchObject({ pzn: '01126619', serial: 'S1', batch: 'B1', expires: '2028-12-31' });
        },
      ),
    );
    expect(readCode(`9N110375286414${GS}25PX${GS}1TB1${GS}SS1`)).toMatchObject({
      pzn: '03752864',
      batch: 'B1',
      serial: 'S1',
    });
  });

  test('skips unknown identifiers of a fixed length where no field needs a separator', () => {
    const number = `01${ntinOf('01126619')}`;
    for (const text of [
      `${number}112601011727033110AB12`,
      `13260101310300012317270331${number}10AB12`,
      `${number}17270331200110AB12`,
    ]) {
      expect(readCode(text), text).toMatchObject({ pzn: '01126619', expires: '2027-03-31', batch: 'AB12' });
    }
  });

  test('gives the number where a value cannot be one, and where separators were lost before what is not known', () => {
    const number = `01${ntinOf('01126619')}`;
    expect(readCode(`${number}1727133110B1${GS}21S1`)).toMatchObject({ pzn: '01126619', expires: null, serial: 'S1' });
    expect(readCode(`${number}711123`)).toEqual({
      kind: 'pack',
      ...NOTHING_ELSE,
      pzn: '01126619',
      gtin: ntinOf('01126619'),
    });
  });

  test('and every other code is read behind the mark of its symbology', () => {
    const number = ntinOf('01126619');
    const codes = [
      ']A0-01126619',
      ']A1-01126619',
      `]E0${number.slice(1)}`,
      ']C0PZN01126619',
      `]d201${number}`,
      `]C101${number}21S`,
    ];
    for (const code of codes) expect(readCode(code), code).toMatchObject({ kind: 'pack', pzn: '01126619' });
  });

  test('with a wrong check digit is text', () => {
    expect(readCode(`0104150123456783101A234B5${GS}17151231`)).toBeNull();
    expect(readCode(`9N110375286415${GS}1TA`)).toBeNull();
    expect(readCode('01')).toBeNull();
  });

  test('text of any kind and length is read', () => {
    const longest = `01${ntinOf('12345678')}${'10'.repeat(50)}`;
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) =>
        [null, 'pack', 'label'].includes(readCode(text)?.kind ?? null),
      ),
    );
    for (const text of [longest, `01${ntinOf('12345678')}${'2110240'.repeat(13)}`])
      expect(readCode(text)).toMatchObject({ pzn: '12345678', serial: null });
  });
});

describe('a foreign GTIN', () => {
  test('is a pack without a PZN', () => {
    expect(readCode('4006381333931')).toEqual({
      ...{ kind: 'pack', pzn: null, ...NOTHING_ELSE },
      gtin: '04006381333931',
    });
  });
});

describe('our label', () => {
  test('is read through every keyboard', () => {
    const label = labelText({ shop: shopMark('019aa0b0-1f00-7aaa-8c01-0c9be1b23f9a'), number: 4711 });
    const expected = { kind: 'label', shop: '3F9A', number: 4711 };
    expect(label).toMatch(/^OFZ3F9A-4711-[0-9A-Z]$/);
    for (const text of [
      label,
      onGerman(label),
      withCapsLock(label),
      withGermanCapsLock(onGerman(label)),
      `${label}\r\n`,
    ]) {
      expect(readCode(text), text).toEqual(expected);
    }
  });

  test('of every shop and order is read as it was written', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-F]{4}$/), fc.integer({ min: 1, max: 99_999_999 }), (shop, number) => {
        expect(readCode(labelText({ shop, number }))).toEqual({ kind: 'label', shop, number });
      }),
    );
  });
});
