import { Dict, isName, PdfFault, refsIn, type Value } from './objects';
import type { Read, Revision } from './revision';

export type Survey = ReturnType<typeof makeSurvey>;

const surveys = new WeakMap<Revision, Survey>();

/** As `makeSurvey`, once for a revision, however many signatures it has. @throws LimitReached */
export function surveyOf(revision: Revision): Survey {
  const survey = surveys.get(revision) ?? makeSurvey(revision);
  surveys.set(revision, survey);
  return survey;
}

/** Follows all references from the trailer of a revision. @throws LimitReached */
function makeSurvey(revision: Revision) {
  /** References to each object, by its number. */
  const references = new Map<number, number>();
  const pages: number[] = [];
  /** The bytes of the file that objects are written in. */
  const spans: Read['span'][] = [];
  /** An object that cannot be read, or about which readers may differ; null if there is none. */
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
