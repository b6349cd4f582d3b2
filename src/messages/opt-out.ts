import { commit } from '../platform/commit';
import type { Context } from '../platform/context';
import { notFound } from '../platform/errors';
import { idOfToken } from '../platform/id-token';
import { optOutRows, selectOptOutOf } from './store';

interface Asked {
  token: string;
  /** On which it was asked. */
  host: string;
}

/** The page behind the link of an e-mail. Whoever has it may open it. @throws AppError `not_found` */
export async function getOptOut(ctx: Context, { token, host }: Asked) {
  const id = await idOfToken(ctx, 'email opt-out', token);
  const [found] = id === null ? [] : await ctx.db.rows(selectOptOutOf(id, host));
  if (!found || found.customerId === null) throw notFound();
  return { ...found, customerId: found.customerId };
}

/** The customer gets no e-mail from this organization any more. Safe to repeat. @throws AppError `not_found` */
export async function optOut(ctx: Context, asked: Asked): Promise<void> {
  const { orgId, customerId } = await getOptOut(ctx, asked);
  await commit(ctx, { optOut: optOutRows({ orgId, customerId, now: ctx.now() }) });
}
