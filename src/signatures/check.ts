import { Budget, LimitReached, SIGNATURES_MAX } from './budget';
import { type Bytes, Fault, firstWord, isEqual, joined, latin1, orNull } from './bytes';
import { digest } from './cms/algorithms';
import { isForSeals } from './cms/certificate';
import { Der, DerFault } from './cms/der';
import { Material } from './cms/material';
import {
  checkSigner,
  type SignedData,
  type SignerCheck,
  type SubIndication,
  signatureTimestamps,
  signedDataOf,
  UNCHECKED,
} from './cms/signed-data';
import { checkTimestamp, checkTimestampData, type Timestamp } from './cms/timestamp';
import { type Changes, laterChanges } from './pdf/changes';
import { byteRangeOf, certifies, type Signed, signedFields } from './pdf/fields';
import { type Dict, nameOf, PdfFault, Text, type Value } from './pdf/objects';
import { Parser } from './pdf/parse';
import { PdfFile, type Revision } from './pdf/revision';
import { readSecurityStore } from './pdf/security-store';
import { surveyOf } from './pdf/survey';

/** One signature, checked by the file alone: whom it is trusted to be is decided elsewhere. */
export interface SignatureReport extends SignerCheck {
  kind: 'signature' | 'seal' | 'timestamp';
  /** ISO 8601: of the time stamp, else as the signer claims. */
  signedAt: string | null;
  /** Bytes of the signed revision, from the file's beginning; null if it has none. */
  signedBytes: number | null;
  /** The value of the signature, by which the same one is known again. */
  value: Bytes | null;
  /** The changes from this signature to the end of the file. */
  later: Changes | null;
  timestamps: readonly Timestamp[];
}

export interface Report {
  /** `none`: no signature. `failed`: a value that is broken, anywhere. `intact`: every one verifies. */
  status: 'none' | 'intact' | 'failed' | 'indeterminate';
  subIndication: SubIndication | null;
  reason: string | null;
  laterChanges: Changes['changes'];
  /** The index in `signatures` of the one that counts; null if none does. */
  anchor: number | null;
  /** In the order in which they were made. */
  signatures: readonly SignatureReport[];
  /** All certificates and revocation values of the file. */
  material: Pick<Material, 'certificates' | 'ocsps' | 'crls'>;
}

export interface Options {
  /** Of the clock, where that goes on while a Worker computes. */
  milliseconds?: number;
}

const PDF_BYTES_MAX = 10 * 1024 * 1024;
const HEADER_BYTES = 1_024;

/**
 * Checks all signatures of a PDF by what is in the file, without trusted lists. Never throws because of the content of
 * a file.
 */
export async function checkPdf(bytes: Uint8Array, options: Options = {}): Promise<Report> {
  const budget = new Budget(options.milliseconds);
  const material = new Material(budget);
  const broken = (status: Report['status'], subIndication: SubIndication | null, reason: string | null): Report => ({
    status,
    subIndication,
    reason,
    laterChanges: 'other',
    anchor: null,
    signatures: [],
    material,
  });
  try {
    if (bytes.length > PDF_BYTES_MAX) return broken('indeterminate', 'CUSTOM', 'the file is too large');
    const file = new PdfFile(bytes, budget);
    const { signatures, final } = findSignatures(file);
    if (signatures.length === 0) {
      const isMarked = firstWord(bytes, '/ByteRange', 0, bytes.length) >= 0;
      if (isMarked)
        return broken('indeterminate', 'FORMAT_FAILURE', final ? 'a signature of no field' : 'the file cannot be read');
      // A signature's bytes are never in an object stream: without its mark there is none, even in a file that is damaged.
      const reason = final ? null : 'the file cannot be read';
      return { ...broken('none', null, reason), laterChanges: 'none' };
    }
    if (signatures.length > SIGNATURES_MAX) throw new LimitReached('signatures');
    if (final) readSecurityStore(final, material);
    const reports: SignatureReport[] = [];
    for (const signature of signatures) reports.push(await checkSignature(signature, file, final, material));
    reports.sort((one, other) => (one.signedBytes ?? 0) - (other.signedBytes ?? 0));
    return summary(reports, material);
  } catch (error) {
    if (error instanceof LimitReached) return broken('indeterminate', 'CUSTOM', error.message);
    if (error instanceof Fault) return broken('indeterminate', 'FORMAT_FAILURE', error.message);
    // A value nested more deeply than the stack is.
    if (error instanceof RangeError) return broken('indeterminate', 'CUSTOM', 'Limit reached: stack');
    throw error;
  }
}

