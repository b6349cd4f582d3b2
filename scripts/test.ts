/**
 * `npm test`: runs the checks, the tests in the Worker, those against the started service and those in a browser in
 * parallel, since the last ones often wait. With arguments it is one run of vitest with these arguments.
 *
 * `npm run proof`: what takes longer and guards data, in parallel too, then what needs the whole machine. With `--all` also the
 * files `*.extended.test.ts`: every page in the browser, deployments, documents, and tools in other languages that are downloaded
 * from their registries.
 *
 * It ends with a line `FAILED …` for each failure and the sum, `N passed, N failed`; checks that fail count as one failure.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';

interface Part {
  command: string;
  args: string[];
  /** Whether to show the output at once. The output of other parts is shown after they have ended. */
  isLive?: boolean;
  /**
   * Whether to keep temporary files in memory, if there is enough. On a disk, the local D1 waits for the disk in every
   * batch.
   */
  isInMemory?: boolean;
}

const MEMORY_DIR = '/dev/shm';
const MEMORY_BYTES_MIN = 2 * 1024 ** 3;

function memoryDir(): string | undefined {
  if (!existsSync(MEMORY_DIR)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY_DIR);
  return bavail * bsize < MEMORY_BYTES_MIN ? undefined : mkdtempSync(`${MEMORY_DIR}/offizin-test-`);
}

const inMemory = memoryDir();
process.on('exit', () => inMemory && rmSync(inMemory, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/**
 * The line with which `tally.ts` ends a run of vitest. It is removed from the output, and the sum is printed at the
 * end.
 */
const COUNT = /^(\d+) passed, (\d+) failed\n/m;
const FAILURE = /^FAILED .*\n/gm;
const withoutTally = (text: string) => text.replace(FAILURE, '').replace(COUNT, '');

const node = process.execPath;
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=./scripts/tally.ts'];
const projects = (...names: string[]) => [...vitest, ...names.map((name) => `--project=${name}`)];

const ALL: Part[] = [
  { command: node, args: [...projects('unit', 'workers'), '--maxWorkers=3'], isLive: true, isInMemory: true },
  { command: node, args: projects('node') },
  { command: node, args: projects('browser') },
  { command: 'npm', args: ['run', '--silent', 'check'] },
];

/** Runs a part. @returns its command line, exit code and output */
function run({ command, args, isLive, isInMemory }: Part) {
  const env = {
    ...process.env,
    ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
    ...(isInMemory && inMemory && { TMPDIR: inMemory }),
  };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (isLive) process.stdout.write(withoutTally(text));
    });
  }
  return new Promise<{ name: string; code: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (!isLive) process.stdout.write(withoutTally(output));
      resolve({ name: [command, ...args].join(' '), code, output });
    });
  });
}

const IN_NODE = readdirSync('test/node').filter((name) => name.endsWith('.test.ts'));
/**
 * Whether a test must run alone, because it kills a service at a certain moment, runs it under load, or measures it.
 */
const isAlone = (name: string) => /^(kills|crash|load|bench)\./.test(name);
const inNode = (names: string[]) => [...projects('node'), ...names.map((name) => `test/node/${name}`)];
/** The parts of `npm run proof`: the first ones in parallel, then the others. */
const proofs = (mode: string[]): Part[][] => [
  [
    { command: node, args: [...projects('workers', 'browser'), ...mode], isLive: true, isInMemory: true },
    { command: node, args: [...inNode(IN_NODE.filter((name) => !isAlone(name))), ...mode] },
  ],
  [{ command: node, args: [...inNode(IN_NODE.filter(isAlone)), ...mode], isLive: true }],
];

const asked = process.argv.slice(2);
const mode = asked.includes('--proof') ? ['--mode', asked.includes('--all') ? 'all' : 'proof'] : [];
const given = asked.filter((each) => each !== '--proof' && each !== '--all');
const whole = mode.length > 0 ? proofs(mode) : [ALL];
const steps = given.length > 0 ? [[{ command: node, args: [...vitest, ...mode, ...given], isLive: true }]] : whole;
const results: Awaited<ReturnType<typeof run>>[] = [];
for (const parts of steps) results.push(...(await Promise.all(parts.map(run))));

let [passed, failed] = [0, 0];
for (const { name, code, output } of results) {
  const [, ofPassed = 0, ofFailed = 0] = (COUNT.exec(output) ?? []).map(Number);
  passed += ofPassed;
  // A part that fails without a failed test also counts as a failure.
  failed += code === 0 ? ofFailed : Math.max(ofFailed, 1);
  const failures = output.match(FAILURE) ?? (code === 0 ? [] : [`FAILED ${name}: exit code ${code}\n`]);
  process.stdout.write(failures.join(''));
}
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
