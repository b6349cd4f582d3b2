import { join } from 'node:path';
import { ensureSecrets } from '../../scripts/secrets.ts';
import { observeService } from './observe.ts';
import { columns } from './report.ts';
import { type EachRoute, eachRoute, ROUTE_NAMES, ROUTES } from './routes.ts';
import { bundle } from './serve.ts';

/** Of the first request to an isolate that has just started, and of the same once more. */
interface RowsRead {
  first: number;
  again: number;
}

/** Rows that a request of each route reads, by how many order requests each pharmacy has: in the order of `requests`. */
export interface Growth {
  command: 'growth';
  products: number;
  requests: number[];
  rows_read: EachRoute<RowsRead[]>;
}

/**
 * Makes pharmacies of each size anew and counts.
 * @param requests order requests of each of two pharmacies
 * @param dir an empty directory for the bundle and the data
 */
export async function measureGrowth(
  { requests, products }: { requests: number[]; products: number },
  dir: string,
  say: (line: string) => void,
): Promise<Growth> {
  say('Bundling the service …');
  const bundleDir = join(dir, 'bundle');
  const secrets = ensureSecrets(join(dir, 'secrets'));
  await bundle(null, bundleDir);
  const rows = eachRoute((): RowsRead[] => []);
  for (const count of requests) {
    say(`${count} order requests …`);
    const stateDir = join(dir, `state-${count}`);
    const { first, observed } = await observeService({ bundleDir, stateDir, secrets }, { requests: count, products });
    for (const name of ROUTE_NAMES) {
      rows[name].push({ first: first[name].counts.rows_read, again: observed[name].counts.rows_read });
    }
  }
  return { command: 'growth', products, requests, rows_read: rows };
}

/** The figures as a table for people. */
export function growthTable({ requests, products, rows_read }: Growth): string {
  return [
    `Rows that D1 reads for one request, with ${products} products and so many order requests in each of two pharmacies;`,
    'where the isolate keeps some of it: the first time, then again',
    '',
    columns([
      ['', ...requests.map(String)],
      ...ROUTE_NAMES.map((name) => [ROUTES[name].title, ...rows_read[name].map(cellOf)]),
    ]),
  ].join('\n');
}

function cellOf({ first, again }: RowsRead): string {
  return first === again ? String(again) : `${first}, ${again}`;
}
