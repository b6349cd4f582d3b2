import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { wishNotices } from './notices';
import { sendEmails } from './sending';
import { dropUnwanted, giveUpInterrupted } from './store';

/** Finds what commits left behind: e-mails that are due, once more or for the first time, attempts that nobody recorded, and
 * notices to owners. */
export async function sweepEmails(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (!ctx.mail) return;
  const now = ctx.now();
  await ctx.db.run({ interrupted: giveUpInterrupted(now), unwanted: dropUnwanted(now) });
  await wishNotices(ctx);
  await sendEmails(ctx);
}
