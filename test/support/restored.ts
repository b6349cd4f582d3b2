import { afterEach, vi } from 'vitest';

// What a test replaced, the clock included, ends with it.
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
