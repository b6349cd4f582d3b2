/** Files whose every rule a test must hold, and the tests that should notice when one is changed. */
export const RULES: Record<string, string[]> = {
  'src/orders/rules.ts': ['test/unit/orders/rules.test.ts'],
  'src/order-requests/rules.ts': ['test/unit/order-requests/rules.test.ts'],
  'src/order-requests/assessment.ts': ['test/unit/order-requests/assessment.test.ts'],
  'src/order-requests/warnings.ts': ['test/unit/order-requests/warnings.test.ts'],
  'src/order-requests/names.ts': ['test/order-requests/names.test.ts'],
  'src/inventory/resolution.ts': ['test/inventory/resolution.test.ts'],
  'src/webhooks/sign.ts': ['test/unit/webhooks/sign.test.ts'],
  'src/platform/access.ts': ['test/unit/platform/access.test.ts'],
  'src/platform/address.ts': ['test/platform/address.test.ts'],
  'src/platform/body.ts': ['test/unit/platform/oldbody.test.ts'],
  'src/platform/memory-pool.ts': ['test/unit/platform/oldbody.test.ts'],
  'src/platform/money.ts': ['test/platform/money.test.ts'],
  'src/platform/outbound.ts': ['test/platform/outbound.test.ts'],
  'src/platform/rate-limit.ts': ['test/unit/platform/rate-limit.test.ts'],
  'src/platform/retry.ts': ['test/platform/retry.test.ts'],
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
