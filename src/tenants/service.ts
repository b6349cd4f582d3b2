import { recordAudit } from '../audit/record';
import { requireOperator } from '../platform/access';
import type { Context } from '../platform/context';
import { ConstraintError, isGuardFailure, mustChangeOne } from '../platform/db';
import { AppError, type FieldError, invalidInput, notFound } from '../platform/errors';
import { newId } from '../platform/ids';
import { HOST_FAULT_MESSAGES, normaliseHost } from './rules';
import {
  insertOrganization,
  insertShop,
  insertShopHost,
  selectRetention,
  selectShopByHost,
  selectShopOfOrganization,
  updateOrganizationRow,
} from './store';

export { shippingOptionsOf } from './rules';
export type { ShopAtHost } from './store';

const LOW_STOCK_THRESHOLD_DEFAULT = 5;
const REQUEST_RETENTION_DAYS_DEFAULT = 90;
/** ApBetrO § 22 asks for five years; a month more lets a year end. */
const ORDER_RETENTION_DAYS_DEFAULT = 5 * 366 + 31;
/** SPEC hides the brand of the fourth shipping value; a shop may put its own service's name here. */
const DELIVERY_SERVICE_NAME_DEFAULT = 'Lieferdienst';

export interface OrganizationFields {
  name: string;
  iban?: string | null;
  paymentRecipient?: string | null;
  lowStockThreshold?: number;
  requestRetentionDays?: number;
  orderRetentionDays?: number;
}

export async function createOrganization(ctx: Context, input: OrganizationFields): Promise<{ orgId: string }> {
  requireOperator(ctx);
  const orgId = newId();
  const now = ctx.now();
  await ctx.db.run({
    organization: insertOrganization(ctx.db, {
      id: orgId,
      name: input.name,
      iban: input.iban ?? null,
      paymentRecipient: input.paymentRecipient ?? null,
      lowStockThreshold: input.lowStockThreshold ?? LOW_STOCK_THRESHOLD_DEFAULT,
      requestRetentionDays: input.requestRetentionDays ?? REQUEST_RETENTION_DAYS_DEFAULT,
      orderRetentionDays: input.orderRetentionDays ?? ORDER_RETENTION_DAYS_DEFAULT,
      createdAt: now,
      updatedAt: now,
    }),
    audit: recordAudit(ctx, { orgId, action: 'organization.created', entityId: orgId }),
  });
  return { orgId };
}

/** @throws AppError `organization_not_found` */
export async function updateOrganization(
  ctx: Context,
  orgId: string,
  changes: Partial<OrganizationFields>,
): Promise<void> {
  requireOperator(ctx);
  await changeTheirs(
    ctx.db.run({
      organization: updateOrganizationRow(ctx.db, orgId, { ...changes, updatedAt: ctx.now() }),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'organization.updated', entityId: orgId, fields: Object.keys(changes) }),
    }),
    'organization_not_found',
  );
}

export interface NewShop {
  orgId: string;
  name: string;
  hosts: string[];
  deliveryServiceName?: string;
}

/**
 * Opens a shop with its hosts, all or nothing.
 * @throws AppError `validation_failed` (a host that cannot name a shop), `host_taken`, `organization_not_found`
 */
export async function createShop(ctx: Context, input: NewShop): Promise<{ shopId: string }> {
  requireOperator(ctx);
  const hosts = normaliseHosts(ctx, input.hosts, (index) => `/hosts/${index}`);
  const shopId = newId();
  const now = ctx.now();
  await changeTheirs(
    ctx.db.run({
      shop: insertShop(ctx.db, {
        id: shopId,
        orgId: input.orgId,
        name: input.name,
        isActive: true,
        deliveryServiceName: input.deliveryServiceName ?? DELIVERY_SERVICE_NAME_DEFAULT,
        createdAt: now,
        updatedAt: now,
      }),
      // The order of `hosts` stays: the first one is the shop's address in links.
      hosts: hosts.map((host, index) =>
        insertShopHost(ctx.db, input.orgId, { host, shopId, status: 'active', createdAt: now + index }),
      ),
      audit: recordAudit(ctx, { orgId: input.orgId, action: 'shop.created', entityId: shopId }),
    }),
    'organization_not_found',
  );
  return { shopId };
}

/** Adds an active host to a shop. @throws as `createShop`, and `shop_not_found` */
export async function addShopHost(
  ctx: Context,
  input: { orgId: string; shopId: string; host: string },
): Promise<{ host: string }> {
  requireOperator(ctx);
  const [host = ''] = normaliseHosts(ctx, [input.host], () => '/host');
  await changeTheirs(
    ctx.db.run({
      host: insertShopHost(ctx.db, input.orgId, { host, shopId: input.shopId, status: 'active', createdAt: ctx.now() }),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, { orgId: input.orgId, action: 'shop_host.added', entityId: input.shopId }),
    }),
    'shop_not_found',
  );
  return { host };
}

/** The statement that lists how long each organization keeps what, for the nightly job. */
export function organizationsWithRetention(ctx: Context) {
  return selectRetention(ctx.db);
}

/** The statement that finds a shop of an organization, for the caller's own batch. */
export function shopOfOrganization(ctx: Context, orgId: string, shopId: string) {
  return selectShopOfOrganization(ctx.db, orgId, shopId);
}

/** The statement that finds the shop behind a host, for the caller's own batch. */
export function shopByHost(ctx: Context, host: string) {
  return selectShopByHost(ctx.db, host);
}

function normaliseHosts(ctx: Context, hosts: readonly string[], pointerAt: (index: number) => string): string[] {
  const errors: FieldError[] = [];
  const normalised = hosts.map((input, index) => {
    const result = normaliseHost(input, ctx.config);
    if ('host' in result) return result.host;
    errors.push({ pointer: pointerAt(index), code: result.fault, message: HOST_FAULT_MESSAGES[result.fault] });
    return '';
  });
  if (errors.length > 0) throw invalidInput(errors);
  return [...new Set(normalised)];
}

async function changeTheirs(
  batch: Promise<unknown>,
  missing: 'organization_not_found' | 'shop_not_found',
): Promise<void> {
  try {
    await batch;
  } catch (error) {
    if (error instanceof ConstraintError && error.constraint === 'shop_hosts.host') {
      throw new AppError('conflict', 'host_taken', 'This host already names a shop.');
    }
    const isMissing = isGuardFailure(error) || (error instanceof ConstraintError && error.kind === 'foreign_key');
    if (isMissing)
      throw notFound(
        missing,
        missing === 'shop_not_found' ? 'There is no such shop.' : 'There is no such organization.',
      );
    throw error;
  }
}
