/**
 * Mutation tests: changes one operator, constant or early return of the rules at a time and checks that a test fails.
 *
 *   npm run mutants                               every mutant of every file in scripts/mutants/rules.ts
 *   npm run mutants -- --file retry               files whose path holds this text; may be repeated
 *
 * Prints each mutant that survived. Exits with 1 if less than 95 % are caught in one file: of the others, most do not change
 * what the code does.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mutationsOf } from './mutants/mutations.ts';
import { RULES } from './mutants/rules.ts';
import type { Message, Outcome, Task } from './mutants/worker.ts';
import { ROOT } from './paths.ts';

const CAUGHT_SHARE_MIN = 0.95;
/** A mutant also counts as caught if it makes the tests so much slower: it probably loops endlessly. */
const HUNG_FACTOR = 20;
const HUNG_MS_MIN = 10_000;
/** Low process priority, so that other work on the machine is not slowed down. */
const PRIORITY = 10;

type Result = Outcome | 'hung';
interface Mutant extends Task {
  result?: Result;
}

const { values: options } = parseArgs({
  options: {
    file: { type: 'string', multiple: true, default: [''] },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});

function mutantsOf(file: string, tests: string[]): Mutant[] {
  return mutationsOf(readFileSync(join(ROOT, file), 'utf8')).map((mutation) => ({ file, tests, mutation }));
}

/** Runs the tasks in one worker, which is replaced if it hangs. */
async function work(take: () => Mutant | undefined): Promise<void> {
  let worker: ChildProcess | undefined;
  for (let mutant = take(); mutant; mutant = take()) {
    worker ??= await startWorker();
    mutant.result = await run(worker, mutant);
    if (mutant.result === 'hung') {
      worker.kill('SIGKILL');
      worker = undefined;
    }
    process.stderr.write({ caught: '.', hung: 't', survived: 'S', broken: '!' }[mutant.result]);
  }
  worker?.kill();
}

function startWorker(): Promise<ChildProcess> {
  const worker = fork(join(import.meta.dirname, 'mutants/worker.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // The same as in the project `unit` of vitest.config.ts.
    execArgv: ['--js-base-64'],
  });
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve(worker));
    worker.once('exit', (code) => reject(new Error(`A worker ended with ${code}.`)));
  });
}

function run(worker: ChildProcess, { file, tests, mutation }: Mutant): Promise<Result> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (result: Result) => {
      clearTimeout(timer);
      worker.removeAllListeners('message').removeListener('exit', filledMemory);
      resolve(result);
    };
    // What loops for ever may also fill the memory, which ends the worker.
    const filledMemory = () => end('hung');
    worker.once('exit', filledMemory);
    worker.on('message', (message: Message) => {
      if ('outcome' in message) end(message.outcome);
      else timer = setTimeout(() => end('hung'), Math.max(HUNG_MS_MIN, HUNG_FACTOR * message.usualMs));
    });
    worker.send({ file, tests, mutation } satisfies Task);
  });
}

setPriority(PRIORITY);
const startedAt = performance.now();
const isWanted = (file: string) => options.file.some((text) => file.includes(text));
const files = Object.entries(RULES).filter(([file]) => isWanted(file));
const all = files.flatMap(([file, tests]) => mutantsOf(file, tests));
const left = all.toReversed();
await Promise.all(Array.from({ length: Number(options.jobs) }, () => work(() => left.pop())));
process.stderr.write('\n');

const seconds = (performance.now() - startedAt) / 1000;
interface Row {
  name: string;
  mutants: number;
  caught: number;
  survived: number;
}

function rowOf(name: string, mutants: Mutant[]): Row {
  const count = (...results: Result[]) => mutants.filter(({ result }) => result && results.includes(result)).length;
  return { name, mutants: mutants.length, caught: count('caught', 'hung'), survived: count('survived', 'broken') };
}

function print({ name, mutants, caught, survived }: Row): void {
  const share = `${((caught / mutants) * 100).toFixed(1)} %`;
  const cells = [mutants, caught, survived, share].map((cell) => String(cell).padStart(11));
  console.log(name.padEnd(40) + cells.join(''));
}

const rows = files
  .map(([file]) =>
    rowOf(
      file,
      all.filter((mutant) => mutant.file === file),
    ),
  )
  .filter(({ mutants }) => mutants > 0);
console.log(''.padEnd(40) + ['mutants', 'caught', 'survived', 'caught'].map((head) => head.padStart(11)).join(''));
for (const row of [...rows, rowOf('all', all)]) print(row);
console.log(`${seconds.toFixed(0)} s`);

for (const { file, mutation, result } of all) {
  if (result === 'survived') console.log(`survived  ${file}:${mutation.line}  ${mutation.change}`);
}
for (const file of new Set(all.filter(({ result }) => result === 'broken').map(({ file }) => file))) {
  console.log(`broken    ${file}: its tests fail as it is`);
}

process.exitCode = rows.every(({ caught, mutants }) => caught >= mutants * CAUGHT_SHARE_MIN) ? 0 : 1;
