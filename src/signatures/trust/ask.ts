import { callOut, readBounded, refusalOf } from '../../platform/http/outgoing';
import { type Bytes, orNull } from '../bytes';
import { digest } from '../cms/algorithms';
import { type Certificate, partsOf } from '../cms/certificate';
import { Der, tlv } from '../cms/der';

const TIMEOUT_MS = 5_000;
const OCSP_BYTES_MAX = 100 * 1024;
const CRL_BYTES_MAX = 5 * 1024 * 1024;
/** The most addresses asked for one certificate. */
const ADDRESSES_MAX = 2;

const OCSP = '1.3.6.1.5.5.7.48.1';

/** Returns what the addresses in a certificate answer: OCSP responses, else CRLs. Nothing in them is verified yet. */
export type AskRevocation = (certificate: Certificate, issuer: Certificate) => Promise<{ ocsps: Der[]; crls: Der[] }>;

/**
 * Asks over HTTP, which is what certificates name, as the answers are signed. Only for certificates that chain to a
 * service of a verified list: addresses in others are anybody's.
 */
export const askRevocation: AskRevocation = async (certificate, issuer) => {
  const { budget } = certificate.keyInfo;
  /** Asks all addresses at the same time. */
  const answersOf = async (urls: string[], bytesMax: number, call: Partial<Call> = {}): Promise<Der[]> => {
    const answers = await Promise.all(urls.map((url) => bytesOf(url, bytesMax, { ...call, timeoutMs: TIMEOUT_MS })));
    return answers.flatMap((answer) => (answer && orNull(() => Der.first(answer, budget))) ?? []);
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

/** The body of an answer, read to its end; null unless it is a 200 with a whole body of at most `bytesMax`. */
export async function bytesIn(answer: Response, bytesMax: number): Promise<Bytes | null> {
  // A body that stops in the middle is no answer.
  const read = await readBounded(answer, bytesMax).catch(() => null);
  return answer.status === 200 && read && !read.isCut ? read.bytes : null;
}

/** Authority information access (RFC 5280 §4.2.2.1). */
function responders(certificate: Certificate): string[] {
  return urisIn(certificate, '1.3.6.1.5.5.7.1.1', ([method, location]) =>
    method?.oid() === OCSP && location ? [location] : [],
  );
}

/** CRL distribution points (RFC 5280 §4.2.1.13): full names. */
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

/** An OCSPRequest for one certificate, without a nonce (RFC 6960 §4.1.1). */
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
