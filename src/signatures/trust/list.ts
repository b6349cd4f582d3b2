import { sha256, toBase64, toHex } from '../../platform/crypto/crypto';
import { type Element, readXml, XmlFault } from './xml';
import { base64, verifyEnveloped } from './xml-signature';

/** Where another list is, and which certificates may sign it. */
export interface Pointer {
  territory: string;
  url: string;
  /** SHA-256 of the certificates, lowercase hex. */
  signers: string[];
}

/** A condition on a certificate (ETSI TS 119 612 §5.5.9.2.2). One of a kind that is not known here is never met. */
export type Condition =
  | { has: Listed; oids: string[] }
  | { usages: { bit: number; isSet: boolean }[] }
  | { assert: 'all' | 'atLeastOne' | 'none'; of: Condition[] }
  | { unknown: true };

/** What a service was from a time on. */
export interface ServiceState {
  /** The last part of its URI, as `granted`, `withdrawn`, `undersupervision`. */
  status: string;
  /** Epoch ms. */
  from: number;
  /** The uses of its certificates, such as `ForeSignatures`; empty if the list states none. */
  uses: string[];
  qualifiers: { names: string[]; when: Condition }[];
}

/** A service that issues certificates or time stamps. */
export interface TrustService {
  kind: 'CA' | 'TSA';
  /** Base64 of DER: its digital identity. */
  certificates: string[];
  /** Newest first. */
  states: ServiceState[];
}

/** What is kept of a trusted list. */
export interface TrustedList {
  territory: string;
  sequence: number;
  /** Epoch ms; null for a list that has been closed. */
  nextUpdate: number | null;
  /** Only of the list of lists: where the other lists are. Its own territory is among them. */
  pointers: Pointer[];
  services: TrustService[];
}

/**
 * Reads and verifies a trusted list (ETSI TS 119 612, versions 5 and 6).
 * @param isTrusted whether a certificate may sign it, by its SHA-256
 * @throws Fault that says why it is refused
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

/** Pointers to lists in XML; those to lists for people to read are left out. @throws XmlFault */
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
  // A service may have been of another type before: it was none of this kind then.
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

/** The bits of keyUsage (RFC 5280 §4.2.1.3) in their order, by the names of ETSI TS 119 612. */
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

/** Conditions that list OIDs, all of which the certificate has to have. */
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
