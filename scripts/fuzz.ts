// Sends generated requests to every route of a service of its own, and checks every answer (docs/testing.md).
//
//   npm run fuzz                              some thousand requests, another seed each time
//   npm run fuzz -- --cases 10000 --seed 7    so many, the same ones each time
//   npm run fuzz -- --seed 7 --only 1234      one of them again, after those of its block that come before it
//   npm run fuzz -- --json                    a summary for programs
//
// Exits with 1 after a failure, and when a route was never answered with a success.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Demo } from './demo.ts';
import { type Failure, fuzz } from './fuzz/run.ts';
import { startOwnService } from './own-service.ts';

const PORT = Number(process.env.PORT || 8794);
const SEED_LIMIT = 1_000_000;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * SEED_LIMIT)) },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const numberOf = (name: 'cases' | 'seed' | 'only') => {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} takes a whole number.`);
  return number;
};

const dir = mkdtempSync(join(tmpdir(), 'offizin-fuzz-'));
let service: ChildProcess | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service?.kill('SIGTERM'));
try {
  service = await startOwnService(PORT, dir);
  const demo = JSON.parse(readFileSync(join(dir, 'demo.json'), 'utf8')) as Demo;
  const summary = await fuzz({
    baseUrl: demo.base_url,
    operatorToken: demo.operator_token,
    cases: numberOf('cases'),
    seed: numberOf('seed'),
    ...(values.only !== undefined && { only: numberOf('only') }),
    ...(!values.json && { onFailure: print }),
  });
  const { uncovered, failures, perRoute, ...figures } = summary;
  // A case that was asked for is reported even if nothing is wrong with it.
  const failed = failures.filter(({ faults }) => faults.length > 0).length;
  if (values.json) console.log(JSON.stringify(summary));
  else {
    if (values.only === undefined) for (const name of uncovered) console.log(`Never answered with a success: ${name}`);
    console.log(`${JSON.stringify(figures)}, ${failed} failures in ${Object.keys(perRoute).length} routes`);
  }
  const isIncomplete = values.only === undefined && uncovered.length > 0;
  process.exitCode = failed > 0 || isIncomplete ? 1 : 0;
} finally {
  if (service?.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  rmSync(dir, { recursive: true, force: true });
}

function print({ case: index, seed, route, faults, edits, request, answer }: Failure): void {
  const lines = [`--seed ${seed} --only ${index}  ${route}`, ...faults.map((fault) => `  ${fault}`)];
  console.log([...lines, ...edits.map((edit) => `  edit: ${edit}`), request, `→ ${answer}`, ''].join('\n'));
}
