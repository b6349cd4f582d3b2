import { fromBase64, sha256, toBase64, toHex } from '../../platform/crypto/crypto';
import { Budget } from '../budget';
import { type Bytes, isEqual } from '../bytes';
import { digest, type Hash, isSignedBy, type Scheme } from '../cms/algorithms';
import { certificateOf } from '../cms/certificate';
import { Der } from '../cms/der';
import { canonical, canonicalDocument, type Element, readXml, XmlFault } from './xml';

/** The address of another list, and the certificates that may sign it. */
export interface Pointer {
  territory: string;
  url: string;
  /** SHA-256 of the certificates, lowercase hex. */
  signers: string[];
}

/**
 * A condition on a certificate (ETSI TS 119 612 §5.5.9.2.2). A condition of an unsupported kind is `unknown` and is
 * never met.
 */
export type Condition =
  | { has: Listed; oids: string[] }
  | { usages: { bit: number; isSet: boolean }[] }
  | { assert: 'all' | 'atLeastOne' | 'none'; of: Condition[] }
  | { unknown: true };

/** The state of a service from the time `from` on. */
export interface ServiceState {
  /** The last part of the URI of the status, such as `granted`, `withdrawn`, `undersupervision`. */
  status: string;
  /** Epoch ms. */
  from: number;
  /** The purposes of the service's certificates, such as `ForeSignatures`; empty if the list names none. */
  uses: string[];
  qualifiers: { names: string[]; when: Condition }[];
}

/** A service that issues certificates or time stamps. */
export interface TrustService {
  kind: 'CA' | 'TSA';
  /** The certificates that identify the service, DER in base64. */
  certificates: string[];
  /** The newest state comes first. */
  states: ServiceState[];
}

/** The parts of a trusted list that are stored. */
export interface TrustedList {
  territory: string;
  sequence: number;
  /** Epoch ms; null for a list that has been closed. */
  nextUpdate: number | null;
  /** The addresses of other lists. The list of lists has the addresses of all lists, its own included. */
  pointers: Pointer[];
  services: TrustService[];
}

/**
 * Reads and verifies a trusted list (ETSI TS 119 612, versions 5 and 6).
 * @param isTrusted whether the certificate with this SHA-256 (lowercase hex) may sign the list
 * @throws Fault with a message that says why the list is refused
 */
export async function readTrustedList(
  bytes: Uint8Array,
  isTrusted: (fingerprint: string) => boolean,
): Promise<TrustedList> {
  const root = readXml(bytes);
  if (root.local !== 'TrustServiceStatusList') throw new XmlFault('The file is not a trusted list');
  await verifyEnveloped(root, isTrusted);
  const scheme = root.at('SchemeInformation');
  const version = scheme?.at('TSLVersionIdentifier')?.text;
  if (version !== '5' && version !== '6') throw new XmlFault('The version of the list is not known');
  const sequence = Number(scheme?.at('TSLSequenceNumber')?.text);
  const next = scheme?.at('NextUpdate', 'dateTime');
  const territory = scheme?.at('SchemeTerritory')?.text ?? '';
  if (!Number.isSafeInteger(sequence) || !/^[A-Z]{2}$/.test(territory)) throw new XmlFault('The list is incomplete');
  const providers = root.at('TrustServiceProviderList')?.all('TrustServiceProvider') ?? [];
  return {
    territory,
    sequence,
    nextUpdate: next ? timeOf(next) : null,
    pointers: await pointersOf(scheme?.at('PointersToOtherTSL')),
    services: providers.flatMap((each) => (each.at('TSPServices')?.all('TSPService') ?? []).flatMap(serviceOf)),
  };
}

function timeOf(element: Element | undefined): number {
  const time = Date.parse(element?.text ?? '');
  if (Number.isNaN(time)) throw new XmlFault('A time is wrong');
  return time;
}

const XML_TYPE = 'application/vnd.etsi.tsl+xml';

/** Reads the pointers to lists in XML. Pointers to human-readable lists are left out. @throws XmlFault */
async function pointersOf(list: Element | undefined): Promise<Pointer[]> {
  const pointers: Pointer[] = [];
  for (const each of list?.all('OtherTSLPointer') ?? []) {
    const said = (each.at('AdditionalInformation')?.all('OtherInformation') ?? []).flatMap(({ elements }) => elements);
    const isXml = said.some(({ local, text }) => local === 'MimeType' && text === XML_TYPE);
    const territory = said.find(({ local }) => local === 'SchemeTerritory')?.text;
    const url = each.at('TSLLocation')?.text;
    if (!isXml || !territory || !url) continue;
    const identities = each.at('ServiceDigitalIdentities')?.all('ServiceDigitalIdentity') ?? [];
    const signers = identities.flatMap(certificatesOf).map((bytes) => sha256(bytes as BufferSource));
    pointers.push({ territory, url, signers: (await Promise.all(signers)).map(toHex) });
  }
  return pointers;
}

function certificatesOf(identity: Element): Uint8Array[] {
  return identity.all('DigitalId').flatMap((id) => id.all('X509Certificate').map(base64));
}

