/**
 * Runs mutants one after another in one Vitest, for `scripts/mutants.ts`, which ends this process when a mutant makes a
 * test run for ever. A test file gets a process of its own for every mutant, so constants are changed as well as functions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { ROOT } from '../paths.ts';
import { type Mutation, mutate } from './mutations.ts';

export interface Task {
  file: string;
  tests: readonly string[];
  mutation: Mutation;
}

/** `broken`: the tests fail even without the change. */
export type Outcome = 'caught' | 'survived' | 'broken';

/** Messages for each task: the tests' duration without the change, the start of the mutant, and its result. */
export type Message = { usualMs: number } | { outcome: Outcome };

const TEST_TIMEOUT_MS = 5_000;

let mutant: { path: string; code: string } | null = null;
const vitest = await createVitest(
  {
    root: ROOT,
    config: false,
    watch: false,
    environment: 'node',
    include: ['test/**/*.test.ts'],
    reporters: [{}],
    // The cache on disk would return the unchanged files.
    fsModuleCache: false,
    bail: 1,
    maxWorkers: 1,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    pool: 'threads',
  },
  {
    logLevel: 'silent',
    plugins: [{ name: 'mutant', enforce: 'pre', load: (id) => (id === mutant?.path ? mutant.code : undefined) }],
  },
);
const specifications = await vitest.globTestSpecifications();

/** Whether the tests pass with this code instead of the file's. */
async function passes(path: string, code: string, tests: readonly string[]): Promise<boolean> {
  mutant = { path, code };
  vitest.invalidateFile(path);
  const wanted = new Set(tests.map((test) => join(ROOT, test)));
  const run = specifications.filter(({ moduleId }) => wanted.has(moduleId));
  if (run.length !== wanted.size) throw new Error(`There is not every file of ${tests.join(', ')}.`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(run);
  // The result also contains files of earlier runs.
  const modules = testModules.filter(({ moduleId }) => wanted.has(moduleId));
  return unhandledErrors.length === 0 && modules.every((module) => module.state() === 'passed');
}

/** Duration in ms of each unchanged file's tests; null if they fail. */
const usual = new Map<string, number | null>();

async function usualMs(file: string, code: string, tests: readonly string[]): Promise<number | null> {
  const known = usual.get(file);
  if (known !== undefined) return known;
  const startedAt = performance.now();
  const ms = (await passes(join(ROOT, file), code, tests)) ? performance.now() - startedAt : null;
  usual.set(file, ms);
  return ms;
}

async function outcomeOf({ file, tests, mutation }: Task): Promise<Outcome> {
  const path = join(ROOT, file);
  const code = readFileSync(path, 'utf8');
  const ms = await usualMs(file, code, tests);
  if (ms === null) return 'broken';
  tell({ usualMs: ms });
  const survived = await passes(path, mutate(code, mutation), tests);
  // The tests of other files import the unchanged module.
  mutant = null;
  vitest.invalidateFile(path);
  return survived ? 'survived' : 'caught';
}

function tell(message: Message): void {
  process.send?.(message);
}

process.on('message', async (task: Task) => tell({ outcome: await outcomeOf(task) }));
process.on('disconnect', () => process.exit());
process.send?.('ready');
