import { and, eq, type InferSelectModel, sql } from 'drizzle-orm';
import { members } from '../auth/tables';
import { has, pick } from '../platform/data/columns';
import { inList, insertSelect } from '../platform/data/db';
import { type Condition, orm, type Statement, type Value } from '../platform/data/statements';
import { emptied } from '../platform/fields';
import { newId } from '../platform/ids';
import { organizations } from '../platform/tables';
import type { ShippingKind } from '../tenants/shipping';
import { isAtWork, isSettled, shopHosts, shopPlace, shops } from '../tenants/tables';
import { subscriptions } from '../webhooks/tables';
import { emailsFields, type MessageSettings } from './fields';
import { EMAIL_ATTEMPTS_MAX, NOTICE_PAUSE_MS } from './limits';
import {
  type EmailState,
  END_NOTICE,
  EXPORT_NOTICE,
  emailOptOuts,
  emails,
  messageSettings,
  type NoticeKind,
  noticeReaders,
  toldSubscriptions,
} from './tables';

/** How long an attempt may take before it counts as interrupted, with a margin for differing clocks. */
const EMAIL_LEASE_MS = 90_000;

export type EmailRow = InferSelectModel<typeof emails>;

const EMPTIED = emptied(emailsFields);

/** Kinds of notices that owners get even while their organization is suspended. */
const TOLD_ANYWAY = [EXPORT_NOTICE, END_NOTICE];

/** The initial column values of a new e-mail. */
export function waiting(now: number) {
  const times = { dueAt: now, createdAt: now, updatedAt: now };
  return { id: newId(), state: 'waiting' as const, attempts: 0, providerId: null, ...times };
}

function hasOptedOut(orgId: unknown, customerId: unknown): Condition {
  return sql`exists (select 1 from ${emailOptOuts} as gone where gone.org_id = ${orgId} and gone.customer_id = ${customerId})`;
}

/**
 * Inserts an e-mail to a customer, once per `about` and kind. If the e-mail exists but was dropped, sets it to
 * `waiting` again. Does nothing if the shop sends no e-mails, has no host for the opt-out link, or belongs to a test
 * organization. Also does nothing if the customer has opted out.
 */
export function insertWish(row: EmailRow & { shopId: string; customerId: string }) {
  const isWanted = sql`exists (select 1 from ${messageSettings} where shop_id = ${row.shopId} and org_id = ${row.orgId} and is_sending = 1)
    and exists (select 1 from ${shopHosts} where shop_id = ${row.shopId})
    and exists (select 1 from ${organizations} where id = ${row.orgId} and is_test = 0)
    and not ${hasOptedOut(row.orgId, row.customerId)}`;
  const { id: _, createdAt: __, ...again } = row;
  return insertSelect(emails, row, sql`where ${isWanted}`)
    .onConflictDoUpdate({
      target: [emails.orgId, emails.about, emails.kind],
      set: again,
      setWhere: sql`emails.state = 'dropped'`,
    })
    .returning({ id: emails.id });
}

/**
 * Claims due e-mails for one attempt each, and counts the attempt. Until its outcome is recorded, `providerId` is the
 * claim's id. If D1 runs the batch twice, the second run therefore claims nothing more, and `selectClaimed` still finds
 * the rows of the first run.
 */
export function claimEmails(of: { now: number; limit: number; claim: string; ids?: readonly string[] }): Statement {
  const named = of.ids ? sql`and id in ${inList(of.ids)}` : sql``;
  const due = sql`(select id from ${emails} indexed by emails_due
    where state = 'waiting' and state in ('waiting', 'sending') and due_at <= ${of.now} ${named}
    and (${isAtWork(sql`emails.org_id`)} or (kind in ${inList(TOLD_ANYWAY)} and ${isSettled(sql`emails.org_id`)}))
    order by due_at limit ${of.limit})`;
  return orm
    .update(emails)
    .set({
      state: 'sending',
      attempts: sql`${emails.attempts} + 1`,
      dueAt: of.now + EMAIL_LEASE_MS,
      providerId: of.claim,
      updatedAt: of.now,
    })
    .where(sql`${emails.id} in ${due} and ${emails.state} = 'waiting' and ${emails.attempts} < ${EMAIL_ATTEMPTS_MAX}`);
}

