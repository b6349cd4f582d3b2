import { vi } from 'vitest';

/** A bound for a hang, not a measure: the machine may be busy. */
const TIMEOUT_MS = 30_000;

/** Tries again until nothing is thrown. @returns what the last attempt returned. @throws what it threw, after 30 s */
export function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: TIMEOUT_MS, interval: 20 });
}
