import { type Bytes, hex, isEqual, orNull } from '../bytes';
import {
  digest,
  type Hash,
  hashOf,
  isSignedBy,
  type PublicKey,
  publicKeyOf,
  type Scheme,
  schemeOf,
  UnknownAlgorithm,
} from './algorithms';
import { type Certificate, hasExtendedUsage, type Material, subjectKeyOf } from './certificate';
import { context, Der, DerFault, TAG, tlv } from './der';

const ID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  algorithmProtection: '1.2.840.113549.1.9.52',
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
  certificateValues: '1.2.840.113549.1.9.16.2.23',
  revocationValues: '1.2.840.113549.1.9.16.2.24',
  adobeRevocation: '1.2.840.113583.1.1.8',
  ocspFormat: '1.3.6.1.5.5.7.16.2',
} as const;

/** The subindications of ETSI EN 319 102-1 §5.1.3 that the check of one signature can return. */
export type SubIndication =
  | 'FORMAT_FAILURE'
  | 'HASH_FAILURE'
  | 'SIG_CRYPTO_FAILURE'
  | 'CHAIN_CONSTRAINTS_FAILURE'
  | 'NO_SIGNING_CERTIFICATE_FOUND'
  | 'CUSTOM';

export type SignedData = ReturnType<typeof signedDataOf>;

/**
 * Reads a CMS with one signer (RFC 5652 §5). Adds the certificates and revocation values that it contains to
 * `material`.
 * @throws DerFault; LimitReached
 */
export function signedDataOf(info: Der, material: Material) {
  const [type, wrapped] = info.children();
  if (type?.oid() !== ID.signedData || wrapped?.tag !== context(0)) throw new DerFault('No SignedData');
  const [, , encapsulated, ...rest] = wrapped.inner().children();
  const [contentType, content] = encapsulated?.children() ?? [];
  const signers = rest.pop()?.children(TAG.set) ?? [];
  const [signerInfo] = signers;
  if (!contentType || !signerInfo || signers.length !== 1) throw new DerFault('Not one signer');
  for (const list of rest) {
    if (list.tag === context(0))
      for (const each of list.each()) if (each.tag === TAG.sequence) material.addCertificate(each);
    if (list.tag === context(1)) for (const each of list.each()) addRevocation(each, material);
  }
  const [, id, hashAlgorithm, ...parts] = signerInfo.children();
  const signedAttributes = parts[0]?.tag === context(0) ? (parts.shift() ?? null) : null;
  const [signatureAlgorithm, signature, unsigned] = parts;
  if (!id || !hashAlgorithm || !signatureAlgorithm || !signature) throw new DerFault('A signer is cut');
  const attributes = new Map(unsigned?.tag === context(1) ? attributesIn(unsigned) : []);
  if (signedAttributes) addArchived(new Map(attributesIn(signedAttributes)).get(ID.adobeRevocation), material);
  // ETSI EN 319 122-1 §A.1.1.2.
  for (const each of attributes.get(ID.certificateValues)?.inner().children() ?? []) material.addCertificate(each);
  addArchived(attributes.get(ID.revocationValues), material);
  return {
    contentType: contentType.oid(),
    /** The content inside the CMS; null if the CMS does not contain it. */
    content: content ? content.inner().octets() : null,
    signer: {
      /** Identifies the signer's certificate: an IssuerAndSerialNumber, or a subject key identifier. */
      id,
      hashAlgorithm,
      signedAttributes,
      signatureAlgorithm,
      signature: signature.octets(),
      /** Unsigned attributes, by their OIDs. */
      unsigned: attributes,
    },
  };
}

function* attributesIn(set: Der): Generator<[string, Der]> {
  for (const each of set.each()) {
    const [oid, values] = each.children();
    if (oid && values?.tag === TAG.set) yield [oid.oid(), values];
  }
}

/** Adds a CRL to the material, or an OCSP response that is stored as `other` format (RFC 5940). */
function addRevocation(der: Der, material: Material): void {
  if (der.tag === TAG.sequence) material.addAnswer('crls', der);
  if (der.tag !== context(1)) return;
  const [format, value] = [...der.each()];
  if (format?.oid() === ID.ocspFormat && value) material.addAnswer('ocsps', value);
}

/**
 * Adds archived revocation values: [0] CRLs and [1] OCSP responses (adbe-revocationInfoArchival, ISO 32000-2
 * §12.8.3.3.2; revocation-values, ETSI EN 319 122-1 §A.1.2.2).
 */
