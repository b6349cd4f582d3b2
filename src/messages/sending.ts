import { type Context, evenIfMoving, type Mail } from '../platform/context';
import { isOneAddress } from '../platform/email-address';
import { idToken } from '../platform/id-token';
import { newId } from '../platform/ids';
import { mapConcurrent } from '../platform/map-concurrent';
import { addressOf } from '../tenants/service';
import { EMAIL_ATTEMPTS_MAX, EMAIL_RETRY_MS, EMAILS_AT_ONCE } from './limits';
import { noticeText } from './notices';
import { claimEmails, type EmailRow, recordEmail, type Sender, selectClaimed, selectSenders } from './store';
import { type EmailState, MESSAGE_KINDS, NOTICE_KINDS } from './tables';
import { MESSAGE_WORDS, messageText, oneLine } from './texts';

const SENT_AT_ONCE = 4;

/** What Cloudflare says of an e-mail that no repetition helps. */
const FOR_GOOD = new Set([
  'E_VALIDATION_ERROR',
  'E_FIELD_MISSING',
  'E_SENDER_NOT_VERIFIED',
  'E_SENDER_DOMAIN_NOT_AVAILABLE',
  'E_RECIPIENT_NOT_ALLOWED',
  'E_CONTENT_TOO_LARGE',
  'E_HEADER_NOT_ALLOWED',
]);
/** It came back before, or was reported: nothing more is sent there. */
const SUPPRESSED = 'E_RECIPIENT_SUPPRESSED';

/** Sends what a commit has wished for. */
export async function sendNow(ctx: Context, wishes: readonly { id: string }[]): Promise<void> {
  await sendEmails(
    ctx,
    wishes.map(({ id }) => id),
  );
}

/**
 * Sends what is due. Each attempt is counted before it is made, and one whose outcome is not recorded is never made again: nobody
 * gets the same e-mail twice. @param ids only these
 */
export async function sendEmails(ctx: Context, ids?: readonly string[]): Promise<void> {
  const { mail } = ctx;
  if (!mail) return;
  const claim = newId();
  const { claimed } = await ctx.db.run({
    taken: claimEmails({ now: ctx.now(), limit: EMAILS_AT_ONCE, claim, ids }),
    claimed: selectClaimed(claim),
  });
  if (claimed.length === 0) return;
  const shopIds = [...new Set(claimed.flatMap(({ shopId }) => shopId ?? []))];
  const senders = await ctx.db.rows(selectSenders(shopIds));
  await mapConcurrent(claimed, SENT_AT_ONCE, async (row) => {
    const outcome = await send(
      ctx,
      mail,
      row,
      senders.find(({ id }) => id === row.shopId),
    );
    await evenIfMoving(ctx).db.rows(recordEmail(row, { ...outcome, updatedAt: ctx.now() }));
  });
}

interface Composed {
  /** Of the sender. */
  name: string;
  replyTo?: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

/** Keeps absence notices away from the pharmacy's mailbox (RFC 3834 §5). */
const BY_MACHINE = { 'Auto-Submitted': 'auto-generated' };

async function toCustomer(ctx: Context, row: EmailRow, shop: Sender): Promise<Composed | null> {
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

function toOwner(ctx: Context, { kind: rowKind, facts }: EmailRow): Composed | null {
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

async function send(ctx: Context, mail: Mail, row: EmailRow, shop: Sender | undefined): Promise<Outcome> {
  const message = shop ? await toCustomer(ctx, row, shop) : toOwner(ctx, row);
  if (!message || row.recipient === null || !isOneAddress(row.recipient)) return { state: 'failed' };
  const { name, headers, ...rest } = message;
  try {
    const sent = await mail.binding.send({
      ...rest,
      from: { email: mail.from, name },
      to: row.recipient,
      headers: { ...BY_MACHINE, ...headers },
    });
    // The local simulation answers nothing.
    return { state: 'sent', providerId: (sent as EmailSendResult | undefined)?.messageId ?? null };
  } catch (error) {
    return failed(ctx, row, codeOf(error));
  }
}

function failed(ctx: Context, row: EmailRow, code: string): Outcome {
  ctx.log('warn', 'email_failed', { org_id: row.orgId, code });
  if (code === SUPPRESSED) return { state: 'bounced' };
  const isLast = row.attempts >= EMAIL_ATTEMPTS_MAX || FOR_GOOD.has(code);
  if (isLast) return { state: 'failed' };
  return { state: 'waiting', dueAt: ctx.now() + (EMAIL_RETRY_MS[row.attempts - 1] ?? 0) };
}

/** Only the code: the message of an error may name the recipient. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^E_[A-Z_]{1,60}$/.test(code) ? code : 'unknown';
}
