import { countOldKeys } from '../auth/keys/service';
import { countOldSecondFactors, countOldStaffHashes } from '../auth/staff/service';
import { countEmailEntries } from '../directory/service';
import { areFingerprintsRewritten } from '../order-requests/service';
import { countOldPaymentLinks } from '../orders/service';
import { type Context, onEachDatabase } from '../platform/context';
import { oldKeyIds } from '../platform/crypto';
import { oldPepperIds } from '../platform/mac';

/**
 * What would be invalid, or not be found, without each of the old peppers, in all databases together. With one pepper in the ring
 * nothing is read.
 */
export function oldPeppers(ctx: Context) {
  return Promise.all(oldPepperIds(ctx).map(async (id) => ({ id, left: await leftUnder(ctx, id) })));
}

async function leftUnder(ctx: Context, pepperId: string) {
  const each = await Promise.all(onEachDatabase(ctx).map((at) => leftIn(at, pepperId)));
  const sum = (of: (left: (typeof each)[number]) => number) => each.reduce((total, left) => total + of(left), 0);
  return {
    api_keys: sum(({ keys }) => keys),
    sessions: sum(({ staff }) => staff.sessions),
    invitations: sum(({ staff }) => staff.invitations),
    reset_links: sum(({ staff }) => staff.resets),
    payment_links: sum(({ links }) => links),
    email_entries: await countEmailEntries(ctx, pepperId),
    // They are found one by one: null until all have been looked at.
    order_requests: each.every(({ areRequestsDone }) => areRequestsDone) ? 0 : null,
  };
}

async function leftIn(ctx: Context, pepperId: string) {
  const [keys, staff, links, areRequestsDone] = await Promise.all([
    countOldKeys(ctx, pepperId),
    countOldStaffHashes(ctx, pepperId),
    countOldPaymentLinks(ctx, pepperId),
    areFingerprintsRewritten(ctx),
  ]);
  return { keys, staff, links, areRequestsDone };
}

/** The same for AUTH_SECRETS: second factors that nobody could decrypt without each of the old ones. */
export function oldAuthSecrets(ctx: Context) {
  return Promise.all(
    oldKeyIds(ctx.config.authSecrets).map(async (id) => {
      const each = await Promise.all(onEachDatabase(ctx).map((at) => countOldSecondFactors(at, id)));
      return { id, left: { second_factors: each.reduce((total, left) => total + left, 0) } };
    }),
  );
}
