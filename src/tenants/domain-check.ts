import { recordAudit } from '../audit/record';
import { leadsElsewhere, sweepEntries } from '../directory/reserve';
import { requireRole, requireSystem } from '../platform/access';
import { tryCommit } from '../platform/commit';
import type { Config } from '../platform/config';
import { actingAs, type Context, forOrganization, onEachDatabase } from '../platform/context';
import { AppError, notFound } from '../platform/errors/errors';
import { callOut, lookUp, readBounded, shareAddress } from '../platform/http/outgoing';
import { describeError } from '../platform/log';
import { isMac, mac } from '../platform/mac';
import { mapConcurrent } from '../platform/map-concurrent';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';
import { activeHosts, addActive, existingOrganizations, hostMustBeFree, withdrawElsewhere } from './hosts';
import { HOST_CHECK_MS } from './limits';
import {
  deleteReleased,
  type Looked,
  type PendingHost,
  selectActiveToCheck,
  selectPendingHost,
  selectPendingToCheck,
  selectReleased,
  selectReleasedOf,
  updateActiveHost,
  updateMoved,
  updatePendingHost,
} from './store-hosts';

/** The most hosts of each status (pending, active, released) that one run checks. One check takes up to eight calls. */
const CHECKED_MAX = 20;
const AT_ONCE = 4;
/** A check that an owner asks for is skipped if the last check of the host was less than this ago. */
const AGAIN_AFTER_MS = 5_000;

/** The name of the TXT record that proves which organization owns a host. */
export function txtNameOf(host: string): string {
  return `_offizin.${host}`;
}

/**
 * Returns the value that the TXT record of a pending host must have. Each request for a host has another value. A
 * record from an earlier request, or of another organization, therefore proves nothing.
 */
export function txtValueOf(ctx: Context, { id, orgId, host }: Pick<PendingHost, 'id' | 'orgId' | 'host'>) {
  return mac(ctx, 'shop host', orgId, host, id);
}

/**
 * Continues the setup of those hosts of a database that are due: checks the DNS of pending hosts, asks Cloudflare about
 * them, and checks whether active hosts still point here.
 * @throws Error if one of the hosts failed, after all were tried
 */
export async function checkHosts(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (ctx.config.dnsResolver === null) return;
  const now = ctx.now();
  const pending = await ctx.db.rows(selectPendingToCheck(now, CHECKED_MAX));
  const ofPending = await eachOf(ctx, pending, (host) => goOn(ctx, host));
  if (ofPending + (await checkMade(ctx, now)) > 0) throw new Error('Some hosts could not be checked');
}

/** Checks active hosts, and deletes released hosts at Cloudflare. @returns for how many hosts this failed */
async function checkMade(ctx: Context, now: number): Promise<number> {
  const { shopZone } = ctx.config;
  if (!shopZone) return 0;
  const { active, released } = await ctx.db.run({
    active: selectActiveToCheck(now, CHECKED_MAX),
    released: selectReleased(now - MINUTE_MS, CHECKED_MAX),
  });
  const ofActive = await eachOf(ctx, active, (host) => followActive(ctx, host));
  const ofReleased = await eachOf(ctx, released, async ({ host, isTaken }) => {
    const isServed = isTaken || (await leadsElsewhere(ctx, { host, orgId: '' }, activeHosts));
    if (isServed || (await deleteCustomHostname(shopZone, host))) await ctx.db.run({ gone: deleteReleased([host]) });
  });
  return ofActive + ofReleased;
}

/**
 * Runs `work` for each host. A failure is logged and does not affect the other hosts. @returns how many hosts failed
 */
async function eachOf<T>(ctx: Context, hosts: readonly T[], work: (host: T) => Promise<void>): Promise<number> {
  let failed = 0;
  await mapConcurrent(hosts, AT_ONCE, (host) =>
    work(host).catch((error) => {
      failed += 1;
      ctx.log('error', 'host_check_failed', { shard: ctx.db.shard, ...describeError(error) });
    }),
  );
  return failed;
}

/**
 * Checks a pending host now, because an owner says that the host's DNS is ready. A setup that had failed begins again.
 */
export async function checkHostNow(ctx: Context, at: { shopId: string; host: string }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const [row] = await ctx.db.rows(selectPendingHost({ ...at, orgId }));
  if (!row) throw notFound();
  if (ctx.config.dnsResolver === null || (row.checkedAt ?? 0) > ctx.now() - AGAIN_AFTER_MS) return;
  const isFailed = row.status === 'failed';
  if (isFailed) await ctx.db.run({ again: updatePendingHost(row, { status: 'pending', failure: null }) });
  await goOn(actingAs(ctx, { kind: 'system' }), isFailed ? { ...row, status: 'pending' } : row);
}

async function goOn(ctx: Context, row: PendingHost): Promise<void> {
  if (row.status === 'verifying') return followPending(ctx, row);
  const { found, isProven } = await lookAtDns(ctx, row);
  const next = { ...found, checkedAt: ctx.now(), nextCheckAt: ctx.now() + waitOf(ctx, row) };
  await note(ctx, row, isProven ? { ...next, status: 'verifying' } : next);
  if (isProven) await followPending(ctx, { ...row, status: 'verifying' });
}

