import { ed448 } from '@noble/curves/ed448.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from '@noble/curves/misc.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { sha3_256, sha3_384, sha3_512, shake256 } from '@noble/hashes/sha3.js';
import { type Bytes, Fault, hex } from '../bytes';
import { type Der, DerFault, TAG } from './der';

type Sha2 = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
export type Hash = Sha2 | keyof typeof SHA_3;

/** Hashes that WebCrypto lacks. */
const SHA_3 = {
  'SHA3-256': sha3_256,
  'SHA3-384': sha3_384,
  'SHA3-512': sha3_512,
  SHAKE256: (bytes: Bytes) => shake256(bytes, { dkLen: 64 }),
};

const HASHES: ReadonlyMap<string, Hash> = new Map([
  ['1.3.14.3.2.26', 'SHA-1'],
  ['2.16.840.1.101.3.4.2.1', 'SHA-256'],
  ['2.16.840.1.101.3.4.2.2', 'SHA-384'],
  ['2.16.840.1.101.3.4.2.3', 'SHA-512'],
  ['2.16.840.1.101.3.4.2.8', 'SHA3-256'],
  ['2.16.840.1.101.3.4.2.9', 'SHA3-384'],
  ['2.16.840.1.101.3.4.2.10', 'SHA3-512'],
  ['2.16.840.1.101.3.4.2.12', 'SHAKE256'],
  // This OID is SHAKE256 with a length parameter, which RFC 8419 sets to 512 bits.
  ['2.16.840.1.101.3.4.2.18', 'SHAKE256'],
]);

/**
 * How a signature was made. `saltLength` of PSS is in bytes. ECDSA is in DER (RFC 3279 §2.2.3) or plain (BSI TR-03111
 * §5.2). EdDSA (RFC 8419) signs the bytes themselves, not their hash; `hash` is then the hash of the message digest.
 */
export type Scheme =
  | { kind: 'rsa' | 'ecdsa' | 'ecdsa-plain' | 'eddsa'; hash: Hash }
  | { kind: 'rsa-pss'; hash: Hash; saltLength: number };

/** OIDs of algorithms (rsaEncryption, ecPublicKey) that do not name a hash. The hash is stated separately. */
const BARE: ReadonlyMap<string, 'rsa' | 'ecdsa'> = new Map([
  ['1.2.840.113549.1.1.1', 'rsa'],
  ['1.2.840.10045.2.1', 'ecdsa'],
]);
const PSS = '1.2.840.113549.1.1.10';
const MGF1 = '1.2.840.113549.1.1.8';
const schemesOf = (kind: 'rsa' | 'ecdsa' | 'ecdsa-plain', prefix: string, hashes: Readonly<Record<string, Hash>>) =>
  Object.entries(hashes).map(([last, hash]) => [`${prefix}.${last}`, { kind, hash }] as const);
const SCHEMES: ReadonlyMap<string, Scheme> = new Map<string, Scheme>([
  ...schemesOf('rsa', '1.2.840.113549.1.1', { 5: 'SHA-1', 11: 'SHA-256', 12: 'SHA-384', 13: 'SHA-512' }),
  ...schemesOf('rsa', '1.3.14.3.2', { 29: 'SHA-1' }),
  ...schemesOf('ecdsa', '1.2.840.10045.4', { 1: 'SHA-1', '3.2': 'SHA-256', '3.3': 'SHA-384', '3.4': 'SHA-512' }),
  ...schemesOf('ecdsa', '2.16.840.1.101.3.4.3', { 10: 'SHA3-256', 11: 'SHA3-384', 12: 'SHA3-512' }),
  ...schemesOf('ecdsa-plain', '0.4.0.127.0.7.1.1.4.1', { 1: 'SHA-1', 3: 'SHA-256', 4: 'SHA-384', 5: 'SHA-512' }),
]);

const CURVES = new Map([
  ['1.2.840.10045.3.1.7', { name: 'secp256r1', curve: p256 }],
  ['1.3.132.0.34', { name: 'secp384r1', curve: p384 }],
  ['1.3.132.0.35', { name: 'secp521r1', curve: p521 }],
  ['1.3.36.3.3.2.8.1.1.7', { name: 'brainpoolP256r1', curve: brainpoolP256r1 }],
  ['1.3.36.3.3.2.8.1.1.11', { name: 'brainpoolP384r1', curve: brainpoolP384r1 }],
  ['1.3.36.3.3.2.8.1.1.13', { name: 'brainpoolP512r1', curve: brainpoolP512r1 }],
]);

