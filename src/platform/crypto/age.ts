import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { utf8 } from './crypto';

/**
 * Encrypts for an age recipient (`age1…`). Import this file when it is needed: no other request uses it.
 * @throws Error of the library if the recipient is not valid
 */
export function encryptFor(publicKey: string, plain: Uint8Array): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(publicKey);
  return encrypter.encrypt(plain);
}

/**
 * log2 of the work factor of scrypt. It takes 32 MiB of the 128 MiB of an isolate; the default of age (18) would take more
 * than there is.
 */
const SCRYPT_LOG_N = 15;

/** A new recipient, and its identity encrypted for a passphrase, as `age --decrypt` opens it. */
export async function newKeyFor(passphrase: string): Promise<{ recipient: string; key: Uint8Array }> {
  const identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(SCRYPT_LOG_N);
  return { recipient: await identityToRecipient(identity), key: await encrypter.encrypt(utf8(identity)) };
}
