import { isHostTakenElsewhere } from '../../directory/reserve';
import type { Context } from '../../platform/context';
import { type AppError, type FieldError, invalidInput } from '../../platform/errors/errors';
import { isRecord } from '../../platform/http/json';
import { hostOf, REFUSAL_MESSAGES } from '../../platform/http/outgoing';
import { refusalOfPrescription } from '../../prescriptions/fetch';
import type { PrescriptionSource } from '../../prescriptions/filing';
import { decodePdf } from '../../prescriptions/pdf';
import { giveUpStored } from '../../prescriptions/review';
import { type FileOwner, storePdf } from '../../prescriptions/storage';
import type { Envelope } from '../envelope';

/** The base64 that was taken out of a body. */
export interface TakenPdfs {
  only: string | null;
  /** The base64 of each entry of `prescriptions`; null for an entry without base64. */
  listed: readonly (string | null)[];
}

/** Takes the base64 of all PDFs out of the object that contains them (`takeBase64`). */
export function takePdfs(sent: unknown): TakenPdfs {
  const listed = isRecord(sent) && Array.isArray(sent.prescriptions) ? sent.prescriptions : [];
  const only = takeBase64(sent, 'prescription_pdf_base64');
  return { only, listed: listed.map((each) => takeBase64(each, 'pdf_base64')) };
}

/**
 * Takes a PDF's base64 out of the object that contains it, so that the memory of the base64 is freed early. Otherwise
 * the body would hold the memory until the response, and the result of Zod would hold it until a full garbage
 * collection. Texts of this length would trigger such collections repeatedly.
 * @returns the base64; null if there is none, or if the member has a value that the schema refuses
 */
function takeBase64(sent: unknown, name: string): string | null {
  const members = isRecord(sent) ? sent : {};
  const base64 = members[name] ?? '';
  if (typeof base64 !== 'string') return null;
  // Zod and JSON ignore an undefined member. A deleted member would slow down every access to the other members.
  if (name in members) members[name] = undefined;
  return base64.trim() === '' ? null : base64;
}

/**
 * A prescription as it was sent: its bytes, its address, or both. Only a body with `prescription_pdf_base64` and
 * `prescription_pdf_url` has both.
 */
export interface SentFile {
  bytes: Uint8Array<ArrayBuffer> | null;
  url: string | null;
  /** Index in `prescriptions`; null for `prescription_pdf_*`. */
  place: number | null;
  reference: string | null;
  /** JSON Pointer of the member that holds `url`. */
  urlPointer: string;
}

type Sent = Pick<Envelope['payload'], 'prescription_pdf_url' | 'prescriptions'>;

/**
 * Checks the prescriptions of a body.
 * @param within JSON pointer of the object that contains them
 * @returns the prescriptions, and the faults found
 */
export function readFiles(ctx: Context, sent: Sent, taken: TakenPdfs, within: string) {
  const faults: FieldError[] = [];
  const read = (base64: string | null, file: Omit<SentFile, 'bytes'>, pointer: string): SentFile => {
    const refusal = file.url === null ? null : refusalOfPrescription(ctx, file.url);
    if (refusal) faults.push(urlFault(refusal, file.urlPointer));
    const decoded = base64 === null ? null : decodePdf(base64);
    if (decoded && 'fault' in decoded) faults.push({ pointer, ...decoded.fault });
    return { ...file, bytes: decoded && 'bytes' in decoded ? decoded.bytes : null };
  };
  const { prescription_pdf_url: url = null, prescriptions = [] } = sent;
  const files: SentFile[] = [];
  if (taken.only !== null || url !== null) {
    const at = `${within}/prescription_pdf_`;
    files.push(read(taken.only, { url, place: null, reference: null, urlPointer: `${at}url` }, `${at}base64`));
    if (prescriptions.length > 0) {
      const message = 'Send either prescriptions, or prescription_pdf_base64 and prescription_pdf_url.';
      faults.push({ pointer: `${within}/prescriptions`, code: 'invalid_value', message });
    }
  }
  for (const [place, { pdf_url = null, reference = null }] of prescriptions.entries()) {
    const at = `${within}/prescriptions/${place}`;
    const base64 = taken.listed[place] ?? null;
    if ((base64 === null) === (pdf_url === null)) {
      faults.push({ pointer: at, code: 'invalid_value', message: 'Send either pdf_base64 or pdf_url.' });
    }
    files.push(read(base64, { url: pdf_url, place, reference, urlPointer: `${at}/pdf_url` }, `${at}/pdf_base64`));
  }
  return { files, faults };
}

/**
 * Refuses links to files on hosts of shops that are on other databases. If the look-up of a host fails, its link is
 * accepted, because the host is checked again when the file is fetched.
 * @throws AppError
 */
export async function refuseShopsElsewhere(ctx: Context, files: readonly SentFile[]): Promise<void> {
  for (const { url, urlPointer } of files) {
    if (url === null) continue;
    const isElsewhere = await isHostTakenElsewhere(ctx, hostOf(new URL(url))).catch(() => false);
    if (isElsewhere) throw invalidInput([urlFault('own_host', urlPointer)]);
  }
}

/**
 * Returns the error for a body with a link to a host of this service itself. The error points at the first link of the
 * body.
 */
export function ownHost(files: readonly SentFile[]): AppError {
  const linked = files.filter(({ url }) => url !== null);
  return invalidInput(linked.slice(0, 1).map(({ urlPointer }) => urlFault('own_host', urlPointer)));
}

function urlFault(refusal: keyof typeof REFUSAL_MESSAGES, pointer: string): FieldError {
  return { pointer, code: 'invalid_prescription_url', message: REFUSAL_MESSAGES[refusal] };
}

/** The hosts of the links. */
export function hostsOf(files: readonly SentFile[]): string[] {
  return files.flatMap(({ url }) => (url === null ? [] : [hostOf(new URL(url))]));
}

/**
 * Stores the sent PDFs in R2. Does not store the files behind links, because they are fetched later.
 * @returns a source for each file: its stored PDF, or its link
 * @throws AppError `backend_unreachable`
 */
export function storeFiles(ctx: Context, files: readonly SentFile[], owner: FileOwner): Promise<PrescriptionSource[]> {
  return Promise.all(
    files.map(async ({ bytes, url, place, reference }) =>
      bytes
        ? { pdf: await storePdf(ctx, bytes, owner), noted: url, place, reference }
        : { url: url ?? '', place, reference },
    ),
  );
}

/** Puts the PDFs that were stored for a failed batch on the deletion list, after the response. */
export function giveUpFilesOf(ctx: Context, sources: readonly PrescriptionSource[]): void {
  for (const source of sources) if ('pdf' in source) ctx.defer(giveUpStored(ctx, source.pdf));
}

/**
 * Returns a text that is equal for two submissions with the same prescriptions. It has a line for each prescription:
 * its SHA-256 or its address. Null if there are no prescriptions.
 */
export function filesOf(sources: readonly PrescriptionSource[]): string | null {
  const each = sources.map((source) => ('pdf' in source ? source.pdf.sha256 : source.url));
  return each.length === 0 ? null : each.join('\n');
}
