import { requireRole } from '../platform/access';
import type { Context } from '../platform/context';
import { notFound } from '../platform/errors';
import { selectOnboarding } from './store-onboarding';

/** How far an organization has come. */
export interface Onboarding {
  /** Its first active shop, with the host of it that is reached; null for what it does not have. */
  shop: { id: string; name: string; host: string | null } | null;
  /** A key with which platforms may submit. */
  hasKey: boolean;
  /** A request came in, whatever became of it. */
  hasRequest: boolean;
  hasProducts: boolean;
  /** Anybody beside the reader was invited. */
  hasTeam: boolean;
}

/** The first steps of an organization, for its owner; derived from what is there, so that none is ever marked by hand. */
export async function readOnboarding(ctx: Context): Promise<Onboarding> {
  const { orgId, memberId } = requireRole(ctx, ['owner']);
  const { found } = await ctx.db.run({ found: selectOnboarding({ orgId, memberId, now: ctx.now() }) });
  const [row] = found;
  if (!row) throw notFound('organization_not_found', 'There is no such organization.');
  const { shopId, shopName, host } = row;
  return {
    shop: shopId === null ? null : { id: shopId, name: shopName ?? '', host },
    hasKey: row.hasKey === 1,
    hasRequest: row.hasRequest === 1,
    hasProducts: row.hasProducts === 1,
    hasTeam: row.hasTeam === 1,
  };
}
