import { createDatabase, findDatabase } from '../cloudflare/d1.ts';
import { StartError } from '../errors.ts';
import { type Run, scriptPath } from './run.ts';

const EU = 'eu';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A queue as Cloudflare tells it. */
export interface Queue {
  queue_id: string;
  queue_name: string;
  jurisdiction?: string | null;
  consumers?: { script?: string; service?: string; dead_letter_queue?: string; settings?: Record<string, number> }[];
}

/**
 * Databases, bucket and queues: what is missing is made in the EU. A jurisdiction can never be changed, so what is there
 * without it is refused.
 */
export async function makeResources(run: Run): Promise<void> {
  const bound = await boundDatabases(run);
  for (const { binding, database_name = '', database_id = '' } of run.config.d1_databases) {
    await makeDatabase(run, database_name, bound[binding] ?? (UUID.test(database_id) ? database_id : undefined));
  }
  for (const { bucket_name = '' } of run.config.r2_buckets) await makeBucket(run, bucket_name);
  const { producers = [], consumers = [] } = run.config.queues;
  for (const queue of new Set([...producers, ...consumers].map(({ queue }) => queue))) await makeQueue(run, queue);
}

/** The ids of the databases that the Worker serves with, by binding. */
async function boundDatabases(run: Run): Promise<Record<string, string>> {
  const settings = await run.cloudflare.read<{ bindings?: Bound[] }>(`${scriptPath(run)}/settings`);
  const databases = (settings?.bindings ?? []).filter(({ type }) => type === 'd1');
  return Object.fromEntries(databases.map(({ name, id, database_id }) => [name, id ?? database_id ?? '']));
}

interface Bound {
  type: string;
  name: string;
  /** Of a database, which Cloudflare's API calls by either name. */
  id?: string;
  database_id?: string;
}

/** @param expected the id of the one that is deployed or configured */
async function makeDatabase(run: Run, name: string, expected: string | undefined): Promise<void> {
  const { cloudflare } = run;
  const what = `database ${name}`;
  const found = await findDatabase(cloudflare, name);
  if (found && found.jurisdiction !== EU) throw notInTheEu(what);
  if (expected !== undefined && cloudflare.isReading && found?.uuid !== expected) {
    throw new StartError(
      `The ${what} is not the one that was deployed: its id was ${expected}, now it is ${found?.uuid ?? 'gone'}. An empty database in its place would lose every pharmacy's data. Bring the right one back (docs/operating.md, "Restoring the database").`,
    );
  }
  const { uuid } = found ?? (await createDatabase(cloudflare, name));
  run.databases[name] = uuid;
  run.did(what, found ? 'there, in the EU' : 'made, in the EU');
}

async function makeBucket(run: Run, name: string): Promise<void> {
  const { cloudflare } = run;
  const path = `${cloudflare.account}/r2/buckets`;
  const jurisdiction = { 'cf-r2-jurisdiction': EU };
  const found = await cloudflare.read<object>(`${path}/${name}`, jurisdiction);
  if (!found) {
    // Buckets of different jurisdictions may have the same name: this one would be left behind with what is in it.
    if (await cloudflare.read<object>(`${path}/${name}`)) throw notInTheEu(`bucket ${name}`);
    await cloudflare.write('POST', path, { name }, {}, jurisdiction);
  }
  run.did(`bucket ${name}`, found ? 'there, in the EU' : 'made, in the EU');
}

async function makeQueue(run: Run, name: string): Promise<void> {
  const { cloudflare } = run;
  const found = await findQueue(run, name);
  if (found && found.jurisdiction !== EU) throw notInTheEu(`queue ${name}`);
  if (!found)
    await cloudflare.write('POST', `${cloudflare.account}/queues`, { queue_name: name, jurisdiction: EU }, {});
  run.did(`queue ${name}`, found ? 'there, in the EU' : 'made, in the EU');
}

/** The queue of this name with its consumers, or null. */
export async function findQueue({ cloudflare }: Run, name: string): Promise<Queue | null> {
  const named = await cloudflare.list<Queue>(`${cloudflare.account}/queues?name=${encodeURIComponent(name)}`);
  return named.find(({ queue_name }) => queue_name === name) ?? null;
}

function notInTheEu(what: string): StartError {
  return new StartError(
    `The ${what} is not in the EU, and that can never be changed. Nothing was deployed. If nothing in it is needed, delete it and run the same command again, which makes it in the EU; else give the new one another name in wrangler.toml.`,
  );
}
