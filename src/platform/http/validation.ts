import * as z from 'zod';
import { AppError, type FieldError, invalidInput } from '../errors/errors';
import { ERRORS_MAX, IDEMPOTENCY_KEY_CHARACTERS_MAX } from '../limits';
import { escapePointer } from './json';

/**
 * Replaces Zod's message for an unknown key, which contains the key. This message lists the known keys and repeats
 * nothing from the body.
 */
z.config({
  customError: (issue) =>
    issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject
      ? `Allowed here: ${Object.keys(issue.inst.shape).join(', ') || 'nothing'}.`
      : undefined,
});

/**
 * Returns the schema of a text that is not blank.
 * @param max the most characters
 */
export function textOf(max: number) {
  return z.string().trim().min(1).max(max);
}

/**
 * Returns the message and code that input gets if it breaks a rule of a schema.
 * @param message what to change
 */
export function fault(code: string, message: string, path?: string[]) {
  return { message, params: { code }, ...(path && { path }) };
}

/**
 * @throws AppError naming every fault of the value: `validation_failed`, or the code of the only rule that it breaks
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidInput(toFieldErrors(result.error.issues));
}

/**
 * Returns Zod's issues as faults. Their codes are not those of Zod, because codes are part of the contract. Values are
 * never included.
 */
export function toFieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const faults = issues.flatMap((issue) => pathsOf(issue).map((path) => ({ pointer: path, ...faultOf(issue) })));
  return faults.slice(0, ERRORS_MAX);
}

/**
 * Returns the JSON Pointers of an issue. For an unknown member, the pointer ends with the member's name, unless the
 * name may contain a value.
 */
function pathsOf(issue: z.core.$ZodIssue): string[] {
  const parent = issue.path.map((key) => `/${escapePointer(String(key))}`).join('');
  if (issue.code !== 'unrecognized_keys') return [parent];
  const named = issue.keys.slice(0, ERRORS_MAX).map((key) => (NAME.test(key) ? `/${key}` : ''));
  return [...new Set(named)].map((name) => parent + name);
}

const NAME = /^[\w-]{1,64}$/;

function faultOf(issue: z.core.$ZodIssue): Pick<FieldError, 'code' | 'message'> {
  switch (issue.code) {
    case 'invalid_type':
      return /received undefined/.test(issue.message)
        ? { code: 'required', message: `Send this field (${nameOf(issue.expected)}).` }
        : { code: 'invalid_type', message: `Send ${nameOf(issue.expected)}${isRepeated(issue) ? ', once' : ''}.` };
    case 'too_small':
      return { code: 'too_small', message: sizeMessage(issue.origin, 'at least', issue.minimum) };
    case 'too_big':
      return { code: 'too_big', message: sizeMessage(issue.origin, 'at most', issue.maximum) };
    case 'invalid_value':
      return { code: 'unknown_value', message: `Allowed: ${issue.values.map(String).join(', ')}.` };
    case 'unrecognized_keys':
      return { code: 'unknown_key', message: issue.message };
    case 'custom':
      return { code: (issue.params?.code as string | undefined) ?? 'invalid_value', message: issue.message };
    default:
      return { code: 'invalid_format', message: DEFAULT_MESSAGES[issue.message] ?? issue.message };
  }
}

/** The messages that replace messages of Zod, because those do not say what to send. */
const DEFAULT_MESSAGES: Partial<Record<string, string>> = {
  'Invalid UUID': 'Send a UUID.',
  'Invalid ISO date': 'Send the day as yyyy-mm-dd.',
  'Invalid ISO datetime': 'Send a time such as 2026-11-30T10:00:00Z.',
  'Invalid input': 'Send one of the forms that the reference shows.',
  'Invalid key in record': 'This name is not allowed here.',
};

/** Whether a list was sent instead of one value, for example because a query parameter was sent twice. */
function isRepeated({ expected, message }: { expected: string; message: string }): boolean {
  return expected !== 'object' && message.includes('received array');
}

