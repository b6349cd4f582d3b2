import { requireSystem } from '../platform/access';
import { type BatchEntry, commit } from '../platform/commit';
import { type Context, forOrganization } from '../platform/context';
import type { Condition } from '../platform/data/statements';
import { newId } from '../platform/ids';
import { describeError } from '../platform/log';
import { ledgerWriter, productEvents, stockEvents } from './ledger';
import {
  insertReleased,
  insertReserved,
  type Reserved,
  type ReservedItem,
  selectDueReservations,
} from './store-reservations';

interface NewReservation {
  orgId: string;
  shopId: string;
  requestId: string;
  items: readonly ReservedItem[];
  /** The products that the items name. */
  p1Ids: readonly string[];
  /** Epoch ms. */
  until: number;
  familyId: string;
  share: number | null;
}

/** Reserves a request's items in the batch that stores it, as far as stock goes, with the events that follow. */
export function reserveEntries(ctx: Context, { p1Ids, ...of }: NewReservation, onlyIf: Condition): BatchEntry[] {
  if (p1Ids.length === 0) return [];
  const id = newId();
  const moved = p1Ids.map((p1Id) => ({ p1Id, id, movementId: id }));
  return [
    insertReserved({ ...ledgerWriter(ctx, of.orgId), ...of, id }, onlyIf),
    ...productEvents(ctx, of.orgId, moved),
    ...stockEvents(ctx, of.orgId, moved),
  ];
}

/**
 * Releases reservations in the batch that ends their requests, with one event for each product.
 * @param reserved as they were read; what was released since is left out
 * @param dueAt only those that end by then, epoch ms
 */
export function releaseEntries(
  ctx: Context,
  orgId: string,
  reserved: readonly Reserved[],
  dueAt: number | null = null,
): BatchEntry[] {
  if (reserved.length === 0) return [];
  const released = reserved.map(({ requestId, p1Id }) => ({ requestId, p1Id, id: newId() }));
  const changed = new Map(released.map(({ p1Id, id }) => [p1Id, { p1Id, movementId: id }]));
  return [
    insertReleased({ ...ledgerWriter(ctx, orgId), released, dueAt }),
    ...productEvents(ctx, orgId, [...changed.values()]),
  ];
}

/** Reservations that a run of the minute's job reads. */
const DUE_MAX = 200;
/** D1 allows 1,000 queries per invocation, shared with other jobs. */
const STATEMENTS_MAX = 300;

/** Releases reservations whose time is over, request by request. A failure is logged and does not stop the others. */
export async function sweepReservations(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const due = await ctx.db.rows(selectDueReservations(ctx.now(), DUE_MAX));
  for (const requestId of new Set(due.map((each) => each.requestId))) {
    if (ctx.db.meter.statements >= STATEMENTS_MAX) break;
    const theirs = due.filter((each) => each.requestId === requestId);
    const orgId = theirs[0]?.orgId ?? '';
    try {
      await commit(forOrganization(ctx, orgId), { released: releaseEntries(ctx, orgId, theirs, ctx.now()) });
    } catch (error) {
      ctx.log('error', 'reservation_not_released', { org_id: orgId, ...describeError(error) });
    }
  }
}
