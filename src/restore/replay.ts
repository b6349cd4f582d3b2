import { type JournalNote, type NoteKind, readNotes } from '../audit/journal';
import { recordAudit } from '../audit/record';
import { endKeyAgain } from '../auth/keys/keys';
import { forgetKeys } from '../auth/keys/use';
import { changeRoleBack, changeSecondFactorBack, endPasswordAgain, revokeMemberAgain } from '../auth/staff/members';
import { homesOf } from '../directory/route';
import { optOutAgain } from '../messages/sending';
import { type Replayed, replayErasures } from '../order-requests/erasure/replay';
import { orderRequests } from '../order-requests/tables';
import { endPaymentLinkAgain } from '../orders/payments/links';
import { customers } from '../orders/tables';
import { requireOperator } from '../platform/access';
import { commit } from '../platform/commit';
import type { Context } from '../platform/context';
import { ifChanged } from '../platform/data/db';
import type { Statement } from '../platform/data/statements';
import { MINUTE_MS } from '../platform/time';
import { removeHostAgain } from '../tenants/hosts';
import { deleteSubscriptionAgain } from '../webhooks/subscriptions/subscriptions';
import { readRecord } from './record';
import { holdAgain, suspendAgain } from './store';

/** The most journal notes that one call repeats. Each note costs one read of R2 and at most two batches of D1. */
const NOTES = 50;

/**
 * The steps in their order. Holds are first: what is on hold must not be erased, and a hold that was lifted must not
 * prevent an erasure.
 */
export const REPLAY_STEPS = ['holds', 'access', 'erasures'] as const;
type ReplayStep = (typeof REPLAY_STEPS)[number];
const NOTES_OF: Record<Exclude<ReplayStep, 'erasures'>, NoteKind> = { holds: 'hold', access: 'access' };

export interface Person {
  orgId: string;
  memberId: string;
}

interface ReplayedPage {
  step: ReplayStep;
  entries: number;
  unreadable: number;
  /** People whose password was replaced in the lost period. They need a link to set a new one. */
  passwordsEnded: Person[];
  /** People who turned on a second factor in the lost period. They have to set up a new one, because theirs is lost. */
  secondFactorsLost: Person[];
  erasures: Pick<Replayed, 'erased' | 'onLegalHold'> | null;
  /** The step and cursor with which the next call continues; null at the end. */
  next: { step: ReplayStep; cursor?: string } | null;
}

/**
 * Repeats the acts in the journal after a restore of the databases: first holds, then ended access, then erasures. Each
 * call repeats one page of a step. The first page begins with the day to which the databases were restored. Safe to
 * repeat, because later changes stay.
 * @throws AppError `not_found`, `backend_unreachable`; the same call may be made again
 */
export async function replayJournal(
  ctx: Context,
  id: string,
  from: { step: ReplayStep; cursor?: string },
): Promise<ReplayedPage> {
  requireOperator(ctx);
  const { at } = await readRecord(ctx, id);
  return replayPage(ctx, at, from);
}

/**
 * The replay begins this much earlier than the organization was fenced (closed) for its file. A note is written before
 * its command is committed, so the file may lack a command whose note is older.
 */
const UNDER_WAY_MS = 10 * MINUTE_MS;

interface Alone {
  orgId: string;
  /** Epoch ms. */
  since: number;
  step: ReplayStep;
  cursor?: string;
}

/**
 * As `replayJournal`, for one organization that is not active yet, on the database of the context.
 * @returns also `suspendedAt`: the time (epoch ms) since which the organization is suspended according to this page
 *   of the journal; null if a suspension has ended; undefined if the page has no note of it
 */
export async function replayFor(ctx: Context, { orgId, since, ...from }: Alone) {
  requireOperator(ctx);
  return replayPage(ctx, since - UNDER_WAY_MS, from, orgId);
}

