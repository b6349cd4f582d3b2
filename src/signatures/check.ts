import { PDF_BYTES_MAX } from '../platform/limits';
import { Budget, LimitReached } from './budget';
import { type Bytes, Fault, firstWord, isEqual, joined, latin1, orNull, placesOf } from './bytes';
import { digest } from './cms/algorithms';
import { isForSeals, Material } from './cms/certificate';
import { Der } from './cms/der';
import {
  checkSigner,
  checkTimestamp,
  type SignedData,
  type SignerCheck,
  type SubIndication,
  signatureTimestamps,
  signedDataOf,
  type Timestamp,
  UNCHECKED,
} from './cms/signed-data';
import { SIGNATURES_MAX } from './limits';
import { type Changes, laterChanges } from './pdf/changes';
import { nameOf, PdfFault, Text, type Value } from './pdf/objects';
import { Parser } from './pdf/parse';
import { PdfFile, type Read, type Revision } from './pdf/revision';
import { byteRangeOf, certifies, readSecurityStore, type Signed, signedFields, surveyOf } from './pdf/signature-fields';

/** The result of checking one signature from the file alone. `trust/judge.ts` judges the signature's certificate. */
export interface SignatureReport extends SignerCheck {
  kind: 'signature' | 'seal' | 'timestamp';
  /** ISO 8601: the time of the time stamp, else the time that the signer claims. */
  signedAt: string | null;
  /** The length in bytes of the signed revision, which begins where the file begins; null if no revision is signed. */
  signedBytes: number | null;
  /**
   * The value of the signature, which is the same in every file that contains the signature. Null if it cannot be read.
   */
  value: Bytes | null;
  /** How the file was changed after this signature; null if no revision is signed. */
  later: Changes | null;
  timestamps: readonly Timestamp[];
}

export interface Report {
  /**
   * `none`: no signature. `intact`: all verify. `failed`: at least one is broken. `indeterminate`: every other case.
   */
  status: 'none' | 'intact' | 'failed' | 'indeterminate';
  subIndication: SubIndication | null;
  reason: string | null;
  laterChanges: Changes['changes'];
  /** The index in `signatures` of the decisive signature (`anchorOf`); null if there is none. */
  anchor: number | null;
  /** The signatures in the order in which they were made. */
  signatures: readonly SignatureReport[];
  /** All certificates and revocation values of the file. */
  material: Pick<Material, 'certificates' | 'ocsps' | 'crls'>;
}

const HEADER_BYTES = 1_024;
const BYTE_RANGE = '/ByteRange';
/** Number of bytes behind `/ByteRange` that are read: enough for its four numbers. */
const RANGE_BYTES = 256;

/**
 * Checks all signatures of a PDF from the file alone, without trusted lists. If the file is damaged or a limit is
 * reached, the report says so.
 */
export async function checkPdf(bytes: Uint8Array): Promise<Report> {
  const budget = new Budget();
  const material = new Material(budget);
  const broken = (subIndication: SubIndication, reason: string): Report => ({
    ...{ status: 'indeterminate', subIndication, reason },
    ...{ laterChanges: 'other', anchor: null, signatures: [], material },
  });
  try {
    if (bytes.length > PDF_BYTES_MAX) return broken('CUSTOM', 'the file is too large');
    const file = new PdfFile(bytes, budget);
    const { signatures, final } = findSignatures(file);
    if (signatures.length === 0) {
      const unread = broken('FORMAT_FAILURE', final ? 'a signature of no field' : 'the file cannot be read');
      if (firstWord(bytes, BYTE_RANGE) >= 0) return unread;
      // The object of a signature cannot be in an object stream. A file whose bytes do not contain `/ByteRange`
      // therefore has no signature, even if the file is damaged.
      const reason = final ? null : unread.reason;
      return { ...unread, status: 'none', subIndication: null, reason, laterChanges: 'none' };
    }
    if (signatures.length > SIGNATURES_MAX) throw new LimitReached('signatures');
    if (final) readSecurityStore(final, material);
    const reports: SignatureReport[] = [];
    for (const signature of signatures) reports.push(await checkSignature(signature, file, final, material));
    reports.sort((one, other) => (one.signedBytes ?? 0) - (other.signedBytes ?? 0));
    return summary(reports, material);
  } catch (error) {
    if (error instanceof LimitReached) return broken('CUSTOM', error.message);
    if (error instanceof Fault) return broken('FORMAT_FAILURE', error.message);
    // The file holds a value that is nested too deeply for the stack.
    if (error instanceof RangeError) return broken('CUSTOM', 'Limit reached: stack');
    throw error;
  }
}

