import { type PackCode, readDataMatrix } from './data-matrix';
import { type LabelCode, readLabel } from './label';
import { asSent, pznOfGtin, pznOfPpn, readGtin, readPzn } from './numbers';

export type Code = ({ kind: 'pack' } & PackCode) | ({ kind: 'label' } & LabelCode);

/**
 * Reads what a scanner sent: a PZN, a GTIN, an NTIN, a PPN, a DataMatrix of a pack, or our label, however the keyboard's layout has
 * changed it. @returns null for anything without a right check digit: it is text
 */
export function readCode(text: string): Code | null {
  for (const all of asSent(text.trim())) {
    // The mark of the symbology, as scanners send it in front (ISO/IEC 15424).
    const sent = all.replace(/^\][A-Za-z]\d/, '');
    const label = readLabel(sent);
    if (label) return { kind: 'label', ...label };
    const pack = readNumber(sent) ?? readDataMatrix(sent);
    if (pack) return { kind: 'pack', ...pack };
  }
  return null;
}

/** The PZN that a text holds, typed or scanned; null if it holds none. */
export function pznOf(text: string): string | null {
  const code = readCode(text);
  return code?.kind === 'pack' ? code.pzn : null;
}

function readNumber(text: string): PackCode | null {
  const nothingElse = { serial: null, expires: null, batch: null };
  const pzn = readPzn(text) ?? pznOfPpn(text);
  if (pzn !== null) return { pzn, gtin: null, ...nothingElse };
  const gtin = readGtin(text);
  return gtin === null ? null : { pzn: pznOfGtin(gtin), gtin, ...nothingElse };
}
