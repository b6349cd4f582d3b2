import type { Context } from '../../../platform/context';
import {
  decrypt,
  encrypt,
  fromBase64,
  isSameMac,
  isUnderCurrentKey,
  randomBase62,
  toBase64,
} from '../../../platform/crypto';
import { claimCodeRow, type SealedFactor, type StoredFactor } from './store-factors';
import { CODE, newSecret, stepOf } from './totp';

const RECOVERY_CODES = 10;
const RECOVERY_CODE_HALF = 5;

/** What a person proves the second factor with. */
export interface SecondFactor {
  /** The key that the person's app has. */
  secret: Uint8Array<ArrayBuffer>;
  /** Each is good once, in place of a code. */
  recoveryCodes: string[];
}

export function newSecondFactor(): SecondFactor {
  const half = () => randomBase62(RECOVERY_CODE_HALF);
  return { secret: newSecret(), recoveryCodes: Array.from({ length: RECOVERY_CODES }, () => `${half()}-${half()}`) };
}

/** Encrypted under the first secret of AUTH_SECRETS, for the person alone. */
export async function sealFactor(ctx: Context, memberId: string, factor: SecondFactor): Promise<SealedFactor> {
  const keys = ctx.config.authSecrets;
  return {
    secret: await encrypt(keys, toBase64(factor.secret), `second factor of ${memberId}`),
    backupCodes: await encrypt(keys, JSON.stringify(factor.recoveryCodes), `recovery codes of ${memberId}`),
  };
}

/** @throws when AUTH_SECRETS has not the secret under which it was encrypted */
export async function openFactor(ctx: Context, memberId: string, sealed: SealedFactor): Promise<SecondFactor> {
  const keys = ctx.config.authSecrets;
  const codes = await decrypt(keys, sealed.backupCodes, `recovery codes of ${memberId}`);
  return {
    secret: fromBase64(await decrypt(keys, sealed.secret, `second factor of ${memberId}`)),
    recoveryCodes: JSON.parse(codes) as string[],
  };
}

/**
 * The write that uses up a code of the app, or a recovery code; null for a wrong one. It is for the batch that opens what the
 * code opens, which is undone if the code was used meanwhile: each counts once (RFC 6238 §5.2).
 */
export async function claimCode(ctx: Context, stored: StoredFactor, code: string) {
  const { memberId } = stored;
  const factor = await openFactor(ctx, memberId, stored);
  if (CODE.test(code)) {
    const step = await stepOf(factor.secret, code, ctx.now());
    if (step === null) return null;
    const isCurrent = isUnderCurrentKey(ctx.config.authSecrets, stored.secret);
    const anew = isCurrent ? undefined : await sealFactor(ctx, memberId, factor);
    return claimCodeRow(stored, { step, to: anew });
  }
  const recoveryCodes = factor.recoveryCodes.filter((each) => !isSameMac(each, code));
  if (recoveryCodes.length === factor.recoveryCodes.length) return null;
  return claimCodeRow(stored, { to: await sealFactor(ctx, memberId, { ...factor, recoveryCodes }) });
}
