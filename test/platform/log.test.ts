import { expect, test } from 'vitest';
import { describeError, type LogFields, log } from '../../src/platform/log';
import { captureLogs } from '../support/probe';

function lineOf(fields: Record<string, unknown>): Record<string, unknown> {
  const { lines } = captureLogs();
  log('info', 'tried', fields as LogFields);
  return JSON.parse(lines.at(-1) ?? '');
}

test.each([
  '019aa0b2-7c11-7d1e-9f3a-3f5a1c2b4d6e',
  '/base/api/operator/v1/organizations/:orgId',
  '/shop/*',
  'POST',
  'webhook-deliveries',
  'TypeError',
  'submitOrderRequest service.ts:12:34',
  200,
  0.5,
  undefined,
])('%j may be logged', (value) => {
  expect(lineOf({ code: value }).code).toBe(value);
});

test.each([
  'Zürgiebel',
  'Erika\nMustermann',
  'a"b',
  "a'b",
  'a?b=c',
  'a&b',
  'a=b',
  'a%20b',
  'a+b',
  'x'.repeat(201),
  'ofz_abcdefghijkl_x',
  'key ofz_x',
  'whsec_abc',
  'Bearer eyJhbGciOi',
  '{"a":1}',
  '\u0000',
  '😀',
])('%j is withheld', (value) => {
  expect(lineOf({ route: value }).route).toBe('[withheld]');
});

test('a line is one line of JSON with its level and event', () => {
  const { lines } = captureLogs();
  log('warn', 'enqueue_failed', { count: 2 });
  expect(lines).toEqual(['{"level":"warn","event":"enqueue_failed","count":2}']);
});

test('of an error its class and place are told, and never its message', () => {
  const error = new RangeError('Erika Mustermann, params: 4711');
  const told = describeError(error);
  expect(told.error_class).toBe('RangeError');
  expect(told.error_at).toMatch(/test\.ts:\d+:\d+$/);
  expect(JSON.stringify(told)).not.toMatch(/Erika|4711/);
});

test.each([
  'params: x\n    at Erika (Mustermann.x:1:1)',
  'x\n    at async Mustermann Erika-x.y:2:3',
  '\n at Erika.Mustermann (a b c.ts:1:1)\n at Mustermann.x:1:1',
])('a message that looks like a place in the code is still a message: %j', (message) => {
  const told = describeError(new Error(message));
  expect(JSON.stringify(told)).not.toMatch(/Erika|Mustermann/);
  expect(told.error_at).toMatch(/test\.ts:\d+:\d+$/);
});

test('an error whose message was changed since has no place that could be trusted', () => {
  const error = new Error('x\n    at Erika (Mustermann.x:1:1)');
  // V8 writes the head when the stack is first read.
  expect(error.stack).toContain('Erika');
  error.message = 'changed since';
  expect(describeError(error)).toEqual({ error_class: 'Error', error_at: undefined });
});

test.each<[unknown, string]>([
  ['Erika', 'string'],
  [null, 'object'],
  [undefined, 'undefined'],
  [{ message: 'Erika' }, 'object'],
])('what is thrown and is no error (%j) is told by its type', (thrown, type) => {
  expect(describeError(thrown)).toEqual({ error_class: type });
});
