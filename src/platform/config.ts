import type { Roots } from './crypto/crypto';
import {
  assertAlertSecret,
  type OperatorToken,
  parseBrand,
  parseOperatorTokens,
  parseRoots,
} from './crypto/secret-values';
import { onceFor } from './isolate-cache';

/** The environment, parsed once in each isolate. All requests fail if one value is invalid. */
export interface Config {
  /** Scheme, host and port of the base host, without a trailing slash. */
  baseUrl: string;
  baseHost: string;
  /**
   * The name to which the DNS record of a shop's own host must point. It is a name of the shop zone, never the base
   * host.
   */
  shopCnameTarget: string;
  /** The resolver with which DNS records of shops' hosts are looked up; null if the records are not checked. */
  dnsResolver: string | null;
  /** The Cloudflare zone in which the service creates shops' hosts; null if the operator creates them. */
  shopZone: { id: string; token: string } | null;
  /** The binding of each queue, by the name of the queue. */
  queues: ReadonlyMap<string, QueueBinding>;
  /** Whether the base host uses plain HTTP. True in local development, where `*.localhost` may be a shop's host. */
  isDevelopment: boolean;
  /** The root secrets, from which the key of each purpose is derived (crypto.ts). */
  roots: Roots;
  operatorTokens: readonly OperatorToken[];
  /**
   * The seconds before attempts 1, 2 and 3 of a webhook delivery. The same seconds apply to the attempts to fetch a
   * prescription.
   */
  retryScheduleSeconds: readonly number[];
  /**
   * How many requests per minute each limiter allows for one key. The numbers must be equal to those in wrangler.toml.
   * Responses name these limits.
   */
  requestsPerMinute: Readonly<Record<KeyLimiter, number>>;
  allowLoopbackWebhooks: boolean;
  /** `paused` stops all deletions. With any other value, the operator's switches decide (switches.ts). */
  deletions: Deletions;
  /** The address to which alarms are posted, and the secret that signs them; null if no alarms are posted. */
  alert: { url: string; secret: string } | null;
  /** The bucket of backups, and the age recipient for which they are encrypted; null if there are no backups. */
  backup: {
    /** The URL of the bucket, with the prefix of its objects, if there is one. It has no trailing slash. */
    url: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
    publicKey: string;
  } | null;
  /** The sender of e-mails; null if none are sent. */
  emailFrom: string | null;
  /** The queue of delivery reports about e-mails; null if there is none. */
  emailEventsQueue: string | null;
  /**
   * The brand in additional headers of webhook posts: each `X-Service-…` is repeated as `X-<brand>-…` (contract 6.5).
   * Null if there are none.
   */
  webhookBrand: string | null;
  /**
   * The addresses of the operator's own pages, to which the page at `/` links: the imprint and the privacy policy. Null
   * for no link.
   */
  imprintUrl: string | null;
  privacyUrl: string | null;
  /** The version of the deployment. It changes with code, variables and secrets. */
  version: string;
}

/** The limiters that count requests by key. */
const KEY_LIMITERS = ['connector', 'connectorReads', 'api', 'token'] as const;
export type KeyLimiter = (typeof KEY_LIMITERS)[number];

/** The bindings of the queues that the Worker consumes. */
const QUEUE_BINDINGS = ['WEBHOOK_DELIVERIES', 'PRESCRIPTION_FETCHES', 'JOBS'] as const;
export type QueueBinding = (typeof QUEUE_BINDINGS)[number];

export type Deletions = 'on' | 'paused' | 'confirmed';

/**
 * Parses the environment.
 * @throws Error that names the missing or unsafe variable; a request then gets a 500 without details
 */
export const readConfig = onceFor((env: Env): Config => {
  const base = new URL(env.BASE_URL);
  const isDevelopment = base.protocol === 'http:';
  const allowLoopbackWebhooks = env.OUTBOUND_ALLOW_LOOPBACK === 'webhooks';
  if (allowLoopbackWebhooks && !isDevelopment) throw new Error('OUTBOUND_ALLOW_LOOPBACK is for development only');
  return {
    baseUrl: base.origin,
    baseHost: base.hostname,
    shopCnameTarget: parseCnameTarget(env.SHOP_CNAME_TARGET, base.hostname),
    dnsResolver: env.DNS_RESOLVER || null,
    shopZone: parseShopZone(env),
    queues: parseQueues(env.QUEUES),
    isDevelopment,
    roots: parseRoots(env.ROOT_SECRETS),
    operatorTokens: parseOperatorTokens(env.OPERATOR_TOKENS),
    retryScheduleSeconds: parseSchedule(env.RETRY_SCHEDULE_SECONDS),
    requestsPerMinute: parseLimits(env.REQUESTS_PER_MINUTE),
    allowLoopbackWebhooks,
    deletions: parseDeletions(env.DELETIONS),
    alert: parseAlert(env.ALERT_URL, env.ALERT_SECRET, {
      baseHost: base.hostname,
      allowLoopback: allowLoopbackWebhooks,
    }),
    backup: parseBackup(env, allowLoopbackWebhooks),
    emailFrom: env.EMAIL_FROM || null,
    emailEventsQueue: env.EMAIL_EVENTS_QUEUE || null,
    webhookBrand: parseBrand(env.WEBHOOK_BRAND),
    imprintUrl: parsePageUrl('IMPRINT_URL', env.IMPRINT_URL),
    privacyUrl: parsePageUrl('PRIVACY_URL', env.PRIVACY_URL),
    version: env.VERSION.id,
  };
});

