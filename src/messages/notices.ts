import { requireRole } from '../platform/access';
import { commit } from '../platform/commit';
import type { Context } from '../platform/context';
import type { Statement } from '../platform/data/statements';
import { logged } from '../platform/log';
import * as store from './store';
import { type EmailFacts, END_NOTICE, EXPIRY_NOTICE, EXPORT_NOTICE, type NoticeKind } from './tables';

/** In one invocation, notices are created about at most this many subscriptions of a database. */
const NOTICES_AT_ONCE = 40;

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
 * Inserts e-mails to owners about each subscription whose state differs from its last notice. Each subscription has its
 * own batch. If two runs overlap, only the first run writes the batch. A subscription that stopped and recovered
 * between two runs gets no notice.
 */
export async function wishNotices(ctx: Context): Promise<void> {
  const now = ctx.now();
  const { untold } = await ctx.db.run({
    ended: store.deleteNotices(now),
    forgotten: store.forgetTold(now),
    untold: store.selectUntold(now, NOTICES_AT_ONCE),
  });
  if (untold.length === 0) return;
  const readers = await ctx.db.rows(store.selectReaders([...new Set(untold.map(({ orgId }) => orgId))]));
  for (const each of untold) {
    const ofIts = readers.filter(({ orgId }) => orgId === each.orgId);
    const wishes = ofIts.map(({ memberId, email }) => store.insertNotice(noticeRow(each, memberId, email, now), each));
    await logged(ctx, ['error', 'sweep_part_failed'], () => ctx.db.run({ wishes, told: store.markTold(each, now) }));
  }
}

function noticeRow({ id, orgId, kind, host }: store.Untold, memberId: string, email: string, now: number) {
  return {
    orgId,
    shopId: null,
    // `deleteNotices` finds the e-mail by this prefix.
    about: `${id} ${now} ${memberId}`,
    kind,
    language: 'de' as const,
    recipient: email,
    facts: { host, subscriptionId: id },
    customerId: null,
    ...store.waiting(now),
  };
}

/** Whether the signed-in owner wants notices; null if this installation sends no e-mails. */
export async function wantsNotices(ctx: Context): Promise<boolean | null> {
  const { memberId } = requireRole(ctx, ['owner']);
  return ctx.mail ? (await ctx.db.rows(store.selectReader(memberId))).length > 0 : null;
}

/** Turns notices on or off for the signed-in owner. Safe to repeat. */
export async function setNotices(ctx: Context, isOn: boolean): Promise<void> {
  const { memberId, orgId } = requireRole(ctx, ['owner']);
  const of = { memberId, orgId, now: ctx.now() };
  await commit(ctx, { reader: isOn ? store.insertReader(of) : store.deleteReader(of) });
}

/** The e-mail to an owner about order requests that expire in a week. @param url the inbox */
export function expiryText({ day = '', count = 0 }: EmailFacts, url: string): { subject: string; text: string } {
  const german = `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}`;
  const de = `Am ${german} ${count === 1 ? 'verfällt 1 Anfrage' : `verfallen ${count} Anfragen`}, über die niemand entschieden hat.`;
  const en = `${count === 1 ? '1 order request expires' : `${count} order requests expire`} on ${day} because nobody has decided.`;
  return { subject: `Anfragen verfallen am ${german}`, text: `${de}\n\n${en}\n\n${url}\n` };
}

/**
 * Inserts an e-mail to each owner who wants notices. It says how many requests expire on `day`. A repeated call for the
 * same day inserts nothing. Deletes the e-mails about earlier days, except those that still wait or are being sent.
 */
export async function wishExpiryNotices(
  ctx: Context,
  of: { orgId: string; day: string; count: number },
): Promise<void> {
  if (!ctx.mail || of.count === 0) return;
  const { orgId, ...facts } = of;
  const about = `expiring ${of.day}`;
  const notice = { kind: EXPIRY_NOTICE, about, facts } as const;
  await ctx.db.run({
    ended: store.deleteExpiryNotices(orgId, about),
    wishes: await ownerNotices(ctx, orgId, notice, await ctx.db.rows(store.selectReaders([orgId]))),
  });
}

/**
 * The e-mail that tells an owner that the operator has begun to write all data of the pharmacy to a file.
 * @param url the audit log
 */
export function exportText(url: string): { subject: string; text: string } {
  const de = `Der Betreiber hat begonnen, alle Daten Ihrer Apotheke in eine verschlüsselte Datei zu schreiben, mit den Rezepten. Wenn Sie nichts davon wissen, fragen Sie bitte nach.`;
  const en = `The operator has begun to write all data of your pharmacy to an encrypted file, prescriptions included. If you do not expect this, please ask.`;
  return { subject: 'Alle Daten Ihrer Apotheke werden ausgegeben', text: `${de}\n\n${en}\n\n${url}\n` };
}

/**
 * Returns statements that insert an e-mail to every owner of an organization. The e-mail says that a file of all their
 * data is being written. Put the statements in the batch that records the file.
 */
export function wishExportNotices(ctx: Context, orgId: string, exportId: string): Promise<Statement[]> {
  return ownerNotices(ctx, orgId, { kind: EXPORT_NOTICE, about: `export ${exportId}`, facts: null });
}

/**
 * The e-mail that tells an owner on which day all data are erased.
 * @param url the page with the file, where the owner confirms that it opens
 */
export function endText({ day = '' }: EmailFacts, url: string): { subject: string; text: string } {
  const german = `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}`;
  const de = `Ihre Apotheke verlässt Offizin. Am ${german} werden alle ihre Daten gelöscht. Laden Sie binnen sieben Tagen die Datei mit allen Daten herunter, und bestätigen Sie, dass sie sich öffnen lässt.`;
  const en = `Your pharmacy leaves Offizin. All its data are erased on ${day}. Download the file with all data within seven days, and confirm that it opens.`;
  return { subject: `Ihre Apotheke verlässt Offizin: Löschung am ${german}`, text: `${de}\n\n${en}\n\n${url}\n` };
}

/**
 * Inserts an e-mail to every owner about the end of their organization. A repeated call with the same `number` inserts
 * nothing, so each reminder is sent once.
 */
export async function wishEndNotices(ctx: Context, of: { orgId: string; number: number; day: string }): Promise<void> {
  const { orgId, number, day } = of;
  const wishes = await ownerNotices(ctx, orgId, { kind: END_NOTICE, about: `ending ${number}`, facts: { day } });
  if (wishes.length > 0) await ctx.db.run({ wishes });
}

async function ownerNotices(
  ctx: Context,
  orgId: string,
  { about, ...of }: Pick<store.EmailRow, 'kind' | 'about' | 'facts'>,
  readers?: readonly { memberId: string; email: string }[],
): Promise<Statement[]> {
  if (!ctx.mail) return [];
  const owners = readers ?? (await ctx.db.rows(store.selectOwners(orgId)));
  const row = { ...of, orgId, shopId: null, customerId: null, language: 'de' as const };
  return owners.map(({ memberId, email }) =>
    store.insertOwnerNotice({ ...row, about: `${about} ${memberId}`, recipient: email, ...store.waiting(ctx.now()) }),
  );
}
