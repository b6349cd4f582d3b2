import { AppError } from '../errors';
import { IDEMPOTENCY_KEY_CHARACTERS_MAX } from '../limits';

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/** The request's `Idempotency-Key`; null without one. @throws AppError `invalid_idempotency_key` */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get('Idempotency-Key');
  if (key === null) return null;
  if (key.length <= IDEMPOTENCY_KEY_CHARACTERS_MAX && PRINTABLE_ASCII.test(key)) return key;
  throw new AppError(
    'invalid_idempotency_key',
    `Send 1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} printable ASCII characters as Idempotency-Key, for example a UUID, or leave the header out.`,
  );
}

/** What a request is sent to, beside its method and body. */
export function addressIn(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}
