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

/** A change that no test can notice, because it does not change the behavior. */
export interface Equivalent {
  file: string;
  /** The source line, or a part that identifies it. */
  source: string;
  /** The change as the report prints it. */
  change: string;
  reason: string;
}

export const EQUIVALENT: Equivalent[] = [
  {
    file: 'src/platform/access.ts',
    source:
      "const scopes = actor.kind === 'api_key' ? actor.scopes : actor.kind === 'staff' ? SCOPES_OF_ROLE[actor.role] : [];",
    change: "actor.kind === 'staff' → true",
    reason: 'Whoever else comes here has no organization, and is refused for that.',
  },
  {
    file: 'src/platform/address.ts',
    source: "const groups = ipv6Groups(caller.split('/')[0] ?? '');",
    change: "'' → 'mutant'",
    reason: 'A text always has a first part.',
  },
  {
    file: 'src/platform/address.ts',
    source: "const [text = ''] = address.split('%');",
    change: "'' → 'mutant'",
    reason: 'A text always has a first part.',
  },
  {
    file: 'src/platform/address.ts',
    source: "const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);",
    change: '0 → 1',
    reason: 'The pattern above lets four numbers through and nothing else.',
  },
  {
    file: 'src/platform/body.ts',
    source: 'if (declared === 0) return new Uint8Array();',
    change: 'declared === 0 → false',
    reason: 'To read nothing takes longer and gives the same.',
  },
  {
    file: 'src/platform/body.ts',
    source: 'const deadline = this.isLarge ? LARGE_DEADLINE_MS : SMALL_DEADLINE_MS;',
    change: 'this.isLarge → true',
    reason: 'At 16 KiB a second a small body is late after 16 s at most, before its deadline of 20 s.',
  },
  {
    file: 'src/platform/body.ts',
    source: "const header = request.headers.get('Content-Length') ?? '';",
    change: "'' → 'mutant'",
    reason: 'Neither is a number.',
  },
  {
    file: 'src/platform/body.ts',
    source: 'if (!value) throw incomplete();',
    change: '!value → false',
    reason: 'What has no buffer cannot be read from, which counts as an incomplete body as well.',
  },
  {
    file: 'src/platform/body.ts',
    source: 'this.marks.delete(ms);',
    change: 'this.marks.delete(ms); → ;',
    reason: 'To go through the marks from the beginning again takes longer and ends at the same one.',
  },
  {
    file: 'src/platform/body-memory.ts',
    source: "const STRANGERS = 'strangers';",
    change: "'strangers' → ''",
    reason: 'No other principal is called either.',
  },
  {
    file: 'src/platform/memory-pool.ts',
    source: 'readonly since = 0,',
    change: '0 → 1',
    reason: 'Only the order counts, and all claims without a time have the same.',
  },
  {
    file: 'src/platform/memory-pool.ts',
    source: 'askedAt = 0;',
    change: '0 → 1',
    reason: 'Set whenever the claim is asked for, before it is read.',
  },
  {
    file: 'src/platform/memory-pool.ts',
    source: 'if (each.bytes > room) return false;',
    change: 'each.bytes > room → false',
    reason: 'What is left is below zero then, and no claim fits into that.',
  },
  {
    file: 'src/platform/memory-pool.ts',
    source: 'if (each.bytes > room) return false;',
    change: 'each.bytes > room → each.bytes >= room',
    reason: 'Nothing is left then, and only a claim of no bytes would fit into that.',
  },
  {
    file: 'src/platform/memory-pool.ts',
    source: 'if (left === 0) this.usedBy.delete(principal);',
    change: 'left === 0 → false',
    reason: 'An entry of zero bytes means the same as none.',
  },
  {
    file: 'src/platform/money.ts',
    source: 'if (Math.abs(cents - rounded) > NOISE_CENTS) return null;',
    change: 'Math.abs(cents - rounded) > NOISE_CENTS → Math.abs(cents - rounded) >= NOISE_CENTS',
    reason: 'No amount in binary floating point is off by exactly a ten-thousandth of a cent.',
  },
  {
    file: 'src/platform/rate-limit.ts',
    source: 'const until = countersOf(ctx, kind, who)',
    change: '0 → 1',
    reason: 'A millisecond after 1970 is over as well.',
  },
  {
    file: 'src/platform/rate-limit.ts',
    source: 'return Math.max(0, ...until) - ctx.now();',
    change: '0 → 1',
    reason: 'A millisecond after 1970 is over as well.',
  },
  {
    file: 'src/platform/rate-limit.ts',
    source: 'if (coolingUntil.size === 0) return 0;',
    change: 'coolingUntil.size === 0 → false',
    reason: 'To look for counters among none takes longer and gives what is not above 0 either.',
  },
  {
    file: 'src/platform/retry.ts',
    source: 'return Math.max(planned, askedToWaitUntil(failed) ?? 0);',
    change: '0 → 1',
    reason: 'A millisecond after 1970 is before every planned attempt.',
  },
  {
    file: 'src/order-requests/warnings.ts',
    source: "if (item.p1Id !== item.productId && names.has(item.p1Id ?? '') && names.has(item.productId ?? '')) {",
    change: "'' → 'mutant'",
    reason: 'No product has either as its id.',
  },
  {
    file: 'src/order-requests/warnings.ts',
    source: "if (item.name === null || !isNameMismatch(item.name, names.get(p1Id) ?? '')) return warnings;",
    change: "'' → 'mutant'",
    reason: 'The id was found among the names right before.',
  },
  {
    file: 'src/order-requests/warnings.ts',
    source: "const product = products.get(item.p1Id ?? '') ?? products.get(item.productId ?? '');",
    change: "'' → 'mutant'",
    reason: 'No product has either as its id.',
  },
  {
    file: 'src/order-requests/names.ts',
    source: 'if (submitted === product) return false;',
    change: 'submitted === product → false',
    reason: 'The same name in one spelling is the same as well; this only takes less time.',
  },
  {
    file: 'src/order-requests/names.ts',
    source: 'if (one.amounts.length > 0 ||',
    change: '0 → 1',
    reason: 'Only called where one of the two states no strength: this one, or the other, which is asked next.',
  },
  {
    file: 'src/order-requests/name-tokens.ts',
    source: "const textAt = (index: number) => all[index] ?? '';",
    change: "'' → 'mutant'",
    reason: 'Neither is a mark of grouping, a point or a comma, nor begins with a digit.',
  },
  {
    file: 'src/order-requests/scan-name.ts',
    source: 'factor: 1_000_000',
    change: '1_000_000 → 1000001',
    reason: 'Amounts are compared by their first six digits.',
  },
];