function nameOf(expected: string): string {
  if (expected === 'int') return 'an integer';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function sizeMessage(origin: string, bound: string, limit: number | bigint): string {
  const unit = origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '';
  return `Allowed: ${bound} ${limit}${unit}.`;
}

/** A JSON Schema for a rule between fields. Zod checks such a rule in code, and cannot describe it in a schema. */
interface JsonSchema {
  [keyword: string]: unknown;
}

/** Matches a value that is not null, not blank and not an empty list. */
const PRESENT = { not: { anyOf: [{ enum: [null, []] }, { type: 'string', pattern: '^\\s*$' }] } };

/**
 * Returns a JSON Schema that matches each object with a certain field.
 * @param value the schema that the value of the field must match, or the boolean that the value must be. The schema
 *   `{}` matches any value. A boolean is not written as `const` or `enum`, because generators make code from them that
 *   does not compile
 */
export function has(name: string, value: JsonSchema | boolean = PRESENT): JsonSchema {
  const schema = typeof value === 'boolean' ? { not: { enum: [!value, null] } } : value;
  return { type: 'object', required: [name], properties: { [name]: schema } };
}

/**
 * Returns a JSON Schema that matches each object with none of the fields. A field counts as missing if its value is
 * null, a blank text or an empty list.
 */
export function hasNone(...names: string[]): JsonSchema {
  return none(...names.map((name) => has(name)));
}

/** Returns a JSON Schema that matches each value that none of the schemas matches. */
export function none(...schemas: JsonSchema[]): JsonSchema {
  return { not: anyOf(schemas) };
}

/** The JSON Schema of the empty object, `{}`. */
export const EMPTY: JsonSchema = { type: 'object', maxProperties: 0 };

/** Returns a JSON Schema that matches each value that all of the schemas match. */
export function all(...schemas: JsonSchema[]): JsonSchema {
  return { allOf: schemas };
}

/**
 * Returns metadata for `.meta()`. They make the OpenAPI document say that an object is refused if it matches one of the
 * schemas. All schemas are under `not`, which client generators ignore. From `anyOf`, the generators would make unions
 * and lose the fields.
 */
export function refusing(...forbidden: JsonSchema[]) {
  return {
    override: ({ jsonSchema }: { jsonSchema: object }) => {
      Object.assign(jsonSchema, none(...forbidden));
    },
  };
}

/** Metadata for `.meta()` that make the OpenAPI document say that `{}` is refused. */
export const NOT_EMPTY = {
  override: ({ jsonSchema }: { jsonSchema: object }) => {
    Object.assign(jsonSchema, { minProperties: 1 });
  },
};

function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas;
  return only && others.length === 0 ? only : { anyOf: schemas };
}

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/** Returns the request's `Idempotency-Key`; null if it has none. @throws AppError `invalid_idempotency_key` */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get('Idempotency-Key');
  if (key === null) return null;
  if (key.length <= IDEMPOTENCY_KEY_CHARACTERS_MAX && PRINTABLE_ASCII.test(key)) return key;
  throw new AppError(
    'invalid_idempotency_key',
    `Send 1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} printable ASCII characters as Idempotency-Key, for example a UUID, or leave the header out.`,
  );
}

/**
 * Matches separators, brackets, quotes and control characters. A mail program may read a text with one of them as two
 * addresses, as no address or as another address.
 */
const SEPARATOR = /[\s,;:<>()[\]\\"\p{Cc}\p{Cs}]/u;
/**
 * Matches invisible characters, such as direction marks. It does not match the two joiners, because some scripts need
 * them (RFC 5892, A.1 and A.2).
 */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}/u;

/** Whether a text is the address of one mailbox. Letters of every script pass (RFC 6531). */
export function isOneAddress(text: string): boolean {
  const { length } = text.split('@');
  return length === 2 && !text.startsWith('@') && !text.endsWith('@') && !SEPARATOR.test(text) && !UNSEEN.test(text);
}

/** Schema of the address of one mailbox. */
export const mailbox = z
  .email({ pattern: z.regexes.unicodeEmail })
  .refine(isOneAddress, fault('invalid_format', 'Send one e-mail address alone.'));
