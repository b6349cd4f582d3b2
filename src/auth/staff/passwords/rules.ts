/**
 * The most common words of passwords, German and English, in lower case and without umlauts. Lists of leaked passwords
 * are long because they repeat each word with every ending (`passwort1!`, `Sommer2024`). This file recognizes the
 * endings, so the words alone are enough.
 */
const COMMON_WORDS: readonly string[] = (
  'passwort password passwd kennwort geheim secret losung zugang anmelden login signin account konto admin ' +
  'administrator root user benutzer nutzer gast guest test testing demo default standard start muster temp changeme ' +
  'aendern neu hallo hello welcome willkommen servus moin ' +
  'iloveyou ichliebedich liebe love lover schatz schatzi baby princess prinzessin engel angel sonne sonnenschein ' +
  'sunshine stern star blume flower schmetterling butterfly ' +
  'dragon drache monkey affe tiger loewe lowe lion panther adler eagle wolf hund katze kitty mausi hase pferd fisch ' +
  'football fussball soccer baseball basketball hockey bayern dortmund schalke ferrari porsche mercedes yamaha ' +
  'superman batman spiderman pokemon starwars matrix hunter killer master shadow ninja samurai joker ' +
  'letmein trustno access freedom whatever nothing blink internet computer windows google facebook samsung apple ' +
  'fruehling fruhling sommer herbst winter spring summer autumn weihnachten ostern ' +
  'januar februar maerz marz april juni juli august september oktober november dezember ' +
  'january february march june july october december ' +
  'montag dienstag mittwoch donnerstag freitag samstag sonntag ' +
  'monday tuesday wednesday thursday friday saturday sunday ' +
  'michael thomas andreas stefan daniel jennifer jessica michelle charlie jordan robert ' +
  'deutschland germany oesterreich osterreich schweiz berlin hamburg muenchen munchen koeln frankfurt ' +
  'apotheke apotheker pharmacy pharmacist medizin medicine rezept arznei offizin praxis gesundheit health ' +
  'qaywsx wsxedc qazwsx asdasd qweasd yxcasd zxcasd adgjmp azerty qwerty qwertz'
).split(' ');

/**
 * Rows of keyboards (German, English, French), the alphabet and the digits. A password of characters that are neighbors
 * in a row is easy to guess.
 */
const ROWS: readonly string[] = [
  '12345678901234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertzuiopü',
  'qwertyuiop',
  'azertyuiop',
  'asdfghjklöä',
  'qsdfghjklm',
  'yxcvbnm',
  'zxcvbnm',
  'wxcvbn',
];

/** The person that a password is for. Their name and address must not be part of the password. */
export interface About {
  email: string;
  name: string;
  organizationName: string;
}

/** Why a password is easy to guess; used as `FieldError.code`. */
type Weakness = 'password_common' | 'password_pattern' | 'password_personal';

/** The least number of letters and digits that must remain after everything easy to guess was removed. */
const LEFT_MIN = 6;
/** The least number of different characters in a password. */
const DIFFERENT_MIN = 5;
/** The shortest part of a name or address that is searched for. Shorter parts occur in too many other words. */
const OWN_WORD_MIN = 3;
const LETTER_RUN_MIN = 4;
const DIGIT_RUN_MIN = 3;
const BOTH_WAYS = [...ROWS, ...ROWS.map((row) => [...row].reverse().join(''))];
/** Parts of an e-mail address that are not personal. */
const UNTOLD = new Set([
  'com',
  'net',
  'org',
  'www',
  'mail',
  'web',
  'info',
  'example',
  'und',
  'the',
  'and',
  'der',
  'die',
]);

/**
 * Returns why a password is easy to guess (NIST SP 800-63B §5.1.1.2); null if it is not. A password needs
 * `DIFFERENT_MIN` different characters. It also needs `LEFT_MIN` letters and digits outside common words, repetitions,
 * sequences and the person's own words, in any spelling. Of several reasons, it returns the one that covers the most
 * characters.
 * @param password of any length up to PASSWORD_LENGTH_MAX
 */
