import { tryCommit } from '../../../platform/commit';
import type { Context } from '../../../platform/context';
import {
  decrypt,
  encrypt,
  fromBase64,
  isCurrent,
  isSameMac,
  randomBase62,
  toBase64,
} from '../../../platform/crypto/crypto';
import { AppError } from '../../../platform/errors/errors';
import { CODE_FAILURES, CODE_LOCK_MS, CODE_TRIES_MAX, RECOVERY_CODES, SECOND_STEP_MS } from '../../limits';
import { attemptFrom, type Caller, during } from './attempts';
import { findWaiting, newWaiting } from './links';
import { newSession, recordOwn, type SignedIn, signedIn } from './session';
import * as sessionsStore from './store-sessions';
import { CODE, newSecret, stepOf } from './totp';

/** The end of a lock that never ends: a time (epoch ms) that no clock reaches. */
const FOR_GOOD = Number.MAX_SAFE_INTEGER;

/**
 * Makes a token for a sign-in that waits for a code of the second factor, and the statements that store the sign-in.
 * The caller has verified the password.
 */
export function newHalf(ctx: Context, { orgId, memberId }: { orgId: string; memberId: string }) {
  return newWaiting(ctx, 'half sign-in', { orgId, value: memberId, lifeMs: SECOND_STEP_MS });
}

/**
 * Verifies the second step of a sign-in: a code of the app, or one of the recovery codes. A code that was used before
 * counts as a failed attempt.
 * @param input.half the token of the first step's answer
 * @returns null when the code is wrong or was used before, or when the first step is too long ago
 * @throws AppError `rate_limited`, also while the second factor of the person is locked
 */
export async function verifySecondFactor(
  ctx: Context,
  input: { half: string; code: string; caller: Caller },
): Promise<SignedIn | null> {
  const attempt = await attemptFrom(ctx, input.caller);
  const result = await during(attempt, () => tryCode(ctx, input));
  if (result && 'lockedUntil' in result) throw locked(result.lockedUntil, ctx.now());
  if (result) attempt.giveBack();
  return result;
}

async function tryCode(
  globalCtx: Context,
  { half, code, caller }: { half: string; code: string; caller: Caller },
): Promise<SignedIn | { lockedUntil: number } | null> {
  const waiting = await findWaiting(globalCtx, 'half sign-in', half);
  if (!waiting) return null;
  const { ctx, identifiers } = waiting;
  const now = ctx.now();
  // The attempt is counted before it is known whether the code is right.
  const { counted, trying } = await ctx.db.run({
    counted: sessionsStore.countFailure(sessionsStore.memberTrying(identifiers, now, CODE_TRIES_MAX), {
      now,
      ...CODE_FAILURES,
      lockMs: CODE_LOCK_MS,
      forGood: FOR_GOOD,
    }),
    tried: sessionsStore.countTry(identifiers, now, CODE_TRIES_MAX),
    trying: sessionsStore.selectTrying(identifiers, now),
  });
  const [[factor], [person]] = [counted, trying];
  if (!person) return null;
  const { lockedUntil } = person;
  if (!factor) return lockedUntil !== null && lockedUntil > now ? { lockedUntil } : null;
  try {
    const result = await complete(ctx, { identifiers, factor, person, code, caller });
    const isLocked = !result && factor.failures % CODE_FAILURES.eachLocks === 0;
    if (isLocked) await ctx.db.rows(recordOwn(ctx, person, { action: 'member.second_factor_locked' }));
    return result;
  } catch (error) {
    // It is unknown whether the code was right, so the attempt is given back. If that fails, too, the attempt stays
    // counted.
    const back = { failure: sessionsStore.giveFailureBack(factor.id), tried: sessionsStore.giveTryBack(identifiers) };
    await ctx.db.run(back).catch(() => undefined);
    throw error;
  }
}

type Trying = Awaited<ReturnType<typeof sessionsStore.selectTrying>>[number];

/**
 * Begins the session and uses up the code and the waiting sign-in, in one batch. Returns null if the code is wrong or
 * was used before.
 */
