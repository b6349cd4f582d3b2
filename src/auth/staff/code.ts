import type { BatchEntry } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { utf8 } from '../../platform/crypto';
import { decryptSecret } from './better-auth';
import { claimStepRow } from './store-resets';
import type { StaffRow } from './store-staff';

/** The time step of RFC 6238 §4, the same that better-auth uses. */
const PERIOD_MS = 30_000;
const DIGITS = 6;
/**
 * Codes of one step before or after are accepted (RFC 6238 §5.2). -2 is included because a new step may have begun
 * after the code was verified.
 */
const STEPS_OFF = [1, 0, -1, -2];

export const CODE = /^\d{6}$/;

/**
 * Makes sure that a code is accepted only once (RFC 6238 §5.2), for the batch that creates the session: when two
 * requests use the same code at the same moment, one succeeds.
 * @param row the second factor for which better-auth has accepted the code
 */
export async function claimCode(ctx: Context, row: StaffRow | undefined, code: string): Promise<BatchEntry[]> {
  if (!row) throw new Error('no second factor was read');
  const key = await readKey(await decryptSecret(ctx, String(row.secret)));
  const now = Math.floor(ctx.now() / PERIOD_MS);
  const codes = await Promise.all(STEPS_OFF.map((off) => codeAt(key, now + off)));
  const step = STEPS_OFF.findIndex((_, index) => codes[index] === code);
  if (step < 0) throw new Error('the code was right for no step');
  return [claimStepRow(String(row.id), now + (STEPS_OFF[step] ?? 0))];
}

function readKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
}

/** The HOTP (RFC 4226 §5.3) of a time step. */
async function codeAt(key: CryptoKey, step: number): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer));
  const offset = mac.getUint8(mac.byteLength - 1) & 15;
  return String((mac.getUint32(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}
