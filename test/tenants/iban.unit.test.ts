import { expect, test } from 'vitest';
import { isIban } from '../../src/tenants/rules';

test.each(['DE89370400440532013000', 'FR1420041010050500013M02606', 'NO9386011117947'])('takes %s', (iban) => {
  expect(isIban(iban)).toBe(true);
});

// The remainder of each is 1: modulo 97 alone would take them.
test.each([
  ['that is too long for its country', 'DE0137040044053201300000'],
  ['that is too short for its country', 'DE863704004405320130'],
  ['of a country without IBANs', 'US64SVBKUS6S3300958879'],
  ['with check digits 00', 'GB00HLFX11016111455365'],
  ['with check digits 01', 'GB01BARC20714583608387'],
])('refuses one %s', (_, iban) => {
  expect(isIban(iban)).toBe(false);
});
