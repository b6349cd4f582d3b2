import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption';
import { StartError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';

/** The form of DEPLOY_KEY: an age identity, as `age-keygen` prints it. */
const IDENTITY = /^AGE-SECRET-KEY-1[0-9A-Z]+$/;

export const isIdentity = (text: string | undefined): text is string => text !== undefined && IDENTITY.test(text);

/**
 * The secrets of an environment: the file `<environment>.age` in the operator's repository. It is JSON, encrypted by
 * age for DEPLOY_KEY. It is written as a whole: if a run is killed, the file has either the old or the new content.
 */
export class SecretFile {
  readonly path: string;
  readonly #identity: string;
  #values: Record<string, string> = {};

  /** Does not read the values; `open` does. @param identity empty in a dry run without a key */
  constructor(dir: string, environment: string, identity = '') {
    this.path = join(dir, `${environment}.age`);
    this.#identity = identity;
  }

  /** Reads the file. @throws StartError if the key is not an age identity, or does not decrypt the file */
  static async open(dir: string, environment: string, identity: string | undefined): Promise<SecretFile> {
    const file = new SecretFile(dir, environment, identity);
    if (!isIdentity(identity))
      throw new StartError(`Set DEPLOY_KEY to an age identity (AGE-SECRET-KEY-1…): ${file.path} is encrypted to it.`);
    if (!existsSync(file.path)) return file;
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    try {
      file.#values = JSON.parse(await decrypter.decrypt(readFileSync(file.path), 'text'));
    } catch {
      throw new StartError(`${file.path} cannot be read: DEPLOY_KEY is not the key that it was encrypted to.`);
    }
    return file;
  }

  /** Whether the values are known. False in a dry run without a key. */
  get isRead(): boolean {
    return this.#identity !== '';
  }

  get values(): Readonly<Record<string, string>> {
    return this.#values;
  }

  /**
   * Stores a value. The previous value stays under `<name>~<time>`, because data may need it and there may be no other
   * copy.
   */
  async keep(name: string, value: string): Promise<void> {
    const before = this.#values[name];
    const kept = before === undefined ? {} : { [`${name}~${new Date().toISOString()}`]: before };
    const values = { ...this.#values, ...kept, [name]: value };
    const encrypter = new Encrypter();
    encrypter.addRecipient(await identityToRecipient(this.#identity));
    mkdirSync(join(this.path, '..'), { recursive: true, mode: 0o700 });
    writeWhole(this.path, await encrypter.encrypt(JSON.stringify(values)), 0o600);
    this.#values = values;
  }
}