interface Found {
  signature: Signed;
  /** A revision that contains the signature. */
  revision: Revision;
}

/**
 * Returns the signatures of the whole file, and those that a later revision removed.
 * @returns `final`: the revision that is the whole file; null if it cannot be read
 */
function findSignatures(file: PdfFile): { signatures: Found[]; final: Revision | null } {
  const found = new Map<unknown, Found>();
  const add = (end: number): Revision => {
    const revision = file.revision(end);
    for (const signature of signedFields(revision)) {
      const contents = signature.dict.get('Contents');
      const place = contents instanceof Text && signature.isPlain ? contents.from : `object ${signature.num}`;
      if (!found.has(place)) found.set(place, { signature, revision });
    }
    return revision;
  };
  const { length } = file.bytes;
  const final = orNull(() => add(length));
  const ends = new Set<number>();
  for (const at of placesOf(file.bytes, BYTE_RANGE)) {
    const start = at + BYTE_RANGE.length;
    const parser = new Parser(file.bytes, start, Math.min(length, start + RANGE_BYTES), file.budget);
    const value = orNull(() => parser.value());
    const [, , from, count] = Array.isArray(value) ? value : [];
    if (typeof from === 'number' && typeof count === 'number' && from + count < length) ends.add(from + count);
    if (ends.size > SIGNATURES_MAX) throw new LimitReached('signatures');
  }
  for (const end of ends) orNull(() => add(end));
  return { signatures: [...found.values()], final };
}

const EMPTY: SignatureReport = {
  ...UNCHECKED,
  ...({ status: 'failed', subIndication: 'FORMAT_FAILURE', kind: 'signature', timestamps: [] } as const),
  ...{ signedAt: null, signedBytes: null, value: null, later: null },
};

const SHA1_INSIDE = 'adbe.pkcs7.sha1';
const TIMESTAMP = 'ETSI.RFC3161';
const SUB_FILTERS = ['adbe.pkcs7.detached', 'ETSI.CAdES.detached', TIMESTAMP, SHA1_INSIDE];

async function checkSignature(
  { signature, revision }: Found,
  file: PdfFile,
  final: Revision | null,
  material: Material,
): Promise<SignatureReport> {
  const subFilter = nameOf(revision.resolve(signature.dict.get('SubFilter')));
  const base: SignatureReport = { ...EMPTY, kind: subFilter === TIMESTAMP ? 'timestamp' : 'signature' };
  try {
    const { value, gap, end } = byteRangeOf(revision, signature);
    const signed = signedRevision(file, end, gap[0]);
    const own = revision.read(signature.num)?.span[0];
    // If the gap lies in another object, readers may show the unsigned bytes in the gap as part of that object.
    const isWithin = ([from, to]: Read['span']) => from !== own && from <= gap[0] && gap[0] < to;
    if (surveyOf(final ?? signed).spans.some(isWithin)) throw new PdfFault('Contents lies in another object');
    base.signedBytes = end;
    base.later = final
      ? laterChanges(signed, final, certifies(signed, signature.dict))
      : { changes: 'other', reason: 'the whole file cannot be read' };
    if (subFilter === null || !SUB_FILTERS.includes(subFilter))
      return { ...base, status: 'indeterminate', subIndication: 'CUSTOM', reason: 'SubFilter is not known here' };
    const covered = joined([file.bytes.subarray(0, gap[0]), file.bytes.subarray(gap[1], end)]);
    // The bytes behind the CMS are padding, mostly zeros.
    const data = signedDataOf(Der.first(value, material.budget), material);
    const { content } = data;
    const claimed = { signedAt: dateOf(signature.dict.get('M')), value: data.signer.signature };
    if (subFilter === TIMESTAMP) {
      const stamp = await checkTimestamp(data, covered, material);
      return { ...base, ...claimed, ...stamp, signedAt: stamp.time ?? stamp.claimedTime ?? claimed.signedAt };
    }
    if (subFilter === SHA1_INSIDE) {
      // The CMS holds the file's digest and signs this digest instead of the file (ISO 32000-2 §12.8.3.3.1).
      if (!content || !isEqual(content, await digest('SHA-1', covered)))
        return { ...base, subIndication: 'HASH_FAILURE', reason: 'digest' };
      return { ...base, ...claimed, ...(await checkValue(data, content, material)), hash: 'SHA-1' };
    }
    // Content inside the CMS: some programs sign it instead of the file, others in addition to the file (§12.8.3.3).
    if (content) return { ...base, reason: 'something else is signed' };
    return { ...base, ...claimed, ...(await checkValue(data, covered, material)) };
  } catch (error) {
    if (error instanceof Fault) return { ...base, reason: error.message };
    throw error;
  }
}

