import { tryCommit } from '../../../platform/commit';
import type { Context } from '../../../platform/context';
import { AppError } from '../../../platform/errors';
import { MINUTE_MS } from '../../../platform/time';
import { attemptFrom, type Caller, during } from './attempts';
import { claimCode } from './second-factor';
import { newSession, recordOwn, type SignedIn, signedIn } from './session';
import { countFailure, giveFailureBack, type StoredFactor } from './store-factors';
import { countTry, giveTryBack, memberTrying, selectTrying, useWaitingRow } from './store-waiting';
import { CODE } from './totp';
import { findWaiting, newWaiting } from './waiting';

/** How long a sign-in waits for its code, and how many may be tried meanwhile. */
const HALF_MS = 10 * MINUTE_MS;
const TRIES_MAX = 5;
/** Wrong codes in a row, over all sign-ins of a person, that lock the second factor (NIST SP 800-63B §5.2.2). */
const FAILURES_MAX = 10;
const LOCK_MS = 15 * MINUTE_MS;

/** A sign-in whose password was right, and that waits for a code of the second factor. */
export function newHalf(ctx: Context, { orgId, memberId }: { orgId: string; memberId: string }) {
  return newWaiting(ctx, 'half sign-in', { orgId, value: memberId, lifeMs: HALF_MS });
}

/**
 * The second step of a sign-in: a code of the app, or one of the recovery codes. A code that was used before costs one
 * attempt.
 * @param input.half the token of the first step's answer
 * @returns null when the code is wrong or was used before, or when the first step is too long ago
 * @throws AppError `rate_limited`, also after ten wrong codes in a row for this person
 */
export async function verifySecondFactor(
  ctx: Context,
  input: { half: string; code: string; caller: Caller },
): Promise<SignedIn | null> {
  const attempt = await attemptFrom(ctx, input.caller);
  const result = await during(attempt, () => tryCode(ctx, input));
  if (result === 'locked') throw locked();
  if (result) attempt.giveBack();
  return result;
}

async function tryCode(
  globalCtx: Context,
  { half, code, caller }: { half: string; code: string; caller: Caller },
): Promise<SignedIn | 'locked' | null> {
  const waiting = await findWaiting(globalCtx, 'half sign-in', half);
  if (!waiting) return null;
  const { ctx, identifiers } = waiting;
  const now = ctx.now();
  // Counted before it is known whether the code is right.
  const { counted, trying } = await ctx.db.run({
    counted: countFailure(memberTrying(identifiers, now, TRIES_MAX), {
      now,
      max: FAILURES_MAX,
      lockedTo: now + LOCK_MS,
    }),
    tried: countTry(identifiers, now, TRIES_MAX),
    trying: selectTrying(identifiers, now),
  });
  const [[factor], [person]] = [counted, trying];
  if (!person) return null;
  if (!factor) return Number(person.lockedUntil) > now ? 'locked' : null;
  try {
    const result = await complete(ctx, { identifiers, factor, person, code, caller });
    const isLocked = !result && factor.failures >= FAILURES_MAX;
    if (isLocked) await ctx.db.rows(recordOwn(ctx, person, { action: 'member.second_factor_locked' }));
    return result;
  } catch (error) {
    // Nobody knows whether the code was right. Where this fails, too, the attempt is lost.
    const back = { failure: giveFailureBack(factor.id), tried: giveTryBack(identifiers) };
    await ctx.db.run(back).catch(() => undefined);
    throw error;
  }
}

type Trying = Awaited<ReturnType<typeof selectTrying>>[number];

/** Begins the session and uses up the code and the waiting sign-in, in one batch. Null for a code that is wrong or used. */
async function complete(
  ctx: Context,
  trying: { identifiers: string[]; factor: StoredFactor; person: Trying; code: string; caller: Caller },
): Promise<SignedIn | null> {
  const { identifiers, factor, person, code, caller } = trying;
  const claim = await claimCode(ctx, factor, code);
  if (!claim) return null;
  const session = await newSession(ctx, person, caller.session);
  const committed = await tryCommit(ctx, {
    half: useWaitingRow(identifiers, ctx.now()),
    claim,
    session: session.writes,
    audit: recordOwn(ctx, person, {
      action: 'member.signed_in',
      reasonCode: CODE.test(code) ? 'second_factor' : 'recovery_code',
    }),
  });
  return committed && signedIn(ctx, session, person, caller);
}

function locked(): AppError {
  return new AppError('rate_limited', 'Too many wrong codes. Wait a quarter of an hour.', {
    headers: { 'Retry-After': String(LOCK_MS / 1000) },
  });
}
