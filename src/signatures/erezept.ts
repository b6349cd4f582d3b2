/**
 * The token of an E-Rezept (gemSpec_DM_eRp): `Task/<PrescriptionID>/$accept?ac=<AccessCode>`. The id looks like
 * 160.123.456.789.123.58, the access code has 64 hexadecimal digits. JSON and URLs may escape some characters.
 */
const TOKEN =
  /Task(?:\/|%2F)\d{3}\.?(?:\d{3}\.?){4}\d{2}(?:\/|%2F)(?:\$|%24)accept(?:\?|%3F)(?:[\w.%=&;-]{1,100}(?:&|;|%26|u0026))?ac(?:=|%3D|u003d)[\da-f]{64}(?![\da-f])/i;
/** The access code in a JSON field of its own. */
const MEMBER = /"access_?code":"[\da-f]{64}"/i;

/** Whether a text, JSON or not, contains a token of an E-Rezept. */
export function hasTokenIn(text: string): boolean {
  return (text.includes('accept') && TOKEN.test(text.replaceAll('\\', ''))) || MEMBER.test(text);
}
