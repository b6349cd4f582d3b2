import { beforeAll, describe, expect, test } from 'vitest';
import { checkPdf, type Report } from '../../src/signatures/check';
import { type Holder, issue } from './authority';
import {
  BASE,
  bytesOf,
  compressed,
  field,
  lastStartxref,
  type Objects,
  type Signing,
  signed,
  stream,
  textOf,
  type Update,
  update,
} from './pdfs';

let holder: Holder;
let first: string;

beforeAll(async () => {
  holder = await issue(null, { isAuthority: true });
  first = await signed(update('', BASE), holder, { objects: field() });
});

const check = (text: string): Promise<Report> => checkPdf(bytesOf(text));
const changesOf = async (text: string): Promise<string> => {
  const report = await check(text);
  expect(report.status).toBe('intact');
  return report.laterChanges;
};
const changesBy = (objects: Objects, how?: Update): Promise<string> => changesOf(update(first, objects, how));
const CATALOG = '/Type/Catalog/Pages 2 0 R/AcroForm 5 0 R/Metadata 6 0 R';
const PAGE = '/Type/Page/Parent 2 0 R/Resources<</Font<</F1 7 0 R>>>>/Contents 4 0 R';

describe('harmless', () => {
  test('nothing, white space', async () => {
    expect(await changesOf(first)).toBe('none');
    expect(await changesOf(`${first}\n \n`)).toBe('none');
  });
  test('metadata', async () => {
    expect(await changesBy({ 8: '<</Producer(other)/ModDate(D:20260101000000Z)>>' })).toBe('metadata');
    expect(await changesBy({ 6: stream('<y/>', '/Type/Metadata/Subtype/XML') })).toBe('metadata');
    expect(
      await changesBy({ 1: `<<${CATALOG}/Extensions<</ESIC<</BaseVersion/1.7/ExtensionLevel 5>>>>/Version/2.0>>` }),
    ).toBe('metadata');
    expect(await changesBy({ 70: '(nobody refers to this)' })).toBe('none');
    expect(await changesBy({ 8: '<<>>' }, { entries: { 70: '0000000000 00000 f' } })).toBe('metadata');
    expect(await changesBy({ 7: BASE[7] ?? '' })).toBe('none');
  });
  test("a catalog of another number, and a program's own key of the trailer", async () => {
    const moved = (text: string) => text.replace(/\/Root 1 0 R(?!.*\/Root)/s, '/Root 70 0 R');
    const dss = { 70: `<<${CATALOG}/DSS 71 0 R>>`, 71: '<<>>' };
    expect(await changesOf(moved(update(first, dss)))).toBe('validation_data');
    const other = { 70: `<<${CATALOG.replace('2 0 R', '71 0 R')}>>`, 71: BASE[2] ?? '' };
    expect(await changesOf(moved(update(first, other)))).toBe('other');
    const shared = { ...dss, 6: stream('<x/>', '/Type/Metadata/Subtype/XML/Of 70 0 R') };
    expect(await changesOf(moved(update(first, shared)))).toBe('other');
    expect(await changesOf(moved(update(first, { 8: '<<>>' })).replace('70 0 R', '7 0 R'))).toBe('other');
    expect(await changesBy({ 8: '<<>>' }, { trailer: '/AdditionalStreams[/x 6 0 R]' })).toBe('metadata');
  });
  test('validation data, twice', async () => {
    const once = update(first, {
      1: `<<${CATALOG}/DSS 70 0 R>>`,
      70: '<</Certs 71 0 R/VRI<</A 73 0 R>>>>',
      71: '[72 0 R]',
      72: stream('abc'),
      73: '<</Cert[72 0 R]>>',
    });
    expect(await changesOf(once)).toBe('validation_data');
    expect(await changesOf(update(once, { 71: '[72 0 R 74 0 R]', 74: stream('def') }))).toBe('validation_data');
  });
  test('in object streams', async () => {
    expect(
      await changesOf(
        compressed(first, { 1: `<<${CATALOG}/DSS 70 0 R>>`, 70: '<</Certs[72 0 R]>>' }, { 72: stream('abc') }),
      ),
    ).toBe('validation_data');
    const other = { 7: '<</Type/Font/Subtype/Type1/BaseFont/Courier>>' };
    expect(await changesOf(compressed(first, other))).toBe('other');
    const packed = await signed('', holder, {
      objects: { ...BASE, ...field() },
      write: (_, all) => {
        const { 50: value = '', 4: content = '', 6: meta = '', ...rest } = all;
        return compressed('', rest, { 4: content, 6: meta, 50: value });
      },
    });
    expect(await changesOf(packed)).toBe('none');
    expect(await changesOf(update(packed, { 8: '<</Producer(other)>>' }))).toBe('metadata');
    expect(await changesOf(update(packed, { 1: `<<${CATALOG}/DSS 70 0 R>>`, 70: '<<>>' }))).toBe('validation_data');
  });
});

