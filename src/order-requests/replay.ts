import { recordAudit } from '../audit/record';
import { type JournaledErasure, readJournal } from '../audit/service';
import { eraseCustomer, eraseDeletedOrders, eraseReferencesOfOrders, ordersOf, requestsOf } from '../orders/service';
import { requireOperator } from '../platform/access';
import { tryCommit } from '../platform/commit';
import type { Context } from '../platform/context';
import { inList } from '../platform/db';
import { eraseSet } from './erase';
import { requestsOfPerson } from './store-erasure';
import { deleteRejected, eitherOf, selectCustomersLeft, selectOrdersLeft, selectRequestsLeft } from './store-replay';

/** Entries of one call: each costs one read of R2 and two batches of D1 at most. */
const ENTRIES_MAX = 25;
const KINDS = ['customers', 'requests', 'orders'] as const;
type Kind = (typeof KINDS)[number];

export interface Replayed {
  /** How many entries were read. */
  entries: number;
  /** Those among them that make no sense. */
  unreadable: number;
  /** How many rows lost the person now. */
  erased: Record<Kind, number>;
  /** Ids of what a legal hold keeps. */
  onLegalHold: Record<Kind, string[]>;
  nextCursor: string | null;
}

/**
 * Erases again what the journal names, after a restore of the database brought it back: one page of the journal, the
 * oldest entry first. Safe to repeat. A legal hold of the restored database is obeyed. An order that is open there does
 * not stop its customer's erasure: it was over when the person was erased. Subscribers are not told again.
 * @param from.sinceDay `yyyy-mm-dd` (UTC): leaves out entries of earlier days; for the first page
 * @throws AppError `backend_unreachable`; the same call may be made again
 */
export async function replayErasures(ctx: Context, from: { cursor?: string; sinceDay?: string }): Promise<Replayed> {
  requireOperator(ctx);
  const { entries, nextCursor } = await readJournal(ctx, from, ENTRIES_MAX);
  const result: Replayed = {
    entries: entries.length,
    unreadable: entries.filter((entry) => entry === null).length,
    erased: { customers: 0, requests: 0, orders: 0 },
    onLegalHold: { customers: [], requests: [], orders: [] },
    nextCursor,
  };
  for (const entry of entries) if (entry) await replay(ctx, entry, result);
  return result;
}

type Left = Record<Kind, { id: string; isOnLegalHold: boolean | number }[]>;
type Ids = Record<Kind, string[]>;

async function replay(ctx: Context, entry: JournaledErasure, result: Replayed): Promise<void> {
  const left = await ctx.db.run(selectLeft(ctx, entry));
  const free = freeOf(entry, left);
  const isErased = count(free) > 0 && (await eraseAgain(ctx, entry, free));
  for (const kind of KINDS) {
    if (isErased) result.erased[kind] += free[kind].length;
    const kept = left[kind].filter(({ id }) => !isErased || !free[kind].includes(id));
    result.onLegalHold[kind].push(...kept.map(({ id }) => id));
  }
}

/** What of an entry holds the person. Of a customer also what the restored database knows and the entry does not. */
function selectLeft(ctx: Context, { orgId, kind, customerIds, requestIds, orderIds }: JournaledErasure) {
  const [customerId] = customerIds;
  const [requests, orders] = [inList(requestIds), inList(orderIds)];
  const isPerson = kind === 'customer' && customerId !== undefined;
  const ofPerson = isPerson && requestsOfPerson(orgId, customerId, requestsOf(customerId));
  return {
    customers: selectCustomersLeft(ctx.db, orgId, customerIds),
    requests: selectRequestsLeft(ctx.db, orgId, ofPerson ? eitherOf(requests, ofPerson) : requests),
    orders: selectOrdersLeft(ctx.db, orgId, isPerson ? eitherOf(orders, ordersOf(customerId)) : orders),
  };
}

/** What no legal hold keeps. A customer is kept whole when a part is. */
function freeOf({ kind }: JournaledErasure, left: Left): Ids {
  const isKeptWhole =
    kind === 'customer' && KINDS.some((each) => left[each].some(({ isOnLegalHold }) => isOnLegalHold));
  const free = (rows: Left[Kind]) =>
    isKeptWhole ? [] : rows.filter(({ isOnLegalHold }) => !isOnLegalHold).map(({ id }) => id);
  return { customers: free(left.customers), requests: free(left.requests), orders: free(left.orders) };
}

function count(ids: Ids): number {
  return KINDS.reduce((sum, kind) => sum + ids[kind].length, 0);
}

/** @returns false when a legal hold came in between: then nothing was erased */
async function eraseAgain(ctx: Context, { orgId, kind }: JournaledErasure, free: Ids): Promise<boolean> {
  const [requestIds, orderIds] = [inList(free.requests), inList(free.orders)];
  // All events are looked through: when what is erased came is not in the journal.
  const since = 0;
  const deletedOrders = {
    references: eraseReferencesOfOrders(ctx, orgId, orderIds, since),
    orders: eraseDeletedOrders(ctx, orderIds),
  };
  const erased = await tryCommit(ctx, {
    ...(kind === 'order' ? deletedOrders : eraseSet(ctx, { orgId, requestIds, orderIds, since })),
    deleted: kind === 'order_request' ? deleteRejected(ctx.db, requestIds) : undefined,
    customers: free.customers.map((id) => eraseCustomer(ctx, orgId, id)),
    audit: recordAudit(ctx, { orgId, action: 'retention.replayed', entityId: orgId }),
  });
  return erased !== null;
}