function addArchived(values: Der | undefined, material: Material): void {
  for (const each of values?.inner().children() ?? []) {
    if (each.tag === context(0)) for (const crl of each.inner().each()) material.addAnswer('crls', crl);
    if (each.tag === context(1)) for (const ocsp of each.inner().each()) material.addAnswer('ocsps', ocsp);
  }
}

/** The time stamps over a signature's value (RFC 3161 Appendix A). */
export function signatureTimestamps({ signer }: SignedData): Der[] {
  return [...(signer.unsigned.get(ID.signatureTimestamp)?.each() ?? [])];
}

export interface SignerCheck {
  status: 'intact' | 'failed' | 'indeterminate';
  subIndication: SubIndication | null;
  /** The reason why the signature is not intact, for tests and logs. Names no person. */
  reason: string | null;
  certificate: Certificate | null;
  key: PublicKey | null;
  scheme: Scheme | null;
  hash: Hash | null;
  /** The signing time that the signer claims, ISO 8601. */
  claimedTime: string | null;
}

export const UNCHECKED: SignerCheck = {
  ...({ status: 'indeterminate', subIndication: null, reason: null, certificate: null, key: null } as const),
  ...({ scheme: null, hash: null, claimedTime: null } as const),
};

/**
 * Checks the digest and the signature of the only signer (RFC 5652 §5.4, §5.6).
 * @param covered the bytes that should be signed
 */
export async function checkSigner(data: SignedData, covered: Bytes, material: Material): Promise<SignerCheck> {
  const { signer } = data;
  const check: SignerCheck = { ...UNCHECKED };
  const end = (
    status: SignerCheck['status'],
    subIndication: SubIndication | null,
    reason: string | null = null,
  ): SignerCheck => Object.assign(check, { status, subIndication, reason });
  try {
    const candidates = signersOf(signer.id, material);
    const use = (certificate: Certificate): void => {
      Object.assign(check, { certificate, key: publicKeyOf(certificate.keyInfo) });
    };
    candidates.slice(0, 1).forEach(use);
    check.hash = hashOf(signer.hashAlgorithm);
    check.scheme = schemeOf(signer.signatureAlgorithm, check.hash);
    const attributes = signer.signedAttributes ? new SignedAttributes(signer.signedAttributes) : null;
    check.claimedTime = attributes?.one(ID.signingTime)?.time() ?? null;
    if (attributes) {
      if (!attributes.isSorted()) return end('indeterminate', 'FORMAT_FAILURE', 'signed attributes are not in DER');
      const guarded = attributes.one(ID.algorithmProtection);
      if (guarded && !isOf(guarded, signer)) return end('failed', 'FORMAT_FAILURE', 'other algorithms are protected');
      if (attributes.one(ID.contentType)?.oid() !== data.contentType)
        return end('failed', 'FORMAT_FAILURE', 'content type');
      const found = attributes.one(ID.messageDigest)?.octets();
      if (!found) return end('failed', 'FORMAT_FAILURE', 'no message digest');
      if (!isEqual(found, await digest(check.hash, covered))) return end('failed', 'HASH_FAILURE', 'digest');
    } else if (data.contentType !== ID.data) return end('failed', 'FORMAT_FAILURE', 'no signed attributes');
    if (candidates.length === 0) return end('indeterminate', 'NO_SIGNING_CERTIFICATE_FOUND');
    const signed = attributes ? attributes.encoded() : covered;
    // Test authorities give several certificates the same serial number. The hash of the signing certificate tells
    // which of them is meant.
    for (const each of candidates) {
      const isAnother = attributes !== null && (await namesAnother(attributes, each));
      if (isAnother && each !== candidates.at(-1)) continue;
      use(each);
      if (!(await isSignedBy(check.scheme, each.keyInfo, signer.signature, signed))) continue;
      return isAnother ? end('failed', 'SIG_CRYPTO_FAILURE', 'another signing certificate') : end('intact', null);
    }
    return end('failed', 'SIG_CRYPTO_FAILURE', 'signature');
  } catch (error) {
    if (error instanceof UnknownAlgorithm) return end('indeterminate', 'CUSTOM', error.message);
    if (error instanceof DerFault) return end('failed', 'FORMAT_FAILURE', error.message);
    throw error;
  }
}

/** Whether the attribute CMSAlgorithmProtection (RFC 6211) names the same algorithms as the signer. */
function isOf(guarded: Der, { hashAlgorithm, signatureAlgorithm }: SignedData['signer']): boolean {
  const [hash, signature] = guarded.children();
  const [[own], [other]] = [hashAlgorithm.children(), signatureAlgorithm.children()];
  if (!hash || signature?.tag !== context(1) || !own || !other) return false;
  return hash.children()[0]?.oid() === own.oid() && signature.inner().oid() === other.oid();
}

