/**
 * `npm run move-organization -- <organization> <number of the database>`: moves an organization to another database, by the
 * operator API of the service at BASE_URL (default: the local one), with OPERATOR_TOKEN (default: that of .dev.vars; its scopes: `read` and `write`). Can be
 * ended and started again at any time: it goes on where the move is, and so does the cron.
 */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, parseEnv } from 'node:util';
import { StartError } from './errors.ts';
import { request } from './http.ts';
import { PATHS } from './paths.ts';
import { operatorTokenOf } from './secrets.ts';

const USAGE = 'Usage: npm run move-organization -- <organization id> <number of the database: 0 is DB, 1 is DB_1>';
const POLL_MS = 2_000;
/** A database that cannot be reached for so long ends the script, not the move. */
const FAILURES_MAX = 30;

/** What the operator API tells; `src/operator/routes.ts`. */
interface Progress {
  org_id: string;
  shard: number;
  state: 'settled' | 'moving' | 'failed';
  step?: string;
  table?: string | null;
  rows_copied?: number;
  round?: number;
  copies_from?: string | null;
  failure?: string | null;
}

interface Target {
  baseUrl: string;
  operatorToken: string;
  orgId: string;
  shard: number;
}

/** @returns the last answer, which is not `moving` @throws StartError when the service refuses or cannot be reached */
export async function moveOrganization(target: Target, say: (line: string) => void): Promise<Progress> {
  let failures = 0;
  let said = '';
  for (;;) {
    const progress = await ask(target).catch((error) => {
      failures += 1;
      if (error instanceof StartError || failures > FAILURES_MAX) throw error;
      return null;
    });
    if (progress) {
      failures = 0;
      const line = lineOf(progress);
      if (line !== said) say(line);
      said = line;
      if (progress.state !== 'moving') return progress;
    }
    // While it copies, each call works for seconds; otherwise there is something to wait for.
    if (!progress || progress.step === 'wait') await delay(POLL_MS);
  }
}

async function ask({ baseUrl, operatorToken, orgId, shard }: Target): Promise<Progress | null> {
  const answer = await request(`${baseUrl}/api/operator/v1/organizations/${orgId}/move`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ shard }),
  });
  if (answer.status === 202) return (await answer.json()) as Progress;
  const text = await answer.text();
  if (answer.status >= 500) throw new Error(`${answer.status} ${text}`);
  throw new StartError(`The service refused: ${answer.status} ${text}`);
}

function lineOf({ state, shard, step, table, rows_copied, round = 1, copies_from, failure }: Progress): string {
  const again = round > 1 ? `, round ${round}` : '';
  if (state === 'settled')
    return `It lives on database ${shard}${rows_copied ? `; ${rows_copied} rows were copied` : ''}.`;
  if (state === 'failed') return `Given up; it goes on on database ${shard}. ${failure}`;
  if (step === 'wait') return `fenced; the copying begins at ${copies_from}`;
  return `${step} ${table ?? ''} (${rows_copied} rows copied${again})`;
}

async function main(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [orgId = '', shard = ''] = positionals;
  if (!/^[0-9a-f-]{36}$/.test(orgId) || !/^\d+$/.test(shard)) throw new StartError(USAGE);
  const local = existsSync(PATHS.secrets) ? parseEnv(readFileSync(PATHS.secrets, 'utf8')) : {};
  const operatorToken = process.env.OPERATOR_TOKEN ?? operatorTokenOf(local);
  if (!operatorToken) throw new StartError('OPERATOR_TOKEN is missing: set it, or start the local service once.');
  const baseUrl = process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? '8787'}`;
  const end = await moveOrganization({ baseUrl, operatorToken, orgId, shard: Number(shard) }, (line) =>
    console.log(line),
  );
  return end.state === 'settled' ? 0 : 1;
}

if (import.meta.main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  }
}
