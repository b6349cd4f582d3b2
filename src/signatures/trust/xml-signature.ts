import { fromBase64, sha256, toHex } from '../../platform/crypto/crypto';
import { Budget } from '../budget';
import { type Bytes, isEqual } from '../bytes';
import { digest, type Hash, isSignedBy, type Scheme } from '../cms/algorithms';
import { certificateOf } from '../cms/certificate';
import { Der } from '../cms/der';
import { canonical, canonicalDocument, type Element, XmlFault } from './xml';

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

/** RFC 9231 §2.3. In XML, ECDSA is written as r and s in a row. SHA-1 is no longer accepted. */
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
 * Verifies the enveloped XAdES signature of a document (ETSI TS 119 612 §5.7): of the whole document, without
 * anything else in it left out, so that what is read is what was signed.
 * @param root the document's element
 * @param isTrusted whether a certificate may sign it, by its SHA-256 in lowercase hex
 * @throws XmlFault if it does not verify; Fault for a certificate that cannot be read
 */
export async function verifyEnveloped(root: Element, isTrusted: (fingerprint: string) => boolean): Promise<void> {
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

/** The bytes of a base64 text. @throws XmlFault */
export function base64(element: Element | undefined): Bytes {
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

/** The whole document without the signature. */
function wholeOf(root: Element, reference: Element, signature: Element): string {
  const uri = reference.attribute('URI');
  const [first, form, ...more] = reference.at('Transforms')?.elements ?? [];
  if (first?.attribute('Algorithm') !== ENVELOPED || more.length > 0) throw new XmlFault('A transform is not known');
  const options = { ...(form ? formOf(form) : { isInclusive: true }), without: signature };
  if (uri === '') return canonicalDocument(root, options);
  if (uri !== `#${idOf(root)}` || !isUnique(root, idOf(root))) throw new XmlFault('The signature is of something else');
  return canonical(root, options);
}

/** The signed properties, which are inside the signature itself. */
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

/** Whether one element alone has an Id. */
function isUnique(root: Element, id: string): boolean {
  return id !== '' && [root, ...root.descendants()].filter((each) => idOf(each) === id).length === 1;
}