async function complete(
  ctx: Context,
  trying: { identifiers: string[]; factor: sessionsStore.StoredFactor; person: Trying; code: string; caller: Caller },
): Promise<SignedIn | null> {
  const { identifiers, factor, person, code, caller } = trying;
  const claim = await claimCode(ctx, factor, code);
  if (!claim) return null;
  const session = await newSession(ctx, person, caller.session);
  const committed = await tryCommit(ctx, {
    half: sessionsStore.useWaitingRow(identifiers, ctx.now()),
    claim,
    session: session.writes,
    audit: recordOwn(ctx, person, {
      action: 'member.signed_in',
      reasonCode: CODE.test(code) ? 'second_factor' : 'recovery_code',
    }),
  });
  return committed && signedIn(ctx, session, person, caller);
}

function locked(until: number, now: number): AppError {
  if (until === FOR_GOOD) {
    return new AppError('rate_limited', 'Too many wrong codes. Ask an owner to reset your second factor.');
  }
  const seconds = Math.ceil((until - now) / 1000);
  return new AppError('rate_limited', 'Too many wrong codes. Try again later.', {
    headers: { 'Retry-After': String(seconds) },
  });
}

const RECOVERY_CODE_HALF = 5;

/** The secrets of a second factor. */
interface SecondFactor {
  /** The key from which the person's app computes codes. */
  secret: Uint8Array<ArrayBuffer>;
  /** Codes that can each be used once, in place of a code of the app. */
  recoveryCodes: string[];
}

export function newSecondFactor(): SecondFactor {
  const half = () => randomBase62(RECOVERY_CODE_HALF);
  return { secret: newSecret(), recoveryCodes: Array.from({ length: RECOVERY_CODES }, () => `${half()}-${half()}`) };
}

/** Encrypts a second factor under the current root secret. The ciphertext is bound to the person. */
export async function sealFactor(
  ctx: Context,
  memberId: string,
  factor: SecondFactor,
): Promise<sessionsStore.SealedFactor> {
  const seal = (text: string, context: string) => encrypt(ctx.config.roots, 'second factor', text, context);
  return {
    secret: await seal(toBase64(factor.secret), `second factor of ${memberId}`),
    backupCodes: await seal(JSON.stringify(factor.recoveryCodes), `recovery codes of ${memberId}`),
  };
}

/** Decrypts a second factor. @throws when the root secret that encrypted it is gone */
export async function openFactor(
  ctx: Context,
  memberId: string,
  sealed: sessionsStore.SealedFactor,
): Promise<SecondFactor> {
  const open = (text: string, context: string) => decrypt(ctx.config.roots, 'second factor', text, context);
  const codes = await open(sealed.backupCodes, `recovery codes of ${memberId}`);
  return {
    secret: fromBase64(await open(sealed.secret, `second factor of ${memberId}`)),
    recoveryCodes: JSON.parse(codes) as string[],
  };
}

/**
 * Returns the write that uses up a code of the app or a recovery code; null for a wrong code. Add it to the batch of
 * the command that needs the code. The batch is rolled back if the code was used in the meantime, so each code counts
 * once (RFC 6238 §5.2).
 */
export async function claimCode(ctx: Context, stored: sessionsStore.StoredFactor, code: string) {
  const { memberId } = stored;
  const factor = await openFactor(ctx, memberId, stored);
  if (CODE.test(code)) {
    const step = await stepOf(factor.secret, code, ctx.now());
    if (step === null) return null;
    const anew = isCurrent(ctx.config.roots, stored.secret) ? undefined : await sealFactor(ctx, memberId, factor);
    return sessionsStore.claimCodeRow(stored, { step, to: anew });
  }
  const recoveryCodes = factor.recoveryCodes.filter((each) => !isSameMac(each, code));
  if (recoveryCodes.length === factor.recoveryCodes.length) return null;
  return sessionsStore.claimCodeRow(stored, { to: await sealFactor(ctx, memberId, { ...factor, recoveryCodes }) });
}
