import { afterAll, beforeEach } from 'vitest';

// Shows what a test logged when it fails. The runner would show the same, but is sent every line at once, of which each
// request logs one: that took about 6 % of the CPU time of these tests.

const { debug, log, info, warn, error } = console;
let lines: string[] = [];

const keep = (...parts: unknown[]) => {
  lines.push(parts.join(' '));
};
Object.assign(console, { debug: keep, log: keep, info: keep, warn: keep, error: keep });

beforeEach(({ onTestFailed }) => {
  const own: string[] = [];
  lines = own;
  onTestFailed(() => {
    if (own.length > 0) log.call(console, own.join('\n'));
  });
});

afterAll(() => {
  Object.assign(console, { debug, log, info, warn, error });
});