describe('the file', () => {
  test('a hybrid one', async () => {
    const make = (xref: number, at: number) =>
      update(
        '',
        {
          ...BASE,
          40: stream(String.fromCharCode(1, at >> 8, at & 255, 0), '/Type/XRef/W[1 2 1]/Index[41 1]/Size 42'),
          41: '<</Type/Font>>',
        },
        { trailer: `/XRefStm ${String(xref).padStart(6, '0')}`, entries: { 41: '0000000000 00000 f' } },
      );
    const draft = make(0, 0);
    const text = make(draft.indexOf('40 0 obj'), draft.indexOf('41 0 obj'));
    const one = await signed(text, holder, { objects: field() });
    expect(await changesOf(one)).toBe('none');
    expect(await changesOf(update(one, { 8: '<<>>' }))).toBe('metadata');
    expect(await changesOf(update(one, { 8: '<<>>' }, { trailer: '/XRefStm 100' }))).toBe('other');
  });
  test('an encrypted one', async () => {
    const trailer = '/Encrypt 9 0 R/ID[<00><00>]';
    const locked = { ...BASE, 9: '<</Filter/Standard/V 2/R 3/Length 128/O<00>/U<00>/P -4>>' };
    const text = await signed(update('', locked, { trailer }), holder, { objects: field(), update: { trailer } });
    expect(await changesOf(text)).toBe('none');
    expect(await changesOf(update(text, { 8: '<<>>' }, { trailer }))).toBe('metadata');
    expect(await changesOf(update(text, { 8: '<<>>' }))).toBe('other');
  });
  test('one whose fields are in an encrypted object stream', async () => {
    const encrypted = (_: string, head: string, packed: string): string =>
      head + textOf(bytesOf(packed).map((byte) => byte ^ 0x5a));
    const text = await signed('', holder, {
      objects: { ...BASE, ...field() },
      write: (_, { 4: content = '', 6: meta = '', 50: value = '', ...rest }) =>
        compressed('', rest, { 4: content, 6: meta, 50: value }).replace(
          /(ObjStm[^>]*>>\nstream\n)([\s\S]*?)(?=\nendstream)/,
          encrypted,
        ),
    });
    expect(await check(text)).toMatchObject({ status: 'indeterminate', subIndication: 'FORMAT_FAILURE' });
  });
  test('a signature of no field', async () => {
    const text = update('', { ...BASE, 50: '<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>>>' });
    expect(await check(text)).toMatchObject({ status: 'indeterminate', subIndication: 'FORMAT_FAILURE' });
  });
});

