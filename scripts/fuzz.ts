// Sends generated requests to every route of a service of its own, and checks every answer (docs/testing.md).
//
//   npm run fuzz                              some thousand requests, another seed each time
//   npm run fuzz -- --cases 10000 --seed 7    so many, the same ones each time
//   npm run fuzz -- --seed 7 --only 1234      one of them again, after those of its block that come before it
//   npm run fuzz -- --json                    a summary for programs
//
// Exits with 1 after a failure, and when a route was never answered with a success.
import { parseArgs } from 'node:util';
import { type Failure, fuzz } from './fuzz/run.ts';
import { withOwnService } from './own-service.ts';

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

const [cases, seed] = [numberOf('cases'), numberOf('seed')];
const only = values.only === undefined ? undefined : numberOf('only');

const summary = await withOwnService(({ demo: { base_url: baseUrl, operator_token: operatorToken } }) =>
  fuzz({ baseUrl, operatorToken, cases, seed, only, onFailure: values.json ? undefined : print }),
);
const { uncovered, failures, perRoute, ...figures } = summary;
// A case that was asked for is reported even if nothing is wrong with it.
const failed = failures.filter(({ faults }) => faults.length > 0).length;
const missed = only === undefined ? uncovered : [];
if (values.json) console.log(JSON.stringify(summary));
else {
  for (const name of missed) console.log(`Never answered with a success: ${name}`);
  console.log(`${JSON.stringify(figures)}, ${failed} failures in ${Object.keys(perRoute).length} routes`);
}
process.exitCode = failed + missed.length > 0 ? 1 : 0;

function print({ case: index, seed, route, faults, edits, request, answer }: Failure): void {
  const lines = [`--seed ${seed} --only ${index}  ${route}`, ...faults.map((fault) => `  ${fault}`)];
  console.log([...lines, ...edits.map((edit) => `  edit: ${edit}`), request, `→ ${answer}`, ''].join('\n'));
}
