import { expect, test } from 'vitest';
import { hasTokenIn } from '../../src/signatures/erezept';

const CODE = '777bea0e13cc9c42ceec14aec3ddee2263325dc2c6c699db115f58fe423607ea';
const TOKEN = `Task/160.123.456.789.123.58/$accept?ac=${CODE}`;

test.each([
  TOKEN,
  JSON.stringify({ urls: [TOKEN] }),
  JSON.stringify({ note: JSON.stringify({ urls: [TOKEN, TOKEN] }) }),
  JSON.stringify({ note: `{"urls":["${TOKEN.replaceAll('/', '\\/')}"]}` }),
  JSON.stringify({ note: TOKEN.replace('=', '\\u003d') }),
  `https://erp.example/${TOKEN}`,
  `https://erp.example/?token=${encodeURIComponent(TOKEN)}`,
  TOKEN.replace('160.123.456.789.123.58', '16012345678912358'),
  TOKEN.replace('?', '?x=1&'),
  TOKEN.replace('?', '?x=1&amp;'),
  encodeURIComponent(TOKEN.replace('?', '?x=1&')),
  JSON.stringify({ task_id: '160.123.456.789.123.58', access_code: CODE }),
  JSON.stringify({ erx: { accessCode: CODE.toUpperCase() } }),
])('finds the token of an E-Rezept in %s', (text) => {
  expect(hasTokenIn(text)).toBe(true);
});

test.each([
  CODE,
  'Task/160.123.456.789.123.58',
  TOKEN.slice(0, -1),
  TOKEN.replace('$accept', '$abort'),
  TOKEN.replace('160', '16'),
  JSON.stringify({ access_code: CODE.slice(1), sha256: CODE }),
])('leaves %s alone', (text) => {
  expect(hasTokenIn(text)).toBe(false);
});
