import { isSameMac } from '../../../platform/crypto/crypto';

const PERIOD_MS = 30_000;
const DIGITS = 6;
/** The length of a secret in bytes. RFC 4226 §4 asks for at least 16. */
const SECRET_BYTES = 32;
/** Codes of one step before or after are accepted, since clocks differ (RFC 6238 §5.2). */
const STEPS_OFF = [0, -1, 1];
const ISSUER = 'Offizin';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The format of an authenticator app's code. */
export const CODE = /^\d{6}$/;

export function newSecret(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
}

/**
 * Returns the time step of a code (TOTP, RFC 6238 §4); null for a code that is wrong or too old.
 * @param now epoch ms
 */
export async function stepOf(secret: Uint8Array<ArrayBuffer>, code: string, now: number): Promise<number | null> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  const steps = STEPS_OFF.map((off) => Math.floor(now / PERIOD_MS) + off).filter((step) => step >= 0);
  const codes = await Promise.all(steps.map((step) => codeAt(key, step)));
  return steps.find((_, index) => isSameMac(codes[index] ?? '', code)) ?? null;
}

/** Returns the HOTP (RFC 4226 §5.3) of a time step. */
async function codeAt(key: CryptoKey, step: number): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer));
  const offset = mac.getUint8(mac.byteLength - 1) & 15;
  return String((mac.getUint32(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Returns the `otpauth://` address that an app reads from a QR code. */
export function uriOf(secret: Uint8Array, email: string): string {
  const parameters = { secret: toBase32(secret), issuer: ISSUER, digits: DIGITS, period: PERIOD_MS / 1000 };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return `otpauth://totp/${ISSUER}:${encodeURIComponent(email)}?${query.join('&')}`;
}

/** Returns the bytes in Base32 (RFC 4648 §6) without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}