/**
 * Looks up a host's TXT and CNAME records. `isProven`: both are right. A CNAME that the provider replaces by addresses
 * (ALIAS, ANAME) is right if the target has one of these addresses. A host of two labels can have no CNAME, so its TXT
 * record is enough. Cloudflare finds out whether the host points here.
 */
async function lookAtDns(ctx: Context, row: PendingHost) {
  const { dnsResolver, shopCnameTarget } = ctx.config;
  const resolver = dnsResolver ?? '';
  const [names, texts] = await Promise.all([
    lookUp(resolver, row.host, 'CNAME'),
    lookUp(resolver, txtNameOf(row.host), 'TXT'),
  ]);
  const proofs = await Promise.all(
    (texts ?? []).map((text) => isMac(ctx, text, 'shop host', row.orgId, row.host, row.id)),
  );
  const hasTxt = proofs.includes(true);
  const isFlattened = hasTxt && names?.length === 0 && (await shareAddress(resolver, row.host, shopCnameTarget));
  const hasCname = isFlattened || (names?.includes(shopCnameTarget) ?? false);
  const isDomain = row.host.split('.').length === 2 && names?.length === 0;
  return { found: { hasCname, hasTxt }, isProven: hasTxt && (hasCname || isDomain) };
}

/** Returns the time until the next check in ms. It is shorter at first, because the owner then waits for the result. */
function waitOf(ctx: Context, { createdAt }: PendingHost): number {
  const ageMs = ctx.now() - createdAt;
  if (ageMs < HOUR_MS) return MINUTE_MS;
  return ageMs < DAY_MS ? 10 * MINUTE_MS : HOUR_MS;
}

/**
 * Continues the setup of a host whose DNS is right. If this service has no token for the shop zone, the operator has to
 * continue it.
 */
async function followPending(ctx: Context, row: PendingHost): Promise<void> {
  const next = { checkedAt: ctx.now(), nextCheckAt: ctx.now() + waitOf(ctx, row) };
  const made = ctx.config.shopZone ? await atCloudflare(ctx, row) : null;
  if (!made) return note(ctx, row, next);
  const standing = standingOf(made);
  if (standing === 'active') return activate(ctx, row, made.id);
  const isOver = standing !== 'waiting';
  await note(ctx, row, { ...next, customHostnameId: made.id, ...(isOver && { status: 'failed', failure: 'refused' }) });
}

/**
 * Returns the custom hostname that Cloudflare has for a host. Creates it if there is none. Null if that is not possible
 * now.
 */
async function atCloudflare(ctx: Context, row: PendingHost): Promise<CustomHostname | null> {
  const { shopZone } = ctx.config;
  if (!shopZone || (await isReleased(ctx, row.host))) return null;
  const found = await findCustomHostname(shopZone, row.host);
  if (found === null) return null;
  if (!found) return createCustomHostname(shopZone, row.host);
  // Cloudflare gave up the hostname of an earlier request, so its certificate is requested again.
  const isStale = row.customHostnameId !== found.id && ['refused', 'moved'].includes(standingOf(found));
  return isStale ? (await call<CustomHostname>(shopZone, 'PATCH', `/${found.id}`, { ssl: CERTIFICATE })).result : found;
}

/** Whether a host still has to be deleted at Cloudflare, because a shop had it before. */
async function isReleased(ctx: Context, host: string): Promise<boolean> {
  const each = onEachDatabase(ctx).map(({ db }) => db.rows(selectReleasedOf(host)));
  return (await Promise.all(each)).some((released) => released.length > 0);
}

async function activate(ctx: Context, row: PendingHost, customHostnameId: string): Promise<void> {
  const { orgId, shopId, host } = row;
  await note(ctx, row, { customHostnameId });
  const at = forOrganization(ctx, orgId);
  try {
    const statements = await addActive(at, { orgId, shopId, host }, ctx.now());
    const audit = recordAudit(at, { orgId, action: 'shop_host.activated', entityId: shopId });
    if (await tryCommit(at, { statements, audit }, hostMustBeFree)) withdrawElsewhere(at, [host]);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'host_taken') throw error;
    await note(ctx, row, { status: 'failed', failure: 'taken', checkedAt: ctx.now() });
  }
}

async function note(ctx: Context, row: PendingHost, changes: Looked): Promise<void> {
  await ctx.db.rows(updatePendingHost(row, changes));
}

type ActiveHost = Awaited<ReturnType<typeof selectActiveToCheck>>[number];

/**
 * Checks whether an active host still points here. A host that points elsewhere stays with its shop. The audit log and
 * a log line record this.
 */
