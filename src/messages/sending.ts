import * as z from 'zod';
import { noting } from '../audit/journal';
import { recordAudit } from '../audit/record';
import { requireOperator, requireRole, requireSystem } from '../platform/access';
import { type BatchEntry, commit, outboxEntry } from '../platform/commit';
import { type Context, evenIfMoving, type Mail, onEachDatabase } from '../platform/context';
import { assertInBatch } from '../platform/data/db';
import { notFound } from '../platform/errors/errors';
import { wireNames } from '../platform/fields';
import { isOneAddress } from '../platform/http/validation';
import { newId } from '../platform/ids';
import { idOfToken, idToken } from '../platform/mac';
import { mapConcurrent } from '../platform/map-concurrent';
import { addressOf } from '../tenants/shops';
import { type MessageSettings, messageSettingsFields } from './fields';
import { EMAIL_ATTEMPTS_MAX, EMAIL_RETRY_MS } from './limits';
import { endText, expiryText, exportText, noticeText, wishNotices } from './notices';
import * as store from './store';
import {
  type EmailFacts,
  type EmailState,
  END_NOTICE,
  EXPIRY_NOTICE,
  EXPORT_NOTICE,
  MESSAGE_KINDS,
  type MessageKind,
  NOTICE_KINDS,
} from './tables';
import { MESSAGE_WORDS, messageLanguageOf, messageText, oneLine } from './texts';

/** In one invocation, at most this many e-mails of a database are sent. */
const EMAILS_AT_ONCE = 40;
const SENT_AT_ONCE = 4;

/** Cloudflare's error codes after which a retry cannot succeed. */
const FOR_GOOD = new Set([
  'E_VALIDATION_ERROR',
  'E_FIELD_MISSING',
  'E_SENDER_NOT_VERIFIED',
  'E_SENDER_DOMAIN_NOT_AVAILABLE',
  'E_RECIPIENT_NOT_ALLOWED',
  'E_CONTENT_TOO_LARGE',
  'E_HEADER_NOT_ALLOWED',
]);
/**
 * Cloudflare's error code for an address to which it sends nothing, because an earlier e-mail to it bounced or was
 * reported as spam.
 */
const SUPPRESSED = 'E_RECIPIENT_SUPPRESSED';

/** Sends the e-mails that a commit has inserted. */
async function sendNow(ctx: Context, wishes: readonly { id: string }[]): Promise<void> {
  await sendEmails(
    ctx,
    wishes.map(({ id }) => id),
  );
}

/**
 * Sends due e-mails. Each attempt is counted before it is made. An attempt whose outcome was not recorded is not
 * repeated, so nobody gets the same e-mail twice.
 * @param ids if given, only these e-mails are sent
 */
export async function sendEmails(ctx: Context, ids?: readonly string[]): Promise<void> {
  const { mail } = ctx;
  if (!mail) return;
  const claim = newId();
  const { claimed } = await ctx.db.run({
    taken: store.claimEmails({ now: ctx.now(), limit: EMAILS_AT_ONCE, claim, ids }),
    claimed: store.selectClaimed(claim),
  });
  if (claimed.length === 0) return;
  const shopIds = [...new Set(claimed.flatMap(({ shopId }) => shopId ?? []))];
  const senders = await ctx.db.rows(store.selectSenders(shopIds));
  await mapConcurrent(claimed, SENT_AT_ONCE, async (row) => {
    const outcome = await send(
      ctx,
      mail,
      row,
      senders.find(({ id }) => id === row.shopId),
    );
    await evenIfMoving(ctx).db.rows(store.recordEmail(row, { ...outcome, updatedAt: ctx.now() }));
  });
}

