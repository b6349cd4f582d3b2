import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity } from 'age-encryption';
import { expect, onTestFinished, test } from 'vitest';
import { SecretFile } from '../../scripts/deploy/secret-file.ts';
import { answerAbout } from '../../scripts/deployed-secrets.ts';
import { StartError } from '../../scripts/errors.ts';

const KEY = btoa('k'.repeat(32));
const token = (name: string, text: string) => `${name}:write:${text.padEnd(40, '_')}`;

async function open() {
  const dir = mkdtempSync(join(tmpdir(), 'offizin-secrets-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const key = await generateX25519Identity();
  const read = (identity: string | undefined = key) => SecretFile.open(dir, 'production', identity);
  const first = await read();
  await first.keep('OPERATOR_TOKENS', token('deploy', 'first'));
  await first.keep('ROOT_SECRETS', `r1:${KEY}`);
  const ask = async (asked: { show?: string; set?: string; value?: string; drop?: string[] }, identity?: string) =>
    answerAbout({
      environment: 'production',
      secrets: await read(identity),
      required: ['OPERATOR_TOKENS', 'ROOT_SECRETS'],
      ...asked,
      value: async () => asked.value ?? '',
    });
  return { dir, read, ask };
}

test('the names of the kept secrets are told, a value only where it is asked for, and none without the key', async () => {
  const { ask } = await open();
  expect(await ask({})).toBe('OPERATOR_TOKENS\nROOT_SECRETS');
  expect(await ask({ show: 'OPERATOR_TOKENS' })).toBe(token('deploy', 'first'));
  await expect(ask({ show: 'OTHER' })).rejects.toThrow(StartError);
  for (const wrong of [await generateX25519Identity(), 'short'])
    await expect(ask({ show: 'OPERATOR_TOKENS' }, wrong)).rejects.toThrow('DEPLOY_KEY');
});

test('another value is kept, encrypted, beside the one before', async () => {
  const { ask, dir, read } = await open();
  const value = `${token('deploy', 'second')},${token('monitor', 'third')}`;
  expect(await ask({ set: 'OPERATOR_TOKENS', value: `${value}\n` })).not.toContain('second');
  const secrets = (await read()).values;
  expect(secrets.OPERATOR_TOKENS).toBe(value);
  const [before = ''] = Object.keys(secrets).filter((name) => name.startsWith('OPERATOR_TOKENS~'));
  expect(secrets[before]).toBe(token('deploy', 'first'));
  expect(readFileSync(join(dir, 'production.age'), 'latin1')).not.toContain('second');
});

test('ROOT_SECRETS takes a new root, and loses one only by name', async () => {
  const { ask, read } = await open();
  await ask({ set: 'ROOT_SECRETS', value: `r2:${KEY},r1:${KEY}` });
  await expect(ask({ set: 'ROOT_SECRETS', value: `r2:${KEY}` })).rejects.toThrow('would lose r1');
  expect((await read()).values.ROOT_SECRETS).toBe(`r2:${KEY},r1:${KEY}`);
  await ask({ set: 'ROOT_SECRETS', value: `r2:${KEY}`, drop: ['r1'] });
  expect((await read()).values.ROOT_SECRETS).toBe(`r2:${KEY}`);
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
  const { ask, read } = await open();
  const { values } = await read();
  await expect(ask(asked)).rejects.toThrow(StartError);
  expect((await read()).values).toEqual(values);
});