interface Found {
  signature: Signed;
  /** A revision that has it. */
  revision: Revision;
}

/**
 * The signatures of the whole file, and those of its signed revisions that a later one took away.
 * @returns `final`: null if the whole file cannot be read
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
  for (
    let at = firstWord(file.bytes, '/ByteRange', 0, length);
    at >= 0;
    at = firstWord(file.bytes, '/ByteRange', at + 1, length)
  ) {
    const end = endOf(file, at);
    if (end !== null && end < length) ends.add(end);
    if (ends.size > SIGNATURES_MAX) throw new LimitReached('signatures');
  }
  for (const end of ends) orNull(() => add(end));
  return { signatures: [...found.values()], final };
}

/** The end of the revision that a ByteRange speaks of; null if it is none. */
function endOf(file: PdfFile, at: number): number | null {
  const start = at + '/ByteRange'.length;
  const value = orNull(() => new Parser(file.bytes, start, Math.min(file.bytes.length, at + 256), file.budget).value());
  const [, , from, length] = Array.isArray(value) ? value : [];
  return typeof from === 'number' && typeof length === 'number' ? from + length : null;
}

const EMPTY: SignatureReport = {
  ...UNCHECKED,
  ...({ status: 'failed', subIndication: 'FORMAT_FAILURE', kind: 'signature', timestamps: [] } as const),
  ...{ signedAt: null, signedBytes: null, value: null, later: null },
};

const SHA1_INSIDE = 'adbe.pkcs7.sha1';
const SUB_FILTERS = ['adbe.pkcs7.detached', 'ETSI.CAdES.detached', 'ETSI.RFC3161', SHA1_INSIDE];

async function checkSignature(
  { signature, revision }: Found,
  file: PdfFile,
  final: Revision | null,
  material: Material,
): Promise<SignatureReport> {
  const subFilter = nameOf(revision.resolve(signature.dict.get('SubFilter')));
  const base: SignatureReport = { ...EMPTY, kind: subFilter === 'ETSI.RFC3161' ? 'timestamp' : 'signature' };
  const range = byteRangeOf(revision, signature);
  if (typeof range === 'string') return { ...base, reason: range };
  const signed = signedRevision(file, range.end, range.gap[0]);
  if (typeof signed === 'string') return { ...base, reason: signed };
  const own = revision.read(signature.num)?.span[0];
  if (isWithin(final ?? signed, range.gap[0], own)) return { ...base, reason: 'Contents lies in another object' };
  base.signedBytes = range.end;
  base.later = final
    ? laterChanges(signed, final, certifies(signed, signature.dict))
    : { changes: 'other', reason: 'the whole file cannot be read' };
  if (subFilter === null || !SUB_FILTERS.includes(subFilter))
    return { ...base, status: 'indeterminate', subIndication: 'CUSTOM', reason: 'SubFilter is not known here' };
  const covered = joined([file.bytes.subarray(0, range.gap[0]), file.bytes.subarray(range.gap[1], range.end)]);
  try {
    const data = readContents(signature, material);
    if (subFilter === SHA1_INSIDE) {
      // The file's digest is inside, and signed in its place (ISO 32000-2 §12.8.3.3.1).
      const inside = data.content ?? new Uint8Array();
      if (!isEqual(inside, await digest('SHA-1', covered)))
        return { ...base, subIndication: 'HASH_FAILURE', reason: 'digest' };
      return { ...base, ...(await checkValue(data, signature.dict, subFilter, inside, material)), hash: 'SHA-1' };
    }
    // What is inside is signed instead of the file by some programs, and beside it by others (§12.8.3.3).
    if (subFilter !== 'ETSI.RFC3161' && data.content) return { ...base, reason: 'something else is signed' };
    return { ...base, ...(await checkValue(data, signature.dict, subFilter, covered, material)) };
  } catch (error) {
    if (error instanceof DerFault) return { ...base, reason: error.message };
    throw error;
  }
}

