const BODIES = ['test/platform/body.unit.test.ts', 'test/platform/body-crowd.unit.test.ts'];

/** Files of business rules, each with the tests that should fail when a rule is changed. */
export const RULES: Record<string, string[]> = {
  'src/orders/rules.ts': ['test/orders/rules.unit.test.ts'],
  'src/order-requests/rules.ts': ['test/order-requests/rules.unit.test.ts'],
  'src/order-requests/assessment.ts': ['test/order-requests/assessment.unit.test.ts'],
  'src/order-requests/warnings.ts': ['test/order-requests/warnings.unit.test.ts'],
  'src/order-requests/names.ts': ['test/order-requests/names.unit.test.ts'],
  'src/order-requests/name-tokens.ts': [
    'test/order-requests/scan-name.unit.test.ts',
    'test/order-requests/names.unit.test.ts',
  ],
  'src/order-requests/scan-name.ts': [
    'test/order-requests/scan-name.unit.test.ts',
    'test/order-requests/names.unit.test.ts',
  ],
  'src/prescriptions/coverage.ts': ['test/prescriptions/coverage.unit.test.ts'],
  'src/inventory/resolution.ts': ['test/inventory/resolution.unit.test.ts'],
  'src/webhooks/signing/sign.ts': ['test/webhooks/sign.unit.test.ts'],
  'src/platform/access.ts': ['test/platform/access.unit.test.ts'],
  'src/platform/address.ts': ['test/platform/address.unit.test.ts'],
  'src/platform/body-memory.ts': BODIES,
  'src/platform/body.ts': BODIES,
  'src/platform/memory-pool.ts': ['test/platform/memory-pool.unit.test.ts'],
  'src/platform/money.ts': ['test/platform/money.unit.test.ts'],
  'src/platform/outbound.ts': ['test/platform/outbound.unit.test.ts'],
  'src/platform/rate-limit.ts': ['test/platform/rate-limit.unit.test.ts'],
  'src/platform/retry.ts': ['test/platform/retry.unit.test.ts'],
};
