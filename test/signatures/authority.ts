import { ed448 } from '@noble/curves/ed448.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from '@noble/curves/misc.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { sha3_256, shake256 } from '@noble/hashes/sha3.js';
import { type Bytes, hex, joined } from '../../src/signatures/bytes';

/** A certificate authority for tests: DER by hand, keys by WebCrypto and @noble/curves. */

type Part = Bytes | readonly Part[];

export function tlv(tag: number, ...parts: Part[]): Bytes {
  const content = joined((parts as readonly Part[]).flat(8) as Bytes[]);
  const { length } = content;
  const size =
    length < 128
      ? [length]
      : length < 256
        ? [0x81, length]
        : length < 65_536
          ? [0x82, length >> 8, length & 255]
          : [0x83, length >> 16, (length >> 8) & 255, length & 255];
  return joined([Uint8Array.from([tag, ...size]), content]);
}

const bytesOf = (...bytes: number[]): Bytes => Uint8Array.from(bytes);
export const seq = (...parts: Part[]): Bytes => tlv(0x30, ...parts);
const set = (...parts: Part[]): Bytes => tlv(0x31, ...parts);
export const ctx = (number: number, ...parts: Part[]): Bytes => tlv(0xa0 | number, ...parts);
const octets = (bytes: Bytes): Bytes => tlv(0x04, bytes);
const bits = (bytes: Bytes): Bytes => tlv(0x03, bytesOf(0), bytes);
export const int = (number: number | Bytes): Bytes => {
  const bytes =
    typeof number === 'number'
      ? number < 128
        ? [number]
        : number < 32_768
          ? [number >> 8, number & 255]
          : [number >> 16, (number >> 8) & 255, number & 255]
      : [...number];
  while (bytes.length > 1 && bytes[0] === 0 && (bytes[1] ?? 0) < 128) bytes.shift();
  return tlv(0x02, Uint8Array.from((bytes[0] ?? 0) >= 128 ? [0, ...bytes] : bytes));
};
export const oid = (text: string): Bytes => {
  const [a = 0, b = 0, ...rest] = text.split('.').map(Number);
  const out: number[] = [];
  for (const number of [a * 40 + b, ...rest]) {
    const digits = [number % 128];
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left % 128) + 128);
    out.push(...digits);
  }
  return tlv(0x06, Uint8Array.from(out));
};
const utf8 = (text: string): Bytes => tlv(0x0c, new TextEncoder().encode(text));
const time = (iso: string): Bytes => tlv(0x18, new TextEncoder().encode(iso.replace(/[-:T]/g, '')));
const none = tlv(0x05);

export const sha = async (hash: string, bytes: Bytes): Promise<Bytes> =>
  hash === 'SHAKE256'
    ? shake256(bytes, { dkLen: 64 })
    : hash === 'SHA3-256'
      ? sha3_256(bytes)
      : new Uint8Array(await crypto.subtle.digest(hash, bytes as BufferSource));

const HASH_OIDS: Record<string, string> = {
  'SHA3-256': '2.16.840.1.101.3.4.2.8',
  'SHA-1': '1.3.14.3.2.26',
  'SHA-256': '2.16.840.1.101.3.4.2.1',
  'SHA-384': '2.16.840.1.101.3.4.2.2',
  'SHA-512': '2.16.840.1.101.3.4.2.3',
  SHAKE256: '2.16.840.1.101.3.4.2.12',
};
const CURVES = {
  p256: { curve: p256, oid: '1.2.840.10045.3.1.7', hash: 'SHA-256' },
  'p256-sha3': { curve: p256, oid: '1.2.840.10045.3.1.7', hash: 'SHA3-256' },
  p384: { curve: p384, oid: '1.3.132.0.34', hash: 'SHA-384' },
  p521: { curve: p521, oid: '1.3.132.0.35', hash: 'SHA-512' },
  bp256: { curve: brainpoolP256r1, oid: '1.3.36.3.3.2.8.1.1.7', hash: 'SHA-256' },
  bp384: { curve: brainpoolP384r1, oid: '1.3.36.3.3.2.8.1.1.11', hash: 'SHA-384' },
  bp512: { curve: brainpoolP512r1, oid: '1.3.36.3.3.2.8.1.1.13', hash: 'SHA-512' },
} as const;
const EDWARDS = {
  ed25519: { curve: ed25519, oid: '1.3.101.112', hash: 'SHA-512' },
  ed448: { curve: ed448, oid: '1.3.101.113', hash: 'SHAKE256' },
} as const;
export type KeyKind = keyof typeof CURVES | keyof typeof EDWARDS | 'rsa' | 'rsa1024' | 'rsa-sha1' | 'pss';

