import { randomBase62 } from '../../platform/crypto';
import { AppError } from '../../platform/errors';

export const TOKEN_FIELD = 'form_token';
/** Whose form it is and on which page it stands, signed (http/resume.ts). */
export const ORIGIN_FIELD = 'form_origin';
/** Names a form that may be sent once (once.ts). */
export const FORM_ID_FIELD = 'form_id';
const FORM_ID_LENGTH = 22;
const FORM_ID = new RegExp(`^[0-9A-Za-z]{${FORM_ID_LENGTH}}$`);

/**
 * Names of fields that hold secrets: they are typed again after a session ended, never carried (http/resume.ts). The
 * type of `Field` keeps password fields to these names.
 */
export const SECRET_FIELDS = ['password', 'current', 'next', 'code'] as const;

export function newFormId(): string {
  return randomBase62(FORM_ID_LENGTH);
}

export function isFormId(text: string): boolean {
  return FORM_ID.test(text);
}

/** What a browser sent with a form. */
export class Form {
  /** @param isTooLarge nothing of it was read, its token neither: all that may follow is a page that says so */
  constructor(
    private readonly fields: URLSearchParams | FormData,
    readonly isTooLarge = false,
  ) {}

  /** A line of text, without what no keyboard types (SQLite ends a text at NUL). */
  text(name: string): string {
    return this.secret(name)
      .replace(/\p{Cc}/gu, '')
      .trim();
  }

  /** Text of several lines: the breaks stay, each as one character. */
  lines(name: string): string {
    return this.secret(name)
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n]/gu, '')
      .trim();
  }

  /** As typed: a password may start with a space. */
  secret(name: string): string {
    const value = this.fields.get(name);
    return typeof value === 'string' ? value : '';
  }

  /** Everything that was typed or chosen, files left out, in order. */
  entries(): [name: string, value: string][] {
    return [...this.fields.entries()].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  }

  /** Whether a file was chosen. */
  hasFile(): boolean {
    return [...this.fields.values()].some((value) => typeof value !== 'string' && value.size > 0);
  }

  /** The bytes of a chosen file; null when none was chosen. */
  async file(name: string): Promise<Uint8Array | null> {
    const value = this.fields.get(name);
    return value instanceof File && value.size > 0 ? new Uint8Array(await value.arrayBuffer()) : null;
  }
}

/** A form that nothing is done with: an old token, another session's, or none. */
export function staleForm(): AppError {
  return new AppError('stale_form', 'Load the page again and send its form.');
}