describe('signatures', () => {
  const second = (signing: Partial<Signing> & { objects: Objects }): Promise<string> =>
    signed(first, holder, { num: 60, ...signing });
  test('another one, unseen and seen', async () => {
    const unseen = await check(await second({ objects: field(61, 60, [51]) }));
    expect(unseen).toMatchObject({ status: 'intact', laterChanges: 'signatures', anchor: 0 });
    const ap = '/AP<</N 62 0 R>>';
    const look = { 62: stream('0 0 1 rg 0 0 80 25 re f', '/Type/XObject/Subtype/Form/BBox[0 0 80 25]') };
    const seen = await check(await second({ objects: { ...field(61, 60, [51], '10 10 90 35', ap), ...look } }));
    expect(seen).toMatchObject({ status: 'intact', laterChanges: 'signatures' });
    const large = await check(await second({ objects: { ...field(61, 60, [51], '0 0 300 144', ap), ...look } }));
    expect(large.laterChanges).toBe('other');
  });
  test('one that fails', async () => {
    const text = await second({ objects: field(61, 60, [51]), cms: { digest: new Uint8Array(32) } });
    expect(await check(text)).toMatchObject({ status: 'failed', subIndication: 'HASH_FAILURE' });
  });
  test('a list of fields that something else uses as well', async () => {
    for (const [more, expected] of [
      ['', 'signatures'],
      ['/Blah 9 0 R', 'other'],
    ]) {
      const form = { ...field(), 1: `<<${CATALOG}${more}>>`, 5: '<</Fields 9 0 R/SigFlags 3>>', 9: '[51 0 R]' };
      const one = await signed(update('', BASE), holder, { objects: form });
      const { 5: _, ...added } = field(61, 60, [51]);
      expect(await changesOf(await signed(one, holder, { num: 60, objects: { ...added, 9: '[51 0 R 61 0 R]' } }))).toBe(
        expected,
      );
    }
  });
  test('an empty field that is signed', async () => {
    const form = {
      ...field(51, 50, [55]),
      55: '<</FT/Sig/Type/Annot/Subtype/Widget/T(S55)/F 132/Rect[0 0 9 9]/P 3 0 R>>',
    };
    const one = await signed(update('', BASE), holder, { objects: form });
    const signing = {
      num: 60,
      objects: {
        55: '<</FT/Sig/Type/Annot/Subtype/Widget/T(S55)/F 132/Rect[0 0 9 9]/P 3 0 R/V 60 0 R/AP<</N 62 0 R>>>>',
        62: stream('', '/BBox[0 0 9 9]'),
      },
    };
    expect(await changesOf(await signed(one, holder, signing))).toBe('signatures');
    const typed = { ...form, 55: form[55].replace('/Type/Annot', '') };
    const untyped = await signed(update('', BASE), holder, { objects: typed });
    expect(await changesOf(await signed(untyped, holder, signing))).toBe('signatures');
    const moved = {
      ...signing,
      objects: { ...signing.objects, 55: signing.objects[55].replace('0 0 9 9', '0 0 299 99') },
    };
    expect(await changesOf(await signed(one, holder, moved))).toBe('other');
  });
  test('after a certification', async () => {
    for (const [permitted, rect, expected] of [
      [1, '0 0 0 0', 'other'],
      [2, '0 0 0 0', 'signatures'],
      [2, '10 10 90 35', 'other'],
    ] as const) {
      const dict = `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ${permitted}/V/1.2>>>>]`;
      const certified = await signed(update('', BASE), holder, { objects: field(), dict });
      expect(await changesOf(certified)).toBe('none');
      expect(await changesOf(await signed(certified, holder, { num: 60, objects: field(61, 60, [51], rect) }))).toBe(
        expected,
      );
    }
  });
  test('somebody changes the page and signs the whole: the anchor is the first', async () => {
    const text = await second({ objects: { ...field(61, 60, [51]), 4: stream('BT /F1 18 Tf 0 0 Td (Rezebt) Tj ET') } });
    const report = await check(text);
    expect(report).toMatchObject({ status: 'intact', laterChanges: 'other', anchor: 0 });
    expect(report.signatures[1]?.later?.changes).toBe('none');
  });
});

