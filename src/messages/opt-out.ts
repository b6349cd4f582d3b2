import { noting } from '../audit/service';
import { requireOperator } from '../platform/access';
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
  const now = ctx.now();
  await noting(ctx, { orgId, kind: 'email_opt_out', id: customerId, at: now }, () =>
    commit(ctx, { optOut: optOutRows({ orgId, customerId, now }) }),
  );
}

/** The same again, after a restore of the database. */
export async function optOutAgain(ctx: Context, of: { orgId: string; customerId: string }): Promise<void> {
  requireOperator(ctx);
  await commit(ctx, { optOut: optOutRows({ ...of, now: ctx.now() }) });
}
