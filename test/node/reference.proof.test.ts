import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { unescaped } from '../support/html';
import { ownService } from './support/own-service';

/** Each `curl` says its status on the other channel, those in `$(…)` as well. */
const CURL_SAYS_STATUS = `curl() { command curl -w '%{stderr}HTTP %{http_code}\\n' "$@"; }`;
/** The commands of the reference that set the variables are the demo's own. */
const START = 'Getting started';

interface Block {
  name: string;
  commands: string;
}

const { service, dir } = await ownService();
let blocks: Block[];

beforeAll(async () => {
  mkdirSync(join(dir, '.wrangler'));
  symlinkSync(service.demoPath, join(dir, '.wrangler/demo.json'));
  blocks = blocksOf(await (await fetch(`${service.demo.base_url}/docs`)).text());
});

test('each block of the reference, pasted into a shell in which nothing but the first one ran, is answered with 2xx', async () => {
  const document = await fetch(`${service.demo.base_url}/api/v2/public/openapi.json`);
  const { paths } = (await document.json()) as { paths: Record<string, object> };
  const operations = Object.values(paths).flatMap((path) => Object.keys(path).filter((key) => key !== 'servers'));
  expect(blocks.length).toBeGreaterThanOrEqual(operations.length);
  // From the last to the first, then a second time: none needs another one, and none spoils itself.
  for (const block of [...blocks.toReversed(), ...blocks]) await expectAllAnswered(block);
});

test('the walkthrough hands the order over', async () => {
  const block = blocks.find(({ name }) => name === 'From request to hand-over');
  const { answer, statuses } = await paste(block?.commands ?? '');
  expect(statuses.length).toBeGreaterThanOrEqual(6);
  expect(JSON.parse(answer)).toMatchObject({ status: 'picked_up', payment_status: 'paid' });
});

async function expectAllAnswered({ name, commands }: Block): Promise<void> {
  const { answer, statuses, said } = await paste(commands);
  const curls = commands.match(/\bcurl -/g)?.length ?? 0;
  expect(statuses.length, `${name}: ${said}`).toBe(curls);
  expect(
    statuses.filter((status) => !/^2\d\d$/.test(status)),
    `${name}: ${answer} ${said}`,
  ).toEqual([]);
}

/** Runs the first block quietly, then these commands. */
async function paste(commands: string): Promise<{ answer: string; statuses: string[]; said: string }> {
  const start = blocks.find(({ name }) => name === START)?.commands ?? '';
  const isStart = commands === start;
  const script = isStart ? [CURL_SAYS_STATUS, start] : [start, CURL_SAYS_STATUS, commands];
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script.join('\n')], { cwd: dir });
  return {
    answer: stdout,
    statuses: [...stderr.matchAll(/^HTTP (\d+)$/gm)].map(([, status = '']) => status),
    said: stderr,
  };
}

/** What the page offers to paste: every block with a `curl` in it, by the heading above it. */
function blocksOf(page: string): Block[] {
  return [...page.matchAll(/<pre\b[^>]*><code>([\s\S]*?)<\/code><\/pre>/g)].flatMap(({ 1: text = '', index }) => {
    const commands = unescaped(text);
    const heading = [...page.slice(0, index).matchAll(/<h[23] id="[^"]*">([^<]*)</g)].at(-1)?.[1] ?? '';
    return commands.includes('curl ') ? [{ name: unescaped(heading), commands }] : [];
  });
}
