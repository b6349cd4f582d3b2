import { expect, test } from 'vitest';
import { callerOf, networkOf } from '../../src/platform/http/rate-limit';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1 ', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:0201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:192.168.2.1', '192.168.2.1'],
  ['255.255.255.255', '255.255.255.255'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['1::ffff:192.0.2.1', '1:0:0:0::/64'],
  // Mapped addresses alone are IPv4: this one is a network of its own.
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
])('%s calls as %s', (address, caller) => {
  expect(callerOf(address)).toBe(caller);
});

test.each([
  '',
  'local',
  '192.0.2',
  '192.0.2.256',
  '192.0.2.1.5',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4::5:6:7:8',
  '1::2::3',
  ':::',
  ':1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:',
  '12345::1',
  '2001:db8::g',
  '192.0.2.1::1',
  '::192.0.2.1:1',
])('%j is no address', (address) => {
  expect(callerOf(address)).toBeNull();
});

test('all addresses of a /64 are one caller, all /64s of a /48 are one network', () => {
  expect(callerOf('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(callerOf('2001:db8:1:2::'));
  expect(callerOf('2001:db8:1:3::')).not.toBe(callerOf('2001:db8:1:2::'));
  expect(networkOf('2001:db8:1:2::/64')).toBe('2001:db8:1::/48');
  expect(networkOf('2001:db8:1:ffff::/64')).toBe('2001:db8:1::/48');
  expect(networkOf('2001:db8:2:2::/64')).not.toBe('2001:db8:1::/48');
});

test.each(['192.0.2.1', 'local', 'unreadable'])('%s has no network around it', (caller) => {
  expect(networkOf(caller)).toBeNull();
});
