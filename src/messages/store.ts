import { and, eq, type InferSelectModel, sql } from 'drizzle-orm';
import { type Condition, inList, insertSelect, type Statement } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { emptied } from '../platform/fields';
import { newId } from '../platform/ids';
import { organizations } from '../platform/tables';
import { isAtWork, shopHosts, shops } from '../tenants/tables';
import { emailsFields } from './fields';
import { EMAIL_ATTEMPTS_MAX, EMAIL_LEASE_MS } from './limits';
import { type EmailState, emailOptOuts, emails, messageSettings } from './tables';

export type EmailRow = InferSelectModel<typeof emails>;

const EMPTIED = emptied(emailsFields);

/** What a new e-mail begins with. */
export function waiting(now: number) {
  const times = { dueAt: now, createdAt: now, updatedAt: now };
  return { id: newId(), state: 'waiting' as const, attempts: 0, providerId: null, ...times };
}

function hasOptedOut(orgId: unknown, customerId: unknown): Condition {
  return sql`exists (select 1 from ${emailOptOuts} as gone where gone.org_id = ${orgId} and gone.customer_id = ${customerId})`;
}

/**
 * A wish to send, once about each thing and kind: only where its shop sends, has an address for the opt-out, and nobody opted out.
 * What was dropped before it left is wished again.
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
 * Takes what is due for one attempt, which counts from here: nobody else takes it. Until the attempt is recorded, `providerId` is
 * the claim: a batch that D1 is sent twice takes nothing the second time, and `selectClaimed` still finds it.
 */
export function claimEmails(of: { now: number; limit: number; claim: string; ids?: readonly string[] }): Statement {
  const named = of.ids ? sql`and id in ${inList(of.ids)}` : sql``;
  const due = sql`(select id from ${emails} indexed by emails_due
    where state = 'waiting' and state in ('waiting', 'sending') and due_at <= ${of.now} ${named}
    and ${isAtWork(sql`emails.org_id`)} order by due_at limit ${of.limit})`;
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

/** What a claim took and nobody has recorded yet. */
export function selectClaimed(claim: string) {
  return orm
    .select()
    .from(emails)
    .where(and(eq(emails.providerId, claim), eq(emails.state, 'sending')));
}

/** What waits for customers who opted out meanwhile. */
export function dropUnwanted(now: number): Statement {
  return orm
    .update(emails)
    .set({ ...EMPTIED, state: 'dropped', updatedAt: now })
    .where(
      sql`${emails.state} = 'waiting' and ${emails.state} in ('waiting', 'sending') and ${emails.dueAt} <= ${now}
        and ${hasOptedOut(sql`emails.org_id`, sql`emails.customer_id`)}`,
    );
}

/** An attempt whose answer nobody recorded: it may have left, so it is not made again. */
export function giveUpInterrupted(now: number): Statement {
  return orm
    .update(emails)
    .set({ ...EMPTIED, providerId: null, state: 'failed', updatedAt: now })
    .where(
      sql`${emails.state} = 'sending' and ${emails.state} in ('waiting', 'sending') and ${emails.dueAt} <= ${now}`,
    );
}

/**
 * What became of an attempt, if it is still the one under way. Only what waits for another one keeps whom it is for; what was
 * dropped meanwhile waits for none.
 */
export function recordEmail(
  { id, attempts }: Pick<EmailRow, 'id' | 'attempts'>,
  to: { state: EmailState; updatedAt: number; dueAt?: number; providerId?: string | null },
) {
  const state = to.state === 'waiting' ? sql`iif(recipient is null, 'dropped', 'waiting')` : to.state;
  return orm
    .update(emails)
    .set({ ...(to.state === 'waiting' ? {} : EMPTIED), providerId: null, ...to, state })
    .where(and(eq(emails.id, id), eq(emails.state, 'sending'), eq(emails.attempts, attempts)));
}

/** E-mails came back, by what the mail service calls them. */
export function recordBounces(providerIds: readonly string[], now: number) {
  return orm
    .update(emails)
    .set({ state: 'bounced', updatedAt: now })
    .where(
      sql`${emails.providerId} in ${inList(providerIds)} and ${emails.providerId} is not null and ${emails.state} = 'sent'`,
    )
    .returning({ id: emails.id });
}

/** What has not left is not wanted any more; one that is being sent is not tried again. @param orderIds a subquery of ids */
export function dropEmails(orgId: string, orderIds: Condition, now: number): Statement {
  return orm
    .update(emails)
    .set({ ...EMPTIED, state: sql`iif(state = 'waiting', 'dropped', state)`, updatedAt: now })
    .where(
      and(eq(emails.orgId, orgId), sql`${emails.about} in ${orderIds}`, sql`${emails.state} in ('waiting', 'sending')`),
    );
}

/**
 * Takes the person out of e-mails about deleted orders. The rows stay, for the links in those that were sent, until retention takes
 * the orders (`deleteEmails`). @param orderIds a subquery of ids
 */
export function eraseEmails(orgId: string, orderIds: Condition, now: number): Statement {
  const ended = sql<EmailState>`case when state in ('waiting', 'sending') then 'dropped' else state end`;
  return orm
    .update(emails)
    .set({ ...EMPTIED, state: ended, updatedAt: now })
    .where(and(eq(emails.orgId, orgId), sql`${emails.about} in ${orderIds}`));
}

/** Ends the e-mails about orders that are erased: nobody opts out any more who is not known. @param orderIds a subquery of ids */
export function deleteEmails(orgId: string, orderIds: Condition): Statement {
  return orm.delete(emails).where(and(eq(emails.orgId, orgId), sql`${emails.about} in ${orderIds}`));
}

/** What was sent about an order, the newest first. @param orderId its id */
export function selectEmails(orgId: string, orderId: string) {
  return orm
    .select({ id: emails.id, kind: emails.kind, state: emails.state, at: emails.updatedAt })
    .from(emails)
    .where(and(eq(emails.orgId, orgId), eq(emails.about, orderId)));
}

export type SentEmail = Awaited<ReturnType<typeof selectEmails>>[number];

/** Whether a customer wants no e-mails. @param customerId may be a subquery */
export function selectOptOut(orgId: string, customerId: Condition) {
  return orm
    .select({ at: emailOptOuts.createdAt })
    .from(emailOptOuts)
    .where(and(eq(emailOptOuts.orgId, orgId), sql`${emailOptOuts.customerId} = ${customerId}`));
}

/** Whose an e-mail was, if its shop has this host. */
export function selectOptOutOf(id: string, host: string) {
  return orm
    .select({
      orgId: emails.orgId,
      customerId: emails.customerId,
      language: emails.language,
      shopName: sql<string>`${shops.name}`.as('shop_name'),
      isOut: sql<boolean>`${hasOptedOut(sql`${emails.orgId}`, sql`${emails.customerId}`)}`
        .mapWith(Boolean)
        .as('is_out'),
    })
    .from(emails)
    .innerJoin(shops, eq(shops.id, emails.shopId))
    .innerJoin(shopHosts, and(eq(shopHosts.shopId, shops.id), eq(shopHosts.host, host)))
    .where(eq(emails.id, id));
}

/** The customer's wish, and what waits for them. */
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

/** What the e-mails of shops say, and where their pages are. */
export function selectSenders(shopIds: readonly string[]) {
  return orm
    .select({
      id: shops.id,
      name: shops.name,
      street: shops.street,
      postalCode: shops.postalCode,
      city: shops.city,
      phone: shops.phone,
      openingHours: shops.openingHours,
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
