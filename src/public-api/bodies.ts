/** The parts of a schema that are read here. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  minLength?: number;
  [keyword: string]: unknown;
}

/** What no text of a body may hold (platform/json.ts): C0 and C1 controls and DEL, but tab and line breaks. */
const CONTROL = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
const TEXT = `^[^${CONTROL}]*$`;
/** Texts that must not be empty are trimmed first. */
const NOT_BLANK = `^[^${CONTROL}]*[^${CONTROL}\\s][^${CONTROL}]*$`;
/** Whatever says more about a text than its length says what may stand in it, too. */
const SAYS_MORE = ['pattern', 'format', 'enum', 'const', 'contentEncoding'];

/**
 * Says in the schemas of request bodies what holds for every text in them. Those that answers share stay as they are,
 * since the schema of an answer describes and does not check.
 */
export function describeTexts(bodies: readonly object[]): void {
  for (const body of bodies) walk(body as Schema);
}

function walk(schema: unknown): void {
  if (Array.isArray(schema)) schema.forEach(walk);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  const known = schema as Schema;
  if ([known.type].flat().includes('string') && !SAYS_MORE.some((keyword) => keyword in known)) {
    known.pattern = (known.minLength ?? 0) > 0 ? NOT_BLANK : TEXT;
  }
  for (const [keyword, child] of Object.entries(known)) {
    // What is refused stands under `not`, and examples are no schemas.
    if (!['not', 'example', 'examples', 'enum'].includes(keyword)) walk(child);
  }
}
