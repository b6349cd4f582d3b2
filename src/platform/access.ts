import type { Context } from './context';
import { AppError } from './errors';

/** Everything an API key may be allowed. A key with `external_orders.submit` is an integration key. */
export const SCOPES = [
  'products.read',
  'products.write',
  'inventory.read',
  'inventory.write',
  'order_requests.read',
  'order_requests.write',
  'orders.read',
  'orders.write',
  'customers.read',
  'customers.write',
  'prescriptions.write',
  'events.read',
  'reports.read',
  'webhooks.read',
  'webhooks.write',
  'external_orders.submit',
] as const;

export type Scope = (typeof SCOPES)[number];

/** First line of every use case that only the operator of the deployment may call. */
export function requireOperator(ctx: Context): void {
  if (ctx.actor.kind !== 'operator') throw forbidden('operator');
}

/** First line of every use case that no person calls: sweeps and queue consumers. */
export function requireSystem(ctx: Context): void {
  if (ctx.actor.kind !== 'system') throw forbidden('system');
}

/** Roles of an organization's members. `staff` may not see prescriptions. */
export const ROLES = ['owner', 'pharmacist', 'staff'] as const;
export type Role = (typeof ROLES)[number];

const DAILY_WORK: Scope[] = [
  'products.read',
  'inventory.read',
  'inventory.write',
  'order_requests.read',
  'order_requests.write',
  'orders.read',
  'orders.write',
];
const SCOPES_OF_ROLE: Record<Role, readonly Scope[]> = {
  owner: SCOPES.filter((scope) => scope !== 'external_orders.submit'),
  // An erasure cannot be undone: the owner alone, and keys that were given the scope.
  pharmacist: [...DAILY_WORK, 'products.write', 'customers.read', 'prescriptions.write', 'events.read', 'reports.read'],
  staff: DAILY_WORK,
};

/** Decides what pages offer. What is allowed is checked again by every use case itself. */
export function roleHolds(role: Role, scope: Scope): boolean {
  return SCOPES_OF_ROLE[role].includes(scope);
}

export type OrganizationActor = Extract<Context['actor'], { orgId: string }>;

/**
 * First line of every use case that an API key or a person calls for an organization.
 * @returns the actor, and with it the organization that every query is bound to
 */
export function requireScope(ctx: Context, scope: Scope): OrganizationActor {
  const { actor } = ctx;
  const scopes = actor.kind === 'api_key' ? actor.scopes : actor.kind === 'staff' ? SCOPES_OF_ROLE[actor.role] : [];
  if (!('orgId' in actor) || !scopes.includes(scope)) throw forbidden(scope);
  return actor;
}

/** First line of every use case that only a signed-in person may call, for example looking at a prescription. */
export function requireRole(ctx: Context, roles: readonly Role[]): Extract<Context['actor'], { kind: 'staff' }> {
  if (ctx.actor.kind !== 'staff' || !roles.includes(ctx.actor.role)) throw forbidden(roles.join(' or '));
  return ctx.actor;
}

/** First line of every use case that the operator may call for any organization, and an owner for their own. */
export function requireOwnerOrOperator(ctx: Context, orgId: string): void {
  if (ctx.actor.kind !== 'staff') requireOperator(ctx);
  else if (requireRole(ctx, ['owner']).orgId !== orgId) throw forbidden('operator');
}

/** The actor's id, as audit rows and decisions store it. */
export function actorId(ctx: Context): string | null {
  if (ctx.actor.kind === 'api_key') return ctx.actor.keyId;
  return ctx.actor.kind === 'staff' ? ctx.actor.memberId : null;
}

function forbidden(scope: string): AppError {
  return new AppError('insufficient_scope', `This call needs the scope ${scope}.`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
