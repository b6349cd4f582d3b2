import { ifUnchanged } from '../../platform/files';
import { callOut, readBounded, refusalOf } from '../../platform/http/outgoing';
import { Budget } from '../budget';
import { type Bytes, Fault, orNull } from '../bytes';
import { digest } from '../cms/algorithms';
import { type Certificate, partsOf } from '../cms/certificate';
import { Der, tlv } from '../cms/der';
import { EU, isStale, keptLists, LISTS, metadataOf, readKept, type Said, saidIn } from './kept';
import { readTrustedList, type TrustedList, type TrustService } from './list';
import { anchorsOf } from './services';

/**
 * Verifies a list and stores it in place of the previous one. If the list is refused, the previous one stays.
 * @param of.wanted the territories whose lists are wanted; null for all
 * @throws Fault with a message that says why the list is refused; R2's error
 */
export async function keepList(
  files: R2Bucket,
  bytes: Uint8Array,
  of: { territory: string; isTrusted: (fingerprint: string) => boolean; wanted: readonly string[] | null; now: number },
): Promise<TrustedList> {
  const list = await readTrustedList(bytes, of.isTrusted);
  if (list.territory !== of.territory) throw new Fault(`The list is that of ${list.territory}`);
  if (list.nextUpdate !== null && list.nextUpdate < of.now) throw new Fault('The list has expired');
  const key = `${LISTS}${list.territory}`;
  const before = await files.head(key);
  if (before && saidIn<Said>(before).sequence > list.sequence)
    throw new Fault('The list is older than the one that is kept');
  const names = anchorsOf(list.services, new Budget()).flatMap(({ certificates }) => certificates);
  const countries = new Set(names.map(({ subject }) => countryIn(subject)));
  const wanted = list.pointers.map(({ territory }) => territory).filter((each) => each !== EU);
  const { sequence, nextUpdate } = list;
  const said: Said = {
    ...{ sequence, nextUpdate, countries: [...countries] },
    wanted: [...new Set(wanted)].filter((each) => of.wanted === null || of.wanted.includes(each)),
  };
  const onlyIf = ifUnchanged(before?.etag ?? null);
  if (!(await files.put(key, JSON.stringify(list), { customMetadata: metadataOf(said), onlyIf })))
    throw new Fault('Another version is being kept at this moment');
  return list;
}

type Name = readonly { oid: string; value: string }[];

/** Returns the country in a name as two capital letters, or `-` if the name has none. */
function countryIn(name: Name): string {
  const country = name.find(({ oid }) => oid === '2.5.4.6')?.value ?? '';
  return /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : '-';
}

/**
 * Returns the services to which some certificates may chain. A trusted list contributes all its services if it has a
 * country that one of the certificates names.
 * @returns `isIncomplete`: whether a wanted list is missing or no longer counts
 * @throws R2's error
 */
export async function servicesFor(
  files: R2Bucket,
  certificates: readonly { issuer: Name; subject: Name }[],
  now: number,
): Promise<{ services: TrustService[]; isIncomplete: boolean }> {
  const kept = await keptLists(files);
  const current = kept.filter((each) => !isStale(each, now));
  const countries = new Set(certificates.flatMap(({ issuer, subject }) => [countryIn(issuer), countryIn(subject)]));
  const read = current
    .filter(({ territory, countries: own }) => territory !== EU && own.some((each) => countries.has(each)))
    .map(({ territory }) => readKept(files, territory));
  const services = (await Promise.all(read)).flatMap((list) => list?.services ?? []);
  const wanted = kept.flatMap((each) => [each.territory, ...each.wanted]);
  return { services, isIncomplete: wanted.some((each) => !current.some(({ territory }) => territory === each)) };
}

const TIMEOUT_MS = 5_000;
const OCSP_BYTES_MAX = 100 * 1024;
const CRL_BYTES_MAX = 5 * 1024 * 1024;
/** At most this many addresses are asked about one certificate. */
const ADDRESSES_MAX = 2;

const OCSP = '1.3.6.1.5.5.7.48.1';

/**
 * Returns the answers from the addresses in a certificate: OCSP responses, or CRLs if there are none. They are not
 * verified yet.
 */
