/**
 * What a platform says of a person in members of its own that are as a prescription is: links, files, diagnoses. Only who may see
 * prescriptions sees it, on pages and by the API.
 */

const NAME =
  /prescri|rezept|recept|(?<![a-z])rx(?![a-z])|diagnos|(?<![a-z])icd|indi[kc]ation|anamnes|befund|symptom|medical/i;
/** A link, or a PDF as it is or in base64. */
const VALUE = /https?:\/\/|%PDF-|JVBERi0/i;
/** What stands in no base64; so many characters without it are a file. */
const BETWEEN = /[^A-Za-z0-9+/_=-]/;
const FILE_LENGTH_MIN = 200;

type Details = Readonly<Record<string, string>>;

/** The details without these; null where nothing is left. */
export function withoutHealth<T extends Details>(details: T | null): T | null {
  const others = Object.entries(details ?? {}).filter(([name, text]) => !isHealth(name, text));
  // SAFETY: some of its members.
  return others.length === 0 ? null : (Object.fromEntries(others) as T);
}

function isHealth(name: string, text: string): boolean {
  const isFile = text.split(BETWEEN).some((part) => part.length >= FILE_LENGTH_MIN);
  return NAME.test(name) || VALUE.test(text) || isFile || (/^[{[]/.test(text) && NAME.test(text));
}
