import { fromBase64 } from '../platform/crypto';
import { PDF_BYTES_MAX } from './limits';

const BASE64_LENGTH_MAX = Math.ceil(PDF_BYTES_MAX / 3) * 4;
/** The standard alphabet (RFC 4648 §4). */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** `%PDF-` (ISO 32000-1 §7.5.2), behind a byte order mark or white space, which some programs put before it. */
const MAGIC = /^(?:\u00ef\u00bb\u00bf)?[\0\t\n\f\r ]{0,64}%PDF-/;
const BEGINNING_BYTES = 72;

export type PdfFault = { code: 'invalid_prescription_pdf' | 'prescription_too_large'; message: string };

/**
 * The bytes of a PDF sent as base64, or what to change. The bytes are not modified: rewriting the file would invalidate
 * its signature.
 */
export function decodePdf(base64: string): { bytes: Uint8Array<ArrayBuffer> } | { fault: PdfFault } {
  const bytes = base64.length > BASE64_LENGTH_MAX ? null : decoded(base64);
  if (!bytes) return { fault: faultOfBase64(base64) };
  const fault = faultOfPdf(bytes);
  return fault ? { fault } : { bytes };
}

/** Null for a text that is not base64, or that has white space in it: the decoder skips it, which shows in the length. */
function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = fromBase64(base64);
    return Math.ceil(bytes.length / 3) * 4 === base64.length ? bytes : null;
  } catch {
    return null;
  }
}

/** What is wrong with a text that was not decoded. Looking for it takes longer than decoding, so it is not done before. */
function faultOfBase64(base64: string): PdfFault {
  if (base64.startsWith('data:')) return invalid('Remove the data: prefix and send the base64 text alone.');
  if (/\s/.test(base64)) return invalid('Remove line breaks and spaces from the base64 text.');
  if (base64.length > BASE64_LENGTH_MAX) return tooLarge();
  if (!BASE64.test(base64)) return invalid('Send standard base64 (A-Z a-z 0-9 + / and = at the end).');
  return invalid('The base64 text is incomplete: its length or padding is wrong.');
}

/** What is wrong with bytes that should be a prescription, if anything. */
export function faultOfPdf(bytes: Uint8Array): PdfFault | null {
  if (bytes.length > PDF_BYTES_MAX) return tooLarge();
  return isPdf(bytes) ? null : invalid('The decoded file is not a PDF: it must start with %PDF-.');
}

export function isPdf(bytes: Uint8Array): boolean {
  return MAGIC.test(String.fromCharCode(...bytes.subarray(0, BEGINNING_BYTES)));
}

function invalid(message: string): PdfFault {
  return { code: 'invalid_prescription_pdf', message };
}

function tooLarge(): PdfFault {
  return { code: 'prescription_too_large', message: `A prescription may hold ${PDF_BYTES_MAX} bytes at most.` };
}
