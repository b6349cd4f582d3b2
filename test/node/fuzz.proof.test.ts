import { expect, test } from 'vitest';
import { fuzz } from '../../scripts/fuzz/run.ts';
import { ownService } from './support/own-service';

const CASES = 3_000;
/** A fixed one: whoever looks for more runs `npm run fuzz`, which draws another each time. */
const SEED = 1;
/** A bound for a hang. */
const RUN_MS = 600_000;

const { service } = await ownService();

test(
  'no request, whatever it holds, gets a server error, an undocumented answer or something of another organization',
  async () => {
    const { base_url: baseUrl, operator_token: operatorToken } = service.demo;
    const { failures, uncovered, ...summary } = await fuzz({ baseUrl, operatorToken, cases: CASES, seed: SEED });
    console.log(JSON.stringify({ ...summary, perRoute: undefined }));
    expect(failures).toEqual([]);
    expect(uncovered).toEqual([]);
    expect(summary.cases).toBe(CASES);
  },
  RUN_MS,
);
