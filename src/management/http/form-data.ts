import { createMiddleware } from 'hono/factory';
import { readBody } from '../../platform/body';
import { actingAs, type Context } from '../../platform/context';
import { randomBase62 } from '../../platform/crypto';
import type { ErrorCode } from '../../platform/error-codes';
import { AppError } from '../../platform/errors';
import { PDF_BYTES_MAX } from '../../prescriptions/service';
import type { Words } from '../words/de';
import { ensureVisitor, formTokenOf, isFormToken } from './csrf';
import type { ManageContext, ManageEnv } from './env';
import { sessionOf } from './session';

const FORM_BYTES_MAX = 64 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const FILE_FORM_TYPE = 'multipart/form-data';
/** Where a PDF may come along. */
export const FILE_PATH = /^\/manage\/(requests|orders)\/[^/]+\/prescription$/;
const FILE_FORM_BYTES_MAX = PDF_BYTES_MAX + FORM_BYTES_MAX;
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

/**
 * First of all that a form meets: its token. A form without one, with a wrong one or with another session's changes
 * nothing, whoever sends it. Pages get the token for their own forms here.
 * @throws AppError `stale_form`
 */
export const checkForm = createMiddleware<ManageEnv>(async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') {
    ensureVisitor(c);
    c.set('formToken', await formTokenOf(c));
    return next();
  }
  const { form, release } = await readForm(c);
  try {
    c.set('form', form);
    if (!form.isTooLarge && !(await isFormToken(c, form.text(TOKEN_FIELD)))) throw staleForm();
    c.set('formToken', await formTokenOf(c));
    await next();
  } finally {
    release();
  }
});

/** @returns the form, and what gives a file's memory back once the answer is there */
async function readForm(c: ManageContext): Promise<{ form: Form; release: () => void }> {
  const request = c.req.raw;
  const sent = request.headers.get('Content-Type') ?? '';
  const type = sent.split(';')[0]?.trim().toLowerCase();
  const takesFile = FILE_PATH.test(new URL(request.url).pathname);
  if (type === FILE_FORM_TYPE && takesFile) {
    // Nobody else's 10 MiB are read.
    const session = await sessionOf(c);
    if (!session) throw staleForm();
    c.set('session', session);
    return readFileForm(actingAs(c.var.ctx, session.actor), request, sent);
  }
  if (type !== FORM_TYPE) throw staleForm();
  const { bytes, release } = await readBody(c.var.ctx, request, FORM_BYTES_MAX);
  const fields = new URLSearchParams(new TextDecoder().decode(bytes));
  release();
  return { form: new Form(fields), release };
}

async function readFileForm(
  ctx: Context,
  request: Request,
  type: string,
): Promise<{ form: Form; release: () => void }> {
  try {
    const { bytes, release } = await readBody(ctx, request, FILE_FORM_BYTES_MAX);
    try {
      return { form: new Form(await new Response(bytes, { headers: { 'Content-Type': type } }).formData()), release };
    } catch {
      release();
      throw staleForm();
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'too_large') throw error;
    return { form: new Form(new URLSearchParams(), true), release: () => {} };
  }
}

export function staleForm(): AppError {
  return new AppError('stale_form', 'Load the page again and send its form.');
}

/** What is wrong with a form, by field, in the reader's words. */
export type Faults = Record<string, string>;

/** Names of fields, by the codes whose texts they show. */
export type Refusals = { [C in ErrorCode & keyof Words['faults']]?: string };

/**
 * Runs a use case for a form.
 * @param fields which field of the form each refusal by code belongs to; such a code has a text among the faults
 * @returns what it gives, or the faults to show beside the fields
 * @throws whatever else it throws
 */
export async function tryForm<T>(
  words: Words,
  fields: Refusals,
  run: () => Promise<T>,
): Promise<{ value: T; faults?: never } | { value?: never; faults: Faults }> {
  try {
    return { value: await run() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fieldOf: Partial<Record<ErrorCode, string>> = fields;
    const field = fieldOf[error.code];
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
