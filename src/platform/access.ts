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
  'external_orders.submit',
] as const;

export type Scope = (typeof SCOPES)[number];

/** First line of what only the operator of the deployment may do. */
export function requireOperator(ctx: Context): void {
  if (ctx.actor.kind !== 'operator') throw forbidden('operator');
}

/** First line of what nobody asked for: sweeps and consumers. */
export function requireSystem(ctx: Context): void {
  if (ctx.actor.kind !== 'system') throw forbidden('system');
}

/** Members of an organization. `staff` sees no prescription. */
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

/** What pages offer goes by this; what is allowed is asked by every use case itself. */
export function roleHolds(role: Role, scope: Scope): boolean {
  return SCOPES_OF_ROLE[role].includes(scope);
}

export type OrganizationActor = Extract<Context['actor'], { orgId: string }>;

/**
 * First line of what is done for an organization, by an API key or by a person.
 * @returns who acts, and so the organization that every query is bound to
 */
export function requireScope(ctx: Context, scope: Scope): OrganizationActor {
  const { actor } = ctx;
  const scopes = actor.kind === 'api_key' ? actor.scopes : actor.kind === 'staff' ? SCOPES_OF_ROLE[actor.role] : [];
  if (!('orgId' in actor) || !scopes.includes(scope)) throw forbidden(scope);
  return actor;
}

/** First line of what only a signed-in person may do: looking at a prescription, for example. */
export function requireRole(ctx: Context, roles: readonly Role[]): Extract<Context['actor'], { kind: 'staff' }> {
  if (ctx.actor.kind !== 'staff' || !roles.includes(ctx.actor.role)) throw forbidden(roles.join(' or '));
  return ctx.actor;
}

/** First line of what the operator does for any organization and an owner for the own one. */
export function requireOwnerOrOperator(ctx: Context, orgId: string): void {
  if (ctx.actor.kind !== 'staff') requireOperator(ctx);
  else if (requireRole(ctx, ['owner']).orgId !== orgId) throw forbidden('operator');
}

/** Who acts, as audit rows and decisions name them. */
export function actorId(ctx: Context): string | null {
  if (ctx.actor.kind === 'api_key') return ctx.actor.keyId;
  return ctx.actor.kind === 'staff' ? ctx.actor.memberId : null;
}

function forbidden(scope: string): AppError {
  return new AppError('insufficient_scope', `This call needs the scope ${scope}.`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
