import { toBase64, toHex, utf8 } from '../../src/platform/crypto/crypto';
import type { Bytes } from '../../src/signatures/bytes';
import { type Holder, sha } from './authority';

/** Trusted lists for tests (ETSI TS 119 612): written in their canonical form, so that they are signed as they stand. */

const DS = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const METHODS = {
  p256: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256',
  p384: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384',
  p521: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512',
  bp256: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256',
  rsa: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  pss: 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
};

const base64Of = ({ certificate }: Holder): string => toBase64(certificate);
export const fingerprintOf = async ({ certificate }: Holder): Promise<string> =>
  toHex(await sha('SHA-256', certificate));

const digestOf = async (text: string): Promise<string> => toBase64(await sha('SHA-256', utf8(text)));

/** Signs a document before the end of its element. @param uri of the reference to it */
export async function signedXml(xml: string, signer: Holder, { uri = '', properties = '' } = {}): Promise<string> {
  const signedProperties = `<x:SignedProperties xmlns:x="http://uri.etsi.org/01903/v1.3.2#" Id="p">${properties}</x:SignedProperties>`;
  const reference = (attributes: string, transforms: string[], digest: string): string =>
    `<ds:Reference ${attributes}><ds:Transforms>${transforms.map((each) => `<ds:Transform Algorithm="${each}"></ds:Transform>`).join('')}</ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`;
  const method = METHODS[signer.key.kind as keyof typeof METHODS];
  const inside = `<ds:CanonicalizationMethod Algorithm="${EXCLUSIVE}"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm="${method}"></ds:SignatureMethod>${reference(`URI="${uri}"`, [`${DS}enveloped-signature`, EXCLUSIVE], await digestOf(xml))}${reference('Type="http://uri.etsi.org/01903#SignedProperties" URI="#p"', [EXCLUSIVE], await digestOf(signedProperties))}</ds:SignedInfo>`;
  const { signature } = await signer.key.sign(utf8(`<ds:SignedInfo xmlns:ds="${DS}">${inside}`), true);
  const whole = `<ds:Signature xmlns:ds="${DS}"><ds:SignedInfo>${inside}<ds:SignatureValue>${toBase64(signature)}</ds:SignatureValue><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64Of(signer)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo><ds:Object><x:QualifyingProperties xmlns:x="http://uri.etsi.org/01903/v1.3.2#">${signedProperties}</x:QualifyingProperties></ds:Object></ds:Signature>`;
  const end = xml.lastIndexOf('</');
  return xml.slice(0, end) + whole + xml.slice(end);
}

export interface ListedState {
  status?: string;
  from?: string;
  /** Inside ServiceInformationExtensions. */
  extensions?: string;
}

export interface ListedService {
  kind?: 'CA/QC' | 'TSA/QTST';
  holder: Holder;
  /** Newest first. */
  states?: ListedState[];
}

export interface WantedList {
  territory?: string;
  sequence?: number;
  version?: number;
  nextUpdate?: string;
  services?: ListedService[];
  pointers?: { territory: string; url: string; signers: Holder[] }[];
  uris?: string[];
}

const URI = 'http://uri.etsi.org/TrstSvc';

function state(
  kind: string,
  { status = 'granted', from = '2017-01-01T00:00:00Z', extensions = '' }: ListedState,
  identity: string,
): string {
  return `<ServiceTypeIdentifier>${URI}/Svctype/${kind}</ServiceTypeIdentifier>${identity}<ServiceStatus>${URI}/TrustedList/Svcstatus/${status}</ServiceStatus><StatusStartingTime>${from}</StatusStartingTime><ServiceInformationExtensions>${extensions}</ServiceInformationExtensions>`;
}

const identityOf = (holders: Holder[]): string =>
  `<ServiceDigitalIdentity>${holders.map((each) => `<DigitalId><X509Certificate>${base64Of(each)}</X509Certificate></DigitalId>`).join('')}</ServiceDigitalIdentity>`;

/** A list before it is signed. */
export function listXml({
  territory = 'DE',
  sequence = 1,
  version = 5,
  nextUpdate = '2099-01-01T00:00:00Z',
  services = [],
  pointers = [],
  uris = [],
}: WantedList = {}): string {
  const listed = services.map(({ kind = 'CA/QC', holder, states = [{}] }) => {
    const [current = {}, ...earlier] = states;
    const history = earlier.map((each) => `<ServiceHistoryInstance>${state(kind, each, '')}</ServiceHistoryInstance>`);
    return `<TSPService><ServiceInformation>${state(kind, current, identityOf([holder]))}</ServiceInformation><ServiceHistory>${history.join('')}</ServiceHistory></TSPService>`;
  });
  const others = pointers.map(
    ({ territory: of, url, signers }) =>
      `<OtherTSLPointer><ServiceDigitalIdentities>${identityOf(signers)}</ServiceDigitalIdentities><TSLLocation>${url}</TSLLocation><AdditionalInformation><OtherInformation><SchemeTerritory>${of}</SchemeTerritory></OtherInformation><OtherInformation><MimeType>application/vnd.etsi.tsl+xml</MimeType></OtherInformation></AdditionalInformation></OtherTSLPointer>`,
  );
  return `<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" Id="list"><SchemeInformation><TSLVersionIdentifier>${version}</TSLVersionIdentifier><TSLSequenceNumber>${sequence}</TSLSequenceNumber><SchemeInformationURI>${uris.map((uri) => `<URI>${uri}</URI>`).join('')}</SchemeInformationURI><SchemeTerritory>${territory}</SchemeTerritory><PointersToOtherTSL>${others.join('')}</PointersToOtherTSL><ListIssueDateTime>2026-01-01T00:00:00Z</ListIssueDateTime><NextUpdate><dateTime>${nextUpdate}</dateTime></NextUpdate></SchemeInformation><TrustServiceProviderList><TrustServiceProvider><TSPServices>${listed.join('')}</TSPServices></TrustServiceProvider></TrustServiceProviderList></TrustServiceStatusList>`;
}

export async function trustedList(signer: Holder, wanted: WantedList = {}): Promise<Bytes> {
  return utf8(await signedXml(listXml(wanted), signer));
}

/** A qualifier with its criteria. */
export const qualified = (name: string, criteria: string): string =>
  `<Extension><q:Qualifications xmlns:q="${URI}/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#"><q:QualificationElement><q:Qualifiers><q:Qualifier uri="${URI}/TrustedList/SvcInfoExt/${name}"></q:Qualifier></q:Qualifiers>${criteria}</q:QualificationElement></q:Qualifications></Extension>`;
export const criteria = (assert: string, ...inside: string[]): string =>
  `<q:CriteriaList assert="${assert}">${inside.join('')}</q:CriteriaList>`;
export const policies = (...oids: string[]): string =>
  `<q:PolicySet>${oids.map((each) => `<q:PolicyIdentifier><i:Identifier xmlns:i="http://uri.etsi.org/01903/v1.3.2#">urn:oid:${each} </i:Identifier></q:PolicyIdentifier>`).join('')}</q:PolicySet>`;
export const usage = (name: string, isSet: boolean): string =>
  `<q:KeyUsage><q:KeyUsageBit name="${name}">${isSet}</q:KeyUsageBit></q:KeyUsage>`;
export const use = (name: string): string =>
  `<Extension><AdditionalServiceInformation><URI>${URI}/TrustedList/SvcInfoExt/${name}</URI></AdditionalServiceInformation></Extension>`;
