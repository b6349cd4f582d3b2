import { isHostTakenElsewhere } from '../../directory/service';
import type { Context } from '../../platform/context';
import { utf8 } from '../../platform/crypto';
import { AppError, type FieldError, invalidInput } from '../../platform/errors';
import { isRecord, leastJsonLength } from '../../platform/http/json';
import { hostOf, REFUSAL_MESSAGES } from '../../platform/http/outbound';
import { decodePdf, refusalOfPrescription } from '../../prescriptions/service';
import { PAYLOAD_BYTES_MAX } from '../limits';

/**
 * Takes the PDF's base64 out of what has it as a member. The body stays in memory until the answer, and what Zod has seen until a
 * full garbage collection, which texts of this length then make necessary again and again.
 * @returns null where there is none, or something that the schema refuses
 */
export function takePdf(sent: unknown): string | null {
  const members = isRecord(sent) ? sent : {};
  const base64 = members.prescription_pdf_base64 ?? '';
  if (typeof base64 !== 'string') return null;
  // Neither Zod nor JSON sees a member that is undefined; to delete it would slow down every look at the others.
  if ('prescription_pdf_base64' in members) members.prescription_pdf_base64 = undefined;
  return base64.trim() === '' ? null : base64;
}

/**
 * The body as submitted, from which the PDF was taken: it is never stored in D1. Checked before the schema, which would need
 * seconds for millions of tiny items.
 */
export function payloadText(body: unknown): string {
  if (leastJsonLength(body) > PAYLOAD_BYTES_MAX) throw payloadTooLarge();
  const text = JSON.stringify(body);
  // A character takes three bytes at most, a pair of surrogates four.
  if (text.length * 3 > PAYLOAD_BYTES_MAX && utf8(text).length > PAYLOAD_BYTES_MAX) throw payloadTooLarge();
  return text;
}

function payloadTooLarge(): AppError {
  return new AppError(
    'payload_too_large',
    `Without the PDF, the body may hold ${PAYLOAD_BYTES_MAX} bytes of UTF-8 JSON at most.`,
  );
}

/**
 * Checks the prescription of a body.
 * @param within the pointer of what has it as a member
 * @returns the PDF's bytes, if there is a PDF, and what is wrong with it or its address
 */
export function readPrescription(ctx: Context, url: string | null, base64: string | null, within: string) {
  const faults: FieldError[] = [];
  const refusal = url === null ? null : refusalOfPrescription(ctx, url);
  if (refusal) faults.push(urlFault(refusal, within));
  const decoded = base64 === null ? null : decodePdf(base64);
  if (decoded && 'fault' in decoded) {
    faults.push({ pointer: `${within}/prescription_pdf_base64`, ...decoded.fault });
  }
  return { bytes: decoded && 'bytes' in decoded ? decoded.bytes : null, faults };
}

/** Whether a link leads to a shop on another database. Where that cannot be asked, the fetch will find out. */
export function isShopElsewhere(ctx: Context, url: string): Promise<boolean> {
  return isHostTakenElsewhere(ctx, hostOf(new URL(url))).catch(() => false);
}

/** The refusal of a link to this service itself. */
export function ownHost(within: string): AppError {
  return invalidInput([urlFault('own_host', within)]);
}

function urlFault(refusal: keyof typeof REFUSAL_MESSAGES, within: string): FieldError {
  return {
    pointer: `${within}/prescription_pdf_url`,
    code: 'invalid_prescription_url',
    message: REFUSAL_MESSAGES[refusal],
  };
}
