import { createDatabase, findDatabase } from '../cloudflare/d1.ts';
import { StartError } from '../errors.ts';
import { type Run, scriptPath } from './run.ts';

const EU = 'eu';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What can be made in a jurisdiction; without one it stays missing or null. */
interface Resource {
  jurisdiction?: string | null;
}

/** A queue as Cloudflare tells it. */
export interface Queue extends Resource {
  queue_id: string;
  queue_name: string;
  consumers?: { script?: string }[];
}

/** Of a database, whose id Cloudflare's API calls by either name. */
interface Binding {
  type: string;
  name: string;
  id?: string;
  database_id?: string;
}

/**
 * Makes the databases, buckets and queues that are missing, in the EU.
 * @throws StartError for one that is there without that jurisdiction, which can never be changed, and for another database
 * than the one that is deployed or configured
 */
export async function makeResources(run: Run): Promise<void> {
  const { cloudflare, config, databases } = run;
  const { account } = cloudflare;
  const settings = await cloudflare.read<{ bindings?: Binding[] }>(`${scriptPath(run)}/settings`);
  for (const { binding, database_name: name = '', database_id = '' } of config.d1_databases) {
    const found = await findDatabase(cloudflare, name);
    const bound = settings?.bindings?.find((each) => each.type === 'd1' && each.name === binding);
    const expected = bound?.id ?? bound?.database_id ?? (UUID.test(database_id) ? database_id : undefined);
    if (expected !== undefined && cloudflare.isReading && found?.uuid !== expected) {
      throw new StartError(
        `The database ${name} is not the one that was deployed: its id was ${expected}, now it is ${found?.uuid ?? 'gone'}. An empty database in its place would lose every pharmacy's data. Bring the right one back (docs/operating.md, "Restoring the database").`,
      );
    }
    databases[name] = (await inTheEu(run, `database ${name}`, found, () => createDatabase(cloudflare, name))).uuid;
  }
  for (const { bucket_name: name = '' } of config.r2_buckets) {
    const [path, eu] = [`${account}/r2/buckets`, { 'cf-r2-jurisdiction': EU }];
    // Buckets of different jurisdictions may have the same name: another one would be left behind with what is in it.
    const found = (await cloudflare.read<object>(`${path}/${name}`, eu))
      ? { jurisdiction: EU }
      : await cloudflare.read<Resource>(`${path}/${name}`);
    await inTheEu(run, `bucket ${name}`, found, () => cloudflare.write('POST', path, { name }, {}, eu));
  }
  const { producers = [], consumers = [] } = config.queues;
  for (const name of new Set([...producers, ...consumers].map(({ queue }) => queue))) {
    const named = await cloudflare.list<Queue>(`${account}/queues?name=${encodeURIComponent(name)}`);
    const found = named.find(({ queue_name }) => queue_name === name) ?? null;
    const body = { queue_name: name, jurisdiction: EU };
    await inTheEu(run, `queue ${name}`, found, () => cloudflare.write('POST', `${account}/queues`, body, {}));
  }
}

/** @returns what is there, or what `make` made */
async function inTheEu<T extends Resource>(
  run: Run,
  what: string,
  found: T | null,
  make: () => Promise<T>,
): Promise<T> {
  if (found && found.jurisdiction !== EU) {
    throw new StartError(
      `The ${what} is not in the EU, and that can never be changed. Nothing was deployed. If nothing in it is needed, delete it and run the same command again, which makes it in the EU; else give the new one another name in wrangler.toml.`,
    );
  }
  const resource = found ?? (await make());
  run.did(what, found ? 'there, in the EU' : 'made, in the EU');
  return resource;
}
