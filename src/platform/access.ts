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

/**
 * First line of what an API key may do.
 * @returns the key, and so the organization that every query is bound to
 */
export function requireScope(ctx: Context, scope: Scope): Extract<Context['actor'], { kind: 'api_key' }> {
  if (ctx.actor.kind !== 'api_key' || !ctx.actor.scopes.includes(scope)) throw forbidden(scope);
  return ctx.actor;
}

function forbidden(scope: string): AppError {
  return new AppError('forbidden', 'insufficient_scope', `This call needs the scope ${scope}.`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
