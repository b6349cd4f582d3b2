import { type JournaledErasure, readJournal } from '../../audit/journal';
import { recordAudit } from '../../audit/record';
import { homesOf } from '../../directory/route';
import { emptyAnswers } from '../../idempotency/store';
import { eraseEmails } from '../../messages/store';
import { withReferencesOfOrders } from '../../orders/erasure';
import { eraseCustomer, eraseDeletedOrders, ordersOf, requestsOf } from '../../orders/store';
import { deleteWords } from '../../orders/timeline/store';
import { requireOperator } from '../../platform/access';
import { tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { inList } from '../../platform/data/db';
import { eraseSet } from './erase';
import {
  deleteRejected,
  eitherOf,
  requestsOfPerson,
  selectCustomersLeft,
  selectOrdersLeft,
  selectRequestsLeft,
} from './store';

/**
 * The most entries of the journal that one call replays. Each entry costs at most one read of R2 and two batches of D1.
 */
const ENTRIES_MAX = 25;
const KINDS = ['customers', 'requests', 'orders'] as const;
type Kind = (typeof KINDS)[number];

export interface Replayed {
  /** How many entries of the journal were read. */
  entries: number;
  /** How many of the entries that were read could not be understood. */
  unreadable: number;
  /** How many rows were erased by this call. */
  erased: Record<Kind, number>;
  /** Ids protected by a legal hold. */
  onLegalHold: Record<Kind, string[]>;
  nextCursor: string | null;
}

/**
 * Erases again, after a restore of the database, the data that the journal lists. One call handles one page of the
 * journal, oldest entry first. Safe to repeat. Sends no events again. Legal holds in the restored database are
 * respected. A customer is erased even if the restored database has open orders of that customer, because those had
 * ended before the first erasure. Each entry is replayed in the database of its organization, even if another database
 * was restored.
 * @param from.sinceDay `yyyy-mm-dd` (UTC): skips entries of earlier days; for the first page
 * @param alone if given, repeats only the erasures of this organization, on the database of the context
 * @throws AppError `backend_unreachable`; the same call can be repeated
 */
export async function replayErasures(
  ctx: Context,
  from: { cursor?: string; sinceDay?: string },
  alone?: string,
): Promise<Replayed> {
  requireOperator(ctx);
  const { entries, nextCursor } = await readJournal(ctx, from, ENTRIES_MAX);
  const result: Replayed = {
    entries: entries.length,
    unreadable: entries.filter((entry) => entry === null).length,
    erased: { customers: 0, requests: 0, orders: 0 },
    onLegalHold: { customers: [], requests: [], orders: [] },
    nextCursor,
  };
  for (const entry of entries) {
    if (!entry || (alone !== undefined && entry.orgId !== alone)) continue;
    for (const at of alone === undefined ? await homesOf(ctx, entry.orgId) : [ctx]) await replay(at, entry, result);
  }
  return result;
}

type Left = Record<Kind, { id: string; isOnLegalHold: boolean | number }[]>;
type Ids = Record<Kind, string[]>;

async function replay(ctx: Context, entry: JournaledErasure, result: Replayed): Promise<void> {
  const left = await ctx.db.run(selectLeft(entry));
  const free = freeOf(entry, left);
  const isErased = count(free) > 0 && (await eraseAgain(ctx, entry, free));
  for (const kind of KINDS) {
    if (isErased) result.erased[kind] += free[kind].length;
    const kept = left[kind].filter(({ id }) => !isErased || !free[kind].includes(id));
    result.onLegalHold[kind].push(...kept.map(({ id }) => id));
  }
}

/**
 * Selects the rows of a journal entry that still hold personal data. For a customer, also selects rows that the entry
 * does not list because only the restored database has them.
 */
function selectLeft({ orgId, kind, customerIds, requestIds, orderIds }: JournaledErasure) {
  const [customerId] = customerIds;
  const [requests, orders] = [inList(requestIds), inList(orderIds)];
  const isPerson = kind === 'customer' && customerId !== undefined;
  const ofPerson = isPerson && requestsOfPerson(orgId, customerId, requestsOf(customerId));
  return {
    customers: selectCustomersLeft(orgId, customerIds),
    requests: selectRequestsLeft(orgId, ofPerson ? eitherOf(requests, ofPerson) : requests, kind === 'order_request'),
    orders: selectOrdersLeft(orgId, isPerson ? eitherOf(orders, ordersOf(customerId)) : orders),
  };
}

/**
 * Returns the ids of the rows without a legal hold. If any row of a customer has a legal hold, returns no ids, so that
 * all data of the customer are kept.
 */
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

/** Erases the rows in `free`. @returns false if nothing was erased, because a legal hold was set in the meantime */
async function eraseAgain(ctx: Context, { orgId, kind }: JournaledErasure, free: Ids): Promise<boolean> {
  const [requestIds, orderIds] = [inList(free.requests), inList(free.orders)];
  // All events are searched: the journal does not say when the erased rows were created.
  const since = 0;
  const set = { orgId, requestIds, orderIds, since };
  const erased = await tryCommit(ctx, {
    erased:
      kind === 'order'
        ? [
            ...deleteWords({ requestIds: inList([]), orderIds }),
            eraseEmails(orgId, orderIds, ctx.now()),
            emptyAnswers(orgId, orderIds),
            ...withReferencesOfOrders(set, eraseDeletedOrders(orgId, orderIds, ctx.now())),
          ]
        : eraseSet(ctx, set),
    deleted: kind === 'order_request' ? deleteRejected(requestIds) : undefined,
    customers: free.customers.map((id) => eraseCustomer(orgId, id, ctx.now())),
    audit: recordAudit(ctx, { orgId, action: 'retention.replayed', entityId: orgId }),
  });
  return erased !== null;
}
