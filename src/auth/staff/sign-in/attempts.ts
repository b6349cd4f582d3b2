import type { Context } from '../../../platform/context';
import { AppError } from '../../../platform/errors';
import { assertNotCooling, countAttempt, type Failed, isCooling } from '../../../platform/http/rate-limit';
import { accountsOfDevice, accountTags } from './device';

/** The caller who tries to sign in. */
export interface Caller {
  /** From `callerAddress`. */
  address: string;
  /** The device cookie as sent, if there was one. */
  device: string | undefined;
  /** The session cookie as sent, if there was one: that session ends when another one begins. */
  session?: string | undefined;
}

/**
 * An attempt to sign in. It is counted when it begins, so that no more than the limit are made at the same moment. Only failures
 * stay counted: whoever succeeded, or met a fault of the service, gives the attempt back.
 */
export interface Attempt {
  giveBack(): void;
  /** Leaves it counted for the account. */
  giveBackToAddress(): void;
}

/**
 * Starts an attempt for an account. For a device without a known device cookie, attempts are counted by address, and by
 * account and address. A device that has signed in before is counted separately, so that failures of others at the same
 * address (all computers of a pharmacy may share one) do not lock it out. All known devices of an account share one
 * counter, because each sign-in creates a known device.
 * @throws AppError `rate_limited` while the caller has failed too often; nothing was read or hashed
 */
export async function attemptFor(ctx: Context, email: string, caller: Caller): Promise<Attempt> {
  const tags = await accountTags(ctx, email);
  const [tag] = tags;
  const isKnown = (await accountsOfDevice(ctx, caller.device)).some((account) => tags.includes(account));
  const byDevice = isKnown ? await startOf(ctx, tag) : null;
  if (byDevice) return { giveBack: byDevice, giveBackToAddress: () => undefined };
  const stranger: Failed = { address: caller.address, also: [`account ${tag} ${caller.address}`] };
  assertNotCooling(ctx, 'sign_in', stranger);
  const giveBack = await countAttempt(ctx, 'sign_in', stranger);
  return { giveBack, giveBackToAddress: () => giveBack({ address: caller.address }) };
}

/**
 * Starts an attempt with something that identifies a person without an e-mail address: a second-factor code or a link.
 * @throws AppError `rate_limited` while the address has failed too often
 */
export async function attemptFrom(ctx: Context, caller: Caller): Promise<Pick<Attempt, 'giveBack'>> {
  const [newest] = await accountsOfDevice(ctx, caller.device);
  const byDevice = newest === undefined ? null : await startOf(ctx, newest);
  if (byDevice) return { giveBack: byDevice };
  const stranger: Failed = { address: caller.address };
  assertNotCooling(ctx, 'sign_in', stranger);
  return { giveBack: await countAttempt(ctx, 'sign_in', stranger) };
}

/**
 * Counts an attempt for all known devices of an account. Null when they failed too often: an owner of another organization who
 * gave the address a membership has a known device too, and may have used up the counter that they share. Known devices are
 * then treated as unknown ones.
 */
async function startOf(ctx: Context, tag: string): Promise<(() => void) | null> {
  const devices: Failed = { also: [`known devices ${tag}`] };
  if (isCooling(ctx, 'sign_in', devices)) return null;
  try {
    return await countAttempt(ctx, 'sign_in', devices);
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return null;
    throw error;
  }
}

/** Makes an attempt, and gives it back when the service could not tell whether it fails. */
export async function during<T>(attempt: Pick<Attempt, 'giveBack'>, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    attempt.giveBack();
    throw error;
  }
}
