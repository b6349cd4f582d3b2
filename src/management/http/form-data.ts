import { randomBase62 } from '../../platform/crypto/crypto';
import { AppError } from '../../platform/errors/errors';
import { composedPattern } from '../../platform/fold';

export const TOKEN_FIELD = 'form_token';
/** Field with the id of a form that has an effect only once (once.ts). */
export const FORM_ID_FIELD = 'form_id';
const FORM_ID_LENGTH = 22;
const FORM_ID = composedPattern(`^[0-9A-Za-z]{${FORM_ID_LENGTH}}$`);

/** Names of fields that hold secrets: the type of `Field` allows only these names for password fields. */
export const SECRET_FIELDS = ['password', 'current', 'next', 'code'] as const;

export function newFormId(): string {
  return randomBase62(FORM_ID_LENGTH);
}

export function isFormId(text: string): boolean {
  return FORM_ID.test(text);
}

/** The posted fields and files of a form. */
export class Form {
  /**
   * @param isTooLarge whether the body was too large. Such a form has no fields and no token, so it may only show an
   *   error.
   */
  constructor(
    private readonly fields: URLSearchParams | FormData,
    readonly isTooLarge = false,
  ) {}

  /** Returns the same form, with the values in `changes` for the fields that `changes` names. */
  with(changes: URLSearchParams): Form {
    const kept = this.entries().filter(([name]) => !changes.has(name));
    return new Form(new URLSearchParams([...kept, ...changes]));
  }

  /** A line of text, trimmed and without control characters (SQLite ends a text at NUL). */
  text(name: string): string {
    return this.secret(name)
      .replace(/\p{Cc}/gu, '')
      .trim();
  }

  /** The lines of text of these fields, by name. */
  texts<Name extends string>(...names: readonly Name[]): Record<Name, string> {
    // SAFETY: the keys are the names.
    return Object.fromEntries(names.map((name) => [name, this.text(name)])) as Record<Name, string>;
  }

  /** Text of several lines. Each line break is kept as one line feed. */
  lines(name: string): string {
    return this.secret(name)
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n]/gu, '')
      .trim();
  }

  /** The value exactly as typed, because a password may start with a space. */
  secret(name: string): string {
    const value = this.fields.get(name);
    return typeof value === 'string' ? value : '';
  }

  /** All fields except files, in the order in which they were sent. */
  entries(): [name: string, value: string][] {
    return [...this.fields.entries()].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  }

  /** The bytes of a chosen file; null when none was chosen. */
  async file(name: string): Promise<Uint8Array | null> {
    const value = this.fields.get(name);
    return value instanceof File && value.size > 0 ? new Uint8Array(await value.arrayBuffer()) : null;
  }
}

/** Returns the error for a form whose token is missing, too old, or from another session. */
export function staleForm(): AppError {
  return new AppError('stale_form', 'Load the page again and send its form.');
}
