import * as z from 'zod';
import { requireSystem } from '../platform/access';
import { type Context, onEachDatabase } from '../platform/context';
import { wishNotices } from './notices';
import { sendEmails } from './sending';
import { dropUnwanted, giveUpInterrupted, recordBounces } from './store';

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

/**
 * What Cloudflare Email Sending tells by its event subscription. Only this is read of it: recipient, subject and what the receiving
 * server said stay in the message.
 */
const eventSchema = z.object({
  type: z.enum([
    'cf.email.sending.message.bounced',
    'cf.email.sending.message.failed',
    'cf.email.sending.message.rejected',
    'cf.email.sending.message.complained',
  ]),
  payload: z.object({ messageId: z.string().min(1).max(500) }),
});

/** E-mails that came back are shown as such. Safe to repeat. @param bodies of the queue's messages; others are left aside */
export async function consumeEmailEvents(ctx: Context, bodies: readonly unknown[]): Promise<void> {
  requireSystem(ctx);
  const ids = bodies.flatMap((body) => {
    const read = eventSchema.safeParse(body);
    return read.success ? [read.data.payload.messageId] : [];
  });
  if (ids.length === 0) return;
  await Promise.all(onEachDatabase(ctx).map((at) => at.db.rows(recordBounces(ids, at.now()))));
}
