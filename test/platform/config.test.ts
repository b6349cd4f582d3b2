import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/platform/config';

const with_ = (changed: Partial<Env>) => readConfig({ ...env, ...changed });
const HTTPS = { BASE_URL: 'https://a.example', OUTBOUND_ALLOW_LOOPBACK: '' };
const KEY = btoa('x'.repeat(32));
const TOKEN = 'z'.repeat(32);
const BACKUP = {
  BACKUP_URL: 'https://s3.example/bucket',
  BACKUP_PUBLIC_KEY: `age1${'q'.repeat(58)}`,
  BACKUP_ACCESS_KEY: 'id:secret',
};

test('the environment of development reads as development', () => {
  const config = with_({ BASE_URL: 'http://LOCALHOST:8787/' });
  expect(config).toMatchObject({ baseUrl: 'http://localhost:8787', baseHost: 'localhost', isDevelopment: true });
  expect(config.allowLoopbackWebhooks).toBe(true);
});

test('the environment of production reads as production', () => {
  const config = with_({
    BASE_URL: 'https://api.offizin.example',
    OUTBOUND_ALLOW_LOOPBACK: '',
    RETRY_SCHEDULE_SECONDS: '0,60,900',
  });
  expect(config).toMatchObject({
    isDevelopment: false,
    allowLoopbackWebhooks: false,
    retryScheduleSeconds: [0, 60, 900],
  });
});

test('the bucket of backups is read with its key; without an address there is none', () => {
  const { backup } = with_({ ...BACKUP, BACKUP_URL: 'https://s3.example/bucket/offizin/', BACKUP_REGION: 'fr-par' });
  expect(backup).toEqual({
    url: 'https://s3.example/bucket/offizin',
    region: 'fr-par',
    ...{ accessKeyId: 'id', secretAccessKey: 'secret', publicKey: BACKUP.BACKUP_PUBLIC_KEY },
  });
  expect(with_({ BACKUP_URL: '' }).backup).toBe(null);
});

test('roots are read with the current one first', () => {
  const { roots } = with_({ ROOT_SECRETS: `r2:${KEY}, r1:${btoa('y'.repeat(32))}` });
  expect([roots.currentId, [...roots.byId.keys()]]).toEqual(['r2', ['r2', 'r1']]);
});

test('each operator token is read with its name and its scopes', () => {
  const { operatorTokens } = with_({ OPERATOR_TOKENS: `watch:ready:${TOKEN}, anna:read+write:${TOKEN}a` });
  expect(operatorTokens).toEqual([
    { name: 'watch', scopes: ['ready'], token: TOKEN },
    { name: 'anna', scopes: ['read', 'write'], token: `${TOKEN}a` },
  ]);
});

test.each<[string, Partial<Env>]>([
  ['loopback allowed in production', { BASE_URL: 'https://api.offizin.example', OUTBOUND_ALLOW_LOOPBACK: 'webhooks' }],
  ['a base URL that is none', { BASE_URL: 'api.offizin.example' }],
  ['a CNAME target that is the base host', { ...HTTPS, SHOP_CNAME_TARGET: 'a.example' }],
  ['a CNAME target below the base host', { ...HTTPS, SHOP_CNAME_TARGET: 'x.a.example' }],
  ['a CNAME target that is no host', { SHOP_CNAME_TARGET: 'https://connect.shops.example/' }],
  ['no CNAME target', { SHOP_CNAME_TARGET: '' }],
  ['alarms to this service itself', { ...HTTPS, ALERT_URL: 'https://x.a.example/' }],
  ['alarms over plain HTTP', { ...HTTPS, ALERT_URL: 'http://alerts.example.com/' }],
  ['backups over plain HTTP', { ...BACKUP, BACKUP_URL: 'http://s3.example/bucket' }],
  ['backups over plain HTTP on loopback in production', { ...BACKUP, ...HTTPS, BACKUP_URL: 'http://127.0.0.1/bucket' }],
  ['backups without a bucket', { ...BACKUP, BACKUP_URL: 'https://s3.example/' }],
  ['backups for no age recipient', { ...BACKUP, BACKUP_PUBLIC_KEY: 'age1' }],
  ['backups with an access key of one half', { ...BACKUP, ...{ BACKUP_ACCESS_KEY: 'id' } }],
  ['a secret of alarms that is none', { ALERT_SECRET: 'whsec_short' }],
  ['a short operator token', { OPERATOR_TOKENS: 'anna:read:short' }],
  ['no operator token', { OPERATOR_TOKENS: '' }],
  ['an operator token without a name', { OPERATOR_TOKENS: `read:${TOKEN}` }],
  ['an operator token without a scope', { OPERATOR_TOKENS: `anna::${TOKEN}` }],
  ['an operator token with a scope that there is not', { OPERATOR_TOKENS: `anna:read+all:${TOKEN}` }],
  ['two operators of one name', { OPERATOR_TOKENS: `anna:read:${TOKEN},anna:write:${TOKEN}y` }],
  ['one token of two operators', { OPERATOR_TOKENS: `anna:read:${TOKEN},bert:write:${TOKEN}` }],
  ['a short root', { ROOT_SECRETS: `r1:${btoa('short')}` }],
  ['a short second root', { ROOT_SECRETS: `r2:${KEY},r1:${btoa('short')}` }],
  ['a root that is not base64', { ROOT_SECRETS: `r1:${'!'.repeat(44)}` }],
  ['a root without an id', { ROOT_SECRETS: KEY }],
  ['no root', { ROOT_SECRETS: '' }],
  ['an id twice', { ROOT_SECRETS: `r1:${KEY},r1:${btoa('y'.repeat(32))}` }],
  ['an id with a dot', { ROOT_SECRETS: `r.1:${KEY}` }],
  ['a brand of two words', { WEBHOOK_BRAND: 'Acme Pharma' }],
  ['a brand that begins with a digit', { WEBHOOK_BRAND: '1A' }],
  ['a brand of 32 letters', { WEBHOOK_BRAND: 'A'.repeat(32) }],
  ['the name of the contract as a brand', { WEBHOOK_BRAND: 'service' }],
  ['a schedule of two', { RETRY_SCHEDULE_SECONDS: '0,60' }],
  ['a schedule of words', { RETRY_SCHEDULE_SECONDS: 'now,soon,later' }],
  ['a schedule into the past', { RETRY_SCHEDULE_SECONDS: '0,-1,5' }],
])('%s is refused, whole, and no secret stands in the reason', (_, changed) => {
  expect(() => with_(changed)).toThrow(Error);
  try {
    with_(changed);
  } catch (error) {
    for (const secret of [TOKEN, env.ROOT_SECRETS, KEY]) expect(String(error)).not.toContain(secret);
  }
});
