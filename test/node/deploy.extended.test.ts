import { expect, test } from 'vitest';
import { killAtEach, NEXT_SHA, SHA } from './support/deployment.ts';

const HANG_MS = 1_800_000;

test(
  'killed at any request of the first run, before or after it was carried out, the next one ends well',
  async () => {
    expect(await killAtEach(async () => undefined, SHA)).toBeGreaterThan(150);
  },
  HANG_MS,
);

test(
  'killed at any request of a later run, before or after it was carried out, the next one ends well',
  async () => {
    expect(await killAtEach((run) => run(), NEXT_SHA)).toBeGreaterThan(100);
  },
  HANG_MS,
);
