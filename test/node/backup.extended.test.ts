import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operatorApi } from '../../scripts/api.ts';
import { ROOT } from '../../scripts/paths.ts';
import { ownService } from './support/own-service';
import { Bucket } from './support/s3';
import { freePort } from './support/service';

const TIMEOUT_MS = 400_000;
const WAIT = { timeout: TIMEOUT_MS, interval: 100 };
const { service, dir } = await ownService({ isStarted: false });
const bucket = new Bucket(await freePort());
let identity: string;

beforeAll(async () => {
  identity = await generateX25519Identity();
  await bucket.install();
  await bucket.start();
  await startWith(bucket.writer);
}, TIMEOUT_MS);
afterAll(() => bucket.stop());

async function startWith(BACKUP_ACCESS_KEY: string): Promise<void> {
  const BACKUP_PUBLIC_KEY = await identityToRecipient(identity);
  Object.assign(service.env, { BACKUP_URL: bucket.url, BACKUP_PUBLIC_KEY, BACKUP_ACCESS_KEY });
  await service.start();
}

/** A command of scripts, against the service. @returns its exit code and what it said */
async function run(script: string, ...args: string[]): Promise<{ code: number; said: string }> {
  const { base_url, operator_token } = service.demo;
  const env = { ...process.env, BASE_URL: base_url, OPERATOR_TOKEN: operator_token };
  const ran = promisify(execFile)(process.execPath, [join(ROOT, 'scripts', script), ...args], { env });
  return ran.then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );
}

const operate = (method: string, path: string, body?: unknown) =>
  operatorApi(service.demo.base_url, service.demo.operator_token)(method, path, body);
const rename = (name: string, orgId = service.demo.org_id) => operate('PATCH', `/organizations/${orgId}`, { name });

async function nameOf(orgId: string): Promise<string> {
  const { data } = await operate('GET', '/organizations?limit=50');
  return data.find((row: { org_id: string }) => row.org_id === orgId).name;
}

test(
  'the bucket of another provider has each organization, locked; one goes back to it beside others',
  async () => {
    const { org_id: orgId } = service.demo;
    const other = (await service.operate('/organizations', { name: 'Andere' })).org_id ?? '';
    const backedUp = await run('backup.ts');
    expect(backedUp).toEqual({ code: 0, said: expect.stringContaining('Backed up: ') });
    const [first = ''] = await bucket.backupsOf(orgId);
    expect(await bucket.backupsOf(other)).toHaveLength(1);

    const [part = ''] = await bucket.keys(first);
    const { headers } = await bucket.call(`/${part}`, { method: 'HEAD' });
    expect(headers.get('x-amz-object-lock-mode')).toBe('COMPLIANCE');
    const version = headers.get('x-amz-version-id');
    expect(version).not.toBeNull();
    // Not even whoever has all rights deletes it.
    expect((await bucket.call(`/${part}?versionId=${version}`, { method: 'DELETE' })).status).toBe(403);

    const folder = join(dir, 'fetched');
    await bucket.fetchTo(first, folder);
    const key = join(dir, 'opened');
    const opened = await run('open-export.ts', folder, '--key', identity, '--to', key);
    expect(opened).toEqual({ code: 0, said: expect.stringContaining('SHA-256 of the manifest') });
    expect(readFileSync(join(key, 'shops.csv'), 'utf8').split('\r\n').length).toBeGreaterThan(2);

    const before = await nameOf(orgId);
    await rename('Verdorben');
    await rename('Weiter', other);
    expect(await run('import-organization.ts', folder, '--key', identity, '--replace')).toMatchObject({ code: 0 });
    expect([await nameOf(orgId), await nameOf(other)]).toEqual([before, 'Weiter']);
  },
  TIMEOUT_MS,
);

test(
  'killed while it sends, it goes on and ends well',
  async () => {
    const { org_id: orgId } = service.demo;
    const before = (await bucket.backupsOf(orgId)).length;
    await rename('Nach dem Abbruch');
    await service.operate('/backups', {});
    const isSending = async () => (await bucket.keys(`organizations/${orgId}/`)).length;
    const count = await isSending();
    await vi.waitUntil(async () => (await isSending()) > count, WAIT);
    await service.cutPower(service.family());
    await service.start();
    await vi.waitUntil(async () => (await bucket.backupsOf(orgId)).length > before, WAIT);
    const folder = join(dir, 'after-kill');
    await bucket.fetchTo((await bucket.backupsOf(orgId)).at(-1) ?? '', folder);
    const to = join(dir, 'after-kill-opened');
    expect(await run('open-export.ts', folder, '--key', identity, '--to', to)).toMatchObject({ code: 0 });
    expect(readFileSync(join(to, 'organizations.csv'), 'utf8')).toContain('Nach dem Abbruch');
  },
  TIMEOUT_MS,
);

test(
  'a key that is wrong and a bucket that is down are told, and afterwards it goes on by itself',
  async () => {
    const { org_id: orgId } = service.demo;
    await service.stop();
    await startWith(bucket.writer.replace(/.{4}$/, 'AAAA'));
    const wrong = await run('backup.ts');
    expect(wrong).toEqual({ code: 1, said: expect.stringContaining('SignatureDoesNotMatch') });
    bucket.stop();
    await vi.waitUntil(async () => (await operate('GET', '/backups')).failure === 'connect', WAIT);
    await rename('Nach dem Ausfall');
    await bucket.start();
    await service.stop();
    await startWith(bucket.writer);
    expect(await run('backup.ts')).toMatchObject({ code: 0 });
    expect(await bucket.backupsOf(orgId)).toHaveLength(1);
  },
  TIMEOUT_MS,
);