const SERVICE_TYPE = 'http://uri.etsi.org/TrstSvc/Svctype/';
const KINDS: Readonly<Record<string, TrustService['kind']>> = { 'CA/QC': 'CA', 'TSA/QTST': 'TSA' };

function serviceOf(service: Element): TrustService[] {
  const current = service.at('ServiceInformation');
  const type = current?.at('ServiceTypeIdentifier')?.text ?? '';
  const kind = type.startsWith(SERVICE_TYPE) ? KINDS[type.slice(SERVICE_TYPE.length)] : undefined;
  if (!current || !kind) return [];
  const earlier = service.at('ServiceHistory')?.all('ServiceHistoryInstance') ?? [];
  const identity = current.at('ServiceDigitalIdentity');
  const certificates = (identity ? certificatesOf(identity) : []).map(toBase64);
  // A service may have had another type in the past: its states from that time do not count.
  const states = [current, ...earlier].map((each) => stateOf(each, each.at('ServiceTypeIdentifier')?.text === type));
  return [{ kind, certificates, states: states.sort((one, other) => other.from - one.from) }];
}

function stateOf(state: Element, isSameType: boolean): ServiceState {
  const extensions = state.at('ServiceInformationExtensions')?.all('Extension') ?? [];
  const inside = extensions.flatMap(({ elements }) => elements);
  const elements = inside
    .filter(({ local }) => local === 'Qualifications')
    .flatMap((each) => each.all('QualificationElement'));
  return {
    status: isSameType ? lastPart(state.at('ServiceStatus')?.text) : 'other',
    from: timeOf(state.at('StatusStartingTime')),
    uses: inside
      .filter(({ local }) => local === 'AdditionalServiceInformation')
      .map((each) => lastPart(each.at('URI')?.text)),
    qualifiers: elements.map((each) => ({
      names: (each.at('Qualifiers')?.all('Qualifier') ?? []).map((one) => lastPart(one.attribute('uri'))),
      when: criteriaOf(each.at('CriteriaList')),
    })),
  };
}

function lastPart(uri = ''): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}

/** The names that ETSI TS 119 612 has for the bits of keyUsage (RFC 5280 §4.2.1.3), in the order of the bits. */
const USAGES = [
  ...['digitalSignature', 'nonRepudiation', 'keyEncipherment', 'dataEncipherment', 'keyAgreement'],
  ...['keyCertSign', 'crlSign', 'encipherOnly', 'decipherOnly'],
];

function criteriaOf(list: Element | undefined): Condition {
  const assert = list?.attribute('assert');
  if (!list || (assert !== 'all' && assert !== 'atLeastOne' && assert !== 'none')) return { unknown: true };
  const others = list.all('otherCriteriaList').flatMap(({ elements }) => elements);
  const conditions = list.elements.filter(({ local }) => local !== 'Description' && local !== 'otherCriteriaList');
  return { assert, of: [...conditions, ...others].map(conditionOf) };
}

/** Kinds of conditions that list OIDs. A certificate meets such a condition if it has all of these OIDs. */
type Listed = 'policies' | 'extendedUsages' | 'subject';
const LISTED = new Map<string, Listed>([
  ['PolicySet', 'policies'],
  ['ExtendedKeyUsage', 'extendedUsages'],
  ['CertSubjectDNAttribute', 'subject'],
]);

function conditionOf(element: Element): Condition {
  const identifiers = [...element.descendants()]
    .filter(({ local }) => local === 'Identifier')
    .map(({ text }) => text.replace(/^urn:oid:/i, ''));
  const has = LISTED.get(element.local);
  if (has) return { has, oids: identifiers };
  if (element.local === 'CriteriaList') return criteriaOf(element);
  if (element.local !== 'KeyUsage') return { unknown: true };
  const usages = element.all('KeyUsageBit').map((each) => ({
    bit: USAGES.indexOf(each.attribute('name') ?? ''),
    isSet: each.text === 'true' || each.text === '1',
  }));
  return usages.some(({ bit }) => bit < 0) ? { unknown: true } : { usages };
}

const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
const ENVELOPED = `${SIGNATURES}enveloped-signature`;
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const SIGNED_PROPERTIES = 'http://uri.etsi.org/01903#SignedProperties';

const HASHES: Readonly<Record<string, Hash>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'SHA-256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'SHA-384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'SHA-512',
};

/**
 * The accepted signature algorithms of RFC 9231 §2.3; SHA-1 is not accepted. In XML, an ECDSA signature is r followed
 * by s.
 */
const SCHEMES: Readonly<Record<string, Scheme>> = Object.fromEntries(
  ([256, 384, 512] as const).flatMap((bits): [string, Scheme][] => {
    const hash: Hash = `SHA-${bits}`;
    return [
      [`http://www.w3.org/2001/04/xmldsig-more#rsa-sha${bits}`, { kind: 'rsa', hash }],
      [`http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha${bits}`, { kind: 'ecdsa-plain', hash }],
      [`http://www.w3.org/2007/05/xmldsig-more#sha${bits}-rsa-MGF1`, { kind: 'rsa-pss', hash, saltLength: bits / 8 }],
    ];
  }),
);

