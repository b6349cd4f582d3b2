import { type Bytes, isEqual, orNullAsync } from '../bytes';
import { digest, hashOf, isSignedBy, schemeOf } from './algorithms';
import { type Certificate, certificateOf, hasExtendedUsage, isIssuedBy, keyOf, mayIssue } from './certificate';
import { context, Der, TAG } from './der';
import type { Material } from './material';

const BASIC_OCSP = '1.3.6.1.5.5.7.48.1.1';
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
const DELTA = '2.5.29.27';
const DISTRIBUTION = '2.5.29.28';

/** Answers that are not verified. */
type Answers = Pick<Material, 'ocsps' | 'crls' | 'budget'>;

/** What a verified OCSP response or CRL says of one certificate. */
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

/** What the file's own OCSP responses and CRLs say of a certificate, newest first; only what its issuer stands for. */
export async function embeddedRevocation(
  certificate: Certificate,
  issuer: Certificate,
  material: Answers,
): Promise<RevocationStatus[]> {
  const found: (RevocationStatus | null)[] = [];
  for (const ocsp of material.ocsps) found.push(await orNullAsync(ocspStatus(ocsp, certificate, issuer, material)));
  for (const crl of material.crls) found.push(await orNullAsync(crlStatus(crl, certificate, issuer, material)));
  return found.flatMap((each) => each ?? []).sort((one, other) => (one.thisUpdate < other.thisUpdate ? 1 : -1));
}

/** RFC 6960 §3.2: signed by the issuer itself, or by a responder that it issued for this. */
export async function ocspStatus(
  response: Der,
  certificate: Certificate,
  issuer: Certificate,
  { budget }: Answers,
): Promise<RevocationStatus | null> {
  const outer = response.children();
  let basic = response;
  if (outer[0]?.tag === TAG.enumerated) {
    const [type, bytes] = outer[1]?.inner().children() ?? [];
    if (outer[0].content[0] !== 0 || type?.oid() !== BASIC_OCSP || !bytes) return null;
    basic = Der.only(bytes.octets(), budget);
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
    const [now, until] = [producedAt.time(), next?.tag === context(0) ? next.inner().time() : null];
    if (!(await isFromIssuer(data.raw, algorithm, signature.bits(), certificates, issuer, now, budget))) return null;
    const [revokedAt, reason] = status.tag === context(1) ? [...status.each()] : [];
    return {
      source: 'ocsp',
      status: status.tag === 0x80 ? 'good' : revokedAt ? 'revoked' : 'unknown',
      revokedAt: revokedAt?.time() ?? null,
      reason: reason ? (reason.inner().content[0] ?? null) : null,
      thisUpdate: thisUpdate.time(),
      nextUpdate: until,
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

async function isFromIssuer(
  data: Bytes,
  algorithm: Der,
  signature: Bytes,
  certificates: Der | undefined,
  issuer: Certificate,
  at: string,
  budget: Material['budget'],
): Promise<boolean> {
  const scheme = schemeOf(algorithm, null);
  const candidates = [issuer];
  for (const der of (certificates?.inner().children() ?? []).slice(0, 4)) {
    const responder = certificateOf(der);
    const isTimely = responder.notBefore <= at && at <= responder.notAfter;
    if (isTimely && hasExtendedUsage(responder, OCSP_SIGNING, budget) && (await isIssuedBy(responder, issuer, budget)))
      candidates.push(responder);
  }
  for (const each of candidates) {
    const key = keyOf(each, budget);
    if ((key.kind === 'ec') !== scheme.kind.startsWith('ecdsa')) continue;
    if (await isSignedBy(scheme, key, signature, data, budget)) return true;
  }
  return false;
}

/** RFC 5280 §6.3: complete CRLs of the issuer itself; no delta, no indirect ones, none for some reasons only. */
export async function crlStatus(
  crl: Der,
  certificate: Certificate,
  issuer: Certificate,
  { budget }: Answers,
): Promise<RevocationStatus | null> {
  const [tbs, algorithm, signature] = crl.children();
  if (!tbs || !algorithm || !signature) return null;
  const parts = tbs.children();
  if (parts[0]?.tag === TAG.integer) parts.shift();
  const [, name, thisUpdate, ...rest] = parts;
  if (!name || !thisUpdate || !isEqual(name.raw, certificate.issuerDer) || !isEqual(name.raw, issuer.subjectDer))
    return null;
  const nextUpdate = rest[0] && rest[0].tag !== TAG.sequence && rest[0].tag !== context(0) ? rest.shift() : undefined;
  const list = rest[0]?.tag === TAG.sequence ? rest.shift() : undefined;
  for (const extension of rest
    .find(({ tag }) => tag === context(0))
    ?.inner()
    .children() ?? []) {
    const fields = extension.children();
    const oid = fields[0]?.oid();
    if (oid === DELTA) return null;
    // [3] some reasons, [4] indirect, [5] attribute certificates.
    const point = oid === DISTRIBUTION ? Der.only(fields.at(-1)?.octets() ?? new Uint8Array(), budget).children() : [];
    if (point.some(({ tag }) => [0x83, 0x84, 0x85].includes(tag))) return null;
  }
  if (!mayIssue(issuer, budget, 6)) return null;
  if (!(await isSignedBy(schemeOf(algorithm, null), keyOf(issuer, budget), signature.bits(), tbs.raw, budget)))
    return null;
  const status = { source: 'crl', thisUpdate: thisUpdate.time(), nextUpdate: nextUpdate?.time() ?? null } as const;
  for (const entry of list?.each() ?? []) {
    if (entry.inner().number() !== certificate.serial) continue;
    const [, revokedAt, extensions] = entry.children();
    const reason = extensions
      ?.children()
      .find((each) => each.children()[0]?.oid() === '2.5.29.21')
      ?.children()
      .at(-1);
    return { ...status, status: 'revoked', revokedAt: revokedAt?.time() ?? null, reason: reason?.octets()[2] ?? null };
  }
  return { ...status, status: 'good', revokedAt: null, reason: null };
}
