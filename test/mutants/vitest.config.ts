import { defineConfig } from 'vitest/config';

/** For `npm run mutants`: the unit tests of rules and money, without the other projects of vitest.config.ts. */
export default defineConfig({
  test: {
    include: ['test/{inventory,order-requests,orders,platform,prescriptions,webhooks}/**/*.unit.test.ts'],
    isolate: false,
    setupFiles: 'test/support/restored.ts',
  },
});
