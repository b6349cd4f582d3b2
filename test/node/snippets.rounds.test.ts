import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SNIPPETS } from '../../src/webhooks/signing/snippets';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/rounds';
import { PUBLISHED, type SignedPost, signedPosts } from '../support/signatures';
import { freePort, post } from './support/service';

const ROOT = resolve(import.meta.dirname, '../..');
const KIT = join(ROOT, 'scripts/reference/downloads');
const dir = mkdtempSync(join(tmpdir(), 'offizin-snippets-'));
let posts: SignedPost[];

beforeAll(async () => {
  // One of them imports a package.
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'), 'junction');
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  for (const file of ['receiver.js', 'server.js']) copyFileSync(join(KIT, file), join(dir, file));
  posts = await signedPosts(Math.floor(Date.now() / 1000));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Run {
  command: string;
  file: string;
  /** The end of the program: reads posts as JSON from its input and prints one `true` or `false` a line. */
  call: string;
  /** Made a program first, which is then run by itself. */
  isBuilt?: boolean;
}

/** How the snippet of each language is called. */
const RUNS: Record<string, Run> = {
  node: js(`try { readEvent(body, headers, secret); return true; } catch { return false; }`),
  'node-sha256': js(`return isGenuine(body, headers['x-service-signature'], secret);`),
  'web-crypto': js(`return isGenuine(body, new Headers(headers), secret);`),
  python: {
    command: 'python3',
    file: 'snippet.py',
    call: `
import json, sys
for post in json.load(sys.stdin):
    print("true" if is_genuine(post["body"].encode(), post["headers"], post["secret"]) else "false")`,
  },
  php: {
    command: 'php',
    file: 'snippet.php',
    call: `
foreach (json_decode(file_get_contents('php://stdin'), true) as $post) {
    echo isGenuine($post['body'], $post['headers'], $post['secret']) ? "true\\n" : "false\\n";
}`,
  },
  go: {
    command: 'go',
    file: 'snippet.go',
    isBuilt: true,
    call: `
func main() {
	var posts []struct {
		Body, Secret string
		Headers      map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&posts); err != nil {
		panic(err)
	}
	for _, post := range posts {
		header := http.Header{}
		for name, value := range post.Headers {
			header.Set(name, value)
		}
		fmt.Println(IsGenuine([]byte(post.Body), header, post.Secret))
	}
}`,
  },
};

// `npm test` needs nothing but Node; the proof needs the other languages, and fails without them.
const inNode = SNIPPETS.filter(({ id }) => [undefined, process.execPath].includes(RUNS[id]?.command));
test.each(rounds(inNode, SNIPPETS))('$id tells our posts from others', ({ id, scheme, code }) => {
  const run = RUNS[id];
  if (!run) throw new Error(`Say how ${id} is run.`);
  const isStandard = scheme === 'webhook-signature';
  const { signature, ...gitHub } = PUBLISHED.gitHub;
  const cases = isStandard
    ? posts.map((post) => ({ ...post, expected: post.isGenuine }))
    : [
        ...posts.map((post) => ({ ...post, expected: post.isBodyGenuine })),
        { ...gitHub, name: 'as GitHub publishes', headers: { 'x-service-signature': signature }, expected: true },
      ];
  const path = join(dir, `${id}-${run.file}`);
  writeFileSync(path, fileOf(code, run));
  const said = verdicts(path, run, JSON.stringify(cases));
  expect(cases.map(({ name }, index) => `${name}: ${said[index]}`)).toEqual(
    cases.map(({ name, expected }) => `${name}: ${expected}`),
  );
});

test('the receiver kit runs in Node and tells our posts from others', () => {
  const check = js(`return verify(body, headers, secret).then(() => true, ({ reason }) => !reason);`);
  const path = join(dir, 'kit.js');
  writeFileSync(path, fileOf(`import { verify } from './receiver.js';`, check));
  const said = verdicts(path, check, JSON.stringify(posts));
  expect(posts.map(({ name }, index) => `${name}: ${said[index]}`)).toEqual(
    posts.map(({ name, isGenuine }) => `${name}: ${isGenuine}`),
  );
});

test('the server of the kit takes a post once, drops it when it comes again, and refuses what is not genuine', async () => {
  const [sent] = posts as [SignedPost];
  const [older] = posts.filter(({ name }) => name === 'during a rotation, for the old secret') as [SignedPost];
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: `${sent.secret} ${older.secret}` };
  const server = spawn(process.execPath, [join(dir, 'server.js')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = text(server.stdout);
  try {
    const send = (headers: Record<string, string>, body: string) => post(`http://127.0.0.1:${port}/`, headers, body);
    // Refused until it listens.
    const first = await eventually(() => send(sent.headers, sent.body));
    const repeated = await send(sent.headers, sent.body);
    const changed = await send(sent.headers, `${sent.body} `);
    const unsigned = await send({}, sent.body);
    expect([first, repeated, changed, unsigned].map(({ status }) => status)).toEqual([204, 204, 401, 401]);
  } finally {
    server.kill();
    await once(server, 'exit');
  }
  expect((await printed).trim().split('\n')).toEqual([expect.stringMatching(/^order_created /)]);
});

function js(verdict: string): Run {
  const call = `
for (const { body, headers, secret } of JSON.parse(await (await import('node:stream/consumers')).text(process.stdin))) {
  console.log(await (async () => { ${verdict} })());
}`;
  return { command: process.execPath, file: 'snippet.mjs', call };
}

function fileOf(code: string, { isBuilt, call }: Run): string {
  const program = isBuilt
    ? code.replace('package webhook', 'package main').replace('\t"fmt"', '\t"encoding/json"\n\t"fmt"\n\t"os"')
    : code;
  return `${program}\n${call}\n`;
}

/** @returns what the program printed; anything on its error output is a failure */
function verdicts(path: string, { command, isBuilt }: Run, input: string): string[] {
  const program = `${path}.program`;
  if (isBuilt) execFileSync(command, ['build', '-o', program, path], { stdio: 'pipe' });
  const [file, args] = isBuilt ? [program, []] : [command, [path]];
  return execFileSync(file, args, { input, encoding: 'utf8' }).trim().split('\n');
}