interface Key {
  kind: KeyKind;
  hash: string;
  info: Bytes;
  sign(data: Bytes, isPlain?: boolean): Promise<{ algorithm: Bytes; signature: Bytes }>;
}

const hashAlgorithm = (hash: string): Bytes => seq(oid(HASH_OIDS[hash] ?? ''), none);

async function makeKey(kind: KeyKind): Promise<Key> {
  if (kind in CURVES) {
    const { curve, oid: curveOid, hash } = CURVES[kind as keyof typeof CURVES];
    const secret = curve.utils.randomSecretKey();
    const info = seq(seq(oid('1.2.840.10045.2.1'), oid(curveOid)), bits(curve.getPublicKey(secret, false)));
    const last = { 'SHA-256': 2, 'SHA-384': 3, 'SHA-512': 4, 'SHA3-256': 0 }[hash];
    return {
      kind,
      hash,
      info,
      sign: async (data, isPlain) => {
        const compact = curve.sign(await sha(hash, data), secret, { prehash: false, lowS: false, format: 'compact' });
        const half = compact.length / 2;
        return isPlain
          ? { algorithm: seq(oid(`0.4.0.127.0.7.1.1.4.1.${last + 1}`)), signature: compact }
          : {
              algorithm: seq(oid(last ? `1.2.840.10045.4.3.${last}` : '2.16.840.1.101.3.4.3.10')),
              signature: seq(int(compact.subarray(0, half)), int(compact.subarray(half))),
            };
      },
    };
  }
  if (kind in EDWARDS) {
    const { curve, oid: id, hash } = EDWARDS[kind as keyof typeof EDWARDS];
    const secret = curve.utils.randomSecretKey();
    const algorithm = seq(oid(id));
    const info = seq(algorithm, bits(curve.getPublicKey(secret)));
    return { kind, hash, info, sign: async (data) => ({ algorithm, signature: curve.sign(data, secret) }) };
  }
  const hash = kind === 'rsa-sha1' ? 'SHA-1' : 'SHA-256';
  const name = kind === 'pss' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5';
  const pair = (await crypto.subtle.generateKey(
    {
      name,
      modulusLength: kind === 'rsa1024' ? 1_024 : 2_048,
      publicExponent: bytesOf(1, 0, 1),
      hash,
    } as never,
    true,
    ['sign', 'verify'],
  )) as CryptoKeyPair;
  const exported = new Uint8Array((await crypto.subtle.exportKey('spki', pair.publicKey)) as ArrayBuffer);
  const pss = seq(
    oid('1.2.840.113549.1.1.10'),
    seq(ctx(0, hashAlgorithm(hash)), ctx(1, seq(oid('1.2.840.113549.1.1.8'), hashAlgorithm(hash))), ctx(2, int(32))),
  );
  return {
    kind,
    hash,
    info: exported,
    sign: async (data) => ({
      algorithm:
        kind === 'pss' ? pss : seq(oid(hash === 'SHA-1' ? '1.2.840.113549.1.1.5' : '1.2.840.113549.1.1.11'), none),
      signature: new Uint8Array(
        await crypto.subtle.sign({ name, saltLength: 32 }, pair.privateKey, data as BufferSource),
      ),
    }),
  };
}

export interface Holder {
  key: Key;
  certificate: Bytes;
  name: Bytes;
  issuerName: Bytes;
  /** Encoded. */
  serial: Bytes;
}

export const nameOf = (...pairs: [string, string][]): Bytes =>
  seq(...pairs.map(([type, value]) => set(seq(oid(type), utf8(value)))));
export const extension = (id: string, value: Bytes, isCritical = false): Bytes =>
  seq(oid(id), ...(isCritical ? [tlv(1, bytesOf(255))] : []), octets(value));

/** Of a qualified certificate whose key is in a device. */
export const QES = [
  extension('1.3.6.1.5.5.7.1.3', seq(seq(oid('0.4.0.1862.1.1')), seq(oid('0.4.0.1862.1.4')))),
  extension('2.5.29.15', tlv(3, bytesOf(6, 0x40)), true),
];

let lastSerial = 100;

export interface Wanted {
  key?: KeyKind;
  name?: Bytes;
  from?: string;
  to?: string;
  isAuthority?: boolean;
  extensions?: Bytes[];
  /** Encoded. */
  serial?: Bytes;
}