async function replayPage(
  ctx: Context,
  since: number,
  { step, cursor }: { step: ReplayStep; cursor?: string },
  alone?: string,
): Promise<ReplayedPage & { suspendedAt?: number | null }> {
  const start = { cursor, sinceDay: new Date(since).toISOString().slice(0, 10) };
  if (step === 'erasures') {
    const { entries, unreadable, erased, onLegalHold, nextCursor } = await replayErasures(ctx, start, alone);
    const page = { step, entries, unreadable, ...nobody(), erasures: { erased, onLegalHold } };
    return { ...page, next: nextOf(step, nextCursor) };
  }
  const { entries: notes, nextCursor } = await readNotes(ctx, NOTES_OF[step], start, NOTES);
  const people = nobody();
  let suspendedAt: number | null | undefined;
  for (const note of notes) {
    if (!note || (alone !== undefined && note.orgId !== alone)) continue;
    if (alone !== undefined && note.kind === 'suspension') {
      suspendedAt = note.is_on ? note.at : null;
      continue;
    }
    for (const home of alone === undefined ? await homesOf(ctx, note.orgId) : [ctx]) {
      const hasToAct = await doAgain(home, note);
      const person = { orgId: note.orgId, memberId: note.id };
      if (note.kind === 'password' && hasToAct) people.passwordsEnded.push(person);
      if (note.kind === 'second_factor' && hasToAct) people.secondFactorsLost.push(person);
    }
  }
  forgetKeys();
  const unreadable = notes.filter((note) => note === null).length;
  const page = { step, entries: notes.length, unreadable, ...people, erasures: null };
  return { ...page, suspendedAt, next: nextOf(step, nextCursor) };
}

const nobody = (): Pick<ReplayedPage, 'passwordsEnded' | 'secondFactorsLost'> => {
  return { passwordsEnded: [], secondFactorsLost: [] };
};

function nextOf(step: ReplayStep, cursor: string | null): ReplayedPage['next'] {
  if (cursor !== null) return { step, cursor };
  const after = REPLAY_STEPS[REPLAY_STEPS.indexOf(step) + 1];
  return after ? { step: after } : null;
}

/**
 * Repeats the act that a note records. For a password or a second factor, returns whether the person has to set a new
 * one.
 */
function doAgain(ctx: Context, note: JournalNote): Promise<unknown> {
  const { orgId, id, at } = note;
  const person = { orgId, memberId: id, at };
  switch (note.kind) {
    case 'api_key':
      return endKeyAgain(ctx, { orgId, keyId: id, until: note.until });
    case 'member':
      return revokeMemberAgain(ctx, person);
    case 'role':
      return changeRoleBack(ctx, { ...person, role: note.role });
    case 'password':
      return endPasswordAgain(ctx, person);
    case 'second_factor':
      return changeSecondFactorBack(ctx, { ...person, isOn: note.is_on });
    case 'subscription':
      return deleteSubscriptionAgain(ctx, { orgId, id });
    case 'email_opt_out':
      return optOutAgain(ctx, { orgId, customerId: id });
    case 'payment_link':
      return endPaymentLinkAgain(ctx, { orgId, id });
    case 'shop_host':
    case 'pending_host': {
      const status = note.kind === 'shop_host' ? 'active' : 'pending';
      return removeHostAgain(ctx, { orgId, shopId: id, host: note.host, status, at });
    }
    case 'request_hold':
      return write(ctx, note, 'order_request', holdAgain(orderRequests, orgId, id, note.is_on, ctx.now()));
    case 'customer_hold':
      return write(ctx, note, 'customer', holdAgain(customers, orgId, id, note.is_on, ctx.now()));
    case 'suspension':
      return write(ctx, note, null, suspendAgain(orgId, note.is_on ? at : null));
  }
}

/**
 * Repeats a change that the journal names, with an audit row if it changes anything.
 * @param held the kind of entity that a legal hold is on; null for a suspension
 */
async function write(
  ctx: Context,
  { orgId, id: entityId, is_on }: Extract<JournalNote, { is_on: boolean }>,
  held: 'order_request' | 'customer' | null,
  change: Statement,
): Promise<void> {
  const action = held ? (`${held}.${is_on ? 'held' : 'released'}` as const) : 'organization.updated';
  await commit(ctx, {
    change: ifChanged(change, (onlyIf) => recordAudit(ctx, { orgId, action, entityId, onlyIf })),
  });
}