describe('attacks', () => {
  const OTHER: [string, Objects, Update?][] = [
    ['content', { 4: stream('BT /F1 18 Tf 0 0 Td (Rezebt) Tj ET') }],
    ['font', { 7: '<</Type/Font/Subtype/Type3>>' }],
    ['page', { 3: `<<${PAGE.replace('4 0 R', '70 0 R')}/Annots[51 0 R]>>`, 70: stream('') }],
    ['annotation', { 3: `<<${PAGE}/Annots[51 0 R 70 0 R]>>`, 70: '<</Type/Annot/Subtype/FreeText/Rect[0 0 9 9]>>' }],
    ['annotation is gone', { 3: `<<${PAGE}>>` }],
    [
      'widget that is no field',
      { 3: `<<${PAGE}/Annots[51 0 R 70 0 R]>>`, 70: '<</Type/Annot/Subtype/Widget/FT/Sig/Rect[0 0 9 9]>>' },
    ],
    ['text field', { 5: '<</Fields[51 0 R 70 0 R]/SigFlags 3>>', 70: '<</FT/Tx/T(x)/V(y)>>' }],
    ['field with an action', { 5: '<</Fields[51 0 R 70 0 R]/SigFlags 3>>', 70: '<</FT/Sig/T(x)/AA<<>>>>' }],
    [
      'signature field that is a note',
      {
        5: '<</Fields[51 0 R 70 0 R]/SigFlags 3>>',
        70: '<</FT/Sig/T(x)/Type/Annot/Subtype/FreeText/Rect[0 0 9 9]/DA(x)>>',
      },
    ],
    ['form', { 5: '<</Fields[51 0 R]/SigFlags 3/NeedAppearances true>>' }],
    ['form data', { 5: '<</Fields[51 0 R]/SigFlags 3/XFA 70 0 R>>', 70: stream('') }],
    ['page tree', { 2: '<</Type/Pages/Kids[3 0 R 70 0 R]/Count 2/MediaBox[0 0 300 144]>>', 70: `<<${PAGE}>>` }],
    ['open action', { 1: `<<${CATALOG}/OpenAction<</S/JavaScript/JS(x)>>>>` }],
    ['optional content', { 1: `<<${CATALOG}/OCProperties<<>>>>` }],
    ['root', { 70: `<<${CATALOG}>>` }, { trailer: '/Root 70 0 R' }],
    [
      'content as metadata',
      { 1: `<<${CATALOG.replace('6 0 R', '4 0 R')}>>`, 4: stream('BT (Rezebt) Tj ET', '/Type/Metadata') },
    ],
    ['content as validation data', { 1: `<<${CATALOG}/DSS<</Certs[4 0 R]>>>>`, 4: stream('BT (Rezebt) Tj ET') }],
    ['page as validation data', { 1: `<<${CATALOG}/DSS<</Certs[3 0 R]>>>>`, 4: stream('BT (Rezebt) Tj ET') }],
    ['content as information', { 4: stream('BT (Rezebt) Tj ET') }, { trailer: '/Info 4 0 R' }],
    ['signature is gone', { 51: '<</FT/Sig/Type/Annot/Subtype/Widget/T(S51)/F 132/Rect[0 0 0 0]/P 3 0 R>>' }],
    [
      'signature is moved',
      { 51: '<</FT/Sig/Type/Annot/Subtype/Widget/T(S51)/F 132/Rect[0 0 99 99]/P 3 0 R/V 50 0 R>>' },
    ],
    ['form is gone', { 1: `<<${CATALOG.replace('/AcroForm 5 0 R', '')}>>` }],
    ['an object is gone', { 70: '()' }, { entries: { 7: '0000000000 00001 f' } }],
    ['another generation', {}, { entries: { 7: '0000000015 00001 n' } }],
    ['a free list that begins at 1', { 8: '<<>>' }, { entries: { 70: '0000000000 65535 f' } }],
    ['a comment in the table', { 8: '<<>>' }, { entries: { 70: '0000000000 00000 f %' } }],
    ['a comment', { 70: '()' }, { comment: '%startxref\n' }],
    ['a key twice', { 1: `<<${CATALOG}/Pages 2 0 R>>` }],
    ['a trailer with a key twice', { 70: '()' }, { trailer: '/Size 200' }],
  ];
  test.each(OTHER)('%s', async (_, objects, how) => {
    expect(await changesBy(objects, how)).toBe('other');
  });

  test('shadow: an entry that points to something prepared in the signed part', async () => {
    const hidden = '7 0 obj\n<</Type/Font/Subtype/Type3>>\nendobj';
    const text = await signed(update('', { ...BASE, 9: stream(`${hidden}\n`) }), holder, { objects: field() });
    const at = String(text.indexOf(hidden)).padStart(10, '0');
    expect(await changesOf(update(text, {}, { entries: { 7: `${at} 00000 n` } }))).toBe('other');
  });

  test('shadow: an object that was missing appears', async () => {
    const page = field()[3]?.replace('/Contents 4 0 R', '/Contents[4 0 R 70 0 R]') ?? '';
    const text = await signed(update('', BASE), holder, { objects: { ...field(), 3: page } });
    expect(await changesOf(text)).toBe('none');
    expect(await changesOf(update(text, { 70: stream('BT (mehr) Tj ET') }))).toBe('other');
  });

  test('shadow: the metadata is also the content', async () => {
    const page = field()[3]?.replace('/Contents 4 0 R', '/Contents 6 0 R') ?? '';
    const text = await signed(update('', BASE), holder, { objects: { ...field(), 3: page } });
    expect(await changesOf(update(text, { 6: stream('BT (Rezebt) Tj ET', '/Type/Metadata/Subtype/XML') }))).toBe(
      'other',
    );
  });

  test('shadow: an object that the signed revision says is behind its end', async () => {
    const content = stream('BT (Rezebt) Tj ET');
    const make = async (at: number) => {
      const entries = { 4: `${String(at).padStart(10, '0')} 00000 n` };
      const { 4: _, ...rest } = BASE;
      return signed(update('', rest), holder, { objects: field(), update: { entries } });
    };
    const { length } = await make(0);
    const text = await make(length);
    expect(await changesOf(text)).toBe('none');
    expect(await changesOf(update(text, { 4: content }))).toBe('other');
    expect(await changesOf(update(text, { 8: '<<>>' }))).toBe('other');
  });

  test('shadow: a stream that goes on behind the signed revision', async () => {
    const open = '4 0 obj\n<</Length 9 0 R>>\nstream\nBT (a) Tj ET\n';
    const { 4: _, ...rest } = BASE;
    const before = `${update('', rest)}${open}`;
    const place = before.length - open.length;
    const entries = { 4: `${String(place).padStart(10, '0')} 00000 n` };
    const text = await signed(before, holder, { objects: { ...field(), 9: '12' }, update: { entries } });
    const from = place + open.indexOf('BT');
    const inner = `(\nendstream\nendobj\n)`;
    const tail = (length: number) => update(text, { 70: stream(inner), 9: String(length) });
    const to = tail(10_000).lastIndexOf('\nendstream\nendobj\n)');
    for (const each of [tail(to - from), update(text, { 8: '<<>>' })])
      expect((await check(each)).laterChanges).toBe('other');
  });

  test('shadow: the value of the signature lies in what is shown', async () => {
    const num = 50;
    const { 4: _, ...rest } = BASE;
    const open = '4 0 obj\n<</Length 9 0 R>>\nstream\nBT ';
    const before = `${update('', { ...rest, 9: '24300' })}${open}`;
    const place = before.length - open.length;
    const entries = { 4: `${String(place).padStart(10, '0')} 00000 n` };
    const write = (text: string, objects: Objects) => {
      const { 50: value = '', ...others } = objects;
      const inside = `${text}${num} 0 obj\n${value}\nendobj\n`;
      const from = inside.lastIndexOf('50 0 obj');
      const padded = inside.padEnd(place + open.indexOf('BT') + 24_300, ' ');
      return update(`${padded}\nendstream\nendobj\n`, others, {
        entries: { ...entries, 50: `${String(from).padStart(10, '0')} 00000 n` },
      });
    };
    const report = await check(await signed(before, holder, { objects: field(), write }));
    expect(report).toMatchObject({ status: 'failed', reason: 'Contents lies in another object' });
  });

  test('shadow: linearized for the length that it gets', async () => {
    const linearized = async (length: number) => {
      const { 1: catalog = '', ...rest } = BASE;
      const swapped = { 1: `<</Linearized 1/L ${String(length).padStart(10, '0')}/O 3/N 1>>`, ...rest, 9: catalog };
      const text = await signed(update('', swapped).replaceAll('/Root 1 0 R', '/Root 9 0 R'), holder, {
        objects: field(),
        write: (before, objects) => update(before, objects).replaceAll('/Root 1 0 R', '/Root 9 0 R'),
      });
      return text;
    };
    const blank = await linearized(0);
    expect(await changesOf(`${blank}\n`)).toBe('none');
    expect(await changesOf(`${await linearized(blank.length + 1)}\n`)).toBe('other');
  });

  test('a Size that takes objects away', async () => {
    expect(await changesBy({ 8: '<<>>' }, { size: 9 })).toBe('other');
    expect(await changesBy({ 1: `<<${CATALOG}/DSS 70 0 R>>`, 70: '<<>>' }, { size: 70 })).toBe('other');
  });

  test('a text field that becomes a group', async () => {
    const groups = {
      ...field(51, 50, [70, 72]),
      70: '<</T(g)/Kids[71 0 R]>>',
      71: '<</FT/Tx/T(a)/Parent 70 0 R/Rect[0 0 9 9]/Type/Annot/Subtype/Widget>>',
      72: '<</FT/Tx/T(t)/Kids[73 0 R]>>',
      73: '<</Parent 72 0 R/Rect[0 0 9 9]/Type/Annot/Subtype/Widget>>',
    };
    const text = await signed(update('', BASE), holder, { objects: groups });
    const added = (parent: number) => ({
      61: `<</FT/Sig/T(S61)/Rect[0 0 0 0]/P 3 0 R/V 60 0 R/Type/Annot/Subtype/Widget/Parent ${parent} 0 R>>`,
    });
    expect(
      await changesOf(
        await signed(text, holder, { num: 60, objects: { 70: '<</T(g)/Kids[71 0 R 61 0 R]>>', ...added(70) } }),
      ),
    ).toBe('signatures');
    expect(
      await changesOf(
        await signed(text, holder, { num: 60, objects: { 72: '<</FT/Tx/T(t)/Kids[73 0 R 61 0 R]>>', ...added(72) } }),
      ),
    ).toBe('other');
    expect(
      await changesOf(
        await signed(text, holder, {
          num: 60,
          objects: { 71: groups[71].replace('/FT', '/Kids[61 0 R]/FT'), ...added(71) },
        }),
      ),
    ).toBe('other');
  });

  test("a field with another's name", async () => {
    const text = await signed(first, holder, {
      num: 60,
      objects: {
        ...field(61, 60, [51]),
        61: '<</FT/Sig/T(S51)/Rect[0 0 0 0]/P 3 0 R/V 60 0 R/Type/Annot/Subtype/Widget>>',
      },
    });
    expect(await changesOf(text)).toBe('other');
  });

  test('shadow: a length elsewhere is changed', async () => {
    const text = await signed(
      update('', { ...BASE, 4: '<</Length 9 0 R>>\nstream\nBT (a) Tj ET\nendstream', 9: '12' }),
      holder,
      { objects: field() },
    );
    expect(await changesOf(text)).toBe('none');
    expect(await changesOf(update(text, { 9: '6' }))).toBe('other');
  });

  test('an appearance that two share', async () => {
    const ap = '/AP<</N 56 0 R>>';
    const objects = {
      ...field(51, 50, [55], '0 0 9 9', ap),
      55: `<</FT/Sig/Type/Annot/Subtype/Widget/T(S55)/F 132/Rect[9 9 19 19]/P 3 0 R${ap}>>`,
      56: stream('', '/BBox[0 0 9 9]'),
    };
    const text = await signed(update('', BASE), holder, { objects });
    const anew = { 55: objects[55].replace('>>>>', '>>/V 60 0 R>>'), 56: stream('1 0 0 rg', '/BBox[0 0 9 9]') };
    expect(await changesOf(await signed(text, holder, { num: 60, objects: anew }))).toBe('other');
  });

  test('incremental saving: bytes without a cross-reference', async () => {
    const objects = `4 0 obj\n${stream('BT (Rezebt) Tj ET')}\nendobj\n`;
    for (const tail of [
      objects,
      `${objects}trailer\n<</Root 1 0 R>>\n`,
      `${objects}startxref\n${lastStartxref(first)}\n%%EOF\n`,
      'x',
      '%%EOF x\n',
    ])
      expect((await check(first + tail)).laterChanges).toBe('other');
    const hidden = update(first, { 8: '<<>>' }).replace(/xref\n8 1/, `${objects}xref\n8 1`);
    expect((await check(hidden)).laterChanges).toBe('other');
  });

  test('a chain of cross-references that leaves out the signed one', async () => {
    const text = update(first, { 8: '<<>>' }).replace(/\/Prev \d+>>\nstartxref(?!.*startxref)/s, '>>\nstartxref');
    expect((await check(text)).laterChanges).toBe('other');
  });

  test('wrapping and forgery: byte ranges that are none', async () => {
    const [whole = '', from = '', to = '', length = ''] = /\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(first) ?? [];
    const range = (a: number, b: number, c: number) =>
      `/ByteRange [0 ${[a, b, c].map((each) => String(each).padStart(10, '0')).join(' ')}]`;
    const numbers = [Number(from), Number(to), Number(length)] as const;
    for (const other of [
      range(numbers[0] - 1, numbers[1], numbers[2]),
      range(numbers[0], numbers[1] + 1, numbers[2] - 1),
      range(numbers[0], numbers[1], numbers[2] - 20),
      range(numbers[0], numbers[1], numbers[2] + 1),
      range(0, 0, 0),
      '/ByteRange null',
      '/ByteRange [0 -1 2 3]',
    ]) {
      const report = await check(first.replace(whole, other.padEnd(whole.length)));
      expect([other, report.reason, report.status]).toEqual([other, report.reason, 'failed']);
    }
    expect((await check(first.replace(/\/Contents </, '/Xontents <'))).status).toBe('failed');
    // The same value for a second range, in a file around it.
    const wrapped = update('', {
      ...BASE,
      4: stream('BT (Rezebt) Tj ET'),
      ...field(),
      50: /50 0 obj\n(<<.*?>>)\nendobj/s.exec(first)?.[1] ?? '',
    });
    expect((await check(wrapped)).status).toBe('failed');
  });
});
