import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { ADDED, type Document, serverBefore } from './support/growing-server';
import { toolsIn } from './support/outside';
import { ownService } from './support/own-service';
import { post } from './support/service';

/**
 * Clients that the generators of others make of the published document: each is compiled and used for an order's life
 * (`support/clients/`), against the service and against one that has grown as the changelog allows.
 */
const { service, dir } = await ownService();
const MODULES = resolve(import.meta.dirname, '../../node_modules');
const CLIENT_MS = 1_200_000;

const tools = toolsIn('generators', {
  maven: { 'openapi-generator-cli': 'org.openapitools:openapi-generator-cli:7.17.0' },
  go: ['github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'],
  python: [
    'openapi-python-client==0.29.1',
    'pydantic==2.14.4',
    'urllib3==2.8.0',
    'python-dateutil==2.9.0.post0',
    'typing-extensions>=4.7.1',
  ],
  npm: [
    'typescript@5.9.3',
    '@types/node@24.19.2',
    'openapi-typescript@7.13.0',
    'openapi-fetch@0.15.2',
    '@hey-api/openapi-ts@0.95.0',
  ],
});
const GO_MODULES = ['golang.org/x/oauth2@v0.27.0', 'github.com/oapi-codegen/runtime@v1.9.0'];

/** By the name of its program: makes a client in `client/`, compiles it with the program and says how to run that. */
const GENERATORS: Record<string, () => Promise<string[]>> = {
  'openapi-generator-typescript-fetch.txt': async () => {
    // Under other names its clients send open objects twice, as the caller and as the document names their members.
    await openApiGenerator('typescript-fetch', '--additional-properties=modelPropertyNaming=original');
    return typeScript();
  },
  'openapi-generator-python.py': async () => {
    await openApiGenerator('python', OPEN, '--additional-properties=packageName=offizin_client');
    return python('client');
  },
  'openapi-generator-java.java': async () => {
    await openApiGenerator('java', OPEN, '--library=okhttp-gson');
    cpSync(join(at, 'life.java'), join(at, 'client/src/main/java/Life.java'));
    const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath';
    await run('mvn', '-q', '-B', '-f', 'client/pom.xml', '-DskipTests', 'compile', plugin, '-Dmdep.outputFile=cp.txt');
    const classpath = readFileSync(join(at, 'client/cp.txt'), 'utf8').trim();
    return ['java', '-cp', `client/target/classes:${classpath}`, 'Life'];
  },
  'openapi-generator-go.go': async () => {
    await openApiGenerator('go', OPEN, '--additional-properties=packageName=offizin,withGoMod=false');
    return go();
  },
  'oapi-codegen.go': async () => {
    mkdirSync(join(at, 'client'));
    const made = '-generate types,client -response-type-suffix Answer -package offizin -o client/client.go';
    await run(tools.go('oapi-codegen'), ...made.split(' '), 'openapi.json');
    return go();
  },
  'openapi-python-client.py': async () => {
    const made = 'generate --path openapi.json --output-path client/offizin_api_client --meta none';
    await run(tools.python('openapi-python-client'), ...made.split(' '));
    return python('client');
  },
  'openapi-typescript.txt': async () => {
    await run(process.execPath, tools.npm('openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'client.d.ts');
    return typeScript();
  },
  'hey-api.txt': async () => {
    const made = ['-i', 'openapi.json', '-o', 'client', '--no-log-file'];
    await run(process.execPath, tools.npm('@hey-api/openapi-ts/bin/run.js'), ...made);
    return typeScript();
  },
};

const NAMES = Object.keys(GENERATORS);
let at = dir;
let document = '';
/** Addresses of the service and of a shop, as they are and grown. */
const addresses: Record<'now' | 'later', { api: string; shop: string }> = {
  now: { api: '', shop: '' },
  later: { api: '', shop: '' },
};

beforeAll(async () => {
  await tools.install();
  const { base_url, shops, operator_token } = service.demo;
  document = await (await fetch(`${base_url}/api/v2/public/openapi.json`)).text();
  const [api, shop] = [base_url, shops[0]?.url ?? ''];
  addresses.now = { api: await serverBefore(api), shop: await serverBefore(shop) };
  const grown = JSON.parse(document) as Document;
  addresses.later = { api: await serverBefore(api, grown), shop: await serverBefore(shop, grown) };
  const lines = NAMES.flatMap((_, place) =>
    ['now', 'later'].map((when) => `GEN-${place}-${when},Ibuprofen,gen-${place}-${when},Schmerzmittel,149.90`),
  );
  const headers = { Authorization: `Bearer ${operator_token}`, 'Content-Type': 'text/csv' };
  const csv = `p1_id,name,slug,category,price\n${lines.join('\n')}\n`;
  const { body } = await post(`${base_url}/api/operator/v1/catalog`, headers, csv);
  expect(JSON.parse(body)).toMatchObject({ imported: lines.length });
}, CLIENT_MS);

const LIFE = {
  ...{ shops: 2, listed: true, price: 200, order: 'ready_pickup', payment: 'refunded', pending: true, inbox: 1 },
  ...{ decision: 'approved', approved: 'awaiting_packing', events: true, unknown: false },
};
const LATER = { order: ADDED, payment: ADDED, decision: ADDED, approved: ADDED, events: false, unknown: true };

test.each(NAMES.map((name, place) => [name, place] as const))(
  '%s: the client compiles, sees an order through and bears what is added later',
  async (name, place) => {
    at = join(dir, String(place));
    mkdirSync(at);
    writeFileSync(join(at, 'openapi.json'), document);
    const ending = name.split('.').at(-1)?.replace('txt', 'ts');
    cpSync(join(import.meta.dirname, 'support/clients', name), join(at, `life.${ending}`));
    const [program = '', ...args] = (await GENERATORS[name]?.()) ?? [];

    const { org_id, api_key, integration_key } = service.demo;
    const life = async (when: 'now' | 'later') => {
      const product = { p1_id: `GEN-${place}-${when}`, reference: `GEN-${place}-${when}` };
      const given = { ...addresses[when], org: org_id, api_key, integration_key, ...product };
      return JSON.parse(await run(program, ...args, JSON.stringify(given)));
    };
    expect(await life('now')).toEqual(LIFE);
    expect(await life('later')).toEqual({ ...LIFE, ...LATER });
  },
  CLIENT_MS,
);

/** Its generators for Go and Java refuse members that they do not know unless they are told what JSON Schema says. */
const OPEN = '--additional-properties=disallowAdditionalPropertiesIfNotPresent=false';

async function openApiGenerator(generator: string, ...options: string[]): Promise<void> {
  const made = ['generate', '-i', 'openapi.json', '-g', generator, '-o', 'client', ...options];
  await run('java', '-jar', tools.maven('openapi-generator-cli'), ...made);
}

async function typeScript(): Promise<string[]> {
  symlinkSync(tools.npm(''), join(at, 'node_modules'));
  writeFileSync(join(at, 'package.json'), '{"type":"module"}');
  const strict = '--noEmit --strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck';
  const libraries = ['--lib', 'es2022,dom,dom.iterable', '--types', 'node'];
  await run(process.execPath, tools.npm('typescript/bin/tsc'), ...strict.split(' '), ...libraries, 'life.ts');
  const bundled = '--bundle --platform=node --format=esm --outfile=life.mjs --log-level=error';
  await run(join(MODULES, '.bin/esbuild'), 'life.ts', ...bundled.split(' '));
  return [process.execPath, 'life.mjs'];
}

async function python(folder: string): Promise<string[]> {
  await run(tools.python('python'), '-m', 'compileall', '-q', folder);
  writeFileSync(join(at, 'main.py'), `import sys\nsys.path.insert(0, ${JSON.stringify(folder)})\nimport life\n`);
  return [tools.python('python'), 'main.py'];
}

async function go(): Promise<string[]> {
  if (!existsSync(join(at, 'go.mod'))) await run('go', 'mod', 'init', 'life');
  // Its own tests are no part of the client.
  await run('rm', '-rf', 'client/test');
  await run('go', 'get', ...GO_MODULES);
  await run('go', 'build', '-mod=mod', '-o', 'life', 'life.go');
  return ['./life'];
}

/** Runs a program in the folder of the client. @throws with all that it said when it fails, or is not there */
async function run(program: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd: at, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    // SAFETY: execFile rejects with an error that has these fields when a program ran.
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args[0]}: ${(stderr + stdout).slice(-4_000) || message}`);
  }
}
