import { recordAudit } from '../audit/record';
import { inOrganization, reserve } from '../directory/service';
import { requireOwnerOrOperator } from '../platform/access';
import { type BatchEntry, tryCommit } from '../platform/commit';
import { actingAs, type Context } from '../platform/context';
import { randomBase62 } from '../platform/crypto';
import { AppError, notFound } from '../platform/errors';
import { newId } from '../platform/ids';
import { addHosts } from './hosts';
import { NAME_LENGTH_MAX } from './limits';
import { DELIVERY_SERVICE_NAME_DEFAULT } from './rules';
import { claimTestOrganization, insertOrganization, selectOrganization } from './store';
import { insertShop } from './store-shops';

const HOST_LABEL_LENGTH = 12;
/** The example of the IBAN registry: nobody is paid by it. */
const EXAMPLE_IBAN = 'DE89370400440532013000';
const MARK = 'TEST';

/** Where a test organization is filled: its id and its shop's. */
export interface TestOrganization {
  orgId: string;
  shopId: string;
}

/**
 * What a new test organization holds, from another slice: entries for the batch that makes it.
 * @param liveId the organization that it is made from
 */
export type Furnish = (ctx: Context, to: TestOrganization, liveId: string) => Promise<BatchEntry[]>;

/**
 * The test organization of an organization, made at the first call: with its settings, one shop and what `furnish` gives, and on
 * the same database. The same checks and limits apply to it; its keys are no other's. Safe to repeat, also at the same moment.
 * @throws AppError `organization_not_found`; `conflict` for a test organization, which has none
 */
export async function openTestOrganization(
  ctx: Context,
  orgId: string,
  furnish: Furnish,
): Promise<{ orgId: string; isNew: boolean }> {
  requireOwnerOrOperator(ctx, orgId);
  const live = await requireOrganization(ctx, orgId);
  if (live.isTest) throw new AppError('conflict', 'This is a test organization already.');
  if (live.counterpartId !== null) return { orgId: live.counterpartId, isNew: false };
  const made = await make(ctx, live, furnish);
  if (made !== null) return { orgId: made, isNew: true };
  // Somebody else was faster, or the batch was sent twice.
  const { counterpartId } = await requireOrganization(ctx, orgId);
  if (counterpartId === null)
    throw new AppError('conflict', 'The organization was changed meanwhile. Repeat the request.');
  return { orgId: counterpartId, isNew: false };
}

type Live = Awaited<ReturnType<typeof requireOrganization>>;

/** @returns the id of the test organization; null where there is one by now */
async function make(ctx: Context, live: Live, furnish: Furnish): Promise<string | null> {
  const [orgId, shopId, now] = [newId(), newId(), ctx.now()];
  const { lowStockThreshold, requestRetentionDays, orderRetentionDays, prescriptionValidDays } = live;
  const times = { createdAt: now, updatedAt: now };
  const inside = actingAs(ctx, { kind: 'system' });
  const committed = await tryCommit(ctx, {
    live: claimTestOrganization(live.id, orgId),
    // The entry of its host is made from this one.
    directory: await reserve(inside, { kind: 'organization', key: orgId, orgId }),
    organization: insertOrganization({
      ...{ id: orgId, isTest: true, counterpartId: live.id, name: `${MARK} ${live.name}`.slice(0, NAME_LENGTH_MAX) },
      ...{ lowStockThreshold, requestRetentionDays, orderRetentionDays, prescriptionValidDays },
      ...{ iban: EXAMPLE_IBAN, paymentRecipient: MARK, ...times },
    }),
    shop: insertShop({
      ...{ id: shopId, orgId, name: 'Test-Shop', isActive: true, ...times },
      deliveryServiceName: DELIVERY_SERVICE_NAME_DEFAULT,
    }),
    hosts: await addHosts(inside, { orgId, shopId }, [newTestHost(ctx)]),
    furnished: await furnish(inside, { orgId, shopId }, live.id),
    made: recordAudit(inside, { orgId, action: 'organization.created', entityId: orgId }),
    audit: recordAudit(ctx, { orgId: live.id, action: 'organization.test_opened', entityId: live.id }),
  });
  return committed ? orgId : null;
}

async function requireOrganization(ctx: Context, orgId: string) {
  const [found] = await ctx.db.rows(selectOrganization(orgId));
  if (!found) throw notFound('organization_not_found', 'There is no such organization.');
  return found;
}

/** The id of an organization's test organization; null for one that has none, and for a test organization. */
export async function testOrganizationOf(ctx: Context, orgId: string): Promise<string | null> {
  const { isTest, counterpartId } = await requireOrganization(ctx, orgId);
  return isTest ? null : counterpartId;
}

/** A host for a shop of a test organization, which nobody asked for and nobody has: below the base host, so it needs no domain. */
export function newTestHost(ctx: Context): string {
  return `test-${randomBase62(HOST_LABEL_LENGTH).toLowerCase()}.${ctx.config.baseHost}`;
}

/** Whether the organization of a context's database is a test organization; false where there is none. */
export async function isTestOrganization(ctx: Context, orgId: string): Promise<boolean> {
  const [found] = await ctx.db.rows(selectOrganization(orgId));
  return found?.isTest ?? false;
}

/** As `isTestOrganization`, wherever the organization lives. For what is refused: it costs a round trip or two. */
export async function isTestAnywhere(globalCtx: Context, orgId: string): Promise<boolean> {
  const ctx = await inOrganization(globalCtx, orgId);
  return ctx !== null && isTestOrganization(ctx, orgId);
}
