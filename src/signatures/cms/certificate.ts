import { type Budget, LimitReached } from '../budget';
import { type Bytes, ifFault, isEqual, orNull } from '../bytes';
import { CERTIFICATES_MAX } from '../limits';
import { isSignedBy, schemeOf } from './algorithms';
import { Der, DerFault, TAG } from './der';

/** One attribute of a name (RFC 5280 §4.1.2.4). */
interface Attribute {
  oid: string;
  value: string;
}

const NAME = {
  commonName: '2.5.4.3',
  surname: '2.5.4.4',
  givenName: '2.5.4.42',
  pseudonym: '2.5.4.65',
  organization: '2.5.4.10',
  organizationIdentifier: '2.5.4.97',
} as const;

const EXTENSION = {
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  authorityKey: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  qcStatements: '1.3.6.1.5.5.7.1.3',
  admission: '1.3.36.8.3.3',
} as const;

export type Certificate = Readonly<ReturnType<typeof certificateOf>>;

/** Reads an X.509 certificate as far as signatures need it (RFC 5280 §4.1). @throws DerFault */
export function certificateOf(der: Der) {
  const [tbs, signatureAlgorithm, signature] = der.children();
  if (!tbs || !signatureAlgorithm || !signature) throw new DerFault('A certificate is cut');
  const parts = tbs.children();
  if (parts[0]?.tag === 0xa0) parts.shift();
  const [serial, inner, issuer, validity, subject, keyInfo, ...rest] = parts;
  if (!serial || !inner || !issuer || !validity || !subject || !keyInfo) throw new DerFault('A certificate is cut');
  if (!isEqual(inner.raw, signatureAlgorithm.raw)) throw new DerFault('A certificate names two algorithms');
  const [notBefore, notAfter] = validity.children();
  const [, keyBits] = keyInfo.children();
  if (!notBefore || !notAfter || !keyBits) throw new DerFault('A certificate is cut');
  const listed = rest.find(({ tag }) => tag === 0xa3)?.inner();
  const extensions = new Map(extensionsIn(listed));
  if (extensions.size !== (listed?.children().length ?? 0)) throw new DerFault('An extension is there twice');
  return {
    der: der.raw,
    /** The bytes that the issuer of the certificate signed. */
    tbs: tbs.raw,
    /** Hexadecimal. */
    serial: serial.number(),
    /** The names in DER. Certificates are compared by them. */
    issuerDer: issuer.raw,
    subjectDer: subject.raw,
    issuer: attributesOf(issuer),
    subject: attributesOf(subject),
    /** ISO 8601. */
    notBefore: notBefore.time(),
    notAfter: notAfter.time(),
    /** SubjectPublicKeyInfo. */
    keyInfo,
    /** The key without its algorithm. OCSP identifies an issuer by the hash of these bytes. */
    keyBits: keyBits.bits(),
    signatureAlgorithm,
    signature: signature.bits(),
    /** The value of each extension as an octet string, by OID. */
    extensions,
  };
}

/** Reads all extensions (RFC 5280 §4.1.2.9), critical or not, as pairs of OID and octet string. @throws DerFault */
export function extensionsIn(list: Der | undefined): [oid: string, value: Der][] {
  return (list?.children() ?? []).map((each) => {
    const [oid, ...rest] = each.children();
    const value = rest.at(-1);
    if (!oid || !value) throw new DerFault('An extension is wrong');
    return [oid.oid(), value];
  });
}

/** The attributes of a name, in their order. */
function attributesOf(name: Der): Attribute[] {
  return name.children().flatMap((set) =>
    set.children(TAG.set).flatMap((pair) => {
      const [oid, value] = pair.children();
      return oid && value ? [{ oid: oid.oid(), value: value.text() }] : [];
    }),
  );
}

function valueIn(name: readonly Attribute[], ...oids: string[]): string | null {
  return oids.flatMap((oid) => name.find((each) => each.oid === oid)?.value ?? []).at(0) ?? null;
}

/**
 * Returns the name of the person or organization in a certificate, or null. A pseudonym gets the suffix `(Pseudonym)`.
 */
export function signerName({ subject }: Certificate): string | null {
  const pseudonym = valueIn(subject, NAME.pseudonym);
  if (pseudonym !== null) return `${pseudonym} (Pseudonym)`;
  const parts = [valueIn(subject, NAME.givenName), valueIn(subject, NAME.surname)].filter((part) => part !== null);
  return parts.length === 2 ? parts.join(' ') : valueIn(subject, NAME.commonName, NAME.organization, NAME.surname);
}

export function issuerName({ issuer }: Certificate): string | null {
  return valueIn(issuer, NAME.commonName, NAME.organization);
}

/** Professions by their OIDs (gemSpec_OID) or texts in a certificate's admission (Common PKI part 1, table 29). */
const PROFESSIONS: ReadonlyMap<string, string> = new Map([
  ['1.2.276.0.76.4.30', 'Ärztin/Arzt'],
  ['1.2.276.0.76.4.31', 'Zahnärztin/Zahnarzt'],
  ['1.2.276.0.76.4.32', 'Apotheker/-in'],
  ...['Ärztin/Arzt', 'Ärztin', 'Arzt'].map((text) => [text, 'Ärztin/Arzt'] as const),
]);

/** The profession that a certificate attests; null if it attests no known one. */
export function professionOf({ extensions }: Certificate): string | null {
  const admission = extensions.get(EXTENSION.admission);
  const found = admission && orNull(() => [...saidIn(admission.inside())]);
  return (found ?? []).flatMap((said) => PROFESSIONS.get(said) ?? []).at(0) ?? null;
}

