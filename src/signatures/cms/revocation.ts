import { type Bytes, ifFault, isEqual } from '../bytes';
import { digest, hashOf, isSignedBy, schemeOf } from './algorithms';
import {
  type Certificate,
  certificateOf,
  extensionsIn,
  hasExtendedUsage,
  isIssuedBy,
  type Material,
  mayIssue,
} from './certificate';
import { context, type Der, TAG } from './der';

const BASIC_OCSP = '1.3.6.1.5.5.7.48.1.1';
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
const DELTA = '2.5.29.27';
const DISTRIBUTION = '2.5.29.28';
const REASON = '2.5.29.21';

/** The status of one certificate according to a verified OCSP response or CRL. */
export interface RevocationStatus {
  source: 'ocsp' | 'crl';
  status: 'good' | 'revoked' | 'unknown';
  /** ISO 8601, as all times here. */
  revokedAt: string | null;
  /** CRLReason (RFC 5280 §5.3.1). */
  reason: number | null;
  thisUpdate: string;
  nextUpdate: string | null;
}

/**
 * Returns the statuses of a certificate according to OCSP responses and CRLs, newest first. Ignores answers that are
 * signed neither by the certificate's issuer nor by a responder of the issuer.
 * @throws LimitReached
 */
export async function revocationIn(
  { ocsps, crls }: Pick<Material, 'ocsps' | 'crls'>,
  certificate: Certificate,
  issuer: Certificate,
): Promise<RevocationStatus[]> {
  const found: (RevocationStatus | null)[] = [];
  for (const ocsp of ocsps) found.push(await ocspStatus(ocsp, certificate, issuer).catch(ifFault));
  for (const crl of crls) found.push(await crlStatus(crl, certificate, issuer).catch(ifFault));
  return found.filter((each) => each !== null).sort((one, other) => (one.thisUpdate < other.thisUpdate ? 1 : -1));
}

/**
 * Returns the status of a certificate according to an OCSP response. Null if the response does not name the
 * certificate, or if it is signed neither by the issuer nor by a responder with a certificate that the issuer issued
 * for OCSP (RFC 6960 §3.2).
 */
async function ocspStatus(
  response: Der,
  certificate: Certificate,
  issuer: Certificate,
): Promise<RevocationStatus | null> {
  const outer = response.children();
  let basic = response;
  if (outer[0]?.tag === TAG.enumerated) {
    const [type, bytes] = outer[1]?.inner().children() ?? [];
    if (outer[0].content[0] !== 0 || type?.oid() !== BASIC_OCSP || !bytes) return null;
    basic = bytes.inside();
  }
  const [data, algorithm, signature, certificates] = basic.children();
  if (!data || !algorithm || !signature) return null;
  const parts = data.children();
  if (parts[0]?.tag === context(0)) parts.shift();
  const [, producedAt, responses] = parts;
  if (!producedAt || !responses) return null;
  for (const single of responses.each()) {
    const [id, status, thisUpdate, next] = single.children();
    if (!id || !status || !thisUpdate || !(await isAbout(id, certificate, issuer))) continue;
    const signed = { data: data.raw, algorithm, signature: signature.bits() };
    if (!(await isFromIssuer(signed, issuer, certificates, producedAt.time()))) return null;
    const [revokedAt, reason] = status.tag === context(1) ? [...status.each()] : [];
    return {
      source: 'ocsp',
      status: status.tag === 0x80 ? 'good' : revokedAt ? 'revoked' : 'unknown',
      revokedAt: revokedAt?.time() ?? null,
      reason: reason ? (reason.inner().content[0] ?? null) : null,
      thisUpdate: thisUpdate.time(),
      nextUpdate: next?.tag === context(0) ? next.inner().time() : null,
    };
  }
  return null;
}

async function isAbout(id: Der, certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const [algorithm, name, key, serial] = id.children();
  if (!algorithm || !name || !key || serial?.number() !== certificate.serial) return false;
  const hash = hashOf(algorithm);
  const isSame = async (expected: Der, bytes: Bytes): Promise<boolean> =>
    isEqual(expected.octets(), await digest(hash, bytes));
  return (await isSame(name, issuer.subjectDer)) && (await isSame(key, issuer.keyBits));
}

/**
 * Whether an OCSP response was signed by the certificate's issuer, or by a responder that the issuer authorized.
 * @param at the time at which the responder's certificate must be valid
 */
async function isFromIssuer(
  { data, algorithm, signature }: { data: Bytes; algorithm: Der; signature: Bytes },
  issuer: Certificate,
  certificates: Der | undefined,
  at: string,
): Promise<boolean> {
  const scheme = schemeOf(algorithm, null);
  // A key that does not fit the scheme throws a `Fault`.
  const isBy = ({ keyInfo }: Certificate) => isSignedBy(scheme, keyInfo, signature, data).catch(ifFault);
  if (await isBy(issuer)) return true;
  for (const der of (certificates?.inner().children() ?? []).slice(0, 4)) {
    const responder = certificateOf(der);
    const isTimely = responder.notBefore <= at && at <= responder.notAfter;
    if (!isTimely || !hasExtendedUsage(responder, OCSP_SIGNING) || !(await isIssuedBy(responder, issuer))) continue;
    if (await isBy(responder)) return true;
  }
  return false;
}

/**
 * Returns the status of a certificate according to a CRL (RFC 5280 §6.3). Only a complete CRL of the issuer itself
 * counts. Null for a delta CRL, an indirect CRL, or one limited to some reasons.
 */
async function crlStatus(crl: Der, certificate: Certificate, issuer: Certificate): Promise<RevocationStatus | null> {
  const [tbs, algorithm, signature] = crl.children();
  if (!tbs || !algorithm || !signature) return null;
  const parts = tbs.children();
  if (parts[0]?.tag === TAG.integer) parts.shift();
  const [, name, thisUpdate, ...rest] = parts;
  if (!name || !thisUpdate || !isEqual(name.raw, certificate.issuerDer) || !isEqual(name.raw, issuer.subjectDer))
    return null;
  const nextUpdate = rest[0] && rest[0].tag !== TAG.sequence && rest[0].tag !== context(0) ? rest.shift() : undefined;
  const list = rest[0]?.tag === TAG.sequence ? rest.shift() : undefined;
  for (const [oid, value] of extensionsIn(rest.find(({ tag }) => tag === context(0))?.inner())) {
    if (oid === DELTA) return null;
    // [3] limits the CRL to some reasons, [4] marks it as indirect, [5] limits it to attribute certificates.
    const point = oid === DISTRIBUTION ? value.inside().children() : [];
    if (point.some(({ tag }) => [0x83, 0x84, 0x85].includes(tag))) return null;
  }
  if (!mayIssue(issuer, 6)) return null;
  if (!(await isSignedBy(schemeOf(algorithm, null), issuer.keyInfo, signature.bits(), tbs.raw))) return null;
  const status = { source: 'crl', thisUpdate: thisUpdate.time(), nextUpdate: nextUpdate?.time() ?? null } as const;
  for (const entry of list?.each() ?? []) {
    if (entry.inner().number() !== certificate.serial) continue;
    const [, revokedAt, extensions] = entry.children();
    const reason = new Map(extensionsIn(extensions)).get(REASON)?.octets()[2] ?? null;
    return { ...status, status: 'revoked', revokedAt: revokedAt?.time() ?? null, reason };
  }
  return { ...status, status: 'good', revokedAt: null, reason: null };
}