/** The e-mails of a claim whose outcome is not recorded yet. */
export function selectClaimed(claim: string) {
  return orm
    .select()
    .from(emails)
    .where(has(emails, { providerId: claim, state: 'sending' }));
}

/** Drops due e-mails to customers who have opted out since the e-mails were inserted. */
export function dropUnwanted(now: number): Statement {
  return orm
    .update(emails)
    .set({ ...EMPTIED, state: 'dropped', updatedAt: now })
    .where(
      sql`${emails.state} = 'waiting' and ${emails.state} in ('waiting', 'sending') and ${emails.dueAt} <= ${now}
        and ${hasOptedOut(sql`emails.org_id`, sql`emails.customer_id`)}`,
    );
}

/**
 * Marks an e-mail as failed if the outcome of its attempt was not recorded in time. It may have been sent, so it is not
 * retried.
 */
export function giveUpInterrupted(now: number): Statement {
  return orm
    .update(emails)
    .set({ ...EMPTIED, providerId: null, state: 'failed', updatedAt: now })
    .where(
      sql`${emails.state} = 'sending' and ${emails.state} in ('waiting', 'sending') and ${emails.dueAt} <= ${now}`,
    );
}

/**
 * Records the outcome of an attempt if the attempt is still under way. Only an e-mail that waits for another attempt
 * keeps its recipient. If its recipient was cleared during the attempt, the e-mail becomes `dropped` instead of
 * `waiting`.
 */
export function recordEmail(
  { id, attempts }: Pick<EmailRow, 'id' | 'attempts'>,
  to: { state: EmailState; updatedAt: number; dueAt?: number; providerId?: string | null },
) {
  const state = to.state === 'waiting' ? sql`iif(recipient is null, 'dropped', 'waiting')` : to.state;
  return orm
    .update(emails)
    .set({ ...(to.state === 'waiting' ? {} : EMPTIED), providerId: null, ...to, state })
    .where(has(emails, { id, state: 'sending', attempts }));
}

/**
 * Marks sent e-mails as bounced.
 * @param providerIds the ids that the mail service gave the e-mails
 */
export function recordBounces(providerIds: readonly string[], now: number) {
  return orm
    .update(emails)
    .set({ state: 'bounced', updatedAt: now })
    .where(
      sql`${emails.providerId} in ${inList(providerIds)} and ${emails.providerId} is not null and ${emails.state} = 'sent'`,
    )
    .returning({ id: emails.id });
}

/**
 * Drops the waiting e-mails about orders. An e-mail that is being sent loses its recipient, so it is not retried.
 * @param orderIds a subquery of ids
 */
export function dropEmails(orgId: string, orderIds: Condition, now: number): Statement {
  return orm
    .update(emails)
    .set({ ...EMPTIED, state: sql`iif(state = 'waiting', 'dropped', state)`, updatedAt: now })
    .where(
      and(eq(emails.orgId, orgId), sql`${emails.about} in ${orderIds}`, sql`${emails.state} in ('waiting', 'sending')`),
    );
}

/**
 * Clears personal data in e-mails about deleted orders. The rows stay until retention erases the orders
 * (`deleteEmails`), because the opt-out links in sent e-mails need them.
 * @param orderIds a subquery of ids
 */
export function eraseEmails(orgId: string, orderIds: Condition, now: number): Statement {
  const ended = sql<EmailState>`case when state in ('waiting', 'sending') then 'dropped' else state end`;
  return orm
    .update(emails)
    .set({ ...EMPTIED, state: ended, updatedAt: now })
    .where(and(eq(emails.orgId, orgId), sql`${emails.about} in ${orderIds}`));
}

/**
 * Deletes the e-mails about erased orders. The opt-out links in these e-mails then no longer work.
 * @param orderIds a subquery of ids
 */
