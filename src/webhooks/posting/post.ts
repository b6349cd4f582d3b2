import type { Context } from '../../platform/context';
import { callOut, readBounded } from '../../platform/http/outgoing';
import type { ClaimedDelivery } from '../deliveries/store';
import { EXCERPT_BYTES, POST_TIMEOUT_SECONDS } from '../limits';
import { branded, type StoredSecrets, secretsAt, signatureHeaders } from '../signing/sign';
import { refusalOfWebhook } from '../subscriptions/subscriptions';
import type { FailureClass } from '../tables';
import type { UnreadyReason } from './store';

const USER_AGENT = 'Offizin-Webhooks/1.0';

/** The data from which the headers and the signatures of a post are made. */
interface OutgoingWebhook {
  secret: string;
  /** The secret before the last rotation, as long as it is valid. */
  previousSecret?: string;
  deliveryId: string;
  eventId: string;
  eventType: string;
  /** The event's sequence number (`sequenceOf`). */
  sequence: number;
  attempt: number;
  body: string;
  /** Whether the event is a test. A header says so, because the envelope may have only the fields of the contract. */
  isTest: boolean;
  /** Epoch ms. */
  startedAt: number;
}

/** A post that is signed and can be sent. */
interface SignedWebhook {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface AttemptOutcome {
  /** The reason why the attempt failed; null if it succeeded (any 2xx). */
  failureClass: FailureClass | null;
  httpStatus: number | null;
  answerExcerpt: string | null;
  retryAfter: string | null;
}

/** Returns the headers of a post, with the signatures. The same input always gives the same headers. */
export async function requestHeaders(webhook: OutgoingWebhook): Promise<Record<string, string>> {
  const timestamp = Math.floor(webhook.startedAt / 1000);
  return { ...plainHeaders(webhook), ...(await signatureHeaders({ ...webhook, timestamp })) };
}

/** Returns the headers of a post that need no secret. */
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

/** Makes one post to an address that was already checked. Never throws: every error becomes an outcome. */
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

/** Returns the outcome of an attempt without a response. */
export function failed(failureClass: FailureClass): AttemptOutcome {
  return { failureClass, httpStatus: null, answerExcerpt: null, retryAfter: null };
}

/**
 * Returns the start of the response, for the attempt log. Null if the body breaks off or hangs. The status is then
 * recorded without the body.
 */
async function excerptOf(answer: Response): Promise<string | null> {
  try {
    const { bytes } = await readBounded(answer, EXCERPT_BYTES);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters in order to remove them
    return new TextDecoder().decode(bytes).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '�');
  } catch {
    return null;
  }
}

/** The address and the stored secrets of a subscription. */
type Target = StoredSecrets & { url: string };

/** A delivery to post, with its address and secrets. */
type Post = Target &
  Pick<ClaimedDelivery, 'id' | 'eventId' | 'eventType' | 'sequence' | 'body' | 'attempt' | 'trigger'>;

/** A signed post, or the reason why this service cannot make it. */
type Prepared = { signed: SignedWebhook } | { hold: UnreadyReason; error?: unknown };

/**
 * Does, before a post, all work that can fail in this service: checks whether the address may be called, and signs.
 * Never throws.
 * @param startedAt epoch ms; in whole seconds, it is the timestamp of the signature
 */
export async function prepare(ctx: Context, claimed: Post, startedAt: number): Promise<Prepared> {
  if (refusalOfWebhook(ctx, claimed.url)) return { hold: 'address_refused' };
  try {
    const { id: deliveryId, url, body, trigger } = claimed;
    const secrets = await secretsAt(ctx.config, claimed, startedAt);
    const headers = await requestHeaders({ ...claimed, ...secrets, deliveryId, isTest: trigger === 'test', startedAt });
    return { signed: { url, headers: branded(ctx.config.webhookBrand, headers), body } };
  } catch (error) {
    return { hold: 'secret_unreadable', error };
  }
}

/** Whether this service could post to a subscription now. */
export async function canPostTo(ctx: Context, target: Target, now: number): Promise<boolean> {
  const trial = { id: '', eventId: '', eventType: '', sequence: 0, body: '', attempt: 1, trigger: 'event' as const };
  return 'signed' in (await prepare(ctx, { ...trial, ...target }, now));
}
