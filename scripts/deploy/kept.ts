import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';

export const PASSPHRASE_LENGTH_MIN = 16;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** What a deployment knows of its account: ids, no secrets. A file that git ignores. */
export interface Known {
  /** Ids of databases by their names. */
  databases: Record<string, string>;
  /** Names of secrets with another value than the Worker has: the next deployment brings them. */
  changedSecrets?: string[];
  /** By git sha: where each database stood before its migrations. */
  bookmarks: Record<string, Record<string, string>>;
  /** The version that had the traffic before the current one. */
  versionBefore?: string;
  smoke: {
    orgId?: string;
    hasShop?: true;
    hasSubscription?: true;
    /** The version whose order was delivered. */
    version?: string;
  };
}

/**
 * What is kept of an environment between two runs: ids in `<environment>.json`, secrets in `<environment>.secrets`, encrypted
 * with AES-256-GCM under a key that scrypt derives from a passphrase. Each is written whole, so that a run that is killed
 * leaves the one before or the one after.
 */
export class Kept {
  readonly known: Known;
  readonly #dir: string;
  readonly #environment: string;
  readonly #passphrase: string | undefined;
  #secrets: Record<string, string> | null = null;
  #salt: Buffer | null = null;
  #derived: Buffer | null = null;

  constructor(dir: string, environment: string, passphrase: string | undefined) {
    this.#dir = dir;
    this.#environment = environment;
    this.#passphrase = passphrase;
    const text = read(this.#path('json'));
    const known = text === null ? {} : (JSON.parse(text.toString('utf8')) as Partial<Known>);
    this.known = { databases: {}, bookmarks: {}, smoke: {}, ...known };
  }

  /** Whether secrets can be read and kept. */
  get hasPassphrase(): boolean {
    return (this.#passphrase?.length ?? 0) >= PASSPHRASE_LENGTH_MIN;
  }

  /** Where the secrets are. */
  get secretsPath(): string {
    return this.#path('secrets');
  }

  saveKnown(): void {
    this.#write('json', `${JSON.stringify(this.known, null, 2)}\n`);
  }

  /** @throws StartError when there are some and the passphrase is not theirs */
  get secrets(): Readonly<Record<string, string>> {
    this.#secrets ??= this.#readSecrets();
    return this.#secrets;
  }

  /** The value before stays under its name and the time: nothing else may have it, and data may need it. */
  keepSecret(name: string, value: string): void {
    const before = this.secrets[name];
    const kept = before === undefined ? {} : { [`${name}~${new Date().toISOString()}`]: before };
    this.#secrets = { ...this.secrets, ...kept, [name]: value };
    const salt = this.#salt ?? randomBytes(SALT_BYTES);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key(salt), iv);
    const sealed = Buffer.concat([cipher.update(JSON.stringify(this.#secrets), 'utf8'), cipher.final()]);
    this.#write('secrets', Buffer.concat([salt, iv, cipher.getAuthTag(), sealed]));
  }

  #readSecrets(): Record<string, string> {
    const bytes = read(this.#path('secrets'));
    if (bytes === null) return {};
    const [ivAt, tagAt, sealedAt] = [SALT_BYTES, SALT_BYTES + IV_BYTES, SALT_BYTES + IV_BYTES + TAG_BYTES];
    const decipher = createDecipheriv('aes-256-gcm', this.#key(bytes.subarray(0, ivAt)), bytes.subarray(ivAt, tagAt));
    decipher.setAuthTag(bytes.subarray(tagAt, sealedAt));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(sealedAt)), decipher.final()]).toString('utf8');
      return JSON.parse(text) as Record<string, string>;
    } catch {
      throw new StartError(
        `${this.secretsPath} cannot be read: DEPLOY_PASSPHRASE is not the one that it was written with.`,
      );
    }
  }

  #key(salt: Uint8Array): Buffer {
    if (this.#derived && this.#salt?.equals(salt)) return this.#derived;
    if (!this.hasPassphrase) {
      throw new StartError(
        `Set DEPLOY_PASSPHRASE (${PASSPHRASE_LENGTH_MIN} characters or more): ${this.secretsPath} is encrypted with it.`,
      );
    }
    this.#salt = Buffer.from(salt);
    this.#derived = scryptSync(this.#passphrase ?? '', salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
    return this.#derived;
  }

  #path(ending: 'json' | 'secrets'): string {
    return join(this.#dir, `${this.#environment}.${ending}`);
  }

  #write(ending: 'json' | 'secrets', content: string | Uint8Array): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    const path = this.#path(ending);
    writeWhole(path, content, 0o600);
  }
}

function read(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}
