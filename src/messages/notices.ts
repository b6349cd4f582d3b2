import { requireRole } from '../platform/access';
import { commit } from '../platform/commit';
import type { Context } from '../platform/context';
import { describeError } from '../platform/log';
import { NOTICES_AT_ONCE } from './fields';
import {
  deleteNotices,
  deleteReader,
  forgetTold,
  insertNotice,
  insertReader,
  markTold,
  selectReader,
  selectReaders,
  selectUntold,
  type Untold,
  waiting,
} from './store';
import type { NoticeKind } from './tables';

/** The e-mail to an owner, with the receiver's host and the address of the subscription's page. */
export function noticeText(kind: NoticeKind, host: string, url: string): { subject: string; text: string } {
  const words = WORDS[kind];
  return {
    subject: words.subject(host),
    text: `${words.de(host)}\n\n${words.en(host)}\n\n${url}\n`,
  };
}

const WORDS: Readonly<Record<NoticeKind, Record<'subject' | 'de' | 'en', (host: string) => string>>> = {
  webhook_held: {
    subject: (host) => `Webhook steht: ${host}`,
    de: (host) =>
      `An ${host} wird zurzeit nichts zugestellt. Neue Ereignisse warten und gehen nach, sobald es wieder geht.`,
    en: (host) => `Nothing is delivered to ${host} at present. New events wait and follow once it works again.`,
  },
  webhook_disabled: {
    subject: (host) => `Webhook abgeschaltet: ${host}`,
    de: (host) => `${host} war tagelang nicht erreichbar; der Webhook ist abgeschaltet. Schalten Sie ihn wieder ein.`,
    en: (host) => `${host} could not be reached for days; the webhook is switched off. Please switch it on again.`,
  },
  webhook_recovered: {
    subject: (host) => `Webhook läuft wieder: ${host}`,
    de: (host) => `An ${host} wird wieder zugestellt. Was gewartet hat, geht nach.`,
    en: (host) => `Events are delivered to ${host} again. What waited follows.`,
  },
};

/**
 * Compares each subscription with the last notice about it and inserts e-mails if its state differs. Uses one batch per
 * subscription, so that only the first of two concurrent runs writes. A stop that ended between two runs gets no
 * notice.
 */
export async function wishNotices(ctx: Context): Promise<void> {
  const now = ctx.now();
  const { untold } = await ctx.db.run({
    ended: deleteNotices(now),
    forgotten: forgetTold(now),
    untold: selectUntold(now, NOTICES_AT_ONCE),
  });
  if (untold.length === 0) return;
  const readers = await ctx.db.rows(selectReaders([...new Set(untold.map(({ orgId }) => orgId))]));
  for (const each of untold) {
    const ofIts = readers.filter(({ orgId }) => orgId === each.orgId);
    try {
      await ctx.db.run({
        wishes: ofIts.map(({ memberId, email }) => insertNotice(noticeRow(each, memberId, email, now), each)),
        told: markTold(each, now),
      });
    } catch (error) {
      ctx.log('error', 'sweep_part_failed', describeError(error));
    }
  }
}

function noticeRow({ id, orgId, kind, host }: Untold, memberId: string, email: string, now: number) {
  return {
    orgId,
    shopId: null,
    // `deleteNotices` finds it by this prefix.
    about: `${id} ${now} ${memberId}`,
    kind,
    language: 'de' as const,
    recipient: email,
    facts: { host, subscriptionId: id },
    customerId: null,
    ...waiting(now),
  };
}

/** Whether the signed-in owner wants notices; null if this installation sends no e-mails. */
export async function wantsNotices(ctx: Context): Promise<boolean | null> {
  const { memberId } = requireRole(ctx, ['owner']);
  return ctx.mail ? (await ctx.db.rows(selectReader(memberId))).length > 0 : null;
}

/** Turns notices on or off for the signed-in owner. Safe to repeat. */
export async function setNotices(ctx: Context, isOn: boolean): Promise<void> {
  const { memberId, orgId } = requireRole(ctx, ['owner']);
  const of = { memberId, orgId, now: ctx.now() };
  await commit(ctx, { reader: isOn ? insertReader(of) : deleteReader(of) });
}