export type AskRevocation = (certificate: Certificate, issuer: Certificate) => Promise<{ ocsps: Der[]; crls: Der[] }>;

/**
 * Asks over plain HTTP, because certificates name http:// addresses. The answers are signed. Call it only for
 * certificates that chain to a service of a verified list. Anybody could have chosen the addresses in any other
 * certificate.
 */
export const askRevocation: AskRevocation = async (certificate, issuer) => {
  /** Asks all addresses at the same time. */
  const answersOf = async (urls: string[], bytesMax: number, call: Partial<Call> = {}): Promise<Der[]> => {
    const answers = await Promise.all(urls.map((url) => bytesOf(url, bytesMax, { ...call, timeoutMs: TIMEOUT_MS })));
    return answers.flatMap((answer) => (answer && orNull(() => Der.first(answer, certificate.keyInfo.budget))) ?? []);
  };
  const headers = { 'Content-Type': 'application/ocsp-request' };
  const asked = { method: 'POST', body: await ocspRequest(certificate, issuer), headers };
  const ocsps = await answersOf(responders(certificate), OCSP_BYTES_MAX, asked);
  return { ocsps, crls: await answersOf(ocsps.length > 0 ? [] : distributionPoints(certificate), CRL_BYTES_MAX) };
};

type Call = Parameters<typeof callOut>[1];

async function bytesOf(url: string, bytesMax: number, call: Call): Promise<Bytes | null> {
  if (refusalOf(url, { isOwnHost: () => false, allowHttp: true })) return null;
  const { answer } = await callOut(url, call);
  return answer ? bytesIn(answer, bytesMax) : null;
}

/** Returns the body of an answer. Null unless the status is 200 and the body has at most `bytesMax` bytes. */
export async function bytesIn(answer: Response, bytesMax: number): Promise<Bytes | null> {
  // If reading the body fails halfway, there is no answer.
  const read = await readBounded(answer, bytesMax).catch(() => null);
  return answer.status === 200 && read && !read.isCut ? read.bytes : null;
}

/** Returns the addresses of OCSP responders in a certificate's authority information access (RFC 5280 §4.2.2.1). */
function responders(certificate: Certificate): string[] {
  return urisIn(certificate, '1.3.6.1.5.5.7.1.1', ([method, location]) =>
    method?.oid() === OCSP && location ? [location] : [],
  );
}

/** Returns the addresses of CRLs in a certificate: the full names of its distribution points (RFC 5280 §4.2.1.13). */
function distributionPoints(certificate: Certificate): string[] {
  return urisIn(certificate, '2.5.29.31', ([point]) => {
    const full = point?.tag === 0xa0 ? point.inner() : undefined;
    return full?.tag === 0xa0 ? [...full.each()] : [];
  });
}

const URI = 0x86;

function urisIn(certificate: Certificate, oid: string, namesOf: (parts: Der[]) => Der[]): string[] {
  const names = orNull(() => partsOf(certificate, oid).flatMap((each) => namesOf(each.children())));
  return (names ?? [])
    .filter(({ tag }) => tag === URI)
    .map((name) => name.text())
    .filter((uri) => /^https?:\/\//i.test(uri))
    .slice(0, ADDRESSES_MAX);
}

const SHA_1 = Uint8Array.from([0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00]);

/** Encodes an OCSPRequest for one certificate, without a nonce (RFC 6960 §4.1.1). */
async function ocspRequest({ serial }: Certificate, issuer: Certificate): Promise<Bytes> {
  const digits = serial.replace('-', '');
  const content = Uint8Array.fromHex(digits.length % 2 ? `0${digits}` : digits);
  const isPositive = !serial.startsWith('-') && (content[0] ?? 0) >= 0x80;
  const id = tlv(
    0x30,
    SHA_1,
    tlv(0x04, await digest('SHA-1', issuer.subjectDer)),
    tlv(0x04, await digest('SHA-1', issuer.keyBits)),
    tlv(0x02, ...(isPositive ? [new Uint8Array(1)] : []), content),
  );
  return tlv(0x30, tlv(0x30, tlv(0x30, tlv(0x30, id))));
}
