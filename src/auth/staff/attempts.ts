import type { Context } from '../../platform/context';
import { assertNotCooling, countFailure, type Failed, isCooling } from '../../platform/rate-limit';
import { accountsOfDevice, accountTags } from './device';

/** The caller who tries to sign in. */
export interface Caller {
  /** From `callerAddress`. */
  address: string;
  /** The device cookie as sent, if there was one. */
  device: string | undefined;
}

/** An attempt to sign in. Only failures count, so that nobody is refused because of attempts from elsewhere. */
export interface Attempt {
  /** Counts a failure. @throws AppError `rate_limited` when there were too many failures */
  fail(): Promise<void>;
  /** Counts a failure for the account only. @throws as `fail` */
  failForAccount(): Promise<void>;
}

/**
 * Starts an attempt for an account. For a device without a known device cookie, failures are counted by address, and by
 * account and address. A device that has signed in before is counted separately, so that failures of others at the same
 * address (all computers of a pharmacy may share one) do not lock it out. All known devices of an account share one
 * counter, because each sign-in creates a known device.
 * @throws AppError `rate_limited` while the caller has failed too often; nothing was read or hashed
 */
export async function attemptFor(ctx: Context, email: string, caller: Caller): Promise<Attempt> {
  const tags = await accountTags(ctx, email);
  const [tag] = tags;
  const devices: Failed = { also: [`known devices ${tag}`] };
  const isKnown = (await accountsOfDevice(ctx, caller.device)).some((account) => tags.includes(account));
  // An owner of another organization who gave the address a membership has a known device too. If they use up the
  // shared counter, all known devices are only treated as unknown ones.
  const isStranger = !isKnown || isCooling(ctx, 'sign_in', devices);
  const account = `account ${tag} ${caller.address}`;
  const counters = isStranger ? { address: caller.address, also: [account] } : devices;
  assertNotCooling(ctx, 'sign_in', counters);
  return {
    fail: () => countFailure(ctx, 'sign_in', counters),
    failForAccount: () => countFailure(ctx, 'sign_in', isStranger ? { also: [account] } : devices),
  };
}

/**
 * Starts an attempt with something that identifies a person without an e-mail address: a second-factor code or a link.
 * @throws AppError `rate_limited` while the address has failed too often
 */
export async function attemptFrom(ctx: Context, caller: Caller): Promise<Pick<Attempt, 'fail'>> {
  const [newest] = await accountsOfDevice(ctx, caller.device);
  const devices: Failed = { also: [`known devices ${newest}`] };
  const isStranger = newest === undefined || isCooling(ctx, 'sign_in', devices);
  const counters = isStranger ? { address: caller.address } : devices;
  assertNotCooling(ctx, 'sign_in', counters);
  return { fail: () => countFailure(ctx, 'sign_in', counters) };
}