/**
 * Returns the revision that ends at `end`.
 * @throws PdfFault unless it is a whole file and has the signature whose value begins at `at`
 */
function signedRevision(file: PdfFile, end: number, at: number): Revision {
  const signed = file.revision(end);
  const isThere = signedFields(signed).some(({ dict, isPlain }) => {
    const contents = dict.get('Contents');
    return isPlain && contents instanceof Text && contents.from === at;
  });
  if (!isThere) throw new PdfFault('The signed revision does not have this signature');
  const header = latin1(file.bytes.subarray(0, HEADER_BYTES));
  if (!/^(?:\u00ef\u00bb\u00bf)?[\0\t\n\f\r ]{0,64}%PDF-/.test(header))
    throw new PdfFault('The signed revision is no PDF');
  // A revision ends with startxref and %%EOF (ISO 32000-2 §7.5.5). At the end of the file other bytes may follow,
  // because they are signed, too.
  const last = latin1(file.bytes.subarray(Math.max(0, end - HEADER_BYTES), end));
  if (end !== file.bytes.length && !/startxref\s+\d+\s+%%EOF[\s\0]*$/.test(last))
    throw new PdfFault('The signed bytes do not end with a revision');
  return signed;
}

/**
 * Checks a signature over `covered`, and its time stamps. The signature's time is the time of its first intact time
 * stamp.
 */
async function checkValue(data: SignedData, covered: Bytes, material: Material): Promise<Partial<SignatureReport>> {
  const check = await checkSigner(data, covered, material);
  const timestamps: Timestamp[] = [];
  for (const token of signatureTimestamps(data).slice(0, SIGNATURES_MAX)) {
    const stamping = orNull(() => signedDataOf(token, material));
    if (stamping) timestamps.push(await checkTimestamp(stamping, data.signer.signature, material));
  }
  const { certificate, claimedTime } = check;
  const isSeal = certificate !== null && orNull(() => isForSeals(certificate));
  const signedAt = timestamps.find(({ status }) => status === 'intact')?.time ?? claimedTime;
  return { ...check, ...(isSeal && { kind: 'seal' }), ...(signedAt && { signedAt }), timestamps };
}

/** Returns a date of a PDF (ISO 32000-2 §7.9.4) as ISO 8601 in UTC; null if the value is no date. */
function dateOf(value: Value | undefined): string | null {
  const text = value instanceof Text ? latin1(value.bytes.subarray(0, 32)) : '';
  const parts = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-]\d\d)'?(\d\d)?)/.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second, hours = '+00', minutes = '00'] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${hours}:${minutes}`);
  return Number.isNaN(time) ? null : new Date(time).toISOString().replace('.000Z', 'Z');
}

/**
 * Returns the index of the decisive signature; null if none verifies. It is the first one that verifies of these kinds,
 * in this order: a qualified signature of a person, any signature of a person, a seal, a time stamp.
 * @param signatures in the order of their times
 */
export function anchorOf(
  signatures: readonly SignatureReport[],
  isQualified: (signature: SignatureReport) => boolean = () => false,
): number | null {
  const first = (is: (each: SignatureReport) => boolean): number =>
    signatures.findIndex((each) => each.status === 'intact' && is(each));
  const places = [
    first((each) => each.kind === 'signature' && isQualified(each)),
    ...(['signature', 'seal', 'timestamp'] as const).map((kind) => first((each) => each.kind === kind)),
  ];
  return places.find((place) => place >= 0) ?? null;
}

function summary(signatures: readonly SignatureReport[], material: Material): Report {
  const anchor = anchorOf(signatures);
  const worst =
    signatures.find(({ status }) => status === 'failed') ?? signatures.find(({ status }) => status === 'indeterminate');
  const { status = 'intact', subIndication = null, reason = null } = worst ?? {};
  const later = anchor === null ? null : signatures[anchor]?.later;
  return { status, subIndication, reason, laterChanges: later?.changes ?? 'other', anchor, signatures, material };
}
