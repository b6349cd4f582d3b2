import { vi } from 'vitest';

/** How long whoever wants a password hashed waits before looking whether it is their turn (src/auth/staff/passwords/hash.ts). */
const LOOK_EVERY_MS = 20;

/** How many passwords were hashed: nobody else is there, so each waits once. */
export async function hashesOf(work: () => Promise<unknown>): Promise<number> {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await work();
  const count = timers.mock.calls.filter(([, ms]) => ms === LOOK_EVERY_MS).length;
  timers.mockRestore();
  return count;
}
