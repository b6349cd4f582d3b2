import { noting } from '../audit/journal';
import { recordAudit } from '../audit/record';
import { reserve } from '../directory/reserve';
import { mostRoom, requireBound } from '../directory/route';
import { requireOperator, requireOwnerOrOperator, requireRole } from '../platform/access';
import { commit } from '../platform/commit';
import { type Context, withDatabase } from '../platform/context';
import { AppError, invalidInput, notFound } from '../platform/errors/errors';
import { wireNames } from '../platform/fields';
import { newId } from '../platform/ids';
import { type OrganizationSettings, organizationsFields } from './fields';
import { RETENTION_DAYS, SETTINGS_DEFAULT } from './limits';
import { forbiddenRetention, type RetentionDays } from './rules';
import type { ShippingRule } from './shipping';
import { insertOrganization, selectOrganization, suspendedSince, suspendTestOf, updateOrganizationRow } from './store';

const DEFAULTS = {
  iban: null,
  paymentRecipient: null,
  ...SETTINGS_DEFAULT,
  signatureCheck: 'inform' as const,
};

/** The settings of a new organization. Each missing one gets its default. */
type NewOrganization = Partial<OrganizationSettings> & Pick<OrganizationSettings, 'name'>;

export type Organization = Awaited<ReturnType<typeof getOrganization>>;

/**
 * Creates an organization.
 * @param shard the number of the database for the organization; by default that of the smallest database
 * @throws AppError `validation_failed` if there is no such database
 */
export async function createOrganization(
  ctx: Context,
  { shard: wanted, ...settings }: NewOrganization & { shard?: number },
): Promise<{ orgId: string; shard: number }> {
  requireOperator(ctx);
  const shard = wanted ?? (await mostRoom(ctx));
  requireBound(ctx, shard);
  const at = shard === ctx.db.shard ? ctx : withDatabase(ctx, ctx.databases.at(shard));
  const orgId = newId();
  const now = ctx.now();
  await commit(at, {
    directory: await reserve(at, { kind: 'organization', key: orgId, orgId }),
    organization: insertOrganization({ id: orgId, ...DEFAULTS, ...settings, createdAt: now, updatedAt: now }),
    audit: recordAudit(at, { orgId, action: 'organization.created', entityId: orgId }),
  });
  return { orgId, shard };
}

/** The owner's own organization. */
export async function getOrganization(ctx: Context) {
  return requireOrganization(ctx, requireRole(ctx, ['owner']).orgId);
}

/** @throws AppError `organization_not_found` */
export async function requireOrganization(ctx: Context, orgId: string) {
  const [organization] = await ctx.db.rows(selectOrganization(orgId));
  if (!organization) throw notFound('organization_not_found');
  return organization;
}

/**
 * Changes the given fields. Owners may choose only retention within `RETENTION_DAYS`. The operator may choose any,
 * because a deployment may have other data than a pharmacy's. While an organization is suspended, its order requests,
 * keys and pages are refused and its webhooks wait. Nothing is lost.
 * @param seenAt `updatedAt` of the row that the form showed. If somebody has changed the row since, nothing is
 *   overwritten
 * @throws AppError `validation_failed`, `organization_not_found`, `changed_meanwhile`
 */
export async function updateOrganization(
  ctx: Context,
  orgId: string,
  {
    isSuspended,
    ...changes
  }: Partial<OrganizationSettings> & { isSuspended?: boolean; shippingRules?: ShippingRule[] },
  seenAt?: number,
): Promise<void> {
  requireOwnerOrOperator(ctx, orgId);
  if (isSuspended !== undefined) requireOperator(ctx);
  if (ctx.actor.kind === 'staff') assertRetention(changes);
  const now = ctx.now();
  const fields = [
    ...wireNames(organizationsFields, Object.keys(changes)),
    ...(isSuspended === undefined ? [] : ['status']),
  ];
  const batch = {
    organization: updateOrganizationRow(
      orgId,
      {
        ...changes,
        ...(isSuspended !== undefined && { suspendedAt: suspendedSince(isSuspended, now) }),
        updatedAt: now,
      },
      seenAt,
    ),
    test: isSuspended === undefined ? undefined : suspendTestOf(orgId, suspendedSince(isSuspended, now)),
    audit: recordAudit(ctx, { orgId, action: 'organization.updated', entityId: orgId, fields }),
  };
  const refused = () => (seenAt === undefined ? notFound('organization_not_found') : changedMeanwhile());
  const write = () => commit(ctx, batch, { refused });
  if (isSuspended === undefined) await write();
  else await noting(ctx, { orgId, kind: 'suspension', id: orgId, at: now, is_on: isSuspended }, write);
}

function changedMeanwhile(): AppError {
  return new AppError('changed_meanwhile', 'Somebody else changed it in the meantime. Reload it first.');
}

function assertRetention(changes: Partial<RetentionDays>): void {
  const errors = forbiddenRetention(changes).map((name) => {
    const [min, max] = RETENTION_DAYS[name];
    return { pointer: `/${name}`, code: 'retention_days', message: `Allowed: ${min} to ${max} days.` };
  });
  if (errors.length > 0) throw invalidInput(errors);
}
