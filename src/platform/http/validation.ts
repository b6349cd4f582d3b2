import * as z from 'zod';
import { type FieldError, invalidInput } from '../errors';
import { ERRORS_MAX } from '../limits';
import { escapePointer } from './json';

/** Zod's own message contains the unknown key; this one lists the known keys and repeats nothing from the body. */
z.config({
  customError: (issue) =>
    issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject
      ? `Allowed here: ${Object.keys(issue.inst.shape).join(', ') || 'nothing'}.`
      : undefined,
});

/** A text that says something. @param max characters */
export function textOf(max: number) {
  return z.string().trim().min(1).max(max);
}

/**
 * @throws AppError naming every fault of the value: `validation_failed`, or the code of the only rule that it breaks
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidInput(toFieldErrors(result.error.issues));
}

/** Translates Zod's issues: codes are part of the contract, so they must not be Zod's. Values are never included. */
export function toFieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const faults = issues.flatMap((issue) => pathsOf(issue).map((path) => ({ pointer: path, ...faultOf(issue) })));
  return faults.slice(0, ERRORS_MAX);
}

/** Where it is: an unknown member is named itself, unless its name is more than that. */
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
        : { code: 'invalid_type', message: `Send ${nameOf(issue.expected)}.` };
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
      return { code: 'invalid_format', message: issue.message };
  }
}

function nameOf(expected: string): string {
  if (expected === 'int') return 'an integer';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function sizeMessage(origin: string, bound: string, limit: number | bigint): string {
  const unit = origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '';
  return `Allowed: ${bound} ${limit}${unit}.`;
}