const CANDIDATES_MAX = 4;

/** The certificates that match a signer's identifier. */
function signersOf(id: Der, { certificates }: Material): Certificate[] {
  const [issuer, serial] = id.tag === 0x80 ? [] : id.children();
  const number = serial?.number();
  const isMeant = (each: Certificate): boolean => {
    if (issuer) return each.serial === number && isEqual(each.issuerDer, issuer.raw);
    return isEqual(orNull(() => subjectKeyOf(each)) ?? new Uint8Array(), id.content);
  };
  return certificates.filter(isMeant).slice(0, CANDIDATES_MAX);
}

/** The signed attributes of a signer. */
class SignedAttributes {
  constructor(private readonly set: Der) {}

  /** The value of an attribute; null if it is missing. @throws DerFault if it has two values (RFC 5652 §11) */
  one(oid: string): Der | null {
    const values = [...attributesIn(this.set)].flatMap(([own, each]) => (own === oid ? each.children(TAG.set) : []));
    if (values.length > 1) throw new DerFault(`Attribute ${oid} has two values`);
    return values[0] ?? null;
  }

  /** Whether the attributes are in DER order (X.690 §11.6, RFC 5652 §5.3). Some validators reject any other order. */
  isSorted(): boolean {
    const each = [...this.set.each()].map(({ raw }) => hex(raw));
    return each.every((encoded, index) => index === 0 || (each[index - 1] ?? '') <= encoded);
  }

  /** The attributes in the form over which the signature is made: as a SET instead of `[0]` (RFC 5652 §5.4). */
  encoded(): Bytes {
    return tlv(TAG.set, this.set.content);
  }
}

/** Whether the signed attributes name another certificate as the signer's (ESS, RFC 5035 §3, §4). */
async function namesAnother(attributes: SignedAttributes, certificate: Certificate): Promise<boolean> {
  for (const oid of [ID.signingCertificateV2, ID.signingCertificate]) {
    const [first] = attributes.one(oid)?.inner().children() ?? [];
    if (!first) continue;
    const parts = first.children();
    const algorithm = oid === ID.signingCertificateV2 && parts[0]?.tag === TAG.sequence ? parts.shift() : undefined;
    const hash = algorithm ? hashOf(algorithm) : oid === ID.signingCertificate ? 'SHA-1' : 'SHA-256';
    const [expected, issuerAndSerial] = parts;
    if (!expected || !isEqual(expected.octets(), await digest(hash, certificate.der))) return true;
    const serial = issuerAndSerial?.children()[1]?.number();
    return serial !== undefined && serial !== certificate.serial;
  }
  return false;
}

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

/** A time stamp (RFC 3161 §2.4.2). The time counts only if the stamp is intact and its authority is trusted. */
export interface Timestamp extends SignerCheck {
  /** ISO 8601; null if it cannot be read. */
  time: string | null;
}

/**
 * Checks a time stamp: its signature, the digest in it, and the purpose of its certificate.
 * @param stamped the bytes that the time stamp should cover
 */
export async function checkTimestamp(data: SignedData, stamped: Bytes, material: Material): Promise<Timestamp> {
  const content = data.content ?? new Uint8Array();
  const check = await checkSigner(data, content, material);
  const ended = (status: SignerCheck['status'], subIndication: SignerCheck['subIndication'], reason: string) => ({
    ...check,
    ...{ status, subIndication, reason, time: null },
  });
  if (data.contentType !== TST_INFO) return ended('failed', 'FORMAT_FAILURE', 'no time stamp');
  try {
    const [, , imprint, , time] = Der.only(content, material.budget).children();
    const [algorithm, hashed] = imprint?.children() ?? [];
    if (!algorithm || !hashed || !time) return ended('failed', 'FORMAT_FAILURE', 'a time stamp is cut');
    const hash = hashOf(algorithm);
    if (!isEqual(hashed.octets(), await digest(hash, stamped))) return ended('failed', 'HASH_FAILURE', 'imprint');
    if (check.status === 'intact' && check.certificate && !hasExtendedUsage(check.certificate, TIME_STAMPING))
      return ended('indeterminate', 'CHAIN_CONSTRAINTS_FAILURE', 'no certificate for time stamps');
    return { ...check, time: time.time() };
  } catch (error) {
    if (error instanceof UnknownAlgorithm) return ended('indeterminate', 'CUSTOM', error.message);
    if (error instanceof DerFault) return ended('failed', 'FORMAT_FAILURE', error.message);
    throw error;
  }
}
