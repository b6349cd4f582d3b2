import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { SNIPPETS } from '../../src/webhooks/signing/snippets';

const dir = mkdtempSync(join(tmpdir(), 'offizin-snippets-'));
// One of them imports a package.
symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(dir, 'node_modules'), 'junction');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const body = '{"title":"Bestellanfrage","description":"für Löwen-Apotheke"}';
const secret = newSecret();
const now = Math.floor(Date.now() / 1000);

/** What each snippet has to say to one post: is it genuine? */
interface Case {
  name: string;
  body: string;
  headers: Record<string, string>;
  isGenuine: boolean;
}

const genuine = headersAt(now);
const stale = headersAt(now - 3600);
const CASES: Case[] = [
  { name: 'as sent', body, headers: genuine, isGenuine: true },
  { name: 'another body', body: `${body} `, headers: genuine, isGenuine: false },
  { name: 'another secret', body, headers: headersAt(now, newSecret()), isGenuine: false },
  { name: 'no signature', body, headers: {}, isGenuine: false },
];
const STANDARD_CASES: Case[] = [
  { name: 'an hour old', body, headers: stale, isGenuine: false },
  { name: 'another timestamp', body, headers: { ...genuine, 'webhook-timestamp': String(now - 1) }, isGenuine: false },
  { name: 'no number', body, headers: { ...genuine, 'webhook-timestamp': 'now' }, isGenuine: false },
  {
    name: 'two signatures',
    body,
    headers: { ...genuine, 'webhook-signature': `v1,bm9uZQ== ${genuine['webhook-signature']}` },
    isGenuine: true,
  },
];

interface Run {
  command: string;
  version: string;
  file: string;
  args: string[];
  call: string;
  /** Made a program first, which is then run by itself. */
  isBuilt?: boolean;
}

/** How the snippet of each language is called: a file's end that reads `[body, headers, secret]` from argv and exits 0 or 1. */
const RUNS: Record<string, Run> = {
  node: js(`try { readEvent(body, headers, secret); } catch { process.exit(1); }`),
  'node-sha256': js(`process.exit(isGenuine(body, headers['x-service-signature'], secret) ? 0 : 1);`),
  'web-crypto': js(`process.exit((await isGenuine(body, new Headers(headers), secret)) ? 0 : 1);`),
  python: {
    command: 'python3',
    version: '--version',
    file: 'snippet.py',
    args: [],
    call: `
import json, sys
body, headers, secret = json.loads(sys.argv[1])
sys.exit(0 if is_genuine(body.encode(), headers, secret) else 1)`,
  },
  php: {
    command: 'php',
    version: '--version',
    file: 'snippet.php',
    args: [],
    call: `
[$body, $headers, $secret] = json_decode($argv[1], true);
exit(isGenuine($body, $headers, $secret) ? 0 : 1);`,
  },
  go: {
    command: 'go',
    version: 'version',
    file: 'snippet.go',
    args: [],
    isBuilt: true,
    call: `
func main() {
	header := http.Header{}
	for _, line := range strings.Split(os.Args[2], "\\n") {
		name, value, _ := strings.Cut(line, ": ")
		header.Set(name, value)
	}
	if !IsGenuine([]byte(os.Args[1]), header, os.Args[3]) {
		os.Exit(1)
	}
}`,
  },
};

for (const snippet of SNIPPETS) {
  const run = RUNS[snippet.id];
  // CI installs every language; elsewhere one that is missing shows as skipped.
  const isTried = run === undefined || process.env.CI === 'true' || isInstalled(run);
  test.runIf(isTried)(`${snippet.id} verifies what we sign`, () => verifiesWhatWeSign(snippet, run));
}

function verifiesWhatWeSign(snippet: (typeof SNIPPETS)[number], run: Run | undefined): void {
  if (!run) throw new Error(`Say how ${snippet.id} is run.`);
  const cases = snippet.scheme === 'webhook-signature' ? [...CASES, ...STANDARD_CASES] : CASES;
  const path = join(dir, `${snippet.id}-${run.file}`);
  writeFileSync(path, fileOf(snippet.code, run));
  const program = run.isBuilt ? built(path, run) : { ...run, args: [...run.args, path] };
  const said = cases.map(({ name, body, headers }) => `${name}: ${isAccepted(program, body, headers)}`);
  expect(said).toEqual(cases.map(({ name, isGenuine }) => `${name}: ${isGenuine}`));
}

function js(call: string) {
  const read = `\nconst [body, headers, secret] = JSON.parse(process.argv[2]);\n`;
  return { command: process.execPath, version: '--version', file: 'snippet.mjs', args: [], call: read + call };
}

function built(path: string, { command, ...rest }: Run): Run {
  const program = `${path}.program`;
  execFileSync(command, ['build', '-o', program, path], { stdio: 'pipe' });
  return { ...rest, command: program };
}

function fileOf(code: string, { isBuilt, call }: Run): string {
  const program = isBuilt
    ? code.replace('package webhook', 'package main').replace('\t"net/http"', '\t"net/http"\n\t"os"')
    : code;
  return `${program}\n${call}\n`;
}

function isAccepted({ command, args, isBuilt }: Run, text: string, headers: Record<string, string>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const input = isBuilt ? [text, lines.join('\n'), secret] : [JSON.stringify([text, headers, secret])];
  try {
    execFileSync(command, [...args, ...input], { stdio: 'pipe' });
    return true;
  } catch (error) {
    const { stderr } = error as { stderr: Buffer };
    expect(String(stderr)).toBe('');
    return false;
  }
}

function isInstalled({ command, version }: Run): boolean {
  try {
    execFileSync(command, [version], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/** The headers that a test of the service holds against public libraries; in lower case, as every server hands them on. */
function headersAt(timestamp: number, signedWith = secret): Record<string, string> {
  const id = randomUUID();
  return {
    'x-service-signature': `sha256=${createHmac('sha256', signedWith).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': new Webhook(signedWith).sign(id, new Date(timestamp * 1000), body),
  };
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
