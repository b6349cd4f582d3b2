import type { Context } from '../platform/context';
import { callOut, isOfBaseHost, type OutboundRefusal, readBounded, refusalOf } from '../platform/http/outgoing';
import { PDF_BYTES_MAX, PRESCRIPTION_URL_LENGTH_MAX } from '../platform/limits';
import { FETCH_TIMEOUT_MS } from './limits';
import { isPdf } from './pdf';

/** Failures that may be temporary. After one of them, the fetch is tried again. */
const PASSING = ['timeout', 'connect', 'server_error', 'storage', 'interrupted'] as const;

/**
 * The reason why a fetch failed. With `erezept_token`, the file was stored and then deleted, because it contains the
 * token of an E-Rezept.
 */
export type FetchFailure =
  | (typeof PASSING)[number]
  | 'erezept_token'
  | 'blocked'
  | 'redirect'
  | 'refused'
  | 'not_a_pdf'
  | 'too_large';

export function isPassing(failure: FetchFailure): boolean {
  return PASSING.some((passing) => passing === failure);
}

/**
 * Fetches one prescription from an address, after checking the address again. It never throws.
 * @param isShopHost whether the host of the address belongs to a shop on any database
 */
export async function fetchPdf(
  ctx: Context,
  url: string | null,
  isShopHost: boolean,
): Promise<{ bytes: Uint8Array } | { failure: FetchFailure }> {
  if (!url || refusalOfPrescription(ctx, url, isShopHost)) return { failure: 'blocked' };
  try {
    const called = await callOut(url, { headers: { Accept: 'application/pdf' }, timeoutMs: FETCH_TIMEOUT_MS });
    if (called.failure) return { failure: called.failure === 'timeout' ? 'timeout' : 'connect' };
    const { answer } = called;
    const failure = failureOf(answer.status);
    if (failure) {
      // An unread body would keep its connection open.
      await answer.body?.cancel().catch(() => undefined);
      return { failure };
    }
    const { bytes, isCut } = await readBounded(answer, PDF_BYTES_MAX);
    if (isCut) return { failure: 'too_large' };
    return isPdf(bytes) ? { bytes } : { failure: 'not_a_pdf' };
  } catch (error) {
    return { failure: error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'connect' };
  }
}

function failureOf(status: number): FetchFailure | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  return status >= 500 || status === 429 || status === 408 ? 'server_error' : 'refused';
}

/**
 * Returns the address without its query. The query of a signed link is a credential, and is not needed once the file is
 * stored.
 */
export function withoutQuery(url: string): string {
  const parsed = new URL(url);
  return parsed.origin + parsed.pathname;
}

/**
 * Returns why a prescription link may not be fetched; null if it may. Loopback addresses are refused even in
 * development.
 */
export function refusalOfPrescription(ctx: Context, url: string, isShopHost = false): OutboundRefusal | null {
  const isOwnHost = (host: string) => isOfBaseHost(host, ctx.config.baseHost) || isShopHost;
  return refusalOf(url, { isOwnHost, lengthMax: PRESCRIPTION_URL_LENGTH_MAX });
}