export function deleteEmails(orgId: string, orderIds: Condition): Statement {
  return orm.delete(emails).where(and(eq(emails.orgId, orgId), sql`${emails.about} in ${orderIds}`));
}

/** The e-mails about an order. */
export function selectEmails(orgId: string, orderId: string) {
  return orm
    .select({ ...pick(emails, ['id', 'kind', 'state']), at: emails.updatedAt })
    .from(emails)
    .where(has(emails, { orgId, about: orderId }));
}

/** The opt-out of a customer, if any. @param customerId may be a subquery */
export function selectOptOut(orgId: string, customerId: Condition) {
  return orm
    .select({ at: emailOptOuts.createdAt })
    .from(emailOptOuts)
    .where(and(eq(emailOptOuts.orgId, orgId), sql`${emailOptOuts.customerId} = ${customerId}`));
}

/** The organization, customer and language of an e-mail, if its shop has this host. */
export function selectOptOutOf(id: string, host: string) {
  return orm
    .select({
      ...pick(emails, ['orgId', 'customerId', 'language']),
      shopName: sql<string>`${shops.name}`.as('shop_name'),
      isOut: sql<boolean>`${hasOptedOut(sql`${emails.orgId}`, sql`${emails.customerId}`)}`
        .mapWith(Boolean)
        .as('is_out'),
    })
    .from(emails)
    .innerJoin(shops, eq(shops.id, emails.shopId))
    .innerJoin(shopHosts, has(shopHosts, { shopId: shops.id, host }))
    .where(eq(emails.id, id));
}

/** Inserts a customer's opt-out and drops their waiting e-mails. */
export function optOutRows(of: { orgId: string; customerId: string; now: number }): Statement[] {
  const { orgId, customerId, now } = of;
  return [
    orm.insert(emailOptOuts).values({ orgId, customerId, createdAt: now }).onConflictDoNothing(),
    orm
      .update(emails)
      .set({ ...EMPTIED, state: 'dropped', updatedAt: now })
      .where(
        sql`${emails.state} = 'waiting' and ${emails.state} in ('waiting', 'sending') and ${emails.orgId} = ${orgId}
          and ${emails.customerId} = ${customerId}`,
      ),
  ];
}

/** The sender data of shops: name, address, contact, reply address, and host. */
export function selectSenders(shopIds: readonly string[]) {
  return orm
    .select({
      ...pick(shops, ['id', 'name', 'street', 'postalCode', 'city', 'phone', 'openingHours']),
      replyTo: sql<string | null>`(select reply_to from ${messageSettings} as own where own.shop_id = shops.id)`.as(
        'reply_to',
      ),
      host: sql<
        string | null
      >`(select host from ${shopHosts} as own where own.shop_id = shops.id order by own.created_at limit 1)`.as(
        'shop_host',
      ),
    })
    .from(shops)
    .where(sql`${shops.id} in ${inList(shopIds)}`);
}

export type Sender = Awaited<ReturnType<typeof selectSenders>>[number];

/** A shop's data in messages and its message settings. @param shopId may be a subquery */
export function selectMessageSettings(orgId: string, shopId: Value<string> | Condition) {
  const { shopName, ...place } = shopPlace;
  return orm
    .select({
      ...place,
      name: shopName,
      deliveryServiceName: sql<string>`${shops.deliveryServiceName}`.as('shop_delivery_service'),
      expressKind: sql<ShippingKind>`${shops.expressKind}`.as('shop_express_kind'),
      deliveryServiceKind: sql<ShippingKind>`${shops.deliveryServiceKind}`.as('shop_delivery_service_kind'),
      replyTo: sql<string | null>`${messageSettings.replyTo}`.as('shop_reply_to'),
      isSending: sql<boolean>`coalesce(${messageSettings.isSending}, 0)`.mapWith(Boolean).as('shop_is_sending'),
    })
    .from(shops)
    .leftJoin(messageSettings, eq(messageSettings.shopId, shops.id))
    .where(and(eq(shops.orgId, orgId), sql`${shops.id} = ${shopId}`));
}

export type ShopMessages = Awaited<ReturnType<typeof selectMessageSettings>>[number];

