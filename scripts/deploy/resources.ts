import { createDatabase, findDatabase } from '../cloudflare/d1.ts';
import { StartError } from '../errors.ts';
import { type Run, scriptPath } from './run.ts';

const EU = 'eu';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A resource that can be created in a jurisdiction. Otherwise, `jurisdiction` is missing or null. */
interface Resource {
  jurisdiction?: string | null;
}

/** A queue in the form that Cloudflare returns. */
export interface Queue extends Resource {
  queue_id: string;
  queue_name: string;
  consumers?: { script?: string }[];
}

/** A binding of the Worker. Cloudflare's API returns the id of a database as `id` or as `database_id`. */
interface Binding {
  type: string;
  name: string;
  id?: string;
  database_id?: string;
}

/**
 * Creates the missing databases, buckets and queues in the EU.
 * @throws StartError if one exists outside the EU, because its jurisdiction can never be changed; also if a database is
 *   not the one that is deployed or configured
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
    // Buckets in different jurisdictions may have the same name. Creating the bucket in the EU would leave the old
    // bucket and its objects unused.
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

/** Returns the found resource, or the result of `make`. @throws StartError if the found one is outside the EU */
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
