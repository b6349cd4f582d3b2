import { type PackCode, readDataMatrix } from './data-matrix';
import { type LabelCode, readLabel } from './label';
import { asSent, pznOfGtin, pznOfPpn, readGtin, readPzn } from './numbers';

export type Code = ({ kind: 'pack' } & PackCode) | ({ kind: 'label' } & LabelCode);

/**
 * Reads a scanned text: a PZN, GTIN, NTIN, PPN, DataMatrix of a pack, or our label, also if the keyboard layout has
 * changed it.
 * @returns null without a valid check digit: the text is no code
 */
export function readCode(text: string): Code | null {
  for (const all of asSent(text.trim())) {
    // The symbology identifier, which scanners may send first (ISO/IEC 15424).
    const sent = all.replace(/^\][A-Za-z]\d/, '');
    const label = readLabel(sent);
    if (label) return { kind: 'label', ...label };
    const pack = readNumber(sent) ?? readDataMatrix(sent);
    if (pack) return { kind: 'pack', ...pack };
  }
  return null;
}

/** The PZN in a typed or scanned text; null if there is none. */
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
