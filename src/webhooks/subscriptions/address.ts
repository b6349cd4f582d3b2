import type { Context } from '../../platform/context';
import { type AppError, invalidInput } from '../../platform/errors';
import { hostOf, REFUSAL_MESSAGES, refusalOf } from '../../platform/outbound';

/**
 * The host of an address to subscribe, as D1 stores hosts. Whether it is a shop's host is checked in the write.
 * @throws AppError `validation_failed` at `/url`
 */
export function hostToSubscribe(ctx: Context, url: string): string {
  const { baseHost, allowLoopbackWebhooks } = ctx.config;
  const refusal = refusalOf(url, { isOwnHost: (host) => host === baseHost, allowLoopback: allowLoopbackWebhooks });
  if (refusal) throw refusedUrl(refusal);
  return hostOf(new URL(url));
}

export function refusedUrl(refusal: keyof typeof REFUSAL_MESSAGES): AppError {
  return invalidInput([{ pointer: '/url', code: refusal, message: REFUSAL_MESSAGES[refusal] }]);
}
