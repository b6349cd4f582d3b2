import { expect, test } from 'vitest';
import { killAtEach, NEXT_SHA, SHA } from './support/deployment.ts';

type Prepare = Parameters<typeof killAtEach>[0];

test.each<[string, Prepare, string]>([
  ['the first run', async () => undefined, SHA],
  ['a later run', (run) => run(), NEXT_SHA],
])('killed at some of the requests of %s, the next one ends well', async (_, prepared, sha) => {
  expect(await killAtEach(prepared, sha, 47)).toBeGreaterThan(3);
});
