import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { utf8 } from './crypto';

/**
 * Encrypts bytes for an age recipient (`age1…`). Import this file dynamically, because few requests need it.
 * @throws Error of the library if the recipient is invalid
 */
export function encryptFor(publicKey: string, plain: Uint8Array): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(publicKey);
  return encrypter.encrypt(plain);
}

/**
 * The base-2 logarithm of scrypt's work factor. At 15, scrypt takes 32 MiB of the isolate's 128 MiB. At 18, the default
 * of age, it would take 256 MiB.
 */
const SCRYPT_LOG_N = 15;

/** Returns a new recipient, and its identity encrypted with a passphrase. `age --decrypt` opens the identity. */
export async function newKeyFor(passphrase: string): Promise<{ recipient: string; key: Uint8Array }> {
  const identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(SCRYPT_LOG_N);
  return { recipient: await identityToRecipient(identity), key: await encrypter.encrypt(utf8(identity)) };
}