/** All OIDs and texts in a value, at any depth. */
function* saidIn(der: Der): Generator<string> {
  if (der.tag === TAG.oid) yield der.oid();
  else if (der.tag & 0x20) for (const each of der.each()) yield* saidIn(each);
  else yield der.text();
}

function has({ subject }: Certificate, oid: string): boolean {
  return subject.some((each) => each.oid === oid);
}

/** The value of an extension; undefined if the certificate lacks it. @throws DerFault */
function extension({ extensions }: Certificate, oid: string): Der | undefined {
  return extensions.get(oid)?.inside();
}

/** Returns the values inside an extension. The list is empty if the extension is missing or cannot be read. */
export function partsOf(certificate: Certificate, oid: string): Der[] {
  return orNull(() => extension(certificate, oid)?.children()) ?? [];
}

/** The subject key identifier; undefined if there is none. @throws DerFault */
export function subjectKeyOf(certificate: Certificate): Bytes | undefined {
  return extension(certificate, EXTENSION.subjectKey)?.octets();
}

/**
 * Whether a certificate may issue certificates (`bit` 5) or CRLs (`bit` 6), by basicConstraints and keyUsage (RFC 5280
 * §4.2.1.9, §4.2.1.3).
 */
export function mayIssue(certificate: Certificate, bit: 5 | 6 = 5): boolean {
  const [isIssuer] = extension(certificate, EXTENSION.basicConstraints)?.children() ?? [];
  const usage = extension(certificate, EXTENSION.keyUsage)?.content;
  const isFor = usage === undefined || ((usage[1] ?? 0) & (0x80 >> bit)) !== 0;
  return isFor && isIssuer?.tag === TAG.boolean && isIssuer.content[0] !== 0;
}

export function hasExtendedUsage(certificate: Certificate, oid: string): boolean {
  const usages = extension(certificate, EXTENSION.extendedKeyUsage)?.children() ?? [];
  return usages.some((each) => each.oid() === oid);
}

/**
 * Returns the OIDs of the QcStatements and the OIDs of the types in QcType (ETSI EN 319 412-5 §4.2). @throws DerFault
 */
export function qualifiedStatements(certificate: Certificate): string[] {
  return (extension(certificate, EXTENSION.qcStatements)?.children() ?? []).flatMap((each) => {
    const [oid, value] = each.children();
    if (!oid) return [];
    const isType = oid.oid() === '0.4.0.1862.1.6' && value;
    return [oid.oid(), ...(isType ? value.children().map((type) => type.oid()) : [])];
  });
}

/**
 * Whether a certificate is for seals of a legal person, not for signatures (Regulation 910/2014 Art. 3). The statement
 * QcType decides. Without QcType, the names in the certificate's subject decide.
 * @throws DerFault
 */
export function isForSeals(certificate: Certificate): boolean {
  const statements = qualifiedStatements(certificate);
  if (statements.includes('0.4.0.1862.1.6.1')) return false;
  if (statements.includes('0.4.0.1862.1.6.2')) return true;
  const isPerson = [NAME.surname, NAME.givenName, NAME.pseudonym].some((oid) => has(certificate, oid));
  return !isPerson && has(certificate, NAME.organizationIdentifier);
}

/**
 * Whether `issuer` issued `certificate`: `issuer` may issue certificates, `certificate` names it as its issuer, and the
 * key of `issuer` signed `certificate`.
 */
export async function isIssuedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  if (!isEqual(certificate.issuerDer, issuer.subjectDer)) return false;
  try {
    const [wanted] = extension(certificate, EXTENSION.authorityKey)?.children() ?? [];
    const found = subjectKeyOf(issuer);
    if (wanted?.tag === 0x80 && found && !isEqual(wanted.content, found)) return false;
    if (!mayIssue(issuer)) return false;
    const scheme = schemeOf(certificate.signatureAlgorithm, null);
    return await isSignedBy(scheme, issuer.keyInfo, certificate.signature, certificate.tbs);
  } catch (error) {
    return ifFault(error) ?? false;
  }
}

/** Certificates and revocation values found anywhere in a file, without duplicates. None of them is trusted. */
export class Material {
  readonly certificates: Certificate[] = [];
  /** OCSPResponse or BasicOCSPResponse (RFC 6960 §4.2.1). */
  readonly ocsps: Der[] = [];
  /** CertificateList (RFC 5280 §5.1). */
  readonly crls: Der[] = [];

  constructor(readonly budget: Budget) {}

  /**
   * Adds a certificate, unless it is already there or cannot be read. @throws LimitReached beyond `CERTIFICATES_MAX`
   */
  addCertificate(der: Der): void {
    if (this.certificates.some((known) => isEqual(known.der, der.raw))) return;
    const certificate = orNull(() => certificateOf(der));
    if (certificate === null) return;
    if (this.certificates.length >= CERTIFICATES_MAX) throw new LimitReached('certificates');
    this.certificates.push(certificate);
  }

  /**
   * Adds the value encoded in some bytes, such as a stream of a PDF. Ignores bytes that are no ASN.1. @throws
   * LimitReached
   */
  add(kind: 'certificates' | 'ocsps' | 'crls', bytes: Bytes): void {
    const der = orNull(() => Der.first(bytes, this.budget));
    if (der === null) return;
    if (kind === 'certificates') this.addCertificate(der);
    else this.addAnswer(kind, der);
  }

  addAnswer(kind: 'ocsps' | 'crls', der: Der): void {
    if (this[kind].some((known) => isEqual(known.raw, der.raw))) return;
    if (this[kind].length >= CERTIFICATES_MAX) throw new LimitReached('certificates');
    this[kind].push(der);
  }
}