/** A certificate by an issuer; without one, its own. */
export async function issue(
  issuer: Holder | null,
  {
    key = 'p256',
    name,
    from = '2020-01-01T00:00:00Z',
    to = '2040-01-01T00:00:00Z',
    isAuthority = false,
    extensions = [],
    serial: given,
  }: Wanted = {},
): Promise<Holder> {
  const made = await makeKey(key);
  lastSerial += 1;
  const serial = given ?? int(lastSerial);
  const own =
    name ?? nameOf(['2.5.4.6', 'DE'], ['2.5.4.3', `Name ${lastSerial}`], ['2.5.4.4', 'Muster'], ['2.5.4.42', 'Erika']);
  const signer = issuer?.key ?? made;
  const { algorithm } = await signer.sign(new Uint8Array());
  const all = [
    ...(isAuthority
      ? [
          extension('2.5.29.19', seq(tlv(1, bytesOf(255))), true),
          extension('2.5.29.15', tlv(3, bytesOf(1, 0x06)), true),
        ]
      : []),
    extension('2.5.29.14', octets((await sha('SHA-1', made.info)).subarray(0, 20))),
    ...extensions,
  ];
  const issuerName = issuer?.name ?? own;
  const tbs = seq(
    ctx(0, int(2)),
    serial,
    algorithm,
    issuerName,
    seq(time(from), time(to)),
    own,
    made.info,
    ctx(3, seq(...all)),
  );
  const { signature } = await signer.sign(tbs);
  return { key: made, certificate: seq(tbs, algorithm, bits(signature)), name: own, issuerName, serial };
}

export interface Cms {
  /** Certificates beside the signer's. */
  certificates?: readonly Bytes[];
  isPlain?: boolean;
  hasNoAttributes?: boolean;
  bySubjectKey?: boolean;
  digest?: Bytes;
  /** For another certificate than the signer's. */
  named?: Bytes;
  isUnsorted?: boolean;
  /** Algorithms that are protected (RFC 6211) instead of the signer's own. */
  guarded?: 'own' | 'other';
  essVersion?: 1 | 2;
  content?: { type: string; bytes: Bytes };
  timestampBy?: Holder;
  at?: string;
  /** OCSP responses and CRLs as adbe-revocationInfoArchival. */
  ocsps?: readonly Bytes[];
  crls?: readonly Bytes[];
  unsigned?: readonly Bytes[];
}

/** A CMS over bytes (RFC 5652). */
export async function sign(holder: Holder, covered: Bytes, options: Cms = {}): Promise<Bytes> {
  const { hash } = holder.key;
  const { certificates = [], content, at = '2026-01-02T03:04:05Z', ocsps = [], crls = [] } = options;
  const type = content?.type ?? '1.2.840.113549.1.7.1';
  const named = options.named ?? holder.certificate;
  const ess =
    options.essVersion === 1
      ? seq(oid('1.2.840.113549.1.9.16.2.12'), set(seq(seq(seq(octets(await sha('SHA-1', named)))))))
      : seq(oid('1.2.840.113549.1.9.16.2.47'), set(seq(seq(seq(octets(await sha('SHA-256', named)))))));
  const { algorithm: own } = await holder.key.sign(new Uint8Array());
  const guard = [seq(oid('1.3.14.3.2.26')), ctx(1, oid('1.2.840.113549.1.1.5'))];
  const ownGuard = [hashAlgorithm(hash), tlv(0xa1, own.subarray(own[1] === 0x81 ? 3 : 2))];
  const attributes = [
    ...(options.guarded
      ? [seq(oid('1.2.840.113549.1.9.52'), set(seq(...(options.guarded === 'own' ? ownGuard : guard))))]
      : []),
    seq(oid('1.2.840.113549.1.9.3'), set(oid(type))),
    seq(oid('1.2.840.113549.1.9.4'), set(octets(options.digest ?? (await sha(hash, content?.bytes ?? covered))))),
    seq(oid('1.2.840.113549.1.9.5'), set(time(at))),
    ess,
    ...(ocsps.length + crls.length > 0
      ? [
          seq(
            oid('1.2.840.113583.1.1.8'),
            set(seq(...(crls.length ? [ctx(0, seq(...crls))] : []), ...(ocsps.length ? [ctx(1, seq(...ocsps))] : []))),
          ),
        ]
      : []),
  ];
  attributes.sort((one, other) => (hex(one) < hex(other) ? -1 : 1));
  if (options.isUnsorted) attributes.reverse();
  const signed = options.hasNoAttributes ? (content?.bytes ?? covered) : set(...attributes);
  const { algorithm, signature } = await holder.key.sign(signed, options.isPlain);
  const stamp = options.timestampBy ? await timestamp(options.timestampBy, signature, at) : null;
  const unsigned = [
    ...(stamp ? [seq(oid('1.2.840.113549.1.9.16.2.14'), set(stamp))] : []),
    ...(options.unsigned ?? []),
  ];
  const id = options.bySubjectKey
    ? tlv(0x80, (await sha('SHA-1', holder.key.info)).subarray(0, 20))
    : seq(holder.issuerName, holder.serial);
  const signer = seq(
    int(1),
    id,
    hashAlgorithm(hash),
    ...(options.hasNoAttributes ? [] : [ctx(0, ...attributes)]),
    algorithm,
    octets(signature),
    ...(unsigned.length > 0 ? [ctx(1, ...unsigned)] : []),
  );
  const encapsulated = seq(oid(type), ...(content ? [ctx(0, octets(content.bytes))] : []));
  return seq(
    oid('1.2.840.113549.1.7.2'),
    ctx(
      0,
      seq(int(1), set(hashAlgorithm(hash)), encapsulated, ctx(0, holder.certificate, ...certificates), set(signer)),
    ),
  );
}

