import { expect, test } from 'vitest';
import { askedToWaitUntil, type FailedAttempt, nextAttemptAt } from '../../src/platform/queue/retry';

const NOW = Date.UTC(2026, 10, 20, 9, 30);
const DAY_S = 86_400;

/** Seconds until the next attempt, or null. */
function waitAfter(failed: Partial<FailedAttempt>): number | null {
  const at = nextAttemptAt({
    attempt: 1,
    now: NOW,
    random: 0,
    scheduleSeconds: [0, 60, 900],
    httpStatus: 500,
    retryAfter: null,
    ...failed,
  });
  return at === null ? null : (at - NOW) / 1000;
}

test.each([
  [1, 60],
  [2, 900],
  [3, null],
  [4, null],
])('after attempt %i of the schedule the next one waits %j seconds', (attempt, wait) => {
  expect(waitAfter({ attempt })).toBe(wait);
});

test('the schedule is the one that was given', () => {
  expect([waitAfter({ scheduleSeconds: [0, 2, 5] }), waitAfter({ scheduleSeconds: [0, 2, 5], attempt: 2 })]).toEqual([
    2, 5,
  ]);
});

test.each([
  [0, 60],
  [0.5, 63],
  [0.999999, 66],
])('a random of %f makes 60 seconds %f: at most a tenth is added and nothing taken away', (random, wait) => {
  expect(waitAfter({ random })).toBeCloseTo(wait, 2);
  expect(waitAfter({ random })).toBeGreaterThanOrEqual(60);
  expect(waitAfter({ random })).toBeLessThanOrEqual(66);
});

test.each([400, 404, 409, 429, 500, 503, null])('after %j the run goes on', (httpStatus) => {
  expect(waitAfter({ httpStatus })).toBe(60);
});

test.each([1, 2, 3])('410 Gone ends the run after attempt %i', (attempt) => {
  expect(waitAfter({ httpStatus: 410, attempt, retryAfter: '5' })).toBeNull();
});

test.each<[string, number]>([
  ['120', 120],
  [' 120 ', 120],
  ['0', 60],
  ['30', 60],
  ['59', 60],
  ['61', 61],
  [String(DAY_S), DAY_S],
  [String(DAY_S + 1), DAY_S],
  ['9'.repeat(400), DAY_S],
  ['Fri, 20 Nov 2026 09:32:00 GMT', 120],
  ['Friday, 20-Nov-26 09:32:00 GMT', 120],
  ['Fri, 20 Nov 2026 09:00:00 GMT', 60],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 60],
  ['Sat, 20 Nov 2027 09:30:00 GMT', DAY_S],
  ['soon', 60],
  ['', 60],
  ['-120', 60],
  ['1e3', 60],
  ['0x100', 60],
  ['NaN', 60],
  ['Infinity', 60],
  ['120; please', 60],
])('Retry-After %j on 429 and 503 makes the next attempt wait %i seconds', (retryAfter, wait) => {
  expect(waitAfter({ httpStatus: 429, retryAfter })).toBe(wait);
  expect(waitAfter({ httpStatus: 503, retryAfter })).toBe(wait);
});

test.each([200, 301, 400, 404, 500, 502, 504, null])('Retry-After on %j counts for nothing', (httpStatus) => {
  expect(waitAfter({ httpStatus, retryAfter: '7200' })).toBe(60);
});

test('Retry-After never moves an attempt earlier, nor brings a fourth one', () => {
  expect(waitAfter({ attempt: 2, httpStatus: 503, retryAfter: '10' })).toBe(900);
  expect(waitAfter({ attempt: 3, httpStatus: 503, retryAfter: '10' })).toBeNull();
});

test('the wait is rounded to the nearest millisecond', () => {
  expect(waitAfter({ random: 0.0001 })).toBe(60.001);
});

test('an attempt beyond the schedule waits for nothing', () => {
  expect(waitAfter({ scheduleSeconds: [0] })).toBe(0);
});

test.each<[number | null, string | null, number | null]>([
  [503, '120', 120],
  [429, ' 120 ', 120],
  [429, '1', 1],
  [503, '999999', DAY_S],
  [503, new Date(NOW + 3_600_000).toUTCString(), 3_600],
  [503, new Date(NOW).toUTCString(), null],
  [503, '0', null],
  [503, '-5', null],
  [503, 'soon', null],
  [503, '', null],
  [503, null, null],
  [500, '120', null],
  [200, '120', null],
  [null, '120', null],
])('%j with Retry-After %j asks to be left alone for %j seconds', (httpStatus, retryAfter, seconds) => {
  const until = askedToWaitUntil({ now: NOW, httpStatus, retryAfter });
  expect(until === null ? null : (until - NOW) / 1000).toBe(seconds);
});