/** Whether bytes at a place, which nobody signed, are in more objects than the signature itself, and so might be shown. */
function isWithin(revision: Revision, place: number, own: number | undefined): boolean {
  const { spans } = surveyOf(revision);
  return spans.some(([from, to]) => from <= place && place < to && from !== own);
}

/** The revision that ends there, if it has the signature whose value begins at `at` and is a whole file; else why not. */
function signedRevision(file: PdfFile, end: number, at: number): Revision | string {
  try {
    const signed = file.revision(end);
    const isThere = signedFields(signed).some(({ dict, isPlain }) => {
      const contents = dict.get('Contents');
      return isPlain && contents instanceof Text && contents.from === at;
    });
    if (!isThere) return 'the signed revision does not have this signature';
    const header = latin1(file.bytes.subarray(0, HEADER_BYTES));
    if (!/^(?:\u00ef\u00bb\u00bf)?[\0\t\n\f\r ]{0,64}%PDF-/.test(header)) return 'the signed revision is no PDF';
    return endsWell(file, signed) ? signed : 'the signed bytes do not end with a revision';
  } catch (error) {
    if (error instanceof PdfFault) return `the signed revision cannot be read: ${error.message}`;
    throw error;
  }
}

/**
 * Whether the last startxref is followed by its number and `%%EOF` alone (ISO 32000-2 §7.5.5). At the end of the file
 * something more may be there: it is signed.
 */
function endsWell(file: PdfFile, { end }: Revision): boolean {
  if (end === file.bytes.length) return true;
  const text = latin1(file.bytes.subarray(Math.max(0, end - HEADER_BYTES), end));
  return /startxref\s+\d+\s+%%EOF[\s\0]*$/.test(text);
}

/** The CMS in `Contents`; what is behind it fills the place up, mostly with zeros. @throws DerFault */
function readContents({ dict }: Signed, material: Material): SignedData {
  const contents = dict.get('Contents');
  if (!(contents instanceof Text)) throw new DerFault('There is no value');
  return signedDataOf(Der.first(contents.bytes, material.budget), material);
}

async function checkValue(
  data: SignedData,
  dict: Dict,
  subFilter: string,
  covered: Bytes,
  material: Material,
): Promise<Partial<SignatureReport>> {
  const isTimestamp = subFilter === 'ETSI.RFC3161';
  const stamp = isTimestamp ? await checkTimestampData(data, covered, material) : null;
  const check = stamp ?? (await checkSigner(data, covered, material));
  const timestamps: Timestamp[] = [];
  for (const token of isTimestamp ? [] : signatureTimestamps(data).slice(0, SIGNATURES_MAX)) {
    const timestamp = await checkTimestamp(token, data.signer.signature, material);
    if (timestamp) timestamps.push(timestamp);
  }
  const stamped = stamp?.time ?? timestamps.find(({ status }) => status === 'intact')?.time;
  const { certificate } = check;
  const isSeal = !isTimestamp && certificate !== null && orNull(() => isForSeals(certificate, material.budget));
  return {
    ...check,
    ...(isSeal && { kind: 'seal' as const }),
    signedAt: stamped ?? check.claimedTime ?? dateOf(dict.get('M')),
    value: data.signer.signature,
    timestamps,
  };
}

/** A date of a PDF (ISO 32000-2 §7.9.4) in ISO 8601 and UTC; null if it is none. */
function dateOf(value: Value | undefined): string | null {
  const text = value instanceof Text ? latin1(value.bytes.subarray(0, 32)) : '';
  const parts = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-]\d\d)'?(\d\d)?)/.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second, hours = '+00', minutes = '00'] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${hours}:${minutes}`);
  return Number.isNaN(time) ? null : new Date(time).toISOString().replace('.000Z', 'Z');
}

/**
 * The index of the signature that counts, in signatures sorted by the time when they were made: the first qualified one
 * of a person, else the first of a person that verifies, else of a seal, else of a time stamp; null if none verifies.
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
  return {
    status: worst?.status ?? 'intact',
    subIndication: worst?.subIndication ?? null,
    reason: worst?.reason ?? null,
    laterChanges: (anchor === null ? null : signatures[anchor]?.later?.changes) ?? 'other',
    anchor,
    signatures,
    material,
  };
}
