/**
 * The token of an E-Rezept (gemSpec_DM_eRp): `Task/<PrescriptionID>/$accept?ac=<AccessCode>`, with an id such as
 * 160.123.456.789.123.58 and an access code of 64 hexadecimal digits. In JSON and in addresses some characters may be
 * written otherwise.
 */
const TOKEN =
  /Task(?:\/|%2F)\d{3}\.?(?:\d{3}\.?){4}\d{2}(?:\/|%2F)(?:\$|%24)accept(?:\?|%3F)(?:[\w.%=&;-]{1,100}(?:&|;|%26|u0026))?ac(?:=|%3D|u003d)[\da-f]{64}(?![\da-f])/i;
/** The access code as a member of its own. */
const MEMBER = /"access_?code":"[\da-f]{64}"/i;

/** Whether a text, JSON or not, holds a token of an E-Rezept. */
export function hasTokenIn(text: string): boolean {
  return (text.includes('accept') && TOKEN.test(text.replaceAll('\\', ''))) || MEMBER.test(text);
}
