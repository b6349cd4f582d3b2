import { Budget } from '../budget';
import { type Bytes, isEqual, orNull, orNullAsync } from '../bytes';
import { isSignedBy, type PublicKey, publicKeyOf, schemeOf } from './algorithms';
import { Der, DerFault, TAG } from './der';

/** One attribute of a name (RFC 5280 §4.1.2.4). */
export interface Attribute {
  oid: string;
  value: string;
}

/** An X.509 certificate as far as signatures need it (RFC 5280 §4.1). */
export interface Certificate {
  der: Bytes;
  /** What its issuer signed. */
  tbs: Bytes;
  /** Hexadecimal. */
  serial: string;
  /** The names as encoded, to be compared. */
  issuerDer: Bytes;
  subjectDer: Bytes;
  issuer: readonly Attribute[];
  subject: readonly Attribute[];
  /** ISO 8601. */
  notBefore: string;
  notAfter: string;
  /** SubjectPublicKeyInfo. */
  keyInfo: Der;
  /** The key alone, as OCSP names issuers by its hash. */
  keyBits: Bytes;
  signatureAlgorithm: Der;
  signature: Bytes;
  extensions: ReadonlyMap<string, { isCritical: boolean; value: Bytes }>;
}

const NAME = {
  commonName: '2.5.4.3',
  surname: '2.5.4.4',
  givenName: '2.5.4.42',
  pseudonym: '2.5.4.65',
  organization: '2.5.4.10',
  organizationIdentifier: '2.5.4.97',
  country: '2.5.4.6',
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

/** @throws DerFault */
export function certificateOf(der: Der): Certificate {
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
  const extensions = new Map<string, { isCritical: boolean; value: Bytes }>();
  for (const each of rest
    .find(({ tag }) => tag === 0xa3)
    ?.inner()
    .children() ?? []) {
    const fields = each.children();
    const [oid] = fields;
    const value = fields.at(-1);
    if (!oid || !value || extensions.has(oid.oid())) throw new DerFault('An extension is wrong');
    extensions.set(oid.oid(), {
      isCritical: fields.length === 3 && fields[1]?.content[0] !== 0,
      value: value.octets(),
    });
  }
  return {
    der: der.raw,
    tbs: tbs.raw,
    serial: serial.number(),
    issuerDer: issuer.raw,
    subjectDer: subject.raw,
    issuer: attributesOf(issuer),
    subject: attributesOf(subject),
    notBefore: notBefore.time(),
    notAfter: notAfter.time(),
    keyInfo,
    keyBits: keyBits.bits(),
    signatureAlgorithm,
    signature: signature.bits(),
    extensions,
  };
}

/** The attributes of a Name. */
export function attributesOf(name: Der): Attribute[] {
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

/** Whom a certificate names; a pseudonym is marked as one. Null if it names nobody. */
export function signerName({ subject }: Certificate): string | null {
  const pseudonym = valueIn(subject, NAME.pseudonym);
  if (pseudonym !== null) return `${pseudonym} (Pseudonym)`;
  const parts = [valueIn(subject, NAME.givenName), valueIn(subject, NAME.surname)].filter((part) => part !== null);
  return parts.length === 2 ? parts.join(' ') : valueIn(subject, NAME.commonName, NAME.organization, NAME.surname);
}

export function issuerName({ issuer }: Certificate): string | null {
  return valueIn(issuer, NAME.commonName, NAME.organization);
}

/** Professions in the admission of a certificate (Common PKI part 1, table 29), by their OIDs (gemSpec_OID) or their text. */
const PROFESSIONS: ReadonlyMap<string, string> = new Map([
  ['1.2.276.0.76.4.30', 'Ärztin/Arzt'],
  ['1.2.276.0.76.4.31', 'Zahnärztin/Zahnarzt'],
  ['1.2.276.0.76.4.32', 'Apotheker/-in'],
  ...['Ärztin/Arzt', 'Ärztin', 'Arzt'].map((text) => [text, 'Ärztin/Arzt'] as const),
]);

/** The profession that a certificate attests; null if it says none that is known here. */
export function professionOf({ extensions }: Certificate): string | null {
  const admission = extensions.get(EXTENSION.admission);
  const found = admission && orNull(() => [...saidIn(Der.only(admission.value, new Budget()))]);
  return (found ?? []).flatMap((said) => PROFESSIONS.get(said) ?? []).at(0) ?? null;
}

/** All OIDs and texts. */
function* saidIn(der: Der): Generator<string> {
  if (der.tag === TAG.oid) yield der.oid();
  else if (der.tag & 0x20) for (const each of der.each()) yield* saidIn(each);
  else yield der.text();
}

function has({ subject }: Certificate, oid: string): boolean {
  return subject.some((each) => each.oid === oid);
}

function extension({ extensions }: Certificate, oid: string, budget: Budget): Der | null {
  const found = extensions.get(oid);
  return found ? Der.only(found.value, budget) : null;
}

/** @throws UnknownAlgorithm; DerFault */
export function keyOf({ keyInfo }: Certificate, budget: Budget): PublicKey {
  return publicKeyOf(keyInfo, budget);
}

/** The subject key identifier; null if there is none. */
export function subjectKeyOf(certificate: Certificate, budget: Budget): Bytes | null {
  return extension(certificate, EXTENSION.subjectKey, budget)?.octets() ?? null;
}

function authorityKeyOf(certificate: Certificate, budget: Budget): Bytes | null {
  const [key] = extension(certificate, EXTENSION.authorityKey, budget)?.children() ?? [];
  return key?.tag === 0x80 ? key.content : null;
}

/** Whether it may issue certificates (RFC 5280 §4.2.1.3, §4.2.1.9); `bit`: 5 for certificates, 6 for CRLs. */
export function mayIssue(certificate: Certificate, budget: Budget, bit: 5 | 6 = 5): boolean {
  const [isIssuer] = extension(certificate, EXTENSION.basicConstraints, budget)?.children() ?? [];
  const usage = extension(certificate, EXTENSION.keyUsage, budget)?.content;
  const isFor = usage === undefined || ((usage[1] ?? 0) & (0x80 >> bit)) !== 0;
  return isFor && isIssuer?.tag === TAG.boolean && isIssuer.content[0] !== 0;
}

export function hasExtendedUsage(certificate: Certificate, oid: string, budget: Budget): boolean {
  return (
    extension(certificate, EXTENSION.extendedKeyUsage, budget)
      ?.children()
      .some((each) => each.oid() === oid) ?? false
  );
}

/** The QcStatements by their numbers, and the kinds of QcType (ETSI EN 319 412-5 §4.2). */
export function qualifiedStatements(certificate: Certificate, budget: Budget): string[] {
  return (extension(certificate, EXTENSION.qcStatements, budget)?.children() ?? []).flatMap((each) => {
    const [oid, value] = each.children();
    if (!oid) return [];
    const isType = oid.oid() === '0.4.0.1862.1.6' && value;
    return [oid.oid(), ...(isType ? value.children().map((type) => type.oid()) : [])];
  });
}

/**
 * A legal person's certificate is for seals, a natural person's for signatures (Regulation 910/2014 Art. 3): by QcType
 * where it is told, else by the names.
 */
export function isForSeals(certificate: Certificate, budget: Budget): boolean {
  const statements = qualifiedStatements(certificate, budget);
  if (statements.includes('0.4.0.1862.1.6.1')) return false;
  if (statements.includes('0.4.0.1862.1.6.2')) return true;
  const isPerson = [NAME.surname, NAME.givenName, NAME.pseudonym].some((oid) => has(certificate, oid));
  return !isPerson && has(certificate, NAME.organizationIdentifier);
}

/**
 * Whether `issuer` issued `certificate`: its key signed it, its name is the stated issuer, and it may issue
 * certificates.
 */
export async function isIssuedBy(certificate: Certificate, issuer: Certificate, budget: Budget): Promise<boolean> {
  if (!isEqual(certificate.issuerDer, issuer.subjectDer)) return false;
  const isIssued = async () => {
    const [wanted, found] = [authorityKeyOf(certificate, budget), subjectKeyOf(issuer, budget)];
    if (wanted && found && !isEqual(wanted, found)) return false;
    if (!mayIssue(issuer, budget)) return false;
    const scheme = schemeOf(certificate.signatureAlgorithm, null);
    return isSignedBy(scheme, keyOf(issuer, budget), certificate.signature, certificate.tbs, budget);
  };
  return (await orNullAsync(isIssued())) ?? false;
}