/** Inserts or updates the message settings of an existing shop. */
export function upsertMessageSettings(of: { orgId: string; shopId: string; now: number }, settings: MessageSettings) {
  const row = { ...settings, updatedAt: of.now };
  return orm
    .insert(messageSettings)
    .values({ shopId: of.shopId, orgId: of.orgId, ...row })
    .onConflictDoUpdate({ target: messageSettings.shopId, set: row, setWhere: eq(messageSettings.orgId, of.orgId) });
}

export function shopIsThere(orgId: string, shopId: string): Condition {
  return sql`exists (select 1 from ${shops} where id = ${shopId} and org_id = ${orgId})`;
}

/**
 * SQL of the tables and the WHERE clause that find the owners of an organization who want notices. The alias `reader`
 * is the row in `noticeReaders`, `owner` is the row in `members`.
 */
const readersOf = (orgId: Condition): Condition => sql`${noticeReaders} as reader
  join ${members} as owner on owner.id = reader.member_id and owner.role = 'owner' and owner.accepted_at is not null
    and owner.revoked_at is null
  where reader.org_id = ${orgId}`;

/**
 * SQL for the kind of notice that matches a subscription's state. Null if no kind does: the subscription is deleted, or
 * was paused by a person or its receiver.
 */
const IS_NOW = sql`case when deleted_at is not null then null when status = 'holding' then 'webhook_held'
  when status = 'disabled' then 'webhook_disabled' when status = 'active' then 'webhook_recovered' end`;

/**
 * Selects subscriptions whose state differs from the last notice about them. A subscription may stop again soon after
 * its recovery. It is then selected only if it is still stopped `NOTICE_PAUSE_MS` after the notice of the recovery. So
 * each kind of notice is sent at most once in that time. Reads only stopped and recently notified subscriptions.
 */
export function selectUntold(now: number, limit: number) {
  const stopped = sql`select held.id from ${subscriptions} as held indexed by subscriptions_on_hold
    left join ${toldSubscriptions} as told on told.subscription_id = held.id
    where held.hold_reason is not null and held.status in ('holding', 'disabled') and held.deleted_at is null
      and (told.kind is null or (told.kind = 'webhook_held' and held.status = 'disabled')
        or (told.kind = 'webhook_recovered' and told.updated_at <= ${now - NOTICE_PAUSE_MS}))
      and exists (select 1 from ${readersOf(sql`held.org_id`)})
      and exists (select 1 from ${organizations} as live where live.id = held.org_id and live.is_test = 0)
      and ${isAtWork(sql`held.org_id`)}`;
  const recovered = sql`select told.subscription_id from ${toldSubscriptions} as told
    join ${subscriptions} as again on again.id = told.subscription_id
    where told.kind <> 'webhook_recovered' and again.status = 'active' and again.deleted_at is null
      and ${isAtWork(sql`again.org_id`)}`;
  return orm
    .select({
      ...pick(subscriptions, ['id', 'orgId', 'host']),
      kind: sql<NoticeKind>`${IS_NOW}`.as('notice_kind'),
      told: sql<NoticeKind | null>`(select kind from ${toldSubscriptions} as told where told.subscription_id = subscriptions.id)`.as(
        'told_kind',
      ),
    })
    .from(subscriptions)
    .where(sql`${subscriptions.id} in (${stopped} union all ${recovered} limit ${limit})`);
}

export type Untold = Awaited<ReturnType<typeof selectUntold>>[number];

/** The owners of these organizations who want notices, with their e-mail addresses. */
export function selectReaders(orgIds: readonly string[]) {
  return orm
    .select({
      orgId: sql<string>`reader.org_id`.as('reader_org'),
      memberId: sql<string>`owner.id`.as('reader_id'),
      email: sql<string>`owner.email`.as('reader_email'),
    })
    .from(sql`${readersOf(sql`reader.org_id`)} and reader.org_id in ${inList(orgIds)}`);
}

/**
 * Condition: the subscription's state is unchanged since it was read, and no other run has recorded a notice about it.
 */