/**
 * Parses the variable that pauses deletions. An unknown value pauses them, because it is probably a mistyped `paused`.
 * The function does not throw, because orders must still be accepted.
 */
function parseDeletions(text: string | undefined): Deletions {
  return text === 'on' || text === 'confirmed' ? text : 'paused';
}

function parsePageUrl(variable: string, text: string): string | null {
  if (!text) return null;
  if (URL.parse(text)?.protocol !== 'https:') throw new Error(`${variable} must be an https URL`);
  return text;
}

function parseAlert(url: string, secret: string, of: { baseHost: string; allowLoopback: boolean }): Config['alert'] {
  assertAlertSecret(secret);
  if (!url) return null;
  const { protocol, hostname } = new URL(url);
  const isLoopback = of.allowLoopback && (hostname === '127.0.0.1' || hostname === '[::1]');
  if (protocol !== 'https:' && !isLoopback) throw new Error('ALERT_URL must be an https:// address');
  const isOwnHost = hostname === of.baseHost || hostname.endsWith(`.${of.baseHost}`);
  if (isOwnHost) throw new Error('ALERT_URL must be an address outside this service');
  return { url, secret };
}

/**
 * Parses the bucket of backups and its access key, a secret of the form `<id>:<secret>`. Not every deployment has a
 * bucket.
 */
function parseBackup(env: Env & { BACKUP_ACCESS_KEY?: string }, allowLoopback: boolean): Config['backup'] {
  if (!env.BACKUP_URL) return null;
  const { protocol, hostname, origin, pathname } = new URL(env.BACKUP_URL);
  if (protocol !== 'https:' && !(allowLoopback && hostname === '127.0.0.1')) {
    throw new Error('BACKUP_URL must be an https:// address');
  }
  if (!/^(\/[\w.-]+)+\/?$/.test(pathname)) throw new Error('BACKUP_URL must end with the name of a bucket');
  if (!/^age1[a-z0-9]{58}$/.test(env.BACKUP_PUBLIC_KEY)) throw new Error('BACKUP_PUBLIC_KEY must be an age recipient');
  const [, accessKeyId, secretAccessKey] = /^([^:\s]+):(\S+)$/.exec(env.BACKUP_ACCESS_KEY ?? '') ?? [];
  if (!accessKeyId || !secretAccessKey) throw new Error('BACKUP_ACCESS_KEY must read id:secret');
  return {
    url: origin + pathname.replace(/\/$/, ''),
    region: env.BACKUP_REGION || 'us-east-1',
    ...{ accessKeyId, secretAccessKey, publicKey: env.BACKUP_PUBLIC_KEY },
  };
}

const HOST_NAME = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/**
 * Checks the name to which shops' hosts point. It must be in the shop zone, because Cloudflare for SaaS accepts a
 * custom hostname only if its DNS points into the zone that has the hostname.
 */
function parseCnameTarget(text: string, baseHost: string): string {
  if (!HOST_NAME.test(text)) throw new Error('SHOP_CNAME_TARGET must be a host name in lower case');
  const isBase = text === baseHost || (baseHost !== 'localhost' && text.endsWith(`.${baseHost}`));
  if (isBase) throw new Error('SHOP_CNAME_TARGET must be a name of the shop zone, not of the base host');
  return text;
}

/**
 * Returns the id of the shop zone and its token; null if one of them is missing. The token is a secret that not every
 * deployment has.
 */
function parseShopZone({ SHOP_ZONE_ID: id, SHOP_ZONE_TOKEN: token }: Env & { SHOP_ZONE_TOKEN?: string }) {
  return id && token ? { id, token } : null;
}

/** Parses `binding=queue,…`, for example `WEBHOOK_DELIVERIES=webhook-deliveries`. */
function parseQueues(text: string): Map<string, QueueBinding> {
  const names = new Map(text.split(',').map((entry) => entry.split('=') as [string, string]));
  const found = QUEUE_BINDINGS.map((binding) => [names.get(binding) ?? '', binding] as const);
  if (found.some(([name]) => name === '')) throw new Error('QUEUES must name the queue of each binding');
  return new Map(found);
}

function parseSchedule(text: string): number[] {
  const seconds = text.split(',').map(Number);
  if (seconds.length !== 3 || seconds.some((value) => !(value >= 0))) {
    throw new Error('RETRY_SCHEDULE_SECONDS must hold three numbers');
  }
  return seconds;
}

/** Parses `limiter=requests,…`, for example `connector=600,api=600`. */
function parseLimits(text: string): Record<KeyLimiter, number> {
  const given = new Map(text.split(',').map((entry) => entry.split('=') as [string, string]));
  const limits = KEY_LIMITERS.map((name) => [name, Number(given.get(name))] as const);
  if (limits.some(([, limit]) => !(limit > 0))) throw new Error('REQUESTS_PER_MINUTE must name each limiter');
  // SAFETY: each limiter has a number.
  return Object.fromEntries(limits) as Record<KeyLimiter, number>;
}
