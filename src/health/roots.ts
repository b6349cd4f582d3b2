import { rewriteSecondFactors } from '../auth/staff/account';
import { rewriteEmailEntries } from '../auth/staff/members';
import { fingerprintRound, rewriteFingerprints } from '../order-requests/intake/fingerprints';
import { requireOperator, requireSystem } from '../platform/access';
import { type Context, onEachDatabase } from '../platform/context';
import { oldRootIds } from '../platform/crypto/crypto';
import { rewriteMarks } from '../prescriptions/storage';
import { rewriteSigningSecrets } from '../webhooks/subscriptions/settings';
import { selectLeftUnder } from './store';

const REWRITES = [rewriteSecondFactors, rewriteSigningSecrets, rewriteEmailEntries, rewriteFingerprints, rewriteMarks];

/**
 * Recomputes ciphertexts and MACs of this database that were made under old root secrets, if the stored data is enough
 * to do so. All others are recomputed when they are used, or they expire. With one root secret it makes no round trip.
 */
export async function rewriteUnderRoots(ctx: Context): Promise<void> {
  requireSystem(ctx);
  for (const rootId of oldRootIds(ctx.config.roots)) {
    const done = await Promise.allSettled(REWRITES.map((rewrite) => rewrite(ctx, rootId)));
    for (const each of done) if (each.status === 'rejected') throw each.reason;
  }
}

/**
 * Returns, for each old root secret and each purpose, the number of rows in all databases that would become invalid or
 * unfindable without this secret. `order_requests` is null until all order requests have been checked. With one root
 * secret it makes no round trip.
 */
export function leftUnderRoots(ctx: Context) {
  requireOperator(ctx);
  const at = { now: ctx.now(), round: fingerprintRound(ctx) };
  return Promise.all(
    oldRootIds(ctx.config.roots).map(async (id) => {
      const rows = await Promise.all(onEachDatabase(ctx).map(({ db }) => db.rows(selectLeftUnder(id, at))));
      return { id, left: rows.flat().reduce(sum) };
    }),
  );
}

type Left = Awaited<ReturnType<typeof selectLeftUnder>>[number];

function sum(one: Left, other: Left): Left {
  const each = Object.entries(one).map(([name, left]) => {
    const more = other[name as keyof Left];
    return [name, left === null || more === null ? null : left + more];
  });
  return Object.fromEntries(each);
}
