import type { Context } from './context';
import { AppError } from './errors/errors';

/** Roles of an organization's members. `staff` may not see prescriptions. */
export const ROLES = ['owner', 'pharmacist', 'staff'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The scopes of API keys, each with the roles that have it. A key with `external_orders.submit` is an integration key.
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
 * Refuses every caller except the operator of the deployment. The operator's use cases begin with this call.
 * @throws AppError `insufficient_scope`
 */
export function requireOperator(ctx: Context): void {
  if (ctx.actor.kind !== 'operator') throw forbidden('operator');
}

/**
 * Refuses every caller except the service itself. Sweeps and queue consumers begin with this call.
 * @throws AppError `insufficient_scope`
 */
export function requireSystem(ctx: Context): void {
  if (ctx.actor.kind !== 'system') throw forbidden('system');
}

/** Whether a role has a scope. Pages use it to decide which actions they offer; every use case checks access itself. */
export function roleHolds(role: Role, scope: Scope): boolean {
  const roles: readonly Role[] = ROLES_OF_SCOPE[scope];
  return roles.includes(role);
}

/** Whether the actor has a scope. Use cases call it if only a part of them needs the scope. */
export function holds({ actor }: Pick<Context, 'actor'>, scope: Scope): boolean {
  return actor.kind === 'staff' ? roleHolds(actor.role, scope) : 'scopes' in actor && actor.scopes.includes(scope);
}

/** Whether the actor may read prescriptions of a shop. An API key may be limited to those of some shops. */
export function readsPrescriptionsOf(ctx: Pick<Context, 'actor'>, shopId: string | null): boolean {
  const shopIds = (ctx.actor.kind === 'api_key' && ctx.actor.prescriptionShopIds) || null;
  return holds(ctx, 'prescriptions.read') && (shopIds === null || (shopId !== null && shopIds.includes(shopId)));
}

/**
 * Refuses callers without a scope. A use case that an API key or a person calls for an organization begins with this
 * check.
 * @throws AppError `insufficient_scope`
 * @returns the actor, and with it the organization that every query is bound to
 */
export function requireScope(ctx: Context, scope: Scope): Extract<Context['actor'], { orgId: string }> {
  const { actor } = ctx;
  if (!('orgId' in actor) || !holds(ctx, scope)) throw forbidden(scope);
  return actor;
}

/**
 * Refuses every caller except a signed-in person with one of the roles. A use case that only such a person may call,
 * for example to look at a prescription, begins with this check.
 * @throws AppError `insufficient_scope`
 */
export function requireRole(ctx: Context, roles: readonly Role[]): Extract<Context['actor'], { kind: 'staff' }> {
  if (ctx.actor.kind !== 'staff' || !roles.includes(ctx.actor.role)) throw forbidden(roles.join(' or '));
  return ctx.actor;
}

/**
 * Refuses every caller except the operator and the owners of an organization. A use case that both may call begins with
 * this check.
 * @throws AppError `insufficient_scope`
 */
export function requireOwnerOrOperator(ctx: Context, orgId: string): void {
  if (ctx.actor.kind !== 'staff') requireOperator(ctx);
  else if (requireRole(ctx, ['owner']).orgId !== orgId) throw forbidden('operator');
}

/** The actor's id, as audit rows and decisions store it. */
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
 * The following patterns find what may be health data in a platform's own details: links, files, diagnoses. Only people
 * and keys that may see prescriptions get such members, on pages and from the API.
 */

const NAME =
  /prescri|rezept|recept|(?<![a-z])rx(?![a-z])|diagnos|(?<![a-z])icd|indi[kc]ation|anamnes|befund|symptom|medical/i;
/** Matches a link, a PDF, or a PDF in base64. */
const VALUE = /https?:\/\/|%PDF-|JVBERi0/i;
/**
 * Matches a character that base64 does not contain. A text in which `FILE_LENGTH_MIN` characters follow each other
 * without a match counts as a file.
 */
const BETWEEN = /[^A-Za-z0-9+/_=-]/;
const FILE_LENGTH_MIN = 200;

type Details = Readonly<Record<string, string>>;

/** Returns the details without the members that may be health data; null if none are left. */
export function withoutHealth<T extends Details>(details: T | null): T | null {
  const others = Object.entries(details ?? {}).filter(([name, text]) => !isHealth(name, text));
  // SAFETY: a subset of the members of `details`.
  return others.length === 0 ? null : (Object.fromEntries(others) as T);
}

function isHealth(name: string, text: string): boolean {
  const isFile = text.split(BETWEEN).some((part) => part.length >= FILE_LENGTH_MIN);
  return NAME.test(name) || VALUE.test(text) || isFile || (/^[{[]/.test(text) && NAME.test(text));
}
