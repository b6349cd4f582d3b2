import type { Context } from '../platform/context';
import { selectHeld } from './store';

/** The statement that finds which of these products an organization holds, for the caller's own batch. */
export function heldProducts(ctx: Context, orgId: string, p1Ids: readonly string[]) {
  return selectHeld(ctx.db, orgId, p1Ids);
}
