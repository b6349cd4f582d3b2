import { randomUUID } from 'node:crypto';
import type { Call } from '../operator.ts';
import type { Databases } from './databases.ts';
import type { Progress, ProgressFile } from './progress.ts';
import { type Losses, type LostFile, tellLosses } from './report.ts';

export interface Restore {
  environment: string;
  at: Date;
  databases: Databases;
  call: Call;
  file: ProgressFile;
  say: (line: string) => void;
  wait: (ms: number) => Promise<void>;
}

/** The steps with their descriptions in the plan. The last two undo the switches of the first step. */
const PLAN: readonly [name: string, what: string, calls: (of: Databases) => readonly string[]][] = [
  [
    'intake',
    'off, writes off, deletions paused: who sends something is told to send it again',
    () => ['PUT /switches'],
  ],
  ['bookmark', 'notes where each database stands: by it all can be undone', ({ calls }) => calls.bookmark],
  [
    'export',
    'copies what has changed since to the bucket, encrypted, and notes the highest numbers',
    () => ['PUT /restores/{id}', 'POST /restores/{id}/export'],
  ],
  ['restore', 'puts every database back to the same time', ({ calls }) => calls.restore],
  ['migrate', 'brings every database to the schema of the code', ({ calls }) => calls.migrate],
  [
    'marker',
    'numbers events and orders above all that was told, ends sign-ins, lists what was set back as changed',
    () => ['POST /restores/{id}/marker'],
  ],
  ['replay', 'legal holds, then revocations, then erasures, from the journal', () => ['POST /restores/{id}/replay']],
  [
    'files',
    'lists the PDFs whose rows are gone, and what to tell each pharmacy',
    () => ['GET /restores/{id}/losses', 'GET /restores/{id}/files'],
  ],
  ['intake', 'as it was before, and writes on', () => ['PUT /switches']],
  ['deletions', 'as they were before', () => ['PUT /switches']],
];

/** Returns the plan: the steps and their calls. Reads and writes nothing. */
export function planOf({ environment, at, databases }: Pick<Restore, 'environment' | 'at' | 'databases'>): string[] {
  const steps = PLAN.flatMap(([name, what, calls], index) => [
    `${String(index + 1).padStart(2)}. ${name.padEnd(10)} ${what}`,
    ...calls(databases).map((call) => `               ${call}`),
  ]);
  return [
    `Restore of ${environment} (${databases.names.join(', ')}) to ${at.toISOString()}: the plan. Nothing is read or written.`,
    ...steps,
    `Calls without a host are the operator API of the service, below /api/operator/v1. May be ended and started again at any step.`,
  ];
}

/** Carries out all steps that are not done yet. @throws StartError. A repeated call continues the restore */
export async function restore(run: Restore): Promise<void> {
  const { databases, call, file, at, say } = run;
  const found = file.read();
  const progress: Progress = found ?? { id: randomUUID(), bookmarks: {}, done: [] };
  if (found) say(`Goes on with the restore ${found.id}; done: ${found.done.join(', ') || 'nothing'}.`);
  const base = `/restores/${progress.id}`;
  const step = async (name: string, work: () => Promise<string>) => {
    if (progress.done.includes(name)) return;
    say(`${name.padEnd(12)} ${await work()}`);
    progress.done.push(name);
    file.write(progress);
  };

  await step('intake off', async () => {
    progress.switches ??= await call<NonNullable<Progress['switches']>>('GET', '/switches');
    file.write(progress);
    await call('PUT', '/switches', { intake: 'off', writes: 'off', deletions: 'paused' });
    await run.wait(databases.settleMs);
    return 'nothing is taken in, changed or deleted';
  });
  await step('bookmark', async () => {
    for (const name of databases.names) progress.bookmarks[name] = await databases.bookmark(name);
    return Object.entries(progress.bookmarks)
      .map(([name, bookmark]) => `${name} stood at ${bookmark}`)
      .join('; ');
  });
  await step('export', () => exportRows(call, base, at));
  for (const name of databases.names) {
    await step(`restore ${name}`, async () => {
      const bookmark = await databases.bookmark(name, at);
      await databases.restore(name, bookmark);
      return `is as it was at ${bookmark}`;
    });
  }
  await step('migrate', async () => {
    await databases.migrate();
    return 'every database has the schema of the code';
  });
  await step('marker', () => mark(call, base));
  await step('replay', () => replay(call, base, say));
  await step('files', () => tell(call, base, say));
  const before = progress.switches ?? { intake: 'on', deletions: 'on' };
  await step('intake', async () => {
    await call('PUT', '/switches', { intake: before.intake, writes: 'on' });
    return `${before.intake}, and what was changed is stored again`;
  });
  await step('deletions', async () => {
    await call('PUT', '/switches', { deletions: before.deletions });
    return before.deletions;
  });
  file.remove();
  say(`Restored. Its list can be asked for again for 35 days: GET ${base}/files, GET ${base}/losses.`);
}

