import { expect, test } from 'vitest';
import { isOneAddress } from '../../src/platform/http/validation';

test.each([
  'erika@example.com',
  "o'neil+rx/7=ü!#$%&*?^_`{|}~-@example.com",
  'käthe@öztürk.example',
  '用户@例子.广告',
  'erika@می‌خواهم.example',
  'x@localhost',
])('%j is one address', (address) => {
  expect(isOneAddress(address)).toBe(true);
});

test.each([
  'a,b@example.com',
  'a;b@c.example',
  'a@b.example,c@d.example',
  '<x>@example.com',
  'x@example.com>',
  'x@example.com(note)',
  'x@[127.0.0.1]',
  '"a b"@example.com',
  'a b@example.com',
  'a@example.com\r\nBcc: b@example.com',
  'a@moc.\u202eelpmaxe',
  'a\u200b@example.com',
  'a\u00ad@example.com',
  'a@b@example.com',
  'example.com',
  '@example.com',
  'a@',
  '',
])('%j is two addresses or none', (address) => {
  expect(isOneAddress(address)).toBe(false);
});