export function weaknessOf(password: string, about: About): Weakness | null {
  const text = [...password.normalize('NFKC').toLowerCase()];
  const found: Record<Weakness, Set<number>> = {
    password_pattern: new Set([...repeated(text), ...inRows(text)]),
    password_personal: wordsIn(text, ownWords(about)),
    password_common: new Set([...wordsIn(text, COMMON_WORDS), ...yearsIn(text)]),
  };
  const taken = new Set(Object.values(found).flatMap((places) => [...places]));
  const left = text.filter((letter, index) => !taken.has(index) && /[\p{L}\p{N}]/u.test(letter)).length;
  if (left >= LEFT_MIN && new Set(text).size >= DIFFERENT_MIN) return null;
  // SAFETY: these are the keys of the object above.
  const weaknesses = Object.keys(found) as Weakness[];
  return weaknesses.reduce((most, each) => (found[each].size > found[most].size ? each : most));
}

/** Returns the positions of text that repeats the text before it: `abcabc`, `aaaa`, `Wort Wort`. */
function repeated(text: readonly string[]): number[] {
  const places: number[] = [];
  for (let unit = 1; unit <= text.length / 2; unit += 1) {
    let run = 0;
    for (let index = unit; index <= text.length; index += 1) {
      if (index < text.length && text[index] === text[index - unit]) run += 1;
      else {
        if (run >= Math.max(unit, 2)) places.push(...range(index - run, index));
        run = 0;
      }
    }
  }
  return places;
}

/**
 * Returns the positions of runs of neighboring keys in either direction (`qwertz`, `321`). A run may also consist of
 * every other character (`1q2w3e4r`).
 */
function inRows(text: readonly string[]): number[] {
  return [
    ...runsIn(range(0, text.length), text),
    ...runsIn(everyOther(text.length, 0), text),
    ...runsIn(everyOther(text.length, 1), text),
  ];
}

/**
 * Returns the positions of runs: parts of a keyboard row, of the alphabet or of the digits, in either direction.
 * @param places the positions to examine. Each counts as the neighbor of the next one in this list
 */
function runsIn(places: readonly number[], text: readonly string[]): number[] {
  const letters = places.map((place) => text[place]);
  return BOTH_WAYS.flatMap((row) => {
    const found: number[] = [];
    for (let start = 0; start < letters.length; start += 1) {
      let end = start + 1;
      while (end < letters.length && row.includes(letters.slice(start, end + 1).join(''))) end += 1;
      const isDigits = /^\d+$/.test(letters.slice(start, end).join(''));
      if (end - start >= (isDigits ? DIGIT_RUN_MIN : LETTER_RUN_MIN)) found.push(...places.slice(start, end));
    }
    return found;
  });
}

/** Returns the positions of the characters that belong to one of `words`, also in spellings such as `p4ssw0rt`. */
function wordsIn(text: readonly string[], words: readonly string[]): Set<number> {
  const places = new Set<number>();
  for (const spelled of [text, text.map((letter) => LIKE[letter] ?? (letter === '!' ? 'i' : letter))]) {
    for (const word of words) {
      const letters = [...word];
      for (let start = 0; start + letters.length <= spelled.length; start += 1) {
        const isHere = letters.every((letter, offset) => spelled[start + offset] === letter);
        if (isHere) for (const place of range(start, start + letters.length)) places.add(place);
      }
    }
  }
  return places;
}

function yearsIn(text: readonly string[]): number[] {
  const found: number[] = [];
  for (let start = 0; start + 4 <= text.length; start += 1) {
    if (/^(19|20)\d\d$/.test(text.slice(start, start + 4).join(''))) found.push(...range(start, start + 4));
  }
  return found;
}

const LIKE: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's' };

function ownWords({ email, name, organizationName }: About): string[] {
  const [local = '', domain = ''] = email.split('@');
  const host = domain.split('.').slice(0, -1).join(' ');
  const words = `${local} ${host} ${name} ${organizationName}`
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= OWN_WORD_MIN && !UNTOLD.has(word));
  return [...new Set(words.flatMap((word) => [word, withoutUmlauts(word, 'e'), withoutUmlauts(word, '')]))];
}

/** Returns the word as people write it without an umlaut key: `ö` becomes `oe` or `o`. */
function withoutUmlauts(word: string, mark: 'e' | ''): string {
  const plain: Record<string, string> = { ä: 'a', ö: 'o', ü: 'u' };
  return [...word.replaceAll('ß', 'ss')].map((letter) => (letter in plain ? plain[letter] + mark : letter)).join('');
}

function everyOther(length: number, first: number): number[] {
  return range(0, length).filter((place) => place % 2 === first);
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}
