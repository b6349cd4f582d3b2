/** Files whose every rule a test must hold, and the tests that should notice when one is changed. */
export const RULES: Record<string, string[]> = {
  'src/orders/rules.ts': ['test/orders/rules.unit.test.ts'],
  'src/order-requests/rules.ts': ['test/order-requests/rules.unit.test.ts'],
  'src/order-requests/assessment.ts': ['test/order-requests/assessment.unit.test.ts'],
  'src/order-requests/warnings.ts': ['test/order-requests/warnings.unit.test.ts'],
  'src/order-requests/names.ts': ['test/order-requests/names.unit.test.ts'],
  'src/inventory/resolution.ts': ['test/inventory/resolution.unit.test.ts'],
  'src/webhooks/signing/sign.ts': ['test/webhooks/sign.unit.test.ts'],
  'src/platform/access.ts': ['test/platform/access.unit.test.ts'],
  'src/platform/address.ts': ['test/platform/address.unit.test.ts'],
  'src/platform/body.ts': ['test/platform/body.unit.test.ts'],
  'src/platform/memory-pool.ts': ['test/platform/memory-pool.unit.test.ts'],
  'src/platform/money.ts': ['test/platform/money.unit.test.ts'],
  'src/platform/outbound.ts': ['test/platform/outbound.unit.test.ts'],
  'src/platform/rate-limit.ts': ['test/platform/rate-limit.unit.test.ts'],
  'src/platform/retry.ts': ['test/platform/retry.unit.test.ts'],
};

/** A change that no test can notice, because the program does the same. */
export interface Equivalent {
  file: string;
  /** The line of the source, without its indentation. */
  source: string;
  /** As the report prints it. */
  change: string;
  reason: string;
}

export const EQUIVALENT: Equivalent[] = [];
