import type { Context } from '../platform/context';
import { selectInstallation } from '../platform/data/store-installation';
import { organizationUnavailable } from '../platform/errors';
import { describeError } from '../platform/log';
import { onceFor } from '../platform/once';
import { SECOND_MS } from '../platform/time';
import { installationIds } from '../prescriptions/service';

const ASKED_EVERY_MS = 10 * SECOND_MS;

/** What an isolate knows of `DB`: for good that it is the one that was always there, or for a moment that it is not. */
const knownOf = onceFor((_files: R2Bucket): { isKept: boolean; isLost: boolean; askedAt: number } => ({
  isKept: false,
  isLost: false,
  askedAt: 0,
}));

/**
 * For whoever is to be refused because nobody knows the shop, key or person: an empty database in the place of `DB` knows nobody,
 * and then that is the answer. One round trip for each isolate.
 * @throws AppError `organization_unavailable`
 */
export async function assertNotLost(ctx: Context): Promise<void> {
  const known = knownOf(ctx.files);
  if (!known.isKept && Math.abs(ctx.now() - known.askedAt) >= ASKED_EVERY_MS) {
    known.askedAt = ctx.now();
    try {
      known.isKept = await hasInstallation(ctx);
      // A new deployment has none on either side.
      known.isLost = !known.isKept && (await installationIds(ctx)).has(0);
    } catch (error) {
      // Then the refusal stands.
      ctx.log('error', 'directory_not_asked', describeError(error));
    }
  }
  if (known.isLost) throw organizationUnavailable();
}

async function hasInstallation(ctx: Context): Promise<boolean> {
  const { found } = await ctx.databases.at(0).run({ found: selectInstallation() });
  return found.length > 0;
}
