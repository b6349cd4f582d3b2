import type { Context } from '../platform/context';
import type { Statement } from '../platform/data/db';
import { newId } from '../platform/ids';
import { type CustomerKey, insertCustomer } from './store';

/**
 * The customer of an order: the one that was found, else a new one. Two simultaneous orders of one new person share one
 * row, because the e-mail is unique.
 */
export function customerFor(
  ctx: Context,
  orgId: string,
  person: { customerName: string | null; customerEmail: string | null },
  found: readonly { id: string }[],
): { key: CustomerKey; statements: Statement[] } {
  const key: CustomerKey = {
    knownCustomerId: found[0]?.id ?? null,
    newCustomerId: newId(),
    foldedEmail: person.customerEmail?.toLowerCase() ?? null,
  };
  if (key.knownCustomerId !== null) return { key, statements: [] };
  const now = ctx.now();
  const row = {
    id: key.newCustomerId,
    orgId,
    name: person.customerName,
    email: key.foldedEmail,
    legalHold: false,
    createdAt: now,
    updatedAt: now,
    erasedAt: null,
  };
  return { key, statements: [insertCustomer(row)] };
}
