import { readBounded } from './outbound';

/** Why a call got no answer of the server that it was meant for. */
export type NoAnswer = 'timeout' | 'dns' | 'tls' | 'connect';

interface OutgoingCall {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** For connecting, sending and all reading of the answer. */
  timeoutMs: number;
}

const USER_AGENT = 'Offizin/1.0';
const EDGE_BODY_BYTES = 1_024;

/**
 * Makes one call to another server: the only place of this service that does. Firewalls refuse calls without a User-Agent,
 * Cloudflare's cache would keep a PDF for hours, and a redirect would lead past the check of the address, which the caller has made
 * (`refusalOf`). Never throws.
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

/** The runtime distinguishes network failures only by their message. */
function failureOf(error: unknown): NoAnswer {
  if (!(error instanceof Error)) return 'connect';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  if (/\bdns\b|resolve|lookup/i.test(error.message)) return 'dns';
  if (/tls|ssl|certificate/i.test(error.message)) return 'tls';
  return 'connect';
}

/** Cloudflare's own answers where it did not reach the server (Cloudflare docs, "5xx errors"). */
const EDGE_FAILURES: Readonly<Record<number, NoAnswer>> = {
  ...{ 520: 'connect', 521: 'connect', 522: 'timeout', 523: 'connect', 524: 'timeout', 525: 'tls', 526: 'tls' },
  530: 'connect',
};
/** Error 1016: the name has no address. */
const ORIGIN_DNS_ERROR = /\b1016\b/;

/** On Cloudflare a call to a server without an address or a valid certificate is answered by the edge and does not throw. */
async function failureOfEdge(answer: Response): Promise<NoAnswer | undefined> {
  const failure = EDGE_FAILURES[answer.status];
  const isOfEdge = answer.headers.get('Server')?.toLowerCase() === 'cloudflare' && answer.headers.has('CF-RAY');
  if (!failure || !isOfEdge) return undefined;
  const { bytes } = await readBounded(answer, EDGE_BODY_BYTES);
  return answer.status === 530 && ORIGIN_DNS_ERROR.test(new TextDecoder().decode(bytes)) ? 'dns' : failure;
}
