import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Kept } from '../../scripts/deploy/kept.ts';
import { answerAbout } from '../../scripts/deployed-secrets.ts';
import { StartError } from '../../scripts/errors.ts';

const PASSPHRASE = 'correct horse battery staple';

function open() {
  const dir = mkdtempSync(join(tmpdir(), 'offizin-secrets-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const put: [args: string, stdin: string | undefined][] = [];
  const keep = (passphrase = PASSPHRASE) => new Kept(dir, 'production', passphrase);
  keep().keepSecret('OPERATOR_TOKENS', 'deploy:write:first');
  const ask = (asked: { show?: string; set?: string; value?: string }, kept = keep()) =>
    answerAbout({
      environment: 'production',
      kept,
      required: ['OPERATOR_TOKENS'],
      ...asked,
      value: async () => asked.value ?? '',
      wrangler: async (args, stdin) => {
        put.push([args.join(' '), stdin]);
        return [];
      },
    });
  return { dir, put, keep, ask };
}

test('the names of the kept secrets are told, a value only where it is asked for, and none without the passphrase', async () => {
  const { ask, keep } = open();
  expect(await ask({})).toBe('OPERATOR_TOKENS');
  expect(await ask({ show: 'OPERATOR_TOKENS' })).toBe('deploy:write:first');
  await expect(ask({ show: 'OTHER' })).rejects.toThrow(StartError);
  for (const wrong of ['another passphrase than that', 'short'])
    await expect(ask({ show: 'OPERATOR_TOKENS' }, keep(wrong))).rejects.toThrow('DEPLOY_PASSPHRASE');
});

test('another value is kept, encrypted, and comes to the Worker by a pipe', async () => {
  const { ask, dir, keep, put } = open();
  const value = 'deploy:write:second,monitor:ready:third';
  expect(await ask({ set: 'OPERATOR_TOKENS', value: `${value}\n` })).not.toContain('second');
  expect(keep().secrets).toEqual({ OPERATOR_TOKENS: value });
  expect(put).toEqual([[expect.stringMatching(/^secret put OPERATOR_TOKENS --env production --config \S+$/), value]]);
  expect(readFileSync(join(dir, 'production.secrets'), 'latin1')).not.toContain('second');
});

test.each([
  ['a secret that the Worker does not have', { set: 'OPERATOR_TOKEN', value: 'x' }],
  ['an empty value', { set: 'OPERATOR_TOKENS', value: ' \n' }],
])('%s is refused, and nothing is changed', async (_, asked) => {
  const { ask, keep, put } = open();
  await expect(ask(asked)).rejects.toThrow(StartError);
  expect([put, keep().secrets]).toEqual([[], { OPERATOR_TOKENS: 'deploy:write:first' }]);
});
