// Records the examples of the API reference: every call of src/public-api/examples/calls.ts, against a new demo.
//
//   npm run examples     writes src/public-api/examples/recorded.generated.json
//
// A new recording changes nothing by itself: ids, times and secrets are replaced (examples-normalize.ts).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EXAMPLES } from '../src/public-api/examples/calls.ts';
import { type Call, type Example, headersOf, methodOf, type Save } from '../src/public-api/examples/shell.ts';
import type { Demo } from './demo.ts';
import { normalizer } from './examples-normalize.ts';
import { call, post } from './http.ts';
import { withOwnService } from './own-service.ts';
import { ROOT } from './paths.ts';

const OUT = join(ROOT, 'src/public-api/examples/recorded.generated.json');

type Variables = Record<string, string>;

const recorded = await withOwnService(async ({ demo }) => {
  const variables = await variablesOf(demo);
  const answers: Record<string, unknown> = {};
  for (const [id, example] of Object.entries(EXAMPLES)) answers[id] = await record(id, example, demo, variables);
  return answers;
});
writeFileSync(OUT, `${JSON.stringify(recorded, null, 1)}\n`);
console.log(`${Object.keys(recorded).length} examples in ${OUT}`);

/** The shell variables that "Getting started" sets. */
async function variablesOf(demo: Demo): Promise<Variables> {
  const [shop] = demo.shops;
  const API = `${demo.base_url}/api/v2/public/orgs/${demo.org_id}`;
  const answer = await post(`${API}/auth/token`, { 'X-API-Key': demo.api_key }, '');
  return {
    API,
    TOKEN: JSON.parse(answer.body).access_token,
    API_KEY: demo.api_key,
    INTEGRATION_KEY: demo.integration_key,
    SHOP_ID: shop?.shop_id ?? '',
    SHOP_URL: shop?.url ?? '',
  };
}

/** Runs one example. @returns request, status and response as the API reference shows them */
async function record(id: string, { setUp = [], settleMs, ...example }: Example, demo: Demo, known: Variables) {
  const variables = { ...known };
  const normalize = normalizer(id, demo);
  for (const step of setUp) {
    const { body } = await send(step, variables, `${id}, "${step.why}"`);
    if (step.save) variables[step.save.variable] = pick(body, step.save);
  }
  await delay(settleMs ?? 0);
  const { status, body } = await send(example, variables, id);
  const request = example.body && JSON.parse(filled(JSON.stringify(example.body), variables));
  return normalize({ status, ...(request && { request }), answer: JSON.parse(body) });
}

async function send(step: Call, variables: Variables, what: string): Promise<{ status: number; body: string }> {
  const own = Object.entries(headersOf(step)).map(([name, value]) => [name, filled(value, variables)]);
  const headers = { ...Object.fromEntries(own), ...(step.body && { 'Content-Type': 'application/json' }) };
  const body = step.body && filled(JSON.stringify(step.body), variables);
  const answer = await call(methodOf(step), filled(step.path, variables), headers, body);
  if (answer.status < 200 || answer.status > 299) throw new Error(`${what}: ${answer.status} ${answer.body}`);
  return answer;
}

function filled(text: string, variables: Variables): string {
  return text.replace(/\$([A-Z0-9_]+)/g, (_, name) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`Nothing sets $${name}.`);
    return value;
  });
}

/** The text at a place of the response. */
function pick(answer: string, { at }: Save): string {
  const names = at.split(/[.[\]]+/).filter(Boolean);
  const value = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], JSON.parse(answer));
  if (typeof value !== 'string') throw new Error(`The answer has no ${at}: ${answer}`);
  return value;
}
