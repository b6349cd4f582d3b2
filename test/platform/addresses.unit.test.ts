import { expect, test } from 'vitest';
import { hostOf, refusalOf } from '../../src/platform/http/outgoing';
import { ADDRESSES, OWN_BASE_HOST, OWN_SHOP_HOST, RESOLVES_INWARDS } from '../support/addresses';

const own = [OWN_BASE_HOST, hostOf(new URL(`https://${OWN_SHOP_HOST}`))];
const rules = { isOwnHost: (host: string) => own.includes(host) };

test('each address is refused for its own reason, or is on the public internet', () => {
  expect(new Set(ADDRESSES.map(({ url }) => url)).size).toBe(ADDRESSES.length);
  const said = ADDRESSES.map(({ kind, url }) => [kind, url, refusalOf(url, rules)]);
  expect(said).toEqual(ADDRESSES.map(({ kind, url, refusal }) => [kind, url, refusal]));
});

test('where loopback is allowed, that opens its two addresses and no other', () => {
  const opened = ADDRESSES.filter(
    ({ url, refusal }) => refusal !== null && refusalOf(url, { ...rules, allowLoopback: true }) === null,
  );
  expect(opened.length).toBeGreaterThan(0);
  for (const { url } of opened) expect(['127.0.0.1', '[::1]']).toContain(new URL(url).hostname);
});

test('a public name that resolves inwards passes: its text does not tell (docs/operating.md)', () => {
  const names = ADDRESSES.filter(({ kind }) => kind === RESOLVES_INWARDS);
  expect(names.length).toBeGreaterThan(0);
  expect(names.map(({ url }) => refusalOf(url, rules))).toEqual(names.map(() => null));
});