const EDWARDS = new Map([
  ['1.3.101.112', { name: 'ed25519', curve: ed25519 }],
  ['1.3.101.113', { name: 'ed448', curve: ed448 }],
]);

/** Thrown for an algorithm that is not supported. The signature can then not be verified. */
export class UnknownAlgorithm extends Fault {}

/** The hash of an AlgorithmIdentifier. @throws UnknownAlgorithm */
export function hashOf(algorithm: Der): Hash {
  const [oid] = algorithm.children();
  const hash = HASHES.get(oid?.oid() ?? '');
  if (!hash) throw new UnknownAlgorithm(`Hash ${oid?.oid()}`);
  return hash;
}

export async function digest(hash: Hash, bytes: Bytes): Promise<Bytes> {
  if (hash in SHA_3) return SHA_3[hash as keyof typeof SHA_3](bytes);
  return new Uint8Array(await crypto.subtle.digest(hash, bytes as BufferSource));
}

/**
 * Reads the scheme of an AlgorithmIdentifier.
 * @param beside the hash of the signer's digestAlgorithm; null if there is none. The scheme must use the same hash (RFC
 *   5652 §5.3)
 * @throws UnknownAlgorithm
 */
export function schemeOf(algorithm: Der, beside: Hash | null): Scheme {
  const [id, parameters] = algorithm.children();
  const oid = id?.oid() ?? '';
  const bare = BARE.get(oid);
  if (EDWARDS.has(oid)) return { kind: 'eddsa', hash: beside ?? 'SHA-512' };
  const scheme = bare && beside ? { kind: bare, hash: beside } : oid === PSS ? pssOf(parameters) : SCHEMES.get(oid);
  if (!scheme) throw new UnknownAlgorithm(`Signature ${oid}`);
  if (beside && scheme.hash !== beside) throw new UnknownAlgorithm('Two hashes');
  return scheme;
}

/** Reads the parameters of PSS (RFC 4055 §3.1). The mask must use the same hash. @throws UnknownAlgorithm */
function pssOf(parameters: Der | undefined): Scheme {
  let [hash, mask, saltLength]: [Hash, Hash, number] = ['SHA-1', 'SHA-1', 20];
  for (const each of parameters?.children() ?? []) {
    const value = each.inner();
    if (each.tag === 0xa0) hash = hashOf(value);
    else if (each.tag === 0xa1) {
      const [id, inner] = value.children();
      if (id?.oid() !== MGF1 || !inner) throw new UnknownAlgorithm('Mask');
      mask = hashOf(inner);
    } else if (each.tag === 0xa2) saltLength = Number.parseInt(value.number(), 16);
    else if (each.tag !== 0xa3 || value.number() !== '01') throw new UnknownAlgorithm('Trailer');
  }
  if (mask !== hash || !(saltLength >= 0 && saltLength <= 512)) throw new UnknownAlgorithm('Mask');
  return { kind: 'rsa-pss', hash, saltLength };
}

export type PublicKey =
  | { kind: 'rsa'; bits: number; modulus: Bytes; exponent: Bytes }
  | { kind: 'ec' | 'ed'; curve: string; point: Bytes };

/**
 * Reads the key of a SubjectPublicKeyInfo (RFC 3279 §2.3, RFC 5480). A curve must be named by its OID, because explicit
 * parameters of a curve could be forged.
 * @throws UnknownAlgorithm; DerFault
 */
export function publicKeyOf(info: Der): PublicKey {
  const [algorithm, key] = info.children();
  const [id, parameters] = algorithm?.children() ?? [];
  if (!id || !key) throw new DerFault('A key is cut');
  const oid = id.oid();
  if (oid === '1.2.840.10045.2.1') {
    const curve = parameters?.tag === TAG.oid ? parameters.oid() : '';
    if (!CURVES.has(curve)) throw new UnknownAlgorithm(`Curve ${curve}`);
    return { kind: 'ec', curve, point: key.bits() };
  }
  if (EDWARDS.has(oid)) return { kind: 'ed', curve: oid, point: key.bits() };
  if (oid !== '1.2.840.113549.1.1.1' && oid !== PSS) throw new UnknownAlgorithm(`Key ${oid}`);
  const numbers = key.inside().children();
  // A leading zero byte marks the number as positive.
  const [modulus, exponent] = numbers.map((each) => each.expect(TAG.integer).content.subarray(each.content[0] ? 0 : 1));
  if (!modulus || !exponent) throw new DerFault('A key is cut');
  return { kind: 'rsa', bits: modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24, modulus, exponent };
}

