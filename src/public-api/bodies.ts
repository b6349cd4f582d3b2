/** The keywords of a JSON schema that this file uses. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  minLength?: number;
  [keyword: string]: unknown;
}

/**
 * Characters that no text of a body may contain (platform/http/json.ts): C0 and C1 controls and DEL, except tab and line
 * breaks.
 */
const CONTROL = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
const TEXT = `^[^${CONTROL}]*$`;
/** For texts that must not be empty; they are trimmed before the check. */
const NOT_BLANK = `^(?!\\s*$)[^${CONTROL}]*$`;
/** If a schema has one of these keywords, it already defines which characters are allowed. */
const SAYS_MORE = ['pattern', 'format', 'enum', 'const', 'contentEncoding'];

/**
 * Adds to the schemas of request bodies what applies to every text in them. Schemas that responses also use are not
 * changed: a response describes its values and does not check them.
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
  if (typeof known.const === 'boolean') delete known.const;
  if ('default' in known) {
    // Generators make a member with a default a required one.
    known.description = [known.description, `Default: \`${known.default}\`.`].filter(Boolean).join(' ');
    delete known.default;
  }
  for (const [keyword, child] of Object.entries(known)) {
    // A schema under `not` describes what is refused, and examples are not schemas.
    if (!['not', 'example', 'examples', 'enum'].includes(keyword)) walk(child);
  }
}
