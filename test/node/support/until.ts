import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/** Waits until it holds. Knows no test runner: what starts the service for all tests runs outside of them. */
export async function until(holds: () => boolean, what: () => string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`After ${timeoutMs / 1000} s: ${what()}`);
    await delay(POLL_MS);
  }
}
