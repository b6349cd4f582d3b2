/** Check digits of the codes on packs and labels. Each takes the text without its check digit. */

/** The check digit of a PZN (IFA): modulo 11 with the weights 1 to 7. Null for a number that is never assigned. */
export function pznCheckDigit(sevenDigits: string): string | null {
  const rest = weighted(sevenDigits, (place) => place + 1) % 11;
  return rest === 10 ? null : String(rest);
}

/** The check digit of a GTIN (GS1): modulo 10, weights 3 and 1 from the right. */
export function gtinCheckDigit(digits: string): string {
  const sum = weighted(digits, (place) => ((digits.length - place) % 2 === 1 ? 3 : 1));
  return String((10 - (sum % 10)) % 10);
}

/** The two check digits of a PPN (IFA): modulo 97 of the characters' ASCII codes, weights from 2 on. */
export function ppnCheckDigits(text: string): string {
  const sum = [...text].reduce((total, character, place) => total + character.charCodeAt(0) * (place + 2), 0);
  return String(sum % 97).padStart(2, '0');
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** ISO/IEC 7064 MOD 37,36: one character that finds every single wrong character. */
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