/**
 * Verifies the enveloped XAdES signature of a document (ETSI TS 119 612 §5.7). It must cover the whole document except
 * the signature itself. Otherwise, something could be read that was not signed.
 * @param root the root element of the document
 * @param isTrusted whether the certificate with this SHA-256 (lowercase hex) may sign the document
 * @throws XmlFault if the signature does not verify; Fault if a certificate cannot be read
 */
async function verifyEnveloped(root: Element, isTrusted: (fingerprint: string) => boolean): Promise<void> {
  const [signature, ...others] = root.elements.filter(isOf('Signature'));
  const signedInfo = signature?.elements.find(isOf('SignedInfo'));
  const value = signature?.at('SignatureValue');
  if (!signature || others.length > 0 || !signedInfo || !value) throw new XmlFault('Not one signature');
  const scheme = SCHEMES[signedInfo.at('SignatureMethod')?.attribute('Algorithm') ?? ''];
  if (!scheme) throw new XmlFault('The algorithm of the signature is not accepted');
  const references = signedInfo.all('Reference');
  const ofProperties = references.filter((each) => each.attribute('Type') === SIGNED_PROPERTIES);
  if (references.length !== 2 || ofProperties.length !== 1) throw new XmlFault('Not the two references');
  for (const reference of references) {
    const isOfProperties = reference === ofProperties[0];
    const signed = isOfProperties ? propertiesOf(signature, reference, root) : wholeOf(root, reference, signature);
    const hash = HASHES[reference.at('DigestMethod')?.attribute('Algorithm') ?? ''];
    if (!hash) throw new XmlFault('The algorithm of a digest is not accepted');
    const found = await digest(hash, new TextEncoder().encode(signed));
    if (!isEqual(found, base64(reference.at('DigestValue')))) throw new XmlFault('The signature is not of this list');
  }
  const signedBytes = new TextEncoder().encode(canonical(signedInfo, formOf(signedInfo.at('CanonicalizationMethod'))));
  for (const each of signature.at('KeyInfo')?.all('X509Data') ?? [])
    for (const certificate of each.all('X509Certificate')) {
      const der = base64(certificate);
      if (!isTrusted(toHex(await sha256(der as BufferSource)))) continue;
      const { keyInfo } = certificateOf(Der.only(der, new Budget()));
      if (await isSignedBy(scheme, keyInfo, base64(value), signedBytes)) return;
      throw new XmlFault('The signature is not that of its certificate');
    }
  throw new XmlFault('No certificate that may sign this list has signed it');
}

const isOf =
  (local: string) =>
  (element: Element): boolean =>
    element.local === local && element.tag.uri === SIGNATURES;

/** Decodes a base64 text. @throws XmlFault */
function base64(element: Element | undefined): Bytes {
  try {
    return fromBase64(element?.text ?? '');
  } catch {
    throw new XmlFault('A text is not base64');
  }
}

function formOf(method: Element | undefined): { isInclusive?: boolean; prefixes?: string[] } {
  const algorithm = method?.attribute('Algorithm');
  if (algorithm === INCLUSIVE) return { isInclusive: true };
  if (algorithm !== EXCLUSIVE) throw new XmlFault('The canonical form is not known');
  return { prefixes: method?.at('InclusiveNamespaces')?.attribute('PrefixList')?.split(' ').filter(Boolean) };
}

/**
 * Returns the canonical form of the whole document without the signature. @throws XmlFault if another part was signed
 */
function wholeOf(root: Element, reference: Element, signature: Element): string {
  const uri = reference.attribute('URI');
  const [first, form, ...more] = reference.at('Transforms')?.elements ?? [];
  if (first?.attribute('Algorithm') !== ENVELOPED || more.length > 0) throw new XmlFault('A transform is not known');
  const options = { ...(form ? formOf(form) : { isInclusive: true }), without: signature };
  if (uri === '') return canonicalDocument(root, options);
  if (uri !== `#${idOf(root)}` || !isUnique(root, idOf(root))) throw new XmlFault('The signature is of something else');
  return canonical(root, options);
}

/** Returns the canonical form of the signed properties, which are a part of the signature. @throws XmlFault */
function propertiesOf(signature: Element, reference: Element, root: Element): string {
  const properties = signature.at('Object', 'QualifyingProperties', 'SignedProperties');
  const [form, ...more] = reference.at('Transforms')?.elements ?? [];
  if (!properties || reference.attribute('URI') !== `#${idOf(properties)}` || !isUnique(root, idOf(properties)))
    throw new XmlFault('The signed properties are elsewhere');
  if (more.length > 0) throw new XmlFault('A transform is not known');
  return canonical(properties, form ? formOf(form) : { isInclusive: true });
}

function idOf(element: Element): string {
  return element.attribute('Id') ?? '';
}

/** Whether exactly one element has this Id. */
function isUnique(root: Element, id: string): boolean {
  return id !== '' && [root, ...root.descendants()].filter((each) => idOf(each) === id).length === 1;
}
