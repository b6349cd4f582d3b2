import { expect, test } from 'vitest';
import { addDays, startOf } from '../../src/platform/pharmacy-time';
import { partOf, spansOf, splitPeriod } from '../../src/reports/parts';

const at = (text: string) => Date.parse(text);
const DAY_MS = 86_400_000;

test('every day of a pharmacy begins with a part, in summer and in winter', () => {
  for (let day = '2020-01-01'; day < '2040-01-01'; day = addDays(day, 1)) {
    expect([day, partOf(startOf(day))]).toEqual([day, startOf(day)]);
  }
});

test.each([
  ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'],
  ['2026-11-01T21:59:59.999Z', '2026-11-01T00:00:00Z'],
  ['2026-11-01T22:00:00Z', '2026-11-01T22:00:00Z'],
  ['2026-11-01T23:59:59.999Z', '2026-11-01T23:00:00Z'],
])('%s is in the part that starts at %s', (time, start) => {
  expect(partOf(at(time))).toBe(at(start));
});

test.each([
  ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', [0, 0]],
  ['2026-11-01T10:00:00Z', '2026-11-03T10:00:00Z', [12, 10]],
  ['2026-11-01T22:30:00Z', '2026-11-03T23:10:00Z', [0.5, 1 / 6]],
  ['2026-11-01T10:00:00Z', '2026-11-01T12:00:00Z', [2, 0]],
])('from %s to %s so many hours are left at the ends', (from, to, hours) => {
  const { whole, rest } = splitPeriod({ from: at(from), to: at(to) });
  expect(rest.map((range) => (range.to - range.from) / 3_600_000)).toEqual(hours.filter((each) => each > 0));
  const all = [whole, ...rest].reduce((sum, range) => sum + range.to - range.from, 0);
  expect(all).toBe(at(to) - at(from));
});

test('the spans of a year follow each other without a gap: months of four weeks, then weeks, then days', () => {
  const [from, to] = [startOf('2026-01-01'), startOf('2027-01-01')];
  const spans = spansOf({ from, to });
  expect(spans.map(({ span }) => span / DAY_MS)).toEqual([0, 7, 28, 7, 0]);
  expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([from, to]);
  for (const [index, { span, from: start, to: end }] of spans.entries()) {
    expect(start).toBe(index === 0 ? from : spans[index - 1]?.to);
    if (span > 0) expect([start % span, end % span]).toEqual([0, 0]);
  }
  expect(spansOf({ from, to: from })).toEqual([]);
});
