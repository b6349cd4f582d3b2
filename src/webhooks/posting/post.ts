import { readBounded } from '../../platform/http/outbound';
import { callOut } from '../../platform/http/outgoing';
import { EXCERPT_BYTES, POST_TIMEOUT_SECONDS } from '../limits';
import { signatureHeaders } from '../signing/sign';
import type { FailureClass } from '../tables';

const USER_AGENT = 'Offizin-Webhooks/1.0';

/** What is signed. */
interface OutgoingWebhook {
  secret: string;
  /** The secret before a rotation, while it is still valid. */
  previousSecret?: string;
  deliveryId: string;
  eventId: string;
  eventType: string;
  /** The event's place in the feed (`sequenceOf`). */
  sequence: number;
  attempt: number;
  body: string;
  /** A test event is marked by a header, because its envelope has only the contract's fields. */
  isTest: boolean;
  /** Epoch ms. */
  startedAt: number;
}

/** One post, ready to go. */
export interface SignedWebhook {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface AttemptOutcome {
  /** Null for a success, that is any 2xx. */
  failureClass: FailureClass | null;
  httpStatus: number | null;
  answerExcerpt: string | null;
  retryAfter: string | null;
}

/** The headers of one post; the same input always gives the same headers. */
export async function requestHeaders(webhook: OutgoingWebhook): Promise<Record<string, string>> {
  const timestamp = Math.floor(webhook.startedAt / 1000);
  return { ...plainHeaders(webhook), ...(await signatureHeaders({ ...webhook, timestamp })) };
}

/** The headers that need no secret. */
export function plainHeaders(
  webhook: Pick<OutgoingWebhook, 'eventType' | 'sequence' | 'deliveryId' | 'attempt' | 'isTest'>,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'X-Service-Event': webhook.eventType,
    'X-Service-Delivery-Id': webhook.deliveryId,
    'X-Service-Attempt': String(webhook.attempt),
    'X-Service-Sequence': String(webhook.sequence),
    ...(webhook.isTest && { 'X-Service-Test': 'true' }),
  };
}

/**
 * Posts one signed webhook once, to an address that was already checked. Never throws: every error becomes an outcome.
 */
export async function postWebhook({ url, headers, body }: SignedWebhook): Promise<AttemptOutcome> {
  const { answer, failure } = await callOut(url, {
    method: 'POST',
    headers,
    body,
    timeoutMs: POST_TIMEOUT_SECONDS * 1000,
  });
  if (failure) return failed(failure);
  const answerExcerpt = await excerptOf(answer);
  return {
    failureClass: answer.ok ? null : answer.status >= 300 && answer.status < 400 ? 'redirect' : 'http',
    httpStatus: answer.status,
    answerExcerpt,
    retryAfter: answer.headers.get('Retry-After'),
  };
}

/** The outcome of an attempt without a response. */
export function failed(failureClass: FailureClass): AttemptOutcome {
  return { failureClass, httpStatus: null, answerExcerpt: null, retryAfter: null };
}

/** The start of the response for the attempt log. If the body breaks off or hangs, the status is still recorded. */
async function excerptOf(answer: Response): Promise<string | null> {
  try {
    const { bytes } = await readBounded(answer, EXCERPT_BYTES);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters in order to remove them
    return new TextDecoder().decode(bytes).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '�');
  } catch {
    return null;
  }
}
