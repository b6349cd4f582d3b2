import { LimitReached } from '../budget';
import { orNull } from '../bytes';
import type { Material } from '../cms/certificate';
import { decoded } from './inflate';
import { Dict, isName, PdfFault, Ref, refsIn, Stream, Text, type Value } from './objects';
import type { Read, Revision } from './revision';

export const FIELDS_MAX = 20_000;
export const DEPTH_MAX = 32;

/** A signature dictionary (ISO 32000-2 §12.8.1) and the object that holds it. */
export interface Signed {
  /** The number of the object that contains the dictionary: the dictionary itself, or its field. */
  num: number;
  dict: Dict;
  /** Whether the object is in the file itself and not in an object stream. */
  isPlain: boolean;
}

/**
 * Returns the signature dictionaries of all signed fields in the form of a revision, without duplicates.
 * @throws PdfFault if the form cannot be read; LimitReached
 */
export function signedFields(revision: Revision): Signed[] {
  const found = new Map<number, Signed>();
  const seen = new Set<number>();
  const visit = (value: Value, isInSignature: boolean, depth: number): void => {
    if (!(value instanceof Ref) || seen.has(value.num)) return;
    if (seen.size >= FIELDS_MAX || depth > DEPTH_MAX) throw new LimitReached('depth');
    seen.add(value.num);
    const read = revision.read(value.num);
    if (!(read?.value instanceof Dict)) return;
    const field = read.value;
    const type = field.get('FT');
    const isSignature = type === undefined ? isInSignature : isName(revision.resolve(type), 'Sig');
    const held = field.get('V');
    if (isSignature && held instanceof Ref) {
      const target = revision.read(held.num);
      if (target?.value instanceof Dict)
        found.set(held.num, { num: held.num, dict: target.value, isPlain: target.isPlain });
    } else if (isSignature && held instanceof Dict)
      found.set(value.num, { num: value.num, dict: held, isPlain: read.isPlain });
    const kids = revision.resolve(field.get('Kids'));
    if (Array.isArray(kids)) for (const kid of kids) visit(kid, isSignature, depth + 1);
  };
  const form = revision.resolve(revision.catalog().get('AcroForm'));
  const fields = form instanceof Dict ? revision.resolve(form.get('Fields')) : null;
  if (Array.isArray(fields)) for (const field of fields) visit(field, false, 0);
  return [...found.values()];
}

/**
 * Returns which later changes a certifying signature permits (DocMDP, §12.8.2.2). 1: none. 2: forms and signatures. 3:
 * also annotations. Null if the signature does not certify the file.
 */
export function certifies(revision: Revision, dict: Dict): 1 | 2 | 3 | null {
  const references = revision.resolve(dict.get('Reference'));
  if (!Array.isArray(references)) return null;
  for (const each of references.slice(0, 8)) {
    const reference = revision.resolve(each);
    if (!(reference instanceof Dict) || !isName(revision.resolve(reference.get('TransformMethod')), 'DocMDP')) continue;
    const parameters = revision.resolve(reference.get('TransformParams'));
    const permitted = parameters instanceof Dict ? revision.resolve(parameters.get('P')) : null;
    return permitted === 1 || permitted === 3 ? permitted : 2;
  }
  return null;
}

/**
 * Reads the ByteRange of a signature. It must cover a whole revision except the value of the signature's `Contents`.
 * With any other gap, bytes would be unsigned.
 * @returns the signature's value; the gap, as the offsets of its first byte and of the byte after it; and the end of
 *   the signed revision
 * @throws PdfFault with a message that says what is wrong
 */
export function byteRangeOf(revision: Revision, { dict, isPlain }: Signed) {
  const contents = dict.get('Contents');
  const range = revision.resolve(dict.get('ByteRange'));
  if (!(contents instanceof Text) || !isPlain) throw new PdfFault('Contents is not in the file as such');
  const [from, length, to, rest, more] = Array.isArray(range) ? range : [];
  if (from !== 0 || typeof rest !== 'number' || more !== undefined)
    throw new PdfFault('ByteRange has not four numbers');
  if (length !== contents.from || to !== contents.to || revision.file.bytes[length] !== 60)
    throw new PdfFault('ByteRange does not leave out exactly Contents');
  const end = to + rest;
  if (end > revision.file.bytes.length || rest < 1) throw new PdfFault('ByteRange goes past the end');
  return { value: contents.bytes, gap: [length, to] as const, end };
}

export type Survey = ReturnType<typeof makeSurvey>;

const surveys = new WeakMap<Revision, Survey>();

/** Returns the survey of a revision, which is made only once. @throws LimitReached */
export function surveyOf(revision: Revision): Survey {
  const survey = surveys.get(revision) ?? makeSurvey(revision);
  surveys.set(revision, survey);
  return survey;
}

/** Surveys a revision: follows all references from its trailer. @throws LimitReached */
function makeSurvey(revision: Revision) {
  /** The number of references to each object, by object number. */
  const references = new Map<number, number>();
  const pages: number[] = [];
  /** The ranges of the file's bytes in which the objects are written. */
  const spans: Read['span'][] = [];
  /**
   * The reason why an object cannot be read, or why readers may understand an object differently. Null if there is no
   * such object.
   */
  let fault: string | null = null;
  const open: number[] = [];
  const count = (value: Value): void => {
    for (const { num } of refsIn(value)) {
      if (!revision.entries.has(num)) continue;
      const known = references.get(num);
      references.set(num, (known ?? 0) + 1);
      if (known === undefined) open.push(num);
    }
  };
  count(revision.trailer);
  for (let num = open.pop(); num !== undefined; num = open.pop()) {
    try {
      const read = revision.read(num);
      if (!read) continue;
      if (read.isOdd) fault = `object ${num} is written oddly`;
      spans.push(read.span);
      count(read.value);
      if (read.value instanceof Dict && isName(read.value.get('Type'), 'Page')) pages.push(num);
    } catch (error) {
      if (!(error instanceof PdfFault)) throw error;
      fault = error.message;
    }
  }
  return { references, pages, spans, fault };
}

const KINDS = { Certs: 'certificates', OCSPs: 'ocsps', CRLs: 'crls' } as const;

/**
 * Adds the values in the document security store (ISO 32000-2 §12.8.4.3) to the material, except those that cannot be
 * read. The lists for single signatures (VRI) only repeat these values, so they are not read.
 */
export function readSecurityStore(revision: Revision, material: Material): void {
  const found = (value: Value | undefined) => orNull(() => revision.resolve(value));
  const store = found(revision.catalog().get('DSS'));
  if (!(store instanceof Dict)) return;
  for (const [key, kind] of Object.entries(KINDS)) {
    const list = found(store.get(key));
    if (!Array.isArray(list)) continue;
    for (const each of list) {
      const stream = found(each);
      if (!(stream instanceof Stream)) continue;
      const bytes = orNull(() => decoded(stream, material.budget));
      if (bytes) material.add(kind, bytes);
    }
  }
}