/** RFC 3161. */
export async function timestamp(authority: Holder, stamped: Bytes, at: string): Promise<Bytes> {
  const info = seq(
    int(1),
    oid('1.2.3'),
    seq(hashAlgorithm('SHA-256'), octets(await sha('SHA-256', stamped))),
    int(7),
    time(at),
  );
  return sign(authority, stamped, { content: { type: '1.2.840.113549.1.9.16.1.4', bytes: info }, at });
}

export const forTimestamps = extension('2.5.29.37', seq(oid('1.3.6.1.5.5.7.3.8')), true);
export const forOcsp = extension('2.5.29.37', seq(oid('1.3.6.1.5.5.7.3.9')));

export interface Said {
  by?: Holder;
  revokedAt?: string;
  isUnknown?: boolean;
  thisUpdate?: string;
  nextUpdate?: string;
}

/** An OCSP response about a certificate (RFC 6960 §4.2). */
export async function ocsp(
  issuer: Holder,
  about: Holder,
  { by, revokedAt, isUnknown, thisUpdate = '2026-01-02T00:00:00Z', nextUpdate = '2026-01-09T00:00:00Z' }: Said = {},
): Promise<Bytes> {
  const responder = by ?? issuer;
  const key = issuer.key.info;
  // The key alone: the content of the bit string, which is the last part of the info.
  const id = seq(
    hashAlgorithm('SHA-1'),
    octets(await sha('SHA-1', issuer.name)),
    octets(await sha('SHA-1', keyBits(key))),
    about.serial,
  );
  const status = revokedAt ? ctx(1, time(revokedAt), ctx(0, tlv(0x0a, bytesOf(1)))) : tlv(isUnknown ? 0x82 : 0x80);
  const data = seq(
    ctx(1, responder.name),
    time(thisUpdate),
    seq(seq(id, status, time(thisUpdate), ctx(0, time(nextUpdate)))),
  );
  const { algorithm, signature } = await responder.key.sign(data);
  const basic = seq(data, algorithm, bits(signature), ctx(0, seq(responder.certificate)));
  return seq(tlv(0x0a, bytesOf(0)), ctx(0, seq(oid('1.3.6.1.5.5.7.48.1.1'), octets(basic))));
}

function keyBits(info: Bytes): Bytes {
  const at = [...info].findIndex((byte, index) => byte === 3 && index > 10 && restIs(info, index));
  const long = info[at + 1] ?? 0;
  return info.subarray(at + 3 + (long > 128 ? long - 128 : 0));
}

function restIs(info: Bytes, at: number): boolean {
  const short = info[at + 1] ?? 0;
  const digits = short > 128 ? short - 128 : 0;
  let length = short;
  if (digits) length = info.subarray(at + 2, at + 2 + digits).reduce((sum, byte) => sum * 256 + byte, 0);
  return at + 2 + digits + length === info.length;
}

/** A CRL (RFC 5280 §5). */
export async function crl(
  issuer: Holder,
  revoked: readonly { serial: Bytes; at: string }[],
  extensions: Bytes[] = [],
): Promise<Bytes> {
  const { algorithm } = await issuer.key.sign(new Uint8Array());
  const list = revoked.map(({ serial, at }) =>
    seq(serial, time(at), seq(extension('2.5.29.21', tlv(0x0a, bytesOf(4))))),
  );
  const tbs = seq(
    int(1),
    algorithm,
    issuer.name,
    time('2026-01-02T00:00:00Z'),
    time('2026-01-09T00:00:00Z'),
    ...(list.length ? [seq(...list)] : []),
    ...(extensions.length ? [ctx(0, seq(...extensions))] : []),
  );
  const { signature } = await issuer.key.sign(tbs);
  return seq(tbs, algorithm, bits(signature));
}
