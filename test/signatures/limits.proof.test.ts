import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkPdf } from '../../src/signatures/check';
import { type Holder, issue, tlv } from './authority';
import { BASE, bytesOf, compressed, field, lastStartxref, signed, stream, textOf, update } from './pdfs';

let holder: Holder;

beforeAll(async () => {
  holder = await issue(null, { isAuthority: true });
});

const check = (text: string) => checkPdf(bytesOf(text));

describe('limits', () => {
  test('11 signatures', async () => {
    let text = update('', BASE);
    for (let count = 0; count < 11; count += 1) {
      const others = Array.from({ length: count }, (_, index) => 100 + index * 2);
      text = await signed(text, holder, {
        num: 101 + count * 2,
        room: 1_500,
        objects: field(100 + count * 2, 101 + count * 2, others),
      });
      const report = await check(text);
      expect(report.status).toBe(count < 10 ? 'intact' : 'indeterminate');
      if (count > 0 && count < 10) expect(report.laterChanges).toBe('signatures');
    }
  });

  test('65 certificates', async () => {
    const certificates: Uint8Array[] = [];
    for (let count = 0; count < 64; count += 1) certificates.push((await issue(holder)).certificate);
    const sixtyFour = await signed(update('', BASE), holder, {
      objects: field(),
      room: 60_000,
      cms: { certificates: certificates.slice(1) },
    });
    expect((await check(sixtyFour)).status).toBe('intact');
    const more = await signed(update('', BASE), holder, { objects: field(), room: 60_000, cms: { certificates } });
    expect(await check(more)).toMatchObject({ status: 'indeterminate', subIndication: 'CUSTOM' });
  });

  test('64 certificates with one name', async () => {
    const certificates: Uint8Array[] = [];
    for (let count = 0; count < 60; count += 1)
      certificates.push((await issue(null, { name: holder.name, key: 'bp512', isAuthority: true })).certificate);
    const end = await issue(holder);
    const text = await signed(update('', BASE), end, { objects: field(), room: 60_000, cms: { certificates } });
    await check(text);
  });

  test('a CMS of 5 MB, as large as a file may hold, and one of 10 MiB', async () => {
    const withCms = (room: number) =>
      signed(update('', BASE), holder, {
        objects: field(),
        room,
        cms: { unsigned: [tlv(0x30, Uint8Array.of(6, 1, 42), tlv(0x31, new Uint8Array(room - 10_000)))] },
      });
    expect((await check(await withCms(5_200_000))).status).toBe('intact');
    const tooLarge = await withCms(10 * 1024 * 1024 + 10_000);
    expect(await check(tooLarge)).toMatchObject({ status: 'indeterminate', subIndication: 'CUSTOM' });
    const many = await signed(update('', BASE), holder, {
      objects: field(),
      room: 4_100_000,
      alter: () =>
        tlv(
          0x30,
          Uint8Array.from({ length: 4_000_000 }, (_, at) => (at % 2 === 0 ? 5 : 0)),
        ),
    });
    expect((await check(many)).status).not.toBe('intact');
    const nested = await signed(update('', BASE), holder, {
      objects: field(),
      room: 100_000,
      alter: () => new Uint8Array(100_000).fill(0x30).map((_, at) => (at % 2 ? 0x80 : 0x30)),
    });
    expect((await check(nested)).status).not.toBe('intact');
  });

  test('bombs', async () => {
    const bomb = textOf(deflateSync(new Uint8Array(60 * 1024 * 1024)));
    const object = stream(bomb, '/Type/ObjStm/N 1/First 0/Filter/FlateDecode');
    const catalog =
      '<</Type/Catalog/Pages 2 0 R/AcroForm 5 0 R/DSS<</Certs[70 0 R 71 0 R 72 0 R 73 0 R 74 0 R 75 0 R]>>>>';
    const certs = Object.fromEntries([70, 71, 72, 73, 74, 75].map((num) => [num, object]));
    const text = await signed(update('', { ...BASE, 1: catalog, ...certs }), holder, { objects: field() });
    expect(await check(text)).toMatchObject({ status: 'indeterminate', subIndication: 'CUSTOM' });
    const small = textOf(deflateSync(new Uint8Array(15 * 1024 * 1024)));
    const many = Object.fromEntries([70, 71, 72, 73, 74, 75].map((num) => [num, stream(small, '/Filter/FlateDecode')]));
    expect(
      await check(await signed(update('', { ...BASE, 1: catalog, ...many }), holder, { objects: field() })),
    ).toMatchObject({ status: 'indeterminate', subIndication: 'CUSTOM' });
  });

  test('deep and wide values', async () => {
    expect(await check(update('', { ...BASE, 1: '['.repeat(1_000_000) }))).toMatchObject({ status: 'indeterminate' });
    expect(await check(update('', { ...BASE, 1: `[${'0 '.repeat(4_000_000)}]` }))).toMatchObject({
      status: 'indeterminate',
    });
    expect(await check(update('', { ...BASE, 1: `<<${'/A '.repeat(3_000_000)}>>` }))).toMatchObject({
      status: 'indeterminate',
    });
    await check(update('', { ...BASE, 1: '<'.repeat(9_000_000) }));
    await check(update('', { ...BASE, 1: '('.repeat(9_000_000) }));
    await check(update('', { ...BASE, 1: '%'.repeat(9_000_000) }));
  });

  test('many entries for one large object', async () => {
    const text = update('', { ...BASE, 9: `[${'1 0 R '.repeat(200_000)}]` });
    const at = /9 0 obj/.exec(text)?.index ?? 0;
    const entries = Object.fromEntries(
      Array.from({ length: 60_000 }, (_, index) => [100 + index, `${String(at).padStart(10, '0')} 00000 n`]),
    );
    const one = await signed(text, holder, { objects: field(), update: { entries } });
    await check(
      update(one, {
        1: `<</Type/Catalog/Pages 2 0 R/AcroForm 5 0 R/Metadata 6 0 R/DSS 70 0 R>>`,
        70: `[${Object.keys(entries)
          .map((num) => `${num} 0 R`)
          .join(' ')}]`,
      }),
    );
    const many = Object.fromEntries(
      Array.from({ length: 40_000 }, (_, index) => [100 + index, '<</A 9 0 R/B 9 0 R>>']),
    );
    const two = await signed(update('', { ...BASE, ...many }), holder, { objects: field() });
    await check(update(two, { 8: '<<>>' }));
  });

  test('circles', async () => {
    const tree = { ...BASE, 2: '<</Type/Pages/Kids[2 0 R 3 0 R]/Count 1/Parent 2 0 R>>' };
    const text = await signed(update('', tree), holder, { objects: field() });
    expect(await check(update(text, { 8: '<<>>' }))).toMatchObject({ status: 'intact', laterChanges: 'metadata' });
    const form = await signed(update('', BASE), holder, {
      objects: { ...field(), 51: `${field()[51]?.slice(0, -2)}/Kids[51 0 R]>>` },
    });
    expect((await check(update(form, { 8: '<<>>' }))).status).toBe('intact');
    const start = lastStartxref(text) ?? 0;
    const circle = update(text, { 8: '<<>>' }).replace(
      /\/Prev \d+(?!.*\/Prev)/s,
      `/Prev ${update(text, { 8: '<<>>' }).lastIndexOf('xref\n8 1')}`,
    );
    expect(start).toBeGreaterThan(0);
    expect((await check(circle)).laterChanges).toBe('other');
  });

  test('noise at every place', async () => {
    const base = await signed(update('', BASE), holder, { objects: field(), room: 2_000 });
    const text = compressed(base, { 8: '<</Producer(other)>>' });
    let seed = 7;
    const random = (below: number) => {
      seed = (seed + 0x6d2b79f5) | 0;
      let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
    };
    for (let count = 0; count < 400; count += 1) {
      const bytes = bytesOf(text);
      for (let times = 1 + random(3); times > 0; times -= 1) bytes[random(bytes.length)] = random(256);
      const report = await checkPdf(random(8) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes);
      expect(['none', 'intact', 'failed', 'indeterminate']).toContain(report.status);
    }
  });

  test('a locked file, a damaged one, nothing', async () => {
    const locked = update(
      '',
      { ...BASE, 9: '<</Filter/Standard/V 2/R 3/O(x)/U(y)/P -4>>' },
      { trailer: '/Encrypt 9 0 R' },
    );
    expect((await checkPdf(bytesOf(locked))).status).toBe('none');
    expect((await checkPdf(new Uint8Array())).status).toBe('none');
    expect(await checkPdf(bytesOf('%PDF-1.7\nx'))).toMatchObject({ status: 'none', reason: 'the file cannot be read' });
  });
});
