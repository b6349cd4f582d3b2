import { execFileSync } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ownService } from './support/own-service';
import { type OpenApi, pythonClient } from './support/python-client';
import { post } from './support/service';

const MODULES = resolve(import.meta.dirname, '../../node_modules');
const { service, dir } = await ownService();
const p1Id = 'CLIENT-1';
const LIFE = {
  request: 'approved',
  order: 'picked_up',
  payment: 'paid',
  told: ['picked_up', true],
  listed: [true],
};

beforeAll(async () => {
  await importCatalogue(
    `p1_id,name,slug,category,price\n${p1Id},Ibuprofen 400,client-ibuprofen-400,Schmerzmittel,149.90\n`,
  );
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  symlinkSync(MODULES, join(dir, 'node_modules'), 'junction');
});

test('a client that a public generator makes of the document compiles, and does what the API is for', async () => {
  const { base_url } = service.demo;
  const document = await fetch(`${base_url}/api/v2/public/openapi.json`);
  writeFileSync(join(dir, 'openapi.json'), await document.text());
  runPackage('oazapfts/dist/cli.js', 'openapi.json', 'client.ts');
  copyFileSync(join(import.meta.dirname, 'support/client-script.txt'), join(dir, 'script.ts'));

  runPackage(
    'typescript/bin/tsc',
    ...'--noEmit --strict --target esnext --module nodenext --types node'.split(' '),
    '--allowImportingTsExtensions',
    'script.ts',
  );

  const said = run(process.execPath, 'script.ts', given());
  expect(JSON.parse(said)).toEqual({
    token: 'Bearer',
    added: 201,
    attached: [200, 200],
    overridden: { price: 200 },
    price: { here: 200, there: 149.9 },
    detached: false,
    gone: 'product_not_attached',
    life: LIFE,
  });
});

test('a client in Python with types that a public generator makes of the document compiles, and takes every answer of an order’s life', async () => {
  const document = await fetch(`${service.demo.base_url}/api/v2/public/openapi.json`);
  writeFileSync(join(dir, 'client.py'), await pythonClient((await document.json()) as OpenApi));
  copyFileSync(join(import.meta.dirname, 'support/client-life.py'), join(dir, 'life.py'));
  run('python3', '-W', 'error', '-m', 'py_compile', 'client.py');
  expect(JSON.parse(run('python3', 'life.py', given()))).toEqual(LIFE);
});

/** Everything that the programs are told. */
function given(): string {
  const { base_url, org_id, api_key, integration_key, shops } = service.demo;
  return JSON.stringify({ base_url, org_id, api_key, integration_key, shop_url: shops[0]?.url, p1_id: p1Id });
}

async function importCatalogue(csv: string): Promise<void> {
  const { base_url, operator_token } = service.demo;
  const headers = { Authorization: `Bearer ${operator_token}`, 'Content-Type': 'text/csv' };
  const answer = await post(`${base_url}/api/operator/v1/catalog`, headers, csv);
  expect(JSON.parse(answer.body), answer.body).toMatchObject({ imported: 1, refused: [] });
}

/** A package's program. */
function runPackage(program: string, ...args: string[]): string {
  return run(process.execPath, join(MODULES, program), ...args);
}

function run(program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, { cwd: dir, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    // SAFETY: execFile rejects with these fields when a program exits with a code other than 0.
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')}\n${stdout}${stderr}`);
  }
}
