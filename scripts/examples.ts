// Records the examples of the API reference: every call of scripts/reference/examples/calls.ts, against a new demo.
//
//   npm run examples     writes scripts/reference/examples/recorded.generated.json
//
// A new recording changes nothing by itself: ids, times and secrets are replaced (examples-normalize.ts).

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from './demo.ts';
import { filled, pick, send, type Variables, variablesOf } from './example-calls.ts';
import { normalizer } from './examples-normalize.ts';
import { withOwnService } from './own-service.ts';
import { ROOT } from './paths.ts';
import { EXAMPLES } from './reference/examples/calls.ts';
import type { Call, Example } from './reference/examples/snippets.ts';

const OUT = join(ROOT, 'scripts/reference/examples/recorded.generated.json');

const recorded = await withOwnService(async ({ demo }) => {
  const variables = await variablesOf(demo);
  const answers: Record<string, unknown> = {};
  for (const [id, example] of Object.entries(EXAMPLES)) answers[id] = await record(id, example, demo, variables);
  return answers;
});
writeFileSync(OUT, `${JSON.stringify(recorded, null, 1)}\n`);
console.log(`${Object.keys(recorded).length} examples in ${OUT}`);

/** Runs one example. @returns request, status and response as the API reference shows them */
async function record(id: string, { setUp = [], settleMs, ...example }: Example, demo: Demo, known: Variables) {
  const variables = { ...known };
  const normalize = normalizer(id, demo);
  for (const step of setUp) {
    const { body } = await succeed(step, variables, `${id}, "${step.why}"`);
    if (step.save) variables[step.save.variable] = pick(body, step.save);
  }
  await delay(settleMs ?? 0);
  const { status, body } = await succeed(example, variables, id);
  const request = example.body && JSON.parse(filled(JSON.stringify(example.body), variables));
  const answer = body.startsWith('%PDF-') ? body : JSON.parse(body);
  return normalize({ status, ...(request && { request }), answer });
}

/** Makes a call that must succeed. @throws Error if the status is not 2xx */
async function succeed(step: Call, variables: Variables, what: string): Promise<{ status: number; body: string }> {
  const answer = await send(step, variables);
  if (answer.status < 200 || answer.status > 299) throw new Error(`${what}: ${answer.status} ${answer.body}`);
  return answer;
}