/** Repeats a call until there is no `next_cursor`, and returns each answer. */
async function* pagesOf<T extends object>(call: Call, method: 'GET' | 'POST', path: string) {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = method === 'GET' && cursor ? `?cursor=${encodeURIComponent(cursor)}` : '';
    const body = method === 'GET' ? undefined : { ...(cursor && { cursor }) };
    const page: T & { next_cursor: string | null } = await call(method, path + query, body);
    yield page;
    cursor = page.next_cursor;
  }
}

async function exportRows(call: Call, base: string, at: Date): Promise<string> {
  const { organizations } = await call<{ organizations: number }>('PUT', base, { at: at.toISOString() });
  let rows = 0;
  let unreadable: number[] = [];
  for await (const page of pagesOf<{ rows: number; unreadable_databases: number[] }>(call, 'POST', `${base}/export`)) {
    rows += page.rows;
    unreadable = page.unreadable_databases;
  }
  const missing = unreadable.length > 0 ? `; database ${unreadable.join(', ')} could not be read` : '';
  return `${rows} rows of ${organizations} organizations, encrypted in the bucket${missing}`;
}

async function mark(call: Call, base: string): Promise<string> {
  let touched = 0;
  let organizations = 0;
  for await (const page of pagesOf<{ organizations: number; touched: number }>(call, 'POST', `${base}/marker`)) {
    touched += page.touched;
    organizations = page.organizations;
  }
  return `${organizations} organizations go on above all earlier numbers; ${touched} orders and requests are listed as changed`;
}

interface ReplayPage {
  step: string;
  entries: number;
  unreadable: number;
  passwords_ended: { org_id: string; member_id: string }[];
  second_factors_lost: { org_id: string; member_id: string }[];
  held: Record<string, string[]> | null;
  next: object | null;
}

async function replay(call: Call, base: string, say: (line: string) => void): Promise<string> {
  const entries: Record<string, number> = { holds: 0, access: 0, erasures: 0 };
  let unreadable = 0;
  let next: object | null = { step: 'holds' };
  while (next) {
    const page: ReplayPage = await call('POST', `${base}/replay`, next);
    entries[page.step] = (entries[page.step] ?? 0) + page.entries;
    unreadable += page.unreadable;
    for (const { org_id, member_id } of page.passwords_ended) {
      say(`             needs a link for a new password: member ${member_id} of organization ${org_id}`);
    }
    for (const { org_id, member_id } of page.second_factors_lost) {
      say(`             has to set up the second factor again: member ${member_id} of organization ${org_id}`);
    }
    for (const [kind, ids] of Object.entries(page.held ?? {})) {
      if (ids.length > 0) say(`             kept by a legal hold, and not erased: ${kind} ${ids.join(', ')}`);
    }
    next = page.next;
  }
  const counted = Object.entries(entries).map(([kind, count]) => `${count} ${kind}`);
  return `${counted.join(', ')} of the journal${unreadable > 0 ? `; ${unreadable} entries cannot be read` : ''}`;
}

async function tell(call: Call, base: string, say: (line: string) => void): Promise<string> {
  const losses: Losses[] = [];
  const files: LostFile[] = [];
  let isExact = true;
  for await (const { data } of pagesOf<{ data: Losses[] }>(call, 'GET', `${base}/losses`)) losses.push(...data);
  for await (const { data, exact } of pagesOf<{ data: LostFile[]; exact: boolean }>(call, 'GET', `${base}/files`)) {
    files.push(...data);
    isExact = exact;
  }
  for (const line of tellLosses(losses, files)) say(line);
  const doubt = isExact ? '' : '; what changed could not be copied before, so some of them may never have had a row';
  return `${files.length} PDFs without a row${doubt}`;
}
