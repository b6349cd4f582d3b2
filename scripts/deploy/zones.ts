import { StartError } from '../errors.ts';
import { zoneRoutes } from './config.ts';
import type { Run } from './run.ts';

/** A DNS record for names that only the Worker answers. Its address is from a discard prefix (RFC 6666). */
const NOWHERE = { type: 'AAAA', content: '100::', proxied: true } as const;

interface DnsRecord {
  name: string;
  type: string;
  content: string;
  proxied?: boolean;
}

interface Route {
  pattern: string;
  script?: string;
}

/**
 * Prepares the zones of the base host and of the shops: DNS records and the fallback origin. Checks that the base host
 * and the routes belong to nobody else. Such a record or route is refused and never changed, although wrangler would
 * override a record of the base host without asking.
 * @returns the id of the shop zone
 */
export async function prepareZones(run: Run): Promise<string> {
  const { baseHost, shopZone, cnameTarget, smokeHost } = run.names;
  const baseZoneId = await zoneIdOf(run, baseHost);
  await checkBaseHost(run, baseZoneId, baseHost);
  const zoneId = await zoneIdOf(run, shopZone);
  for (const { pattern, zone } of zoneRoutes(run.config)) {
    const path = `/zones/${await zoneIdOf(run, zone)}/workers/routes`;
    // A route without a Worker keeps requests away from all Workers. It also belongs to somebody.
    const found = (await run.cloudflare.list<Route>(path)).find((route) => route.pattern === pattern);
    if (found && found.script !== run.worker)
      throw foreign(
        `The route ${pattern} of ${zone} leads to ${found.script ? `the Worker "${found.script}"` : 'no Worker'}`,
      );
  }
  // Shops of test organizations lie below the base host.
  if (zoneRoutes(run.config).some(({ pattern }) => pattern === `*.${baseHost}/*`)) {
    await makeRecord(run, baseZoneId, `*.${baseHost}`);
  }
  for (const name of [cnameTarget, smokeHost]) await makeRecord(run, zoneId, name);
  await setFallbackOrigin(run, zoneId, cnameTarget);
  return zoneId;
}

/** Returns the id of the zone that a host is in: the longest matching zone of the account. */
export async function zoneIdOf({ cloudflare }: Run, host: string): Promise<string> {
  const labels = host.split('.');
  for (let from = 0; from < labels.length - 1; from += 1) {
    const name = labels.slice(from).join('.');
    const [zone] = await cloudflare.list<{ id: string }>(`/zones?name=${name}`);
    if (zone) return zone.id;
  }
  if (!cloudflare.isReading) return `{zone_of_${host}}`;
  throw new StartError(
    `No zone of the account has ${host}. Add its domain to the account first (dashboard, Add a site), let the token read it, and run the same command again.`,
  );
}

/** Checks that nobody else uses the base host. It is a custom domain of the Worker, which wrangler creates. */
async function checkBaseHost(run: Run, zoneId: string, host: string): Promise<void> {
  const { cloudflare, worker } = run;
  const path = `${cloudflare.account}/workers/domains?hostname=${host}`;
  const [domain] = await cloudflare.list<{ service: string }>(path);
  if (domain?.service === worker) return run.did(`base host ${host}`, 'leads to the Worker');
  if (domain) throw foreign(`${host} is the custom domain of the Worker "${domain.service}", not of "${worker}"`);
  const [record] = await recordsOf(run, zoneId, host);
  if (record) throw foreign(`${host} has a DNS record (${record.type} ${record.content})`);
  run.did(`base host ${host}`, 'free');
}

async function makeRecord(run: Run, zoneId: string, name: string): Promise<void> {
  const found = await recordsOf(run, zoneId, name);
  const isOurs = ({ type, content, proxied }: DnsRecord) =>
    type === NOWHERE.type && content === NOWHERE.content && proxied === NOWHERE.proxied;
  const other = found.find((record) => !isOurs(record));
  if (other) throw foreign(`${name} has a DNS record (${other.type} ${other.content})`);
  if (found.length === 0) {
    await run.cloudflare.write('POST', `/zones/${zoneId}/dns_records`, { name, ...NOWHERE, ttl: 1 }, {});
  }
  run.did(`DNS record ${name}`, found.length > 0 ? 'there' : 'made');
}

/** Returns the A, AAAA and CNAME records of a name. Records of other types do not matter. */
async function recordsOf({ cloudflare }: Run, zoneId: string, name: string): Promise<DnsRecord[]> {
  const records = await cloudflare.list<DnsRecord>(`/zones/${zoneId}/dns_records?name=${name}`);
  return records.filter((record) => record.name === name && ['A', 'AAAA', 'CNAME'].includes(record.type));
}

async function setFallbackOrigin(run: Run, zoneId: string, origin: string): Promise<void> {
  const path = `/zones/${zoneId}/custom_hostnames/fallback_origin`;
  const found = await run.cloudflare.read<{ origin?: string }>(path);
  if (found?.origin && found.origin !== origin)
    throw foreign(`The fallback origin of ${run.names.shopZone} is ${found.origin}`);
  if (!found?.origin) await run.cloudflare.write('PUT', path, { origin }, {});
  run.did(`fallback origin ${origin}`, found?.origin ? 'there' : 'set');
}

function foreign(what: string): StartError {
  return new StartError(
    `${what}. It is not overridden: nothing was deployed. Remove it by hand if it is not needed, or write another name into wrangler.toml, and run the same command again.`,
  );
}
