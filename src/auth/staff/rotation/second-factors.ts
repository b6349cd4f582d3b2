import { requireOperator, requireSystem } from '../../../platform/access';
import type { Context } from '../../../platform/context';
import { oldKeyIds } from '../../../platform/crypto';
import { openFactor, sealFactor } from '../sign-in/second-factor';
import { countSecondFactorsUnder, selectSecondFactorsUnder, updateSealed } from './store-rotation';

/** Second factors of one secret that one run looks at. */
const PAGE = 100;

/** While AUTH_SECRETS has old secrets: encrypts second factors anew, under the first one. With one secret no round trip. */
export async function rewriteSecondFactors(ctx: Context): Promise<void> {
  requireSystem(ctx);
  for (const secretId of oldKeyIds(ctx.config.authSecrets)) {
    const page = await ctx.db.rows(selectSecondFactorsUnder(secretId, PAGE));
    const anew = await Promise.all(
      page.map(async (stored) => {
        const { memberId } = stored;
        return { stored, sealed: await sealFactor(ctx, memberId, await openFactor(ctx, memberId, stored)) };
      }),
    );
    await ctx.db.batch(anew.map(({ stored, sealed }) => updateSealed(stored, sealed)));
  }
}

/** How many second factors of the database are encrypted under a secret of AUTH_SECRETS. */
export async function countOldSecondFactors(ctx: Context, secretId: string): Promise<number> {
  requireOperator(ctx);
  const counted = await ctx.db.rows(countSecondFactorsUnder(secretId));
  return counted[0]?.left ?? 0;
}
