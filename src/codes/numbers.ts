/** The prefix of an NTIN, which is a GTIN of 14 digits. A PZN and a check digit follow. */
const NTIN_PREFIX = '04150';
/** The prefix of a German PPN. A PZN and two check digits follow. */
const PPN_PREFIX = '11';
const PPN_LENGTH = 12;

/** Whether a text is a PZN: eight digits, the last of which is the right check digit. */
export function isPzn(digits: string): boolean {
  return /^\d{8}$/.test(digits) && pznCheckDigit(digits.slice(0, 7)) === digits[7];
}

/**
 * Reads a PZN as people and Code 39 write it: `01126619`, `-01126619`, `PZN 1126619`, `PZN: 1126619`. Seven digits,
 * without the leading zero, need a prefix, because an amount would look the same.
 * @returns eight digits; null unless the check digit is right
 */
export function readPzn(text: string): string | null {
  const [, prefix = '', digits = ''] = /^(PZN ?[:-]? ?|-)?(\d{7,8})$/i.exec(text) ?? [];
  if (digits.length === 7 && prefix === '') return null;
  const pzn = digits.padStart(8, '0');
  return digits !== '' && isPzn(pzn) ? pzn : null;
}

/** Reads a GTIN-8, -12, -13 or -14. @returns 14 digits; null unless the check digit is right */
export function readGtin(digits: string): string | null {
  if (!/^(\d{8}|\d{12,14})$/.test(digits)) return null;
  return gtinCheckDigit(digits.slice(0, -1)) === digits.at(-1) ? digits.padStart(14, '0') : null;
}

/** Returns the PZN within a GTIN of 14 digits; null if it is no NTIN. */
export function pznOfGtin(gtin: string): string | null {
  const pzn = gtin.slice(NTIN_PREFIX.length, -1);
  return gtin.startsWith(NTIN_PREFIX) && isPzn(pzn) ? pzn : null;
}

/** Returns the PZN within a PPN; null unless all check digits are right. */
export function pznOfPpn(ppn: string): string | null {
  if (ppn.length !== PPN_LENGTH || !ppn.startsWith(PPN_PREFIX)) return null;
  const pzn = ppn.slice(PPN_PREFIX.length, -2);
  return isPzn(pzn) && ppnCheckDigits(ppn.slice(0, -2)) === ppn.slice(-2) ? pzn : null;
}

/** The functions below compute check digits. Each takes the text without its check digit. */

/**
 * Returns the check digit of a PZN (IFA): modulo 11 with the weights 1 to 7. Null for a number that is never assigned.
 */
export function pznCheckDigit(sevenDigits: string): string | null {
  const rest = weighted(sevenDigits, (place) => place + 1) % 11;
  return rest === 10 ? null : String(rest);
}

/** Returns the check digit of a GTIN (GS1): modulo 10, weights 3 and 1 from the right. */
export function gtinCheckDigit(digits: string): string {
  const sum = weighted(digits, (place) => ((digits.length - place) % 2 === 1 ? 3 : 1));
  return String((10 - (sum % 10)) % 10);
}

/** Returns the two check digits of a PPN (IFA): modulo 97 of the characters' ASCII codes, weights from 2 on. */
export function ppnCheckDigits(text: string): string {
  const sum = [...text].reduce((total, character, place) => total + character.charCodeAt(0) * (place + 2), 0);
  return String(sum % 97).padStart(2, '0');
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Returns the check character of a text (ISO/IEC 7064 MOD 37,36). It detects any one wrong character. */
export function checkCharacter(text: string): string {
  const size = ALPHABET.length;
  let rest = size;
  for (const character of text) {
    const sum = (rest + ALPHABET.indexOf(character)) % size || size;
    rest = (sum * 2) % (size + 1);
  }
  return ALPHABET[(size + 1 - rest) % size] as string;
}

function weighted(digits: string, weightAt: (place: number) => number): number {
  return [...digits].reduce((sum, digit, place) => sum + Number(digit) * weightAt(place), 0);
}

/** A scanner sends keys. If its keyboard layout differs from the computer's, other characters arrive. */

/**
 * `SHOWN` has the characters that a German layout shows for keys of an American one. `MEANT` has the intended
 * characters.
 */
const SHOWN = 'yzYZß?-_üÜ+*öÖäÄ#\'´`)=(/&"§;:^°';
const MEANT = 'zyZY-_/?[{]};:\'"\\|=+()*&^@#<>`~';
/**
 * On a German keyboard, Caps Lock shifts digits too. `LOCKED` has the characters that arrive, `UNLOCKED` the intended
 * ones.
 */
const LOCKED = '!"§$%&/()=_?';
const UNLOCKED = '1234567890-ß';

const german = lookUp(SHOWN, MEANT);
const unlocked = lookUp(LOCKED, UNLOCKED);

/** Returns the text, and the texts that the keyboard layout or Caps Lock may have changed into it. */
export function asSent(text: string): string[] {
  const germanUnlocked = mapped(swapCase(text), unlocked);
  return [text, mapped(text, german), swapCase(text), germanUnlocked, mapped(germanUnlocked, german)];
}

function lookUp(from: string, to: string): ReadonlyMap<string, string> {
  const meant = [...to];
  return new Map([...from].map((character, place) => [character, meant[place] as string]));
}

function mapped(text: string, characters: ReadonlyMap<string, string>): string {
  return [...text].map((character) => characters.get(character) ?? character).join('');
}

function swapCase(text: string): string {
  const swapped = (character: string) => {
    const upper = character.toUpperCase();
    return character === upper ? character.toLowerCase() : upper.length === 1 ? upper : character;
  };
  return [...text].map(swapped).join('');
}
