/**
 * The words that passwords consist of most often, German and English, in lower case and without umlauts. Lists of
 * leaked passwords are long because they repeat each word with every ending (`passwort1!`, `Sommer2024`).
 * rules.ts recognizes the endings, so the words alone are enough.
 */
export const COMMON_WORDS: readonly string[] = (
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
 * Rows of keyboards (German, English, French), the alphabet and the digits: characters that are neighbors in a row are
 * easy to guess together.
 */
export const ROWS: readonly string[] = [
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
