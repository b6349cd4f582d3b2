import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { serverBefore } from './support/growing-server';
import { toolsIn } from './support/outside';
import { ownService } from './support/own-service';

/**
 * Schemathesis sends what the document allows and what it forbids, and compares every answer with it: no server error, no answer
 * outside of its schema, no undocumented status, nothing without credentials. What it is told and what is an exception, with the
 * reason: `support/schemathesis.toml`.
 */
const { service } = await ownService();
const tools = toolsIn('schemathesis', { python: ['schemathesis==4.32.0'] });
const CONFIG = resolve(import.meta.dirname, 'support/schemathesis.toml');
const CASES_MIN = 2_000;
const RUN_MS = 1_800_000;

beforeAll(() => tools.install(), RUN_MS);

test(
  'what Schemathesis makes of the document finds no failure',
  async () => {
    const { base_url, org_id, api_key, integration_key, shops } = service.demo;
    const [api, shop] = [await serverBefore(base_url), await serverBefore(shops[0]?.url ?? '')];
    const path = `${base_url}/api/v2/public/orgs/${org_id}/auth/token`;
    const got = await fetch(path, { method: 'POST', headers: { 'X-API-Key': api_key } });
    const { access_token } = (await got.json()) as { access_token: string };

    const organization = await schemathesis(api, '^/api/v2', `Authorization: Bearer ${access_token}`);
    const connector = await schemathesis(shop, '^/api/v1', `apikey: ${integration_key}`);
    expect(organization + connector).toBeGreaterThanOrEqual(CASES_MIN);
  },
  RUN_MS,
);

/** @returns how many cases were sent @throws with the report when one of them failed */
async function schemathesis(url: string, paths: string, header: string): Promise<number> {
  const document = `${service.demo.base_url}/api/v2/public/openapi.json`;
  const args = ['--config-file', CONFIG, 'run', document, '--url', url, '--include-path-regex', paths, '-H', header];
  const env = { ...process.env, ORG_ID: service.demo.org_id };
  const ran = promisify(execFile)(tools.python('schemathesis'), args, { env, maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await ran.catch(({ stdout = '', stderr = '' }: { stdout?: string; stderr?: string }) => {
    throw new Error(`${stdout}${stderr}`.slice(-8_000));
  });
  const cases = Number(/([\d,]+) generated/.exec(stdout)?.[1]?.replaceAll(',', ''));
  console.log(stdout.split('\n').slice(-20).join('\n'));
  return cases;
}