function isUntold({ id, kind, told }: Untold): Condition {
  return sql`exists (select 1 from ${subscriptions} where ${subscriptions.id} = ${id} and ${IS_NOW} = ${kind})
    and (select kind from ${toldSubscriptions} where subscription_id = ${id}) is ${told}`;
}

/** Inserts a notice. Put it before `markTold` in the same batch. */
export function insertNotice(row: EmailRow, of: Untold): Statement {
  return insertSelect(emails, row, sql`where ${isUntold(of)}`).onConflictDoNothing();
}

export function markTold(of: Untold, now: number): Statement {
  const row = { subscriptionId: of.id, orgId: of.orgId, kind: of.kind, updatedAt: now };
  return insertSelect(toldSubscriptions, row, sql`where ${isUntold(of)}`).onConflictDoUpdate({
    target: toldSubscriptions.subscriptionId,
    set: { kind: of.kind, updatedAt: now },
  });
}

/**
 * Subquery of the subscriptions whose last notice can be forgotten. They were deleted, or the notice of their recovery
 * is older than `NOTICE_PAUSE_MS`.
 */
const saysNothing = (now: number): Condition => sql`(select told.subscription_id from ${toldSubscriptions} as told
  where (told.kind = 'webhook_recovered' and told.updated_at <= ${now - NOTICE_PAUSE_MS})
    or exists (select 1 from ${subscriptions} as gone where gone.id = told.subscription_id and gone.deleted_at is not null))`;

export function forgetTold(now: number): Statement {
  return orm.delete(toldSubscriptions).where(sql`subscription_id in ${saysNothing(now)}`);
}

/**
 * Deletes the e-mails about the subscriptions that `forgetTold` forgets, except e-mails that still wait or are being
 * sent. Put it before `forgetTold` in the batch.
 */
export function deleteNotices(now: number): Statement {
  const ended = sql`(select notice.id from ${toldSubscriptions} as last
    cross join ${emails} as notice indexed by emails_once on notice.org_id = last.org_id
      and notice.about > last.subscription_id || ' ' and notice.about < last.subscription_id || '!'
    where last.subscription_id in ${saysNothing(now)} and notice.state not in ('waiting', 'sending'))`;
  return orm.delete(emails).where(sql`${emails.id} in ${ended}`);
}

export function selectReader(memberId: string) {
  return orm.select({ since: noticeReaders.createdAt }).from(noticeReaders).where(eq(noticeReaders.memberId, memberId));
}

export function insertReader(of: { memberId: string; orgId: string; now: number }): Statement {
  return orm
    .insert(noticeReaders)
    .values({ memberId: of.memberId, orgId: of.orgId, createdAt: of.now })
    .onConflictDoNothing();
}

export function deleteReader(of: { memberId: string; orgId: string }): Statement {
  return orm.delete(noticeReaders).where(has(noticeReaders, { memberId: of.memberId, orgId: of.orgId }));
}

/** The owners of an organization, whether or not they want other notices. */
export function selectOwners(orgId: string) {
  return orm
    .select({ memberId: members.id, email: members.email })
    .from(members)
    .where(sql`org_id = ${orgId} and role = 'owner' and accepted_at is not null and revoked_at is null`);
}

/**
 * Inserts an e-mail to an owner. Inserts nothing for a test organization, or if there already is one of this kind with
 * the same `about`.
 */
export function insertOwnerNotice(row: EmailRow): Statement {
  const isLive = sql`exists (select 1 from ${organizations} where id = ${row.orgId} and is_test = 0)`;
  return insertSelect(emails, row, sql`where ${isLive}`).onConflictDoNothing();
}

/**
 * Deletes the notices about requests that expired on earlier days, except notices that still wait or are being sent.
 * @param about the prefix of `about` in notices of the current day
 */
export function deleteExpiryNotices(orgId: string, about: string): Statement {
  return orm
    .delete(emails)
    .where(
      sql`org_id = ${orgId} and about >= 'expiring ' and about < ${about} and state not in ('waiting', 'sending')`,
    );
}
