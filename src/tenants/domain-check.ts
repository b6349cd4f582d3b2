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

/** Hosts of one kind that one run looks at; each takes up to eight calls. */
const CHECKED_MAX = 20;
const AT_ONCE = 4;
const ACTIVE_EVERY_MS = HOUR_MS;
/** A check that an owner asks for sooner than this after the last one is skipped. */
const AGAIN_AFTER_MS = 5_000;

/** The name of the TXT record that says whose a host is. */
export function txtNameOf(host: string): string {
  return `_offizin.${host}`;
}

/**
 * The value that the TXT record must have. It depends on the request for the host, so that the record of an earlier
 * request, or of another organization, proves nothing.
 */
export function txtValueOf(ctx: Context, { id, orgId, host }: Pick<PendingHost, 'id' | 'orgId' | 'host'>) {
  return mac(ctx, 'shop host', orgId, host, id);
}

/**
 * Continues the setup of the hosts of a database that are due: checks the DNS of waiting hosts, follows the hosts at
 * Cloudflare, and checks whether active hosts still point here.
 * @throws Error after all hosts were tried, if one of them failed
 */
export async function checkHosts(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (ctx.config.dnsResolver === null) return;
  const now = ctx.now();
  const pending = await ctx.db.rows(selectPendingToCheck(now, CHECKED_MAX));
  const ofPending = await eachOf(ctx, pending, (host) => goOn(ctx, host));
  if (ofPending + (await checkMade(ctx, now)) > 0) throw new Error('Some hosts could not be checked');
}

/** Checks active hosts, and deletes released ones at Cloudflare. @returns how many failed */
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

/** Runs `work` for each host; a failure is logged and does not affect the others. @returns how many failed */
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

/** Looks at a host that waits at once, because the owner says that it is ready. A failed one is tried again. */
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
 * Both records are right. Providers that flatten a CNAME (ALIAS, ANAME) answer with the addresses that it leads to. A domain itself
 * can have no CNAME: whether one of two labels points here, Cloudflare finds out.
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

/** Time until the next check, in ms: short at first, when somebody waits for it. */
function waitOf(ctx: Context, { createdAt }: PendingHost): number {
  const ageMs = ctx.now() - createdAt;
  if (ageMs < HOUR_MS) return MINUTE_MS;
  return ageMs < DAY_MS ? 10 * MINUTE_MS : HOUR_MS;
}

/** A host whose DNS is right. Without a token for the shop zone the operator goes on with it. */
async function followPending(ctx: Context, row: PendingHost): Promise<void> {
  const next = { checkedAt: ctx.now(), nextCheckAt: ctx.now() + waitOf(ctx, row) };
  const made = ctx.config.shopZone ? await atCloudflare(ctx, row) : null;
  if (!made) return note(ctx, row, next);
  const standing = standingOf(made);
  if (standing === 'active') return activate(ctx, row, made.id);
  const isOver = standing !== 'waiting';
  await note(ctx, row, { ...next, customHostnameId: made.id, ...(isOver && { status: 'failed', failure: 'refused' }) });
}

/** The custom hostname of a host, made where there is none; null: not now. */
async function atCloudflare(ctx: Context, row: PendingHost): Promise<CustomHostname | null> {
  const { shopZone } = ctx.config;
  if (!shopZone || (await isReleased(ctx, row.host))) return null;
  const found = await findCustomHostname(shopZone, row.host);
  if (found === null) return null;
  if (!found) return createCustomHostname(shopZone, row.host);
  // One of an earlier request, which Cloudflare has given up: its certificate is asked for anew.
  const isStale = row.customHostnameId !== found.id && ['refused', 'moved'].includes(standingOf(found));
  return isStale ? (await call<CustomHostname>(shopZone, 'PATCH', `/${found.id}`, { ssl: CERTIFICATE })).result : found;
}

/** One of this name is about to be deleted at Cloudflare, for whichever organization had it. */
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
 * Checks whether an active host still points here. A host that does not stays with its shop, and the owner and the
 * operator are told.
 */
async function followActive(ctx: Context, row: ActiveHost): Promise<void> {
  const { customHostnameId: id, movedAt, orgId, shopId } = row;
  const found = await hostnameOf(ctx, row);
  const nextCheckAt = ctx.now() + ACTIVE_EVERY_MS;
  await ctx.db.run({ noted: updateActiveHost(row, { nextCheckAt, ...(found && { customHostnameId: found.id }) }) });
  // Nobody answered; or the operator made it elsewhere.
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
 * The custom hostname of an active host at Cloudflare. Cloudflare deletes one that pointed elsewhere for a week; if the
 * host points here again, it is created anew.
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
/** A certificate by HTTP: the host has to point here by then. */
const CERTIFICATE = { method: 'http', type: 'dv' } as const;

type Zone = NonNullable<Config['shopZone']>;

/** A shop's host as Cloudflare for SaaS tells it. */
interface CustomHostname {
  id: string;
  hostname: string;
  status: string;
  ssl?: { status?: string } | null;
}

/** The result of a call; null when Cloudflare did not answer, or not as expected. */
type Answer<T> = T | null;

type Standing = 'active' | 'waiting' | 'moved' | 'refused';

/** A host serves once both it and its certificate are active. */
function standingOf({ status, ssl }: CustomHostname): Standing {
  if (status === 'moved' || status === 'deleted' || status === 'pending_deletion') return 'moved';
  const certificate = ssl?.status ?? '';
  if (status === 'active' && certificate === 'active') return 'active';
  if (status === 'blocked' || status === 'pending_blocked') return 'refused';
  return certificate.endsWith('_timed_out') || certificate === 'expired' ? 'refused' : 'waiting';
}

/** @returns `undefined` when there is none of this name */
async function findCustomHostname(zone: Zone, host: string): Promise<Answer<CustomHostname | undefined>> {
  const answer = await call<CustomHostname[]>(zone, 'GET', `?hostname=${encodeURIComponent(host)}`);
  return answer.result === null ? null : answer.result.find(({ hostname }) => hostname === host);
}

async function createCustomHostname(zone: Zone, host: string): Promise<Answer<CustomHostname>> {
  return (await call<CustomHostname>(zone, 'POST', '', { hostname: host, ssl: CERTIFICATE })).result;
}

/** @returns whether there is none of this name any more */
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

/** Deletes what the directory has of organizations and hosts that are not there. */
export async function sweepTenantEntries(ctx: Context): Promise<void> {
  await sweepEntries(ctx, 'host', activeHosts);
  await sweepEntries(ctx, 'organization', existingOrganizations);
}
