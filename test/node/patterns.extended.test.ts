import { expect, test } from 'vitest';
import { growthOf, loadComposed, readSource } from './support/patterns';

/** To check all takes two minutes of computing. */
const CHECKED_MS = 1_800_000;

/** Records anew with `npx vitest run --mode all --project node test/node/patterns.extended.test.ts -u`. */
test(
  'what is recorded of the patterns of src is what the checker says, and nothing else is recorded',
  async () => {
    const reading = readSource();
    const all = [...reading.written, ...(await loadComposed(reading))];
    const patterns = new Map(all.map(({ pattern }) => [String(pattern), pattern]));
    const checked = [...patterns].sort().map(([text, pattern]) => ({ text, ...growthOf(pattern) }));
    expect(checked.filter(({ isLinear }) => !isLinear)).toEqual([]);
    const record = Object.fromEntries(checked.map(({ text, growth }) => [text, growth]));
    await expect(`${JSON.stringify(record, null, 2)}\n`).toMatchFileSnapshot('patterns.generated.json');
  },
  CHECKED_MS,
);
