import { createMiddleware } from 'hono/factory';
import { readBody } from '../platform/body';
import { AppError } from '../platform/errors';
import { ensureVisitor, formTokenOf, isFormToken } from './csrf';
import type { ManageEnv } from './env';
import type { Words } from './words/de';

const FORM_BYTES_MAX = 64 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';
export const TOKEN_FIELD = 'form_token';

/** What a browser sent with a form. */
export class Form {
  constructor(private readonly fields: URLSearchParams) {}

  /** A line of text, without what no keyboard types (SQLite ends a text at NUL). */
  text(name: string): string {
    return (this.fields.get(name) ?? '').replace(/\p{Cc}/gu, '').trim();
  }

  /** As typed: a password may start with a space. */
  secret(name: string): string {
    return this.fields.get(name) ?? '';
  }
}

/**
 * First of all that a form meets: its token. A form without one, with a wrong one or with another session's changes
 * nothing, whoever sends it. Pages get the token for their own forms here.
 * @throws AppError `stale_form`
 */
export const checkForm = createMiddleware<ManageEnv>(async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') {
    ensureVisitor(c);
  } else {
    const form = await readForm(c.req.raw);
    if (!(await isFormToken(c, form.text(TOKEN_FIELD)))) throw staleForm();
    c.set('form', form);
  }
  c.set('formToken', await formTokenOf(c));
  await next();
});

async function readForm(request: Request): Promise<Form> {
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) throw staleForm();
  const { bytes, release } = await readBody(request, FORM_BYTES_MAX);
  const fields = new URLSearchParams(new TextDecoder().decode(bytes));
  release();
  return new Form(fields);
}

function staleForm(): AppError {
  return new AppError('forbidden', 'stale_form', 'Load the page again and send its form.');
}

/** What is wrong with a form, by field, in the reader's words. */
export type Faults = Record<string, string>;

/**
 * Runs a use case for a form.
 * @param fields which field of the form each refusal by code belongs to
 * @returns what it gives, or the faults to show beside the fields
 * @throws whatever else it throws
 */
export async function tryForm<T>(
  words: Words,
  fields: Record<string, string>,
  run: () => Promise<T>,
): Promise<{ value: T; faults?: never } | { value?: never; faults: Faults }> {
  try {
    return { value: await run() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const field = fields[error.code];
    if (field) return { faults: { [field]: messageOf(words, error.code) } };
    const { errors } = error.details;
    if (!errors) throw error;
    return { faults: Object.fromEntries(errors.map((e) => [e.pointer.slice(1), messageOf(words, e.code)])) };
  }
}

function messageOf(words: Words, code: string): string {
  // SAFETY: asked first.
  return code in words.faults ? words.faults[code as keyof Words['faults']] : words.faults.other;
}

export function hasFaults(faults: Faults): boolean {
  return Object.keys(faults).length > 0;
}