async function followActive(ctx: Context, row: ActiveHost): Promise<void> {
  const { customHostnameId: id, movedAt, orgId, shopId } = row;
  const found = await hostnameOf(ctx, row);
  const nextCheckAt = ctx.now() + HOST_CHECK_MS;
  await ctx.db.run({ noted: updateActiveHost(row, { nextCheckAt, ...(found && { customHostnameId: found.id }) }) });
  // Cloudflare did not answer, or the operator created the hostname in another place.
  if (found === null || (found === undefined && id === null)) return;
  const standing = found ? standingOf(found) : 'moved';
  const isMoved = movedAt === null ? standing === 'moved' : standing !== 'active';
  if (isMoved === (movedAt !== null)) return;
  const action = isMoved ? 'shop_host.moved' : 'shop_host.returned';
  const at = forOrganization(ctx, orgId);
  const noted = await tryCommit(at, {
    moved: updateMoved(row, isMoved ? ctx.now() : null),
    audit: recordAudit(at, { orgId, action, entityId: shopId }),
  });
  if (noted) ctx.log('warn', isMoved ? 'host_moved' : 'host_returned', { org_id: orgId, shop_id: shopId });
}

/**
 * Returns the custom hostname that Cloudflare has for an active host. Cloudflare deletes a hostname that has pointed
 * elsewhere for a week. If the host points here again, its hostname is created again.
 */
async function hostnameOf(
  ctx: Context,
  { host, customHostnameId: id }: ActiveHost,
): ReturnType<typeof findCustomHostname> {
  const { shopZone: zone, dnsResolver, shopCnameTarget } = ctx.config;
  if (!zone) return null;
  const found = await findCustomHostname(zone, host);
  if (found !== undefined || id === null || dnsResolver === null) return found;
  const names = await lookUp(dnsResolver, host, 'CNAME');
  const isHere = names?.includes(shopCnameTarget) || (await shareAddress(dnsResolver, host, shopCnameTarget));
  return isHere ? createCustomHostname(zone, host) : undefined;
}

const API = 'https://api.cloudflare.com/client/v4';
const TIMEOUT_MS = 10_000;
const BYTES_MAX = 256 * 1024;
/** How Cloudflare gets the certificate of a host: by HTTP validation. The host must point here already. */
const CERTIFICATE = { method: 'http', type: 'dv' } as const;

type Zone = NonNullable<Config['shopZone']>;

/** A shop's host as Cloudflare for SaaS describes it. */
interface CustomHostname {
  id: string;
  hostname: string;
  status: string;
  ssl?: { status?: string } | null;
}

/** The result of a call; null if Cloudflare gave no answer, or an unexpected one. */
type Answer<T> = T | null;

type Standing = 'active' | 'waiting' | 'moved' | 'refused';

/** The state of a hostname at Cloudflare. A host is served once the hostname and its certificate are active. */
function standingOf({ status, ssl }: CustomHostname): Standing {
  if (status === 'moved' || status === 'deleted' || status === 'pending_deletion') return 'moved';
  const certificate = ssl?.status ?? '';
  if (status === 'active' && certificate === 'active') return 'active';
  if (status === 'blocked' || status === 'pending_blocked') return 'refused';
  return certificate.endsWith('_timed_out') || certificate === 'expired' ? 'refused' : 'waiting';
}

/** Returns a host's custom hostname at Cloudflare; undefined if there is none, null if Cloudflare did not answer. */
async function findCustomHostname(zone: Zone, host: string): Promise<Answer<CustomHostname | undefined>> {
  const answer = await call<CustomHostname[]>(zone, 'GET', `?hostname=${encodeURIComponent(host)}`);
  return answer.result === null ? null : answer.result.find(({ hostname }) => hostname === host);
}

async function createCustomHostname(zone: Zone, host: string): Promise<Answer<CustomHostname>> {
  return (await call<CustomHostname>(zone, 'POST', '', { hostname: host, ssl: CERTIFICATE })).result;
}

/** Deletes the custom hostname of a host at Cloudflare. @returns whether Cloudflare no longer has it */
async function deleteCustomHostname(zone: Zone, host: string): Promise<boolean> {
  const found = await findCustomHostname(zone, host);
  if (!found) return found === undefined;
  const { status } = await call(zone, 'DELETE', `/${found.id}`);
  return (status >= 200 && status < 300) || status === 404;
}

async function call<T>(
  { id, token }: Zone,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; result: T | null }> {
  try {
    const { answer } = await callOut(`${API}/zones/${id}/custom_hostnames${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
    });
    if (!answer) return { status: 0, result: null };
    const { bytes } = await readBounded(answer, BYTES_MAX);
    const parsed = JSON.parse(new TextDecoder().decode(bytes)) as { success?: boolean; result?: T };
    return { status: answer.status, result: answer.ok && parsed.success ? (parsed.result ?? null) : null };
  } catch {
    return { status: 0, result: null };
  }
}

/** Deletes directory entries of hosts that are not active and of organizations that do not exist. */
export async function sweepTenantEntries(ctx: Context): Promise<void> {
  await sweepEntries(ctx, 'host', activeHosts);
  await sweepEntries(ctx, 'organization', existingOrganizations);
}
