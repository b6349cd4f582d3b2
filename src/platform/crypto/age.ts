import { Encrypter } from 'age-encryption';

/**
 * Encrypts for an age recipient (`age1…`). Import this file when it is needed: no other request uses it.
 * @throws Error of the library if the recipient is not valid
 */
export function encryptFor(publicKey: string, plain: Uint8Array): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(publicKey);
  return encrypter.encrypt(plain);
}
