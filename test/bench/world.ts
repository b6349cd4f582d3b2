import { join } from 'node:path';
import { type Api, openOrganization, operatorApi } from '../../scripts/api.ts';
import { ensureSecrets, operatorTokenOf } from '../../scripts/secrets.ts';
import type { Shop } from './load.ts';
import { PHASE_NAMES, PHASES, type PhaseName, type Subscribed } from './phases.ts';
import { bundle, type ServeOptions, serve } from './serve.ts';
import type { Subscribers } from './subscribers.ts';

export const WORKERS = ['service', 'floor'] as const;
type WorkerName = (typeof WORKERS)[number];
export type OfEach<T> = Record<WorkerName, T>;

/** The organizations of one round for one Worker; nothing is sent to any of them twice. */
type Round = Record<PhaseName, { shop: Shop; other?: Shop }>;

export interface World {
  rounds: OfEach<Round>[];
  warmUp: OfEach<Shop>;
  cost: OfEach<Shop>;
}

let hosts = 0;

/** Makes all organizations in the service. */
export async function makeWorld(paths: ServeOptions, subscribers: Subscribers, rounds: number): Promise<World> {
  const served = await serve(paths);
  await served.migrate();
  const operate = operatorApi(served.baseUrl, operatorTokenOf(paths.secrets));
  const open = (subscribed: Subscribed) => openShop(operate, subscribers, subscribed);
  const openOne = () => open({ healthy: 1, holes: 0 });
  const openRound = async (): Promise<Round> => {
    const made: Partial<Round> = {};
    for (const name of PHASE_NAMES) {
      const { here, ...phase } = PHASES[name];
      made[name] = { shop: await open(here), ...('elsewhere' in phase && { other: await open(phase.elsewhere) }) };
    }
    // SAFETY: one for each name.
    return made as Round;
  };
  const world: World = { rounds: [], warmUp: await eachWorker(openOne), cost: await eachWorker(openOne) };
  while (world.rounds.length < rounds) world.rounds.push(await eachWorker(openRound));
  await served.close();
  return world;
}

/** The same for each Worker, one after the other. */
export async function eachWorker<T>(make: (name: WorkerName) => Promise<T>): Promise<OfEach<T>> {
  return { service: await make('service'), floor: await make('floor') };
}

/**
 * Bundles both Workers, each with a directory for its own data, and with the same secrets.
 * @param entries null: the one that wrangler.toml names
 * @param dir an empty directory
 */
export async function bundleWorkers(entries: OfEach<string | null>, dir: string): Promise<OfEach<ServeOptions>> {
  const secrets = ensureSecrets(join(dir, 'secrets'));
  return eachWorker(async (name) => {
    const [bundleDir, stateDir] = [join(dir, name, 'bundle'), join(dir, name, 'state')];
    await bundle(entries[name], bundleDir);
    return { bundleDir, stateDir, secrets };
  });
}

/** Makes an organization with a shop, a key and subscriptions, through the operator API. */
async function openShop(operate: Api, subscribers: Subscribers, subscribed: Subscribed): Promise<Shop> {
  hosts += 1;
  const name = `bench-${hosts}`;
  const host = `${name}.localhost`;
  const { orgId, integrationKey: key, within } = await openOrganization(operate, { name, shard: 0 }, host);
  const paths = [...pathsOf('healthy', name, subscribed.healthy), ...pathsOf('hole', name, subscribed.holes)];
  for (const path of paths) {
    await within('/subscriptions', { url: subscribers.url(path), event_types: ['order_request_submitted'] });
  }
  return { orgId, host, key };
}

function pathsOf(kind: string, name: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `/${kind}/${name}/${n}`);
}