interface Composed {
  /** Name of the sender. */
  name: string;
  replyTo?: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

/** Header that marks an e-mail as automatic (RFC 3834 §5). It keeps automatic replies out of the pharmacy's mailbox. */
const BY_MACHINE = { 'Auto-Submitted': 'auto-generated' };

async function toCustomer(ctx: Context, row: store.EmailRow, shop: store.Sender): Promise<Composed | null> {
  const { facts, language } = row;
  const kind = MESSAGE_KINDS.find((each) => each === row.kind);
  if (!shop.host || !kind) return null;
  const message = messageText(kind, language, {
    number: facts?.number ?? null,
    orderedAt: row.createdAt,
    shop,
    day: facts?.day,
    trackingUrl: facts?.trackingUrl,
  });
  const link = `${addressOf(ctx, shop.host)}/messages/${await idToken(ctx, 'email opt-out', row.id)}`;
  return {
    name: oneLine(shop.name),
    ...(shop.replyTo !== null && { replyTo: shop.replyTo }),
    subject: message.subject,
    text: `${message.text}\n\n${MESSAGE_WORDS[language].noMore}\n${link}\n`,
    // RFC 8058: mail programs opt out by one POST.
    headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  };
}

async function toOwner(ctx: Context, { kind: rowKind, facts, orgId }: store.EmailRow): Promise<Composed | null> {
  if (rowKind === EXPIRY_NOTICE) {
    return { name: 'Offizin', ...expiryText(facts ?? {}, `${ctx.config.baseUrl}/manage/requests`) };
  }
  if (rowKind === EXPORT_NOTICE) {
    return { name: 'Offizin', ...exportText(`${ctx.config.baseUrl}/manage/settings/audit`) };
  }
  if (rowKind === END_NOTICE) {
    const url = `${ctx.config.baseUrl}/leaving/${await idToken(ctx, 'organization end', orgId)}`;
    return { name: 'Offizin', ...endText(facts ?? {}, url) };
  }
  const kind = NOTICE_KINDS.find((each) => each === rowKind);
  if (!kind || !facts?.host) return null;
  const page = `${ctx.config.baseUrl}/manage/settings/webhooks/${facts.subscriptionId}`;
  return { name: 'Offizin', ...noticeText(kind, facts.host, page) };
}

interface Outcome {
  state: EmailState;
  dueAt?: number;
  providerId?: string | null;
}

async function send(ctx: Context, mail: Mail, row: store.EmailRow, shop: store.Sender | undefined): Promise<Outcome> {
  const message = await (shop ? toCustomer(ctx, row, shop) : toOwner(ctx, row));
  if (!message || row.recipient === null || !isOneAddress(row.recipient)) return { state: 'failed' };
  const { name, headers, ...rest } = message;
  try {
    const sent = await mail.binding.send({
      ...rest,
      from: { email: mail.from, name },
      to: row.recipient,
      headers: { ...BY_MACHINE, ...headers },
    });
    // The local simulation returns nothing.
    return { state: 'sent', providerId: (sent as EmailSendResult | undefined)?.messageId ?? null };
  } catch (error) {
    return failed(ctx, row, codeOf(error));
  }
}

function failed(ctx: Context, row: store.EmailRow, code: string): Outcome {
  ctx.log('warn', 'email_failed', { org_id: row.orgId, code });
  if (code === SUPPRESSED) return { state: 'bounced' };
  const isLast = row.attempts >= EMAIL_ATTEMPTS_MAX || FOR_GOOD.has(code);
  if (isLast) return { state: 'failed' };
  return { state: 'waiting', dueAt: ctx.now() + (EMAIL_RETRY_MS[row.attempts - 1] ?? 0) };
}

/** The error's code alone, because its message may name the recipient. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^E_[A-Z_]{1,60}$/.test(code) ? code : 'unknown';
}

/** The order that a message is about. */
interface MessageAbout {
  id: string;
  orgId: string;
  shopId: string;
  number: number;
  createdAt: number;
  customerId: string | null;
  customerEmail: string | null;
  platformDetails: Readonly<Record<string, string>> | null;
}

/**
 * Returns the entries that insert an e-mail to a customer. Put them in the batch of the change that the e-mail reports.
 * Returns none if this installation sends no e-mails, or if the order has no address or no customer. Each kind is sent
 * once per order.
 */
export function emailWish(
  ctx: Context,
  kind: MessageKind,
  order: MessageAbout,
  facts: Omit<EmailFacts, 'number'> = {},
): BatchEntry[] {
  const { orgId, shopId, customerId, customerEmail } = order;
  if (!ctx.mail || !customerEmail || customerId === null) return [];
  const now = ctx.now();
  const row = {
    orgId,
    shopId,
    about: order.id,
    kind,
    language: messageLanguageOf(order.platformDetails),
    recipient: customerEmail,
    facts: { number: String(order.number), ...facts },
    customerId,
    ...store.waiting(now),
  };
  return [outboxEntry([store.insertWish(row)], ctx.mail.isLater ? {} : { afterCommit: sendNow })];
}

interface Asked {
  token: string;
  /** Host of the request. */
  host: string;
}

/**
 * The data of the opt-out page that an e-mail links to. Anybody with the link may open it.
 * @throws AppError `not_found`
 */
export async function getOptOut(ctx: Context, { token, host }: Asked) {
  const id = await idOfToken(ctx, 'email opt-out', token);
  const [found] = id === null ? [] : await ctx.db.rows(store.selectOptOutOf(id, host));
  if (!found || found.customerId === null) throw notFound();
  return { ...found, customerId: found.customerId };
}

/**
 * Stops all e-mails from the organization to the customer whose opt-out link this is. Safe to repeat.
 * @throws AppError `not_found`
 */
export async function optOut(ctx: Context, asked: Asked): Promise<void> {
  const { orgId, customerId } = await getOptOut(ctx, asked);
  const now = ctx.now();
  await noting(ctx, { orgId, kind: 'email_opt_out', id: customerId, at: now }, () =>
    commit(ctx, { optOut: store.optOutRows({ orgId, customerId, now }) }),
  );
}

/** Repeats an opt-out after a restore of the database. */
export async function optOutAgain(ctx: Context, of: { orgId: string; customerId: string }): Promise<void> {
  requireOperator(ctx);
  await commit(ctx, { optOut: store.optOutRows({ ...of, now: ctx.now() }) });
}

/**
 * Returns the message settings of a shop, and the shop's data that messages contain. Owners only.
 * @throws AppError `shop_not_found`
 */
export async function messageSettingsOf(ctx: Context, shopId: string): Promise<store.ShopMessages> {
  const { orgId } = requireRole(ctx, ['owner']);
  const [settings] = await ctx.db.rows(store.selectMessageSettings(orgId, shopId));
  if (!settings) throw notFound('shop_not_found');
  return settings;
}

/**
 * Saves message settings of a shop. Owners only.
 * @throws AppError `shop_not_found`
 */
export async function saveMessageSettings(ctx: Context, shopId: string, settings: MessageSettings): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const before = await messageSettingsOf(ctx, shopId);
  const keys = (Object.keys(settings) as (keyof MessageSettings)[]).filter((key) => settings[key] !== before[key]);
  if (keys.length === 0) return;
  const fields = wireNames(messageSettingsFields, keys);
  const batch = {
    isThere: assertInBatch(store.shopIsThere(orgId, shopId)),
    settings: store.upsertMessageSettings({ orgId, shopId, now: ctx.now() }, settings),
    audit: recordAudit(ctx, { orgId, action: 'shop.updated', entityId: shopId, fields }),
  };
  await commit(ctx, batch, { refused: () => notFound('shop_not_found') });
}

/** Sends e-mails that are still due, ends attempts whose outcome was not recorded, and creates notices to owners. */
export async function sweepEmails(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (!ctx.mail) return;
  const now = ctx.now();
  await ctx.db.run({ interrupted: store.giveUpInterrupted(now), unwanted: store.dropUnwanted(now) });
  await wishNotices(ctx);
  await sendEmails(ctx);
}

/**
 * The fields that the service reads in an event of Cloudflare Email Sending. The recipient, the subject and the
 * receiving server's response are ignored.
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

/**
 * Marks e-mails as bounced. Safe to repeat.
 * @param bodies bodies of the messages in the queue; bodies of any other form are ignored
 */
export async function consumeEmailEvents(ctx: Context, bodies: readonly unknown[]): Promise<void> {
  requireSystem(ctx);
  const ids = bodies.flatMap((body) => {
    const read = eventSchema.safeParse(body);
    return read.success ? [read.data.payload.messageId] : [];
  });
  if (ids.length === 0) return;
  await Promise.all(onEachDatabase(ctx).map((at) => at.db.rows(store.recordBounces(ids, at.now()))));
}
