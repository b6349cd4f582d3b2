import { URL_LENGTH_MAX } from '../limits';

/** The reason why a call got no response from its server. */
type NoAnswer = 'timeout' | 'dns' | 'tls' | 'connect';

interface OutgoingCall {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** The longest time for connecting, sending and reading the whole response together. */
  timeoutMs: number;
}

const USER_AGENT = 'Offizin/1.0';
const EDGE_BODY_BYTES = 1_024;

/**
 * Calls another server. No other code does so. It never throws.
 * It sends a User-Agent, because firewalls require one. It does not use Cloudflare's cache, which would keep a PDF for
 * hours. It follows no redirects, because the caller has checked only the given address (`refusalOf`).
 */
export async function callOut(
  url: string,
  { headers, timeoutMs, ...call }: OutgoingCall,
): Promise<{ answer: Response; failure?: never } | { answer?: never; failure: NoAnswer }> {
  try {
    const answer = await fetch(url, {
      ...call,
      headers: { 'User-Agent': USER_AGENT, ...headers },
      cache: 'no-store',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const failure = await failureOfEdge(answer);
    return failure ? { failure } : { answer };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** Returns the kind of a network failure. The runtime distinguishes the kinds only by their message. */
function failureOf(error: unknown): NoAnswer {
  if (!(error instanceof Error)) return 'connect';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  if (/\bdns\b|resolve|lookup/i.test(error.message)) return 'dns';
  if (/tls|ssl|certificate/i.test(error.message)) return 'tls';
  return 'connect';
}

/**
 * The failure that each of these statuses means. Cloudflare itself responds with them if it did not reach the server
 * (Cloudflare docs, "5xx errors").
 */
const EDGE_FAILURES: Readonly<Record<number, NoAnswer>> = {
  ...{ 520: 'connect', 521: 'connect', 522: 'timeout', 523: 'connect', 524: 'timeout', 525: 'tls', 526: 'tls' },
  530: 'connect',
};
/** Matches the text of Cloudflare's error 1016: the name has no address. */
const ORIGIN_DNS_ERROR = /\b1016\b/;

/**
 * Returns the failure that a response of Cloudflare's edge means; undefined for a response of the server. On
 * Cloudflare, a call to a server without an address or a valid certificate does not throw, because the edge responds
 * instead.
 */
async function failureOfEdge(answer: Response): Promise<NoAnswer | undefined> {
  const failure = EDGE_FAILURES[answer.status];
  const isOfEdge = answer.headers.get('Server')?.toLowerCase() === 'cloudflare' && answer.headers.has('CF-RAY');
  if (!failure || !isOfEdge) return undefined;
  const { bytes } = await readBounded(answer, EDGE_BODY_BYTES);
  return answer.status === 530 && ORIGIN_DNS_ERROR.test(new TextDecoder().decode(bytes)) ? 'dns' : failure;
}

/**
 * The rules of `refusalOf`, which checks every address that a caller gave (webhook URLs, prescription links): when the
 * address is saved, when it is tested, and before each call. `refusalOf` does not notice a name that points at a
 * private address, because a Worker cannot fix the address to which a name resolves. Cloudflare's own network and
 * `global_fetch_strictly_public` protect against such names (docs/operating.md).
 */
interface OutboundRules {
  /** Returns true for hosts of this service. @param host lowercase, without a trailing dot */
  isOwnHost: (host: string) => boolean;
  /** The most characters of a URL; by default `URL_LENGTH_MAX`. */
  lengthMax?: number;
  /** Whether `127.0.0.1` and `[::1]` are allowed, on any port and over HTTP. For development only. */
  allowLoopback?: boolean;
  /**
   * Whether HTTP is allowed, too, on its standard port. It is for addresses in certificates: their responses are
   * signed.
   */
  allowHttp?: boolean;
}

/**
 * Matches names that are never on the public internet: special-use names (RFC 6761, 6762, 7686, 8375, 9476, ICANN's
 * .internal, .home, .corp and .mail), and names that software uses in its own networks.
 */
const PRIVATE_SUFFIX =
  /\.(local|localhost|localdomain6?|internal|intranet|lan|home|corp|mail|private|test|invalid|onion|alt|arpa|svc|consul|docker|i2p)$/;

/**
 * Matches a name with an empty label. The URL parser accepts `127.0.0.1..` and `db.internal..` as names, and the checks
 * of suffixes would miss them.
 */
const EMPTY_LABEL = /^\.|\.\.|\.$/;

/**
 * Returns the reason why a URL may not be called; null if it may. The parsed URL is checked, because the parser turns
 * `0x7f.1` and `2130706433` into an IP address.
 */
export function refusalOf(url: string, rules: OutboundRules): OutboundRefusal | null {
  if (url.length > (rules.lengthMax ?? URL_LENGTH_MAX)) return 'too_long';
  const parsed = URL.parse(url);
  if (!parsed) return 'not_a_url';
  if (parsed.username || parsed.password) return 'credentials';
  if (rules.allowLoopback && (parsed.hostname === '127.0.0.1' || parsed.hostname === '[::1]')) {
    return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? null : 'not_https';
  }
  if (parsed.protocol !== 'https:' && !(rules.allowHttp && parsed.protocol === 'http:')) return 'not_https';
  if (parsed.port !== '') return 'port';
  const host = hostOf(parsed);
  if (host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)) return 'ip_address';
  if (!host.includes('.') || EMPTY_LABEL.test(host) || PRIVATE_SUFFIX.test(host)) return 'not_public';
  return rules.isOwnHost(host) ? 'own_host' : null;
}

/** Whether a host is the base host or below it. A call to such a host would reach the service itself. */
export function isOfBaseHost(host: string, baseHost: string): boolean {
  return host === baseHost || host.endsWith(`.${baseHost}`);
}

/** Returns a URL's host in the form that D1 stores: in lower case, without port and trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '');
}

/**
 * Matches the parameters that storage services add to signed links: Amazon, Google and compatible ones, CloudFront,
 * Azure.
 */
const SIGNING =
  /^(?:x-(?:amz|goog|oss|cos|obs)-.*|awsaccesskeyid|googleaccessid|signature|expires|policy|key-pair-id|s[eiprvt]|sig|spr|sk[oid]{2,3}|sktid|sk[tesv])$/i;

/** Returns the link without the parameters of its signature, so that all links to the same file are equal. */
export function withoutSigning(url: string): string {
  const parsed = new URL(url);
  const names = [...new Set(parsed.searchParams.keys())].filter((name) => SIGNING.test(name));
  for (const name of names) parsed.searchParams.delete(name);
  return parsed.href;
}

/** The message for each refusal, which the person who typed the address sees. */
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
 * Reads at most `limitBytes` of a response, and cancels the rest. An unread body would keep one of the six connections
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

/** Returns the chunks of a stream, joined into one array. */
export function joinBytes(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

const TIMEOUT_MS = 5_000;
const BYTES_MAX = 64 * 1024;
/** The numbers of DNS record types (RFC 1035 §3.2.2; AAAA: RFC 3596 §2.1). */
const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
const NO_SUCH_NAME = 3;

/**
 * Looks up a name in the public DNS, by DNS over HTTPS with JSON, because a Worker has no resolver of its own.
 * @returns addresses, names without the final dot, or texts without quotes; null if there was no usable response
 */
export async function lookUp(resolver: string, name: string, type: keyof typeof TYPES): Promise<string[] | null> {
  try {
    const { answer } = await callOut(`${resolver}?name=${encodeURIComponent(name)}&type=${type}`, {
      headers: { Accept: 'application/dns-json' },
      timeoutMs: TIMEOUT_MS,
    });
    if (!answer) return null;
    const { bytes } = await readBounded(answer, BYTES_MAX);
    if (!answer.ok) return null;
    const { Status, Answer = [] } = JSON.parse(new TextDecoder().decode(bytes)) as {
      Status: number;
      Answer?: { type: number; data: string }[];
    };
    if (Status === NO_SUCH_NAME) return [];
    if (Status !== 0) return null;
    const found = Answer.filter((record) => record.type === TYPES[type]).map(({ data }) => data);
    return type === 'TXT' ? found.map(unquoted) : found.map((data) => data.toLowerCase().replace(/\.$/, ''));
  } catch {
    return null;
  }
}

/** Returns the text of a TXT record: its quoted strings, joined. */
function unquoted(data: string): string {
  return data.split('"').length > 1
    ? data
        .split('"')
        .filter((_, at) => at % 2 === 1)
        .join('')
    : data;
}

/** Whether two names have an address in common, and so lead to the same server. False if the DNS does not respond. */
export async function shareAddress(resolver: string, one: string, other: string): Promise<boolean> {
  const types = ['A', 'AAAA'] as const;
  const [ofOne, ofOther] = await Promise.all(
    [one, other].map((name) => Promise.all(types.map((type) => lookUp(resolver, name, type)))),
  );
  const known = new Set(ofOther?.flatMap((found) => found ?? []));
  return ofOne?.some((found) => found?.some((address) => known.has(address))) ?? false;
}
