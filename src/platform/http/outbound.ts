import { URL_LENGTH_MAX } from '../limits';
import { joinBytes } from './bytes';

/**
 * Checks every address that a caller gave: webhook URLs and prescription links, when they are saved, tested and called.
 * A Worker cannot pin the address that a name resolves to, so a name that points at a private address passes here; the
 * platform's own network and `global_fetch_strictly_public` protect against that (docs/operating.md).
 */
export interface OutboundRules {
  /** True for hosts of this service. @param host lowercase, without a trailing dot */
  isOwnHost: (host: string) => boolean;
  /** In characters; `URL_LENGTH_MAX` where it is missing. */
  lengthMax?: number;
  /** Development only: `127.0.0.1` and `[::1]` are allowed, on any port and over HTTP. */
  allowLoopback?: boolean;
}

/**
 * Names that are never on the public internet: special-use ones (RFC 6761, 6762, 7686, 8375, 9476, ICANN's .internal,
 * .home, .corp and .mail), and those that software invents for its own networks.
 */
const PRIVATE_SUFFIX =
  /\.(local|localhost|localdomain6?|internal|intranet|lan|home|corp|mail|private|test|invalid|onion|alt|arpa|svc|consul|docker|i2p)$/;

/** The URL parser accepts `127.0.0.1..` and `db.internal..` as names, which the checks of a name's end would miss. */
const EMPTY_LABEL = /^\.|\.\.|\.$/;

/**
 * Why a URL may not be called, or null. Checks the parsed URL, because the parser turns `0x7f.1` and `2130706433` into
 * an IP address.
 */
export function refusalOf(url: string, rules: OutboundRules): OutboundRefusal | null {
  if (url.length > (rules.lengthMax ?? URL_LENGTH_MAX)) return 'too_long';
  const parsed = URL.parse(url);
  if (!parsed) return 'not_a_url';
  if (parsed.username || parsed.password) return 'credentials';
  if (rules.allowLoopback && (parsed.hostname === '127.0.0.1' || parsed.hostname === '[::1]')) {
    return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? null : 'not_https';
  }
  if (parsed.protocol !== 'https:') return 'not_https';
  if (parsed.port !== '') return 'port';
  const host = hostOf(parsed);
  if (host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)) return 'ip_address';
  if (!host.includes('.') || EMPTY_LABEL.test(host) || PRIVATE_SUFFIX.test(host)) return 'not_public';
  return rules.isOwnHost(host) ? 'own_host' : null;
}

/** The base host and whatever lies below it: there the service itself would answer. */
export function isOfBaseHost(host: string, baseHost: string): boolean {
  return host === baseHost || host.endsWith(`.${baseHost}`);
}

/** A URL's host as D1 stores hosts: lowercase, no port, no trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '');
}

/** What storage services add to a link when they sign it: Amazon, Google and those like them, CloudFront, Azure. */
const SIGNING =
  /^(?:x-(?:amz|goog|oss|cos|obs)-.*|awsaccesskeyid|googleaccessid|signature|expires|policy|key-pair-id|s[eiprvt]|sig|spr|sk[oid]{2,3}|sktid|sk[tesv])$/i;

/** A link without what signs it: the same for every link to one file. */
export function withoutSigning(url: string): string {
  const parsed = new URL(url);
  const names = [...new Set(parsed.searchParams.keys())].filter((name) => SIGNING.test(name));
  for (const name of names) parsed.searchParams.delete(name);
  return parsed.href;
}

/** The message of each refusal, for the person who typed the address. */
export const REFUSAL_MESSAGES = {
  not_a_url: 'Send an absolute URL.',
  not_https: 'Use an https:// address.',
  credentials: 'Remove user name and password from the address.',
  port: 'Use the standard HTTPS port: remove the port.',
  ip_address: 'Use a DNS name, not an IP address.',
  not_public: 'Use a name that is on the public internet.',
  own_host: 'Use an address outside this service.',
  too_long: 'Use a shorter address.',
};

export type OutboundRefusal = keyof typeof REFUSAL_MESSAGES;

/**
 * Reads at most `limitBytes` of a response and cancels the rest: an unread body would keep one of the six connections
 * of an invocation.
 * @returns the bytes, and whether there were more
 */
export async function readBounded(
  response: Response,
  limitBytes: number,
): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!response.body) return { bytes: new Uint8Array(), isCut: false };
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  try {
    while (size <= limitBytes) {
      const next = await reader.read();
      if (next.done) break;
      chunks.push(next.value);
      size += next.value.length;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return { bytes: joinBytes(chunks, size).subarray(0, limitBytes), isCut: size > limitBytes };
}
