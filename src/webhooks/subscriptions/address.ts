import { isHostTaken } from '../../directory/service';
import { requireRole } from '../../platform/access';
import type { Context } from '../../platform/context';
import { type AppError, invalidInput } from '../../platform/errors';
import { hostOf, isOfBaseHost, type OutboundRefusal, REFUSAL_MESSAGES, refusalOf } from '../../platform/http/outbound';

/**
 * The host of an address to subscribe, as D1 stores hosts. Whether it is the host of a shop on the same database is checked
 * in the write.
 * @throws AppError `validation_failed` at `/url`
 */
export async function hostToSubscribe(ctx: Context, url: string): Promise<string> {
  const refusal = refusalOfWebhook(ctx, url);
  if (refusal) throw refusedUrl(refusal);
  const host = hostOf(new URL(url));
  if (await isHostTaken(ctx, host)) throw refusedUrl('own_host');
  return host;
}

/** Why a subscription may not have an address, for a form that says all that is wrong at once; null if nothing speaks against it so far. */
export function refusalOfUrl(ctx: Context, url: string): OutboundRefusal | null {
  requireRole(ctx, ['owner']);
  return refusalOfWebhook(ctx, url);
}

/**
 * Why an address may not be posted to, as far as the address itself tells. A name that became a shop's host after it was
 * saved is called like any other: the request comes in through the front door (`global_fetch_strictly_public`).
 */
export function refusalOfWebhook({ config }: Context, url: string): OutboundRefusal | null {
  const isOwnHost = (host: string) => isOfBaseHost(host, config.baseHost);
  return refusalOf(url, { isOwnHost, allowLoopback: config.allowLoopbackWebhooks });
}

export function unknownShop(): AppError {
  const message = 'Name shops of the organization by their shop_id.';
  return invalidInput([{ pointer: '/shop_ids', code: 'unknown_shop', message }]);
}

export function refusedUrl(refusal: keyof typeof REFUSAL_MESSAGES): AppError {
  return invalidInput([{ pointer: '/url', code: refusal, message: REFUSAL_MESSAGES[refusal] }]);
}
