import { requireOperator } from '../../../platform/access';
import type { Context } from '../../../platform/context';
import { countStaffUnder } from './store-rotation';

/** What of the staff's in the database is still good and has its hash under a pepper. All of it ends by itself. */
export async function countOldStaffHashes(ctx: Context, pepperId: string) {
  requireOperator(ctx);
  const { sessions, invitations, resets } = await ctx.db.run(countStaffUnder(pepperId, ctx.now()));
  return { sessions: sessions[0]?.left ?? 0, invitations: invitations[0]?.left ?? 0, resets: resets[0]?.left ?? 0 };
}
