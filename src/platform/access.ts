import type { Context } from './context';
import { AppError } from './errors/errors';

/** Roles of an organization's members. `staff` may not see prescriptions. */
export const ROLES = ['owner', 'pharmacist', 'staff'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The scopes of API keys, each with the roles of staff that also have it. A key with `external_orders.submit` is an
 * integration key.
 */
const ROLES_OF_SCOPE = {
  'products.read': ROLES,
  'products.write': ['owner', 'pharmacist'],
  'inventory.read': ROLES,
  'inventory.write': ROLES,
  'order_requests.read': ROLES,
  'order_requests.write': ROLES,
  'orders.read': ROLES,
  'orders.write': ROLES,
  'customers.read': ['owner', 'pharmacist'],
  // Only the owner, because an erasure cannot be undone.
  'customers.write': ['owner'],
  'prescriptions.read': ['owner', 'pharmacist'],
  'prescriptions.write': ['owner', 'pharmacist'],
  'events.read': ['owner', 'pharmacist'],
  'reports.read': ['owner', 'pharmacist'],
  'webhooks.read': ['owner'],
  'webhooks.write': ['owner'],
  'external_orders.submit': [],
} as const satisfies Record<string, readonly Role[]>;

export type Scope = keyof typeof ROLES_OF_SCOPE;
export const SCOPES = Object.keys(ROLES_OF_SCOPE) as [Scope, ...Scope[]];

/**
 * Refuses every actor except the operator of the deployment. Every use case for the operator begins with this call.
 * @throws AppError `insufficient_scope`
 */
export function requireOperator(ctx: Context): void {
  if (ctx.actor.kind !== 'operator') throw forbidden('operator');
}

/**
 * Refuses every actor except the service itself. Sweeps and queue consumers begin with this call.
 * @throws AppError `insufficient_scope`
 */
export function requireSystem(ctx: Context): void {
  if (ctx.actor.kind !== 'system') throw forbidden('system');
}

/** Whether a role has a scope. Pages call it to decide which actions to offer. Every use case checks access itself. */
export function roleHolds(role: Role, scope: Scope): boolean {
  const roles: readonly Role[] = ROLES_OF_SCOPE[scope];
  return roles.includes(role);
}

/** Whether the actor has a scope. A use case calls it if only a part of its work needs the scope. */
export function holds({ actor }: Pick<Context, 'actor'>, scope: Scope): boolean {
  return actor.kind === 'staff' ? roleHolds(actor.role, scope) : 'scopes' in actor && actor.scopes.includes(scope);
}

/** Whether the actor may read the prescriptions of a shop. An API key may be limited to some shops. */
export function readsPrescriptionsOf(ctx: Pick<Context, 'actor'>, shopId: string | null): boolean {
  const shopIds = (ctx.actor.kind === 'api_key' && ctx.actor.prescriptionShopIds) || null;
  return holds(ctx, 'prescriptions.read') && (shopIds === null || (shopId !== null && shopIds.includes(shopId)));
}

/**
 * Refuses every actor without a scope. Use cases that an API key or a person calls for an organization begin with this
 * call.
 * @throws AppError `insufficient_scope`
 * @returns the actor, whose `orgId` limits every query
 */
export function requireScope(ctx: Context, scope: Scope): Extract<Context['actor'], { orgId: string }> {
  const { actor } = ctx;
  if (!('orgId' in actor) || !holds(ctx, scope)) throw forbidden(scope);
  return actor;
}

/**
 * Refuses every actor except a signed-in person with one of the roles. Use cases that only such a person may call begin
 * with this call, for example to look at a prescription.
 * @throws AppError `insufficient_scope`
 */
export function requireRole(ctx: Context, roles: readonly Role[]): Extract<Context['actor'], { kind: 'staff' }> {
  if (ctx.actor.kind !== 'staff' || !roles.includes(ctx.actor.role)) throw forbidden(roles.join(' or '));
  return ctx.actor;
}

/**
 * Refuses every actor except the operator and the owners of an organization. Use cases that both may call begin with
 * this call.
 * @throws AppError `insufficient_scope`
 */
export function requireOwnerOrOperator(ctx: Context, orgId: string): void {
  if (ctx.actor.kind !== 'staff') requireOperator(ctx);
  else if (requireRole(ctx, ['owner']).orgId !== orgId) throw forbidden('operator');
}

/** Returns the actor's id as audit rows and decisions store it; null for the service and for anonymous callers. */
export function actorId(ctx: Context): string | null {
  const { actor } = ctx;
  if (actor.kind === 'api_key') return actor.keyId;
  if (actor.kind === 'operator') return actor.name;
  return actor.kind === 'staff' ? actor.memberId : null;
}

export function forbidden(scope: string): AppError {
  return new AppError('insufficient_scope', `This call needs the scope ${scope}.`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

/**
 * The following patterns find what may be health data in a platform's own details: links, files and diagnoses. Only
 * people and keys that may see prescriptions get such members, both on pages and from the API.
 */

const NAME =
  /prescri|rezept|recept|(?<![a-z])rx(?![a-z])|diagnos|(?<![a-z])icd|indi[kc]ation|anamnes|befund|symptom|medical/i;
/** Matches a link, a PDF, or a PDF in base64. */
const VALUE = /https?:\/\/|%PDF-|JVBERi0/i;
/**
 * Matches a character that base64 does not contain. A run of `FILE_LENGTH_MIN` or more base64 characters counts as a
 * file.
 */
const BETWEEN = /[^A-Za-z0-9+/_=-]/;
const FILE_LENGTH_MIN = 200;

type Details = Readonly<Record<string, string>>;

/** Returns the details without members that may be health data; null if none are left. */
export function withoutHealth<T extends Details>(details: T | null): T | null {
  const others = Object.entries(details ?? {}).filter(([name, text]) => !isHealth(name, text));
  // SAFETY: a subset of the members of `details`.
  return others.length === 0 ? null : (Object.fromEntries(others) as T);
}

function isHealth(name: string, text: string): boolean {
  const isFile = text.split(BETWEEN).some((part) => part.length >= FILE_LENGTH_MIN);
  return NAME.test(name) || VALUE.test(text) || isFile || (/^[{[]/.test(text) && NAME.test(text));
}
