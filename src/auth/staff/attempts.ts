import type { Context } from '../../platform/context';
import { assertNotCooling, countFailure, type Failed, isCooling } from '../../platform/rate-limit';
import { accountsOfDevice, accountTag } from './device';

/** Who tries. */
export interface Caller {
  /** As `callerAddress` gives it. */
  address: string;
  /** The device cookie as sent, if one was. */
  device: string | undefined;
}

/** A try to sign in. Only failures count, so that nobody is turned away for what strangers elsewhere do. */
export interface Attempt {
  /** @throws AppError `rate_limited` when that was one failure too many */
  fail(): Promise<void>;
  /** Counts for the account alone. @throws as `fail` */
  failForAccount(): Promise<void>;
}

/**
 * Begins a try for an account. Strangers are counted by address, and by account and address. A device that signed in
 * before is counted apart from them: what they do at the same address, in a pharmacy with one line for everybody, does
 * not stop it. All known devices of an account share a counter, since each sign-in makes one.
 * @throws AppError `rate_limited` while the caller has failed too often; nothing was read or hashed
 */
export async function attemptFor(ctx: Context, email: string, caller: Caller): Promise<Attempt> {
  const tag = await accountTag(ctx, email);
  const devices: Failed = { also: [`known devices ${tag}`] };
  const isKnown = (await accountsOfDevice(ctx, caller.device)).includes(tag);
  // An owner elsewhere who gave the address a membership has a known device, too: at worst all of them count as strange.
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
 * Begins a try by something that stands for a person without naming an address: the code of a second factor, a link.
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
