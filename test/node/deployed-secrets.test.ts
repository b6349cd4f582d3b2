import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Kept } from '../../scripts/deploy/kept.ts';
import { answerAbout } from '../../scripts/deployed-secrets.ts';
import { StartError } from '../../scripts/errors.ts';

const KEY = btoa('k'.repeat(32));
const token = (name: string, text: string) => `${name}:write:${text.padEnd(40, '_')}`;
const PASSPHRASE = 'correct horse battery staple';

function open() {
  const dir = mkdtempSync(join(tmpdir(), 'offizin-secrets-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const keep = (passphrase = PASSPHRASE) => new Kept(dir, 'production', passphrase);
  keep().keepSecret('OPERATOR_TOKENS', token('deploy', 'first'));
  keep().keepSecret('ROOT_SECRETS', `r1:${KEY}`);
  const ask = (asked: { show?: string; set?: string; value?: string; drop?: string[] }, kept = keep()) =>
    answerAbout({
      environment: 'production',
      kept,
      required: ['OPERATOR_TOKENS', 'ROOT_SECRETS'],
      ...asked,
      value: async () => asked.value ?? '',
    });
  return { dir, keep, ask };
}

test('the names of the kept secrets are told, a value only where it is asked for, and none without the passphrase', async () => {
  const { ask, keep } = open();
  expect(await ask({})).toBe('OPERATOR_TOKENS\nROOT_SECRETS');
  expect(await ask({ show: 'OPERATOR_TOKENS' })).toBe(token('deploy', 'first'));
  await expect(ask({ show: 'OTHER' })).rejects.toThrow(StartError);
  for (const wrong of ['another passphrase than that', 'short'])
    await expect(ask({ show: 'OPERATOR_TOKENS' }, keep(wrong))).rejects.toThrow('DEPLOY_PASSPHRASE');
});

test('another value is kept, encrypted, beside the one before, and marked for the next deployment', async () => {
  const { ask, dir, keep } = open();
  const value = `${token('deploy', 'second')},${token('monitor', 'third')}`;
  expect(await ask({ set: 'OPERATOR_TOKENS', value: `${value}\n` })).not.toContain('second');
  const { secrets, known } = keep();
  expect([secrets.OPERATOR_TOKENS, known.changedSecrets]).toEqual([value, ['OPERATOR_TOKENS']]);
  const [before = ''] = Object.keys(secrets).filter((name) => name.startsWith('OPERATOR_TOKENS~'));
  expect(secrets[before]).toBe(token('deploy', 'first'));
  expect(readFileSync(join(dir, 'production.secrets'), 'latin1')).not.toContain('second');
});

test('ROOT_SECRETS takes a new root, and loses one only by name', async () => {
  const { ask, keep } = open();
  await ask({ set: 'ROOT_SECRETS', value: `r2:${KEY},r1:${KEY}` });
  await expect(ask({ set: 'ROOT_SECRETS', value: `r2:${KEY}` })).rejects.toThrow('would lose r1');
  expect(keep().secrets.ROOT_SECRETS).toBe(`r2:${KEY},r1:${KEY}`);
  await ask({ set: 'ROOT_SECRETS', value: `r2:${KEY}`, drop: ['r1'] });
  expect(keep().secrets.ROOT_SECRETS).toBe(`r2:${KEY}`);
});

test.each([
  ['a secret that the Worker does not have', { set: 'OPERATOR_TOKEN', value: 'x' }],
  ['an empty value', { set: 'OPERATOR_TOKENS', value: ' \n' }],
  [
    'a token with a scope that there is not',
    { set: 'OPERATOR_TOKENS', value: token('deploy', 'x').replace('write', 'all') },
  ],
  ['what is no key', { set: 'ROOT_SECRETS', value: 'oops not a key' }],
  ['a key that is too short', { set: 'ROOT_SECRETS', value: `r2:${btoa('short')},r1:${KEY}` }],
])('%s is refused, and nothing is changed', async (_, asked) => {
  const { ask, keep } = open();
  const { secrets } = keep();
  await expect(ask(asked)).rejects.toThrow(StartError);
  expect([keep().secrets, keep().known.changedSecrets]).toEqual([secrets, undefined]);
});