/** Returns the name of a key's algorithm with its size or curve, such as `rsa:2048` or `ec:brainpoolP256r1`. */
export function keyName(key: PublicKey): string {
  if (key.kind === 'rsa') return `rsa:${key.bits}`;
  return EDWARDS.get(key.curve)?.name ?? `ec:${CURVES.get(key.curve)?.name ?? key.curve}`;
}

/** Lists the weak algorithms of a signature (ETSI TS 119 312). They are reported, but change no result. */
export function weaknesses(scheme: Scheme | null, key: PublicKey | null, hash: Hash | null): ('sha1' | 'rsa_short')[] {
  return [
    ...(scheme?.hash === 'SHA-1' || hash === 'SHA-1' ? (['sha1'] as const) : []),
    ...(key?.kind === 'rsa' && key.bits < 2_048 ? (['rsa_short'] as const) : []),
  ];
}

/** The steps of the budget that one verification costs. */
const STEPS_RSA = 5_000;
const STEPS_EC = 100_000;

/**
 * Whether a signature over `data` was made with the private key of `keyInfo` (SubjectPublicKeyInfo).
 * @throws UnknownAlgorithm if the key is not for this scheme; DerFault; LimitReached
 */
export async function isSignedBy(scheme: Scheme, keyInfo: Der, signature: Bytes, data: Bytes): Promise<boolean> {
  const { budget } = keyInfo;
  const key = publicKeyOf(keyInfo);
  if (scheme.kind === 'rsa' || scheme.kind === 'rsa-pss') {
    if (key.kind !== 'rsa') throw new UnknownAlgorithm('Key of another kind');
    budget.step(STEPS_RSA);
    return isRsaSigned(scheme, key, signature, data);
  }
  if (key.kind !== (scheme.kind === 'eddsa' ? 'ed' : 'ec')) throw new UnknownAlgorithm('Key of another kind');
  budget.step(STEPS_EC);
  try {
    // Libraries differ in what they accept: this is the strict way (RFC 8032 §5.1.7).
    const edwards = EDWARDS.get(key.curve);
    if (edwards) return edwards.curve.verify(signature, data, key.point, { zip215: false });
    const [hash, format] = [await digest(scheme.hash, data), scheme.kind === 'ecdsa' ? 'der' : 'compact'] as const;
    const options = { prehash: false, lowS: false, format };
    return CURVES.get(key.curve)?.curve.verify(signature, hash, key.point, options) ?? false;
  } catch {
    // The point is not on the curve, or a number is out of range.
    return false;
  }
}

async function isRsaSigned(
  scheme: Scheme,
  { modulus, exponent, bits }: PublicKey & { kind: 'rsa' },
  signature: Bytes,
  data: Bytes,
): Promise<boolean> {
  if (bits > 8_192 || exponent.length > 4 || Number.parseInt(hex(exponent), 16) < 3)
    throw new UnknownAlgorithm('Key of another size');
  const name = scheme.kind === 'rsa-pss' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5';
  // `slice` copies: `toBase64` of V8 before 14 encodes a view from the beginning of its buffer.
  const base64 = (bytes: Bytes): string => bytes.slice().toBase64({ alphabet: 'base64url', omitPadding: true });
  const key = { kty: 'RSA', n: base64(modulus), e: base64(exponent) };
  let imported: CryptoKey;
  try {
    imported = await crypto.subtle.importKey('jwk', key, { name, hash: scheme.hash }, false, ['verify']);
  } catch {
    throw new UnknownAlgorithm('Key of another size');
  }
  const parameters = scheme.kind === 'rsa-pss' ? { name, saltLength: scheme.saltLength } : { name };
  return crypto.subtle.verify(parameters, imported, signature as BufferSource, data as BufferSource);
}
