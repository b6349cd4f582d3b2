import { joinBytes } from '../platform/http/bytes';

type Bytes = Uint8Array;

/** How a file is encrypted (ISO 32000-2 §7.6.3), the dictionary as text. */
export interface Encryption {
  dictionary: string;
  owner: Bytes;
  user: Bytes;
  /** The first string of the trailer's ID. */
  fileId: Bytes;
}

/** What a password is filled up with (§7.6.4.3.2). */
const PADDING = Uint8Array.from(
  [0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08].concat([
    0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
  ]),
);

/** Whether viewers open the file without asking; also where that is not certain. */
export async function opensWithoutPassword({ dictionary, owner, user, fileId }: Encryption): Promise<boolean> {
  const number = (pattern: RegExp) => Number(pattern.exec(dictionary)?.[1]);
  const [version, revision] = [number(/\/V\s{0,9}(\d)/), number(/\/R\s{0,9}(\d)/)];
  // Any other handler needs a certificate, or the program that it belongs to.
  if (!/\/Filter\s{0,9}\/Standard\b/.test(dictionary)) return !/\/Filter\b/.test(dictionary);
  if (version >= 4 && !/\/StmF\s{0,9}\/(?!Identity\b)/.test(dictionary)) return true;
  if (revision >= 5) {
    // Viewers try the empty password as the owner's, too.
    const of = async (stored: Bytes, more: Bytes) => {
      const salt = stored.slice(32, 40);
      const hash = revision === 5 ? await digest('SHA-256', salt, more) : await hardened(salt, more);
      return isEqual(hash, stored.slice(0, 32));
    };
    return (await of(user, new Uint8Array())) || (await of(owner, user.slice(0, 48)));
  }
  if (!(revision >= 2) || owner.length < 32 || user.length < 16) return true;
  const permissions = new Uint8Array(new Int32Array([number(/\/P\s{0,9}(-?\d{1,10})/)]).buffer);
  const isMetadataPlain = revision >= 4 && /\/EncryptMetadata\s{1,9}false/.test(dictionary);
  const seed = [PADDING, owner.slice(0, 32), permissions, fileId, new Uint8Array(isMetadataPlain ? 4 : 0).fill(0xff)];
  let key = await digest('MD5', ...seed);
  if (revision === 2) return isEqual(rc4(key.slice(0, 5), PADDING), user.slice(0, 32));
  const length = revision >= 4 ? 16 : Math.min((number(/\/Length\s{0,9}(\d{1,3})/) || 40) / 8, 16);
  for (let round = 0; round < 50; round += 1) key = await digest('MD5', key.slice(0, length));
  let shown = await digest('MD5', PADDING, fileId);
  for (let round = 0; round < 20; round += 1) {
    const turned = key.slice(0, length).map((byte) => byte ^ round);
    shown = rc4(turned, shown);
  }
  return isEqual(shown, user.slice(0, 16));
}

/** The hash of revision 6 (algorithm 2.B) of the empty password: 64 to 288 rounds. */
async function hardened(salt: Bytes, more: Bytes): Promise<Bytes> {
  let key = await digest('SHA-256', salt, more);
  for (let round = 1; ; round += 1) {
    const secret = await crypto.subtle.importKey('raw', key.slice(0, 16), 'AES-CBC', false, ['encrypt']);
    const repeated = joinBytes(Array(64).fill([key, more]).flat(), 64 * (key.length + more.length));
    const cipher = await crypto.subtle.encrypt({ name: 'AES-CBC', iv: key.slice(16, 32) }, secret, repeated);
    // The last block is padding.
    const encrypted = new Uint8Array(cipher, 0, repeated.length);
    const rest = encrypted.slice(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = await digest((['SHA-256', 'SHA-384', 'SHA-512'] as const)[rest] ?? 'SHA-256', encrypted);
    if (round >= 64 && (encrypted.at(-1) ?? 0) <= round - 32) return key.slice(0, 32);
  }
}

async function digest(name: string, ...parts: Bytes[]): Promise<Bytes> {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return new Uint8Array(await crypto.subtle.digest(name, joinBytes(parts, size)));
}

function rc4(key: Bytes, bytes: Bytes): Bytes {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index & 255] ?? 0;
  let other = 0;
  const swap = (index: number) => {
    [state[index], state[other]] = [at(other), at(index)];
  };
  for (let index = 0; index < 256; index += 1) {
    other = (other + at(index) + (key[index % key.length] ?? 0)) & 255;
    swap(index);
  }
  other = 0;
  return bytes.map((byte, position) => {
    const index = (position + 1) & 255;
    other = (other + at(index)) & 255;
    swap(index);
    return byte ^ at(at(index) + at(other));
  });
}

function isEqual(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
