import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { holdsToken } from '../../src/signatures/pdf/text';
import { BASE, bytesOf, type Objects, stream, textOf, update } from './pdfs';

const TOKEN = `Task/160.123.456.789.123.58/$accept?ac=${'0f'.repeat(32)}`;
const packed = (content: string) => textOf(deflateSync(bytesOf(content)));
const holds = (objects: Objects) => holdsToken(bytesOf(update('', { ...BASE, ...objects })));

/** Four bytes as five digits, as ASCII85 does. */
function ascii85(text: string): string {
  const bytes = bytesOf(text);
  let out = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const part = [...bytes.subarray(at, at + 4)];
    let value = [...part, 0, 0, 0].slice(0, 4).reduce((sum, byte) => sum * 256 + byte, 0);
    const digits = Array.from({ length: 5 }, () => {
      const digit = String.fromCharCode((value % 85) + 33);
      value = Math.floor(value / 85);
      return digit;
    });
    out += digits
      .reverse()
      .join('')
      .slice(0, part.length + 1);
  }
  return `${out}~>`;
}

test('finds a token that is drawn in several strings, over lines, compressed in the ways of print-outs', async () => {
  const drawn = `BT (${TOKEN.slice(0, 20)}) Tj T* [(${TOKEN.slice(20, 50)}) -20 <${Buffer.from(TOKEN.slice(50)).toString('hex')}>] TJ ET`;
  expect(await holds({ 4: stream(drawn) })).toBe(true);
  expect(await holds({ 4: stream(packed(drawn), '/Filter/FlateDecode') })).toBe(true);
  expect(await holds({ 4: stream(ascii85(packed(drawn)), '/Filter[/ASCII85Decode/FlateDecode]') })).toBe(true);
});

test('finds a token in the address of a link, and in text by the table of its font', async () => {
  expect(await holds({ 9: `<</Type/Annot/A<</URI(https://erp.example/${TOKEN})>>>>` })).toBe(true);
  const codes = [...TOKEN].map((character) => (character.charCodeAt(0) + 0x200).toString(16).padStart(4, '0'));
  const table =
    '1 begincodespacerange<0000><ffff>endcodespacerange 1 beginbfrange<0220><027e><0020>endbfrange begincmap';
  expect(await holds({ 4: stream(`BT <${codes.join('')}> Tj ET`), 9: stream(table) })).toBe(true);
  const single = [...new Set(TOKEN)].map((one) => {
    const code = one.charCodeAt(0).toString(16).padStart(2, '0');
    return `<${(Number.parseInt(code, 16) ^ 0x80).toString(16)}> <00${code}>`;
  });
  const shifted = [...TOKEN].map((one) => (one.charCodeAt(0) ^ 0x80).toString(16));
  const chars = `begincmap ${single.length} beginbfchar ${single.join(' ')} endbfchar`;
  expect(await holds({ 4: stream(`BT <${shifted.join('')}> Tj ET`), 9: stream(chars) })).toBe(true);
});

test('leaves other prescriptions alone, and files that cannot be read', async () => {
  expect(await holds({ 4: stream(`BT (${TOKEN.slice(0, -1)}) Tj ET`) })).toBe(false);
  expect(await holds({ 4: stream('BT (Rezept 160.123.456.789.123.58) Tj ET') })).toBe(false);
  expect(await holdsToken(bytesOf('%PDF-1.7 x'))).toBe(false);
});
