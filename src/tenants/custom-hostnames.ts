import type { Config } from '../platform/config';
import { readBounded } from '../platform/http/outbound';
import { callOut } from '../platform/http/outgoing';

const API = 'https://api.cloudflare.com/client/v4';
const TIMEOUT_MS = 10_000;
const BYTES_MAX = 256 * 1024;
/** A certificate by HTTP: the host has to point here by then. */
const CERTIFICATE = { method: 'http', type: 'dv' } as const;

type Zone = NonNullable<Config['shopZone']>;

/** A shop's host as Cloudflare for SaaS tells it. */
export interface CustomHostname {
  id: string;
  hostname: string;
  status: string;
  ssl?: { status?: string } | null;
}

/** What became of a call: null when Cloudflare did not answer, or not with what was asked for. */
type Answer<T> = T | null;

export type Standing = 'active' | 'waiting' | 'moved' | 'refused';

/** A host serves once both it and its certificate are active. */
export function standingOf({ status, ssl }: CustomHostname): Standing {
  if (status === 'moved' || status === 'deleted' || status === 'pending_deletion') return 'moved';
  const certificate = ssl?.status ?? '';
  if (status === 'active' && certificate === 'active') return 'active';
  if (status === 'blocked' || status === 'pending_blocked') return 'refused';
  return certificate.endsWith('_timed_out') || certificate === 'expired' ? 'refused' : 'waiting';
}

/** @returns `undefined` when there is none of this name */
export async function findCustomHostname(zone: Zone, host: string): Promise<Answer<CustomHostname | undefined>> {
  const answer = await call<CustomHostname[]>(zone, 'GET', `?hostname=${encodeURIComponent(host)}`);
  return answer.result === null ? null : answer.result.find(({ hostname }) => hostname === host);
}

/** @returns `undefined` when there is none of this id any more */
export async function readCustomHostname(zone: Zone, id: string): Promise<Answer<CustomHostname | undefined>> {
  const answer = await call<CustomHostname>(zone, 'GET', `/${id}`);
  return answer.status === 404 ? undefined : answer.result;
}

export async function createCustomHostname(zone: Zone, host: string): Promise<Answer<CustomHostname>> {
  return (await call<CustomHostname>(zone, 'POST', '', { hostname: host, ssl: CERTIFICATE })).result;
}

/** Asks for the certificate anew, after its time ran out. */
export async function renewCustomHostname(zone: Zone, id: string): Promise<Answer<CustomHostname>> {
  return (await call<CustomHostname>(zone, 'PATCH', `/${id}`, { ssl: CERTIFICATE })).result;
}

/** @returns whether there is none of this name any more */
export async function deleteCustomHostname(zone: Zone, host: string): Promise<boolean> {
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
