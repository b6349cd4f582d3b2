import { LimitReached } from '../budget';
import { Dict, isName, PdfFault, Ref, Text, type Value } from './objects';
import type { Revision } from './revision';

export const FIELDS_MAX = 20_000;
export const DEPTH_MAX = 32;

/** A signature dictionary (ISO 32000-2 §12.8.1) and the object that holds it. */
export interface Signed {
  /** The number of that object: the dictionary itself, or its field. */
  num: number;
  dict: Dict;
  /** Whether the object stands in the file itself and not in an object stream. */
  isPlain: boolean;
}

/**
 * The signature dictionaries of all signed fields of a revision's form, each once.
 * @throws PdfFault for a form that cannot be read; LimitReached
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
 * What a signature permits afterwards (DocMDP, §12.8.2.2): 1 nothing, 2 forms and signatures, 3 annotations as well; null
 * if it does not certify the file.
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
 * The ByteRange of a signature that covers a whole revision except its own `Contents`. A gap of any other size lets
 * bytes in that nobody signed.
 * @returns the value, the gap's first byte and the first one behind it, and where the signed revision ends
 * @throws PdfFault that says what is wrong with it
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
