const CODES = ['test/codes/codes.unit.test.ts'];
const BODIES = ['test/platform/body.unit.test.ts', 'test/platform/body-crowd.unit.test.ts'];
const NAMES = [
  'test/order-requests/scan-name.unit.test.ts',
  'test/order-requests/read-name.unit.test.ts',
  'test/order-requests/names.unit.test.ts',
  'test/order-requests/difference.unit.test.ts',
  'test/order-requests/difference-amounts.unit.test.ts',
  'test/order-requests/difference-pairs.unit.test.ts',
];

/** Files of business rules, each with the tests that should fail when a rule is changed. */
export const RULES: Record<string, string[]> = {
  'src/codes/check-digits.ts': CODES,
  'src/codes/numbers.ts': CODES,
  'src/orders/rules.ts': ['test/orders/rules.unit.test.ts'],
  'src/order-requests/intake/rules.ts': ['test/order-requests/rules.unit.test.ts'],
  'src/order-requests/review/assessment.ts': ['test/order-requests/assessment.unit.test.ts'],
  'src/order-requests/intake/warnings.ts': ['test/order-requests/warnings.unit.test.ts'],
  'src/order-requests/prices.ts': ['test/order-requests/warnings.unit.test.ts'],
  'src/order-requests/names/compare.ts': ['test/order-requests/compare-names.unit.test.ts'],
  'src/order-requests/names/contents.ts': ['test/order-requests/difference-amounts.unit.test.ts'],
  'src/order-requests/names/differences.ts': NAMES,
  'src/order-requests/names/forms.ts': [
    'test/order-requests/forms.unit.test.ts',
    'test/order-requests/read-name.unit.test.ts',
  ],
  'src/order-requests/names/match.ts': ['test/order-requests/names.unit.test.ts'],
  'src/order-requests/names/name-differences.ts': NAMES,
  'src/order-requests/names/price.ts': ['test/order-requests/warnings.unit.test.ts'],
  'src/order-requests/names/read.ts': NAMES,
  'src/order-requests/names/scan.ts': NAMES,
  'src/order-requests/names/tokens.ts': NAMES,
  'src/order-requests/names/words.ts': NAMES,
  'src/prescriptions/coverage.ts': ['test/prescriptions/coverage.unit.test.ts'],
  'src/inventory/resolution.ts': ['test/inventory/resolution.unit.test.ts'],
  'src/webhooks/signing/sign.ts': ['test/webhooks/sign.unit.test.ts'],
  'src/platform/access.ts': ['test/platform/access.unit.test.ts'],
  'src/platform/http/address.ts': ['test/platform/address.unit.test.ts'],
  'src/platform/http/body-memory.ts': BODIES,
  'src/platform/http/body.ts': BODIES,
  'src/platform/http/memory-pool.ts': ['test/platform/memory-pool.unit.test.ts'],
  'src/platform/money.ts': ['test/platform/money.unit.test.ts'],
  'src/platform/http/outbound.ts': ['test/platform/outbound.unit.test.ts'],
  'src/platform/http/rate-limit.ts': ['test/platform/rate-limit.unit.test.ts'],
  'src/platform/queue/retry.ts': ['test/platform/retry.unit.test.ts'],
};
