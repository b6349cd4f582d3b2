import * as z from 'zod';
import { requireSystem } from '../platform/access';
import { type Context, onEachDatabase } from '../platform/context';
import { wishNotices } from './notices';
import { sendEmails } from './sending';
import { dropUnwanted, giveUpInterrupted, recordBounces } from './store';

/** Sends e-mails that are still due, ends attempts whose outcome was not recorded, and creates notices to owners. */
export async function sweepEmails(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (!ctx.mail) return;
  const now = ctx.now();
  await ctx.db.run({ interrupted: giveUpInterrupted(now), unwanted: dropUnwanted(now) });
  await wishNotices(ctx);
  await sendEmails(ctx);
}

/**
 * An event of Cloudflare Email Sending. Only these members are read; the recipient, the subject and the receiving
 * server's response are ignored.
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

/** Marks e-mails as bounced. Safe to repeat. @param bodies bodies of the queue's messages; unknown ones are ignored */
export async function consumeEmailEvents(ctx: Context, bodies: readonly unknown[]): Promise<void> {
  requireSystem(ctx);
  const ids = bodies.flatMap((body) => {
    const read = eventSchema.safeParse(body);
    return read.success ? [read.data.payload.messageId] : [];
  });
  if (ids.length === 0) return;
  await Promise.all(onEachDatabase(ctx).map((at) => at.db.rows(recordBounces(ids, at.now()))));
}
