import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { unescaped } from '../support/html';
import { ownService } from './support/own-service';

/** Each `curl` says its status on the other channel, those in `$(…)` as well. */
const CURL_SAYS_STATUS = `curl() { command curl -w '%{stderr}HTTP %{http_code}\\n' "$@"; }`;
/** The blocks of the reference that set the variables are the demo's own. */
const START = 'Getting started';
const WALKTHROUGH = 'From request to hand-over';
const LANGUAGES = ['curl', 'TypeScript', 'Python'];
/** Products that the examples order. */
const ASKED_FOR = ['P1-10009', 'P1-10001'];

interface Example {
  /** The page and the block on it. */
  name: string;
  /** By language. */
  texts: Record<string, string>;
}

const { service, dir } = await ownService();
let start: Example;
let examples: Example[];
let operations: string[];

beforeAll(async () => {
  mkdirSync(join(dir, '.wrangler'));
  symlinkSync(service.demoPath, join(dir, '.wrangler/demo.json'));
  const { base_url } = service.demo;
  const document = await fetch(`${base_url}/api/v2/public/openapi.json`);
  const { paths } = (await document.json()) as { paths: Record<string, Record<string, Operation>> };
  const all = Object.values(paths).flatMap(({ servers: _, ...methods }) => Object.values(methods));
  const pages = all.map(
    ({ operationId, tags: [area = ''] }) => `/docs/${area.toLowerCase().replaceAll(' ', '-')}/${operationId}`,
  );
  operations = all.map(({ operationId }) => operationId);
  const found: Example[] = [];
  for (const page of ['/docs', ...pages]) found.push(...examplesOf(page, await (await fetch(base_url + page)).text()));
  start = found.find(({ name }) => name.endsWith(START)) ?? { name: '', texts: {} };
  examples = found.filter((example) => example !== start);
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(dir, 'start.ts'), start.texts.TypeScript ?? '');
  writeFileSync(join(dir, 'start.py'), start.texts.Python ?? '');
  // Each example takes what it needs: more often than the demo has it.
  for (const p1Id of ASKED_FOR) {
    await paste(
      `curl -sS -X PATCH "$API/inventory/${p1Id}" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"stock_quantity":9000}'`,
    );
  }
});

interface Operation {
  operationId: string;
  tags: string[];
}

test('every operation has its example in each language', () => {
  expect(examples.length).toBe(operations.length + 2);
  for (const { name, texts } of [start, ...examples]) expect(Object.keys(texts), name).toEqual(LANGUAGES);
});

test('each example, pasted into a shell in which nothing but the first one ran, is answered with 2xx', async () => {
  // From the last to the first, then a second time: none needs another one, and none spoils itself.
  for (const { name, texts } of [...examples.toReversed(), ...examples]) {
    const commands = texts.curl ?? '';
    const { answer, statuses, said } = await paste(commands);
    const curls = commands.match(/\bcurl -/g)?.length ?? 0;
    expect(statuses.length, `${name}: ${said}`).toBe(curls);
    expect(
      statuses.filter((status) => !/^2\d\d$/.test(status)),
      `${name}: ${answer} ${said}`,
    ).toEqual([]);
  }
});

test.each([
  ['TypeScript', 'example.ts', process.execPath],
  ['Python', 'example.py', 'python3'],
])(
  'each example in %s runs beside its start, and answers what the shell is answered',
  async (language, file, program) => {
    for (const { name, texts } of examples) {
      writeFileSync(join(dir, file), texts[language] ?? '');
      // Fails when the program does, which every answer but 2xx makes it.
      const { stdout } = await promisify(execFile)(program, [file], { cwd: dir }).catch((error: unknown) => {
        throw new Error(`${name}\n${texts[language]}`, { cause: error });
      });
      expect(stdout.trim(), name).not.toBe('');
      if (language !== 'Python') continue;
      const { answer } = await paste(texts.curl ?? '');
      // The shell also prints what preparing commands are answered.
      const last = answer.split(/(?<=\})(?=\{)/).at(-1) ?? '';
      if (answer.startsWith('%PDF')) expect(stdout, name).toContain('%PDF');
      else expect(membersOf(stdout), name).toEqual(membersOf(last));
    }
  },
);

test.each(LANGUAGES)('the walkthrough hands the order over, in %s', async (language) => {
  const text = examples.find(({ name }) => name.endsWith(WALKTHROUGH))?.texts[language] ?? '';
  if (language === 'curl') {
    const { answer, statuses } = await paste(text);
    expect(statuses.length).toBeGreaterThanOrEqual(6);
    expect(JSON.parse(answer)).toMatchObject({ status: 'picked_up', payment_status: 'paid' });
    return;
  }
  const [file, program] = language === 'Python' ? ['walk.py', 'python3'] : ['walk.ts', process.execPath];
  writeFileSync(join(dir, file), text);
  const { stdout } = await promisify(execFile)(program, [file], { cwd: dir });
  expect(stdout).toMatch(/status["']?: ["']picked_up["']/);
});

/** Names of the members of an object in JSON, else the text itself, so that a failure shows it. */
function membersOf(text: string): string[] {
  try {
    return Object.keys(JSON.parse(text));
  } catch {
    return [text];
  }
}

/** Runs the first block quietly, then these commands. */
async function paste(commands: string): Promise<{ answer: string; statuses: string[]; said: string }> {
  const script = [start.texts.curl ?? '', CURL_SAYS_STATUS, commands];
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script.join('\n')], { cwd: dir });
  return {
    answer: stdout,
    statuses: [...stderr.matchAll(/^HTTP (\d+)$/gm)].map(([, status = '']) => status),
    said: stderr,
  };
}

/** Every group of blocks with a `curl` in it, by its label: what a page offers to paste. */
function examplesOf(page: string, html: string): Example[] {
  return [...html.matchAll(/<fieldset class="code tabs" aria-label="([^"]*)">([\s\S]*?)<\/fieldset>/g)]
    .map(([, label = '', content = '']) => {
      const languages = [...content.matchAll(/ value="([^"]*)"/g)].map(([, language = '']) => language);
      const texts = [...content.matchAll(/<code>([\s\S]*?)<\/code>/g)].map(([, text = '']) => unescaped(text));
      const byLanguage = Object.fromEntries(languages.map((language, index) => [language, texts[index] ?? '']));
      return { name: `${page} ${unescaped(label)}`, texts: byLanguage };
    })
    .filter(({ texts }) => texts.curl?.includes('curl '));
}
