import { expect, test } from 'vitest';
import { fuzz } from '../../scripts/fuzz/run.ts';
import { withService } from './support/service';

const CASES = 3_000;
/** A fixed one: whoever looks for more runs `npm run fuzz`, which draws another each time. */
const SEED = 1;
/** A bound for a hang. */
const RUN_MS = 600_000;

test(
  'no request, whatever it holds, gets a server error, an undocumented answer or something of another organization',
  async () => {
    const { failures, uncovered, ...summary } = await withService(({ demo }) =>
      fuzz({ baseUrl: demo.base_url, operatorToken: demo.operator_token, cases: CASES, seed: SEED }),
    );
    console.log(JSON.stringify({ ...summary, perRoute: undefined }));
    expect(failures).toEqual([]);
    expect(uncovered).toEqual([]);
    expect(summary.cases).toBe(CASES);
  },
  RUN_MS,
);
