import { createMiddleware } from 'hono/factory';
import { unsigned } from '../../auth/staff/sign-in/session';
import { IMPORT_BYTES_MAX } from '../../inventory/limits';
import { requireScope } from '../../platform/access';
import type { Config } from '../../platform/config';
import { actingAs, type Context } from '../../platform/context';
import { randomBase62, utf8 } from '../../platform/crypto/crypto';
import { AppError } from '../../platform/errors/errors';
import { type Body, isLong, readBody } from '../../platform/http/body';
import { IsolateCache, onceFor } from '../../platform/isolate-cache';
import { PDF_BYTES_MAX } from '../../platform/limits';
import { isMac, mac } from '../../platform/mac';
import { FORM_BYTES_MAX } from '../limits';
import { readCookie, SESSION_COOKIE, writeCookie } from './cookies';
import { isFetchedByScript } from './entity-tag';
import type { ManageContext, ManageEnv } from './env';
import { Form, staleForm, TOKEN_FIELD } from './form-data';
import { HOME, pathnameOf, SIGN_IN } from './paths';
import { sessionOf } from './session';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const FILE_FORM_TYPE = 'multipart/form-data';
/** Forms with a file: maximum file size and required scope. */
const FILE_FORMS = [
  {
    path: /^\/manage\/(?:requests|orders)\/[^/]+\/prescription$/,
    scope: 'prescriptions.write',
    bytesMax: PDF_BYTES_MAX,
  },
  { path: /^\/manage\/inventory-import$/, scope: 'inventory.write', bytesMax: IMPORT_BYTES_MAX },
] as const;
type FileForm = (typeof FILE_FORMS)[number];

const TOO_LARGE = new Form(new URLSearchParams(), true);

/**
 * Checks a form's token before anything else runs. If the token is missing, wrong or from another session, the form
 * changes nothing. A form that is too large is not checked: it is passed on without fields. Also creates the token for
 * the forms of the page.
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
    if (!form.isTooLarge && !(await isFormToken(c, form.text(TOKEN_FIELD)))) {
      // The person signed in meanwhile in another tab, so the sign-in form has nothing left to do.
      if (pathnameOf(c) === SIGN_IN && (await sessionOf(c))) return c.redirect(HOME, 303);
      throw staleForm();
    }
    c.set('formToken', await formTokenOf(c));
    await next();
  } finally {
    release();
  }
});

interface ReadForm {
  form: Form;
  /** Releases the memory of an uploaded file. Called when the response is ready. */
  release: () => void;
}

async function readForm(c: ManageContext): Promise<ReadForm> {
  const request = c.req.raw;
  const sent = request.headers.get('Content-Type') ?? '';
  const type = sent.split(';')[0]?.trim().toLowerCase();
  const path = pathnameOf(c);
  const fileForm = type === FILE_FORM_TYPE && FILE_FORMS.find((each) => each.path.test(path));
  if (fileForm) {
    // Uploads of up to 10 MiB are read only with a session that has the scope.
    const ctx = await readerOf(c);
    if (ctx.actor.kind === 'anonymous') throw staleForm();
    requireScope(ctx, fileForm.scope);
    return readFileForm(ctx, request, sent, fileForm);
  }
  if (type !== FORM_TYPE) throw staleForm();
  // Anonymous callers share little memory, so the session is read before a long form. Sign-in forms are anonymous.
  const ctx = isLong(request) && !path.startsWith(SIGN_IN) ? await readerOf(c) : c.var.ctx;
  const { bytes, release } = await readBody(ctx, request, FORM_BYTES_MAX);
  try {
    assertFewFields(bytes);
    return { form: new Form(new URLSearchParams(new TextDecoder().decode(bytes))), release: () => undefined };
  } finally {
    release();
  }
}

/** The context that acts for the signed-in person. Without a session, it is the context of the request. */
async function readerOf(c: ManageContext): Promise<Context> {
  const session = await sessionOf(c);
  return session ? actingAs(c.var.ctx, session.actor) : c.var.ctx;
}

async function readFileForm(ctx: Context, request: Request, contentType: string, of: FileForm): Promise<ReadForm> {
  const boundary = boundaryOf(contentType);
  if (boundary === null) throw staleForm();
  const body = await readUnlessTooLarge(ctx, request, of.bytesMax + FORM_BYTES_MAX);
  if (!body) return { form: TOO_LARGE, release: () => undefined };
  const { bytes, release } = body;
  try {
    assertSmallParts(bytes, boundary);
    const fields = await formDataOf(bytes, boundary);
    if (textLengthOf(fields) <= FORM_BYTES_MAX) return { form: new Form(fields), release };
    release();
    return { form: TOO_LARGE, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** @returns null for a body that is too large */
async function readUnlessTooLarge(ctx: Context, request: Request, bytesMax: number): Promise<Body | null> {
  try {
    return await readBody(ctx, request, bytesMax);
  } catch (error) {
    if (error instanceof AppError && error.kind === 'too_large') return null;
    throw error;
  }
}

async function formDataOf(bytes: Uint8Array<ArrayBuffer>, boundary: string): Promise<FormData> {
  try {
    // Uses the same boundary as the counting of parts.
    return await new Response(bytes, {
      headers: { 'Content-Type': `${FILE_FORM_TYPE}; boundary="${boundary}"` },
    }).formData();
  } catch {
    throw staleForm();
  }
}

/** Number of characters of all field names and values; for files, their file names. */
function textLengthOf(fields: FormData): number {
  let length = 0;
  for (const [name, value] of fields) length += name.length + (typeof value === 'string' ? value : value.name).length;
  return length;
}

/** The most fields of a form. The largest form, an approval of 100 lines, has about 500. */
const FIELDS_MAX = 1_000;
/** The most parts of a multipart form. A review with a file and 40 lines with all their differences has about 400. */
const PARTS_MAX = 600;
/** The most header bytes of one part. A file name of 255 characters takes up to 1 KiB. */
const HEADERS_BYTES_MAX = 4_096;
const BOUNDARY_LENGTH_MAX = 70;
/** The characters of a boundary (RFC 2046 §5.1.1) except the space, which browsers do not use. */
const BOUNDARY = /^[\w'()+,\-./:=?]+$/;

const AMPERSAND = 0x26;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Counts the fields of a form before it is parsed, because a parsed field takes many times its bytes.
 * @throws AppError `too_complex`
 */
function assertFewFields(bytes: Uint8Array): void {
  let fields = 1;
  for (const byte of bytes) if (byte === AMPERSAND) fields += 1;
  if (fields > FIELDS_MAX) throw tooComplex(`${FIELDS_MAX} fields`);
}

/** The boundary of a multipart form; null if missing or invalid. */
function boundaryOf(contentType: string): string | null {
  const [, given = ''] = contentType.split(/;\s?boundary=/i, 2);
  const boundary = given.startsWith('"') && given.endsWith('"') ? given.slice(1, -1) : given;
  return boundary.length <= BOUNDARY_LENGTH_MAX && BOUNDARY.test(boundary) ? boundary : null;
}

/**
 * Counts the parts of a multipart form and measures their headers before the form is parsed, because the parser takes
 * many times as long for headers as for content. Finds parts and headers as the parser of Workers does, except that
 * nothing may come before the first part.
 * @throws AppError `too_complex`, `stale_form` for a body that does not begin with the boundary
 */
function assertSmallParts(bytes: Uint8Array, boundary: string): void {
  const delimiter = utf8(`--${boundary}`);
  if (!hasAt(bytes, 0, delimiter)) throw staleForm();
  let parts = 0;
  for (let at = 0; at < bytes.length; at = nextDelimiter(bytes, at, delimiter)) {
    parts += 1;
    if (parts > PARTS_MAX) throw tooComplex(`${PARTS_MAX} parts`);
    at = endOfHeaders(bytes, at + delimiter.length);
  }
}

/**
 * Returns the index of the byte after the blank line that ends a part's headers. The search begins behind the
 * delimiter, whose own line feed does not count.
 */
function endOfHeaders(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let lineFeeds = 0; at < bytes.length; at += 1) {
    if (at - start > HEADERS_BYTES_MAX) throw tooComplex(`${HEADERS_BYTES_MAX} bytes of headers in each part`);
    if (bytes[at] !== LINE_FEED) continue;
    lineFeeds += 1;
    const before = bytes[at - 1] === CARRIAGE_RETURN ? at - 2 : at - 1;
    if (lineFeeds > 2 && bytes[before] === LINE_FEED) return at + 1;
  }
  return at;
}

/** Returns the index of the next delimiter at the start of a line; the number of bytes of the form if there is none. */
function nextDelimiter(bytes: Uint8Array, start: number, delimiter: Uint8Array): number {
  for (let at = start; at < bytes.length; at += 1) {
    if (bytes[at] === LINE_FEED && hasAt(bytes, at + 1, delimiter)) return at + 1;
  }
  return bytes.length;
}

function hasAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[at + index] !== expected[index]) return false;
  }
  return true;
}

function tooComplex(most: string): AppError {
  return new AppError('too_complex', `The form is too long: it may have ${most} at most.`);
}

/**
 * Answers forms that the script sends (client/post.js) with 204 and `Location`, not with a redirect: fetch would follow
 * the redirect, and the next page would load twice.
 */
export const answerFetchedForm = createMiddleware<ManageEnv>(async (c, next) => {
  await next();
  if (c.req.method !== 'POST' || c.res.status !== 303 || !isFetchedByScript(c)) return;
  // Keeps the headers that were set: `Location` and the cookies.
  c.res = new Response(null, { status: 204 });
});

const VISITOR_COOKIE = 'visitor';
const VISITOR_LENGTH = 32;

const TOKENS_KEPT_MAX = 1_000;
const tokensUnder = onceFor((_config: Config) => new IsolateCache<string>(TOKENS_KEPT_MAX));

/**
 * The token of every form: a MAC of the session cookie or, without a session, of a random visitor cookie. Other
 * sites can read neither cookie, and each session has its own token. Making the token needs no database read.
 */
export function formTokenOf(c: ManageContext): Promise<string> {
  const ctx = c.get('ctx');
  const binding = bindingOf(c);
  return tokensUnder(ctx.config).get(binding, () => mac(ctx, 'form token', binding));
}

async function isFormToken(c: ManageContext, token: string): Promise<boolean> {
  const binding = bindingOf(c);
  return binding !== '' && isMac(c.get('ctx'), token, 'form token', binding);
}

/**
 * Sets a visitor cookie if the browser has neither a session nor a visitor cookie. `formTokenOf` then makes the token
 * from this cookie, so call `ensureVisitor` first.
 */
export function ensureVisitor(c: ManageContext): void {
  if (bindingOf(c) !== '') return;
  const visitor = randomBase62(VISITOR_LENGTH);
  writeCookie(c, VISITOR_COOKIE, visitor);
  freshVisitors.set(c.req.raw, visitor);
}

/** The visitor cookies that responses set, by request. The request itself does not have the cookie yet. */
const freshVisitors = new WeakMap<Request, string>();

function bindingOf(c: ManageContext): string {
  const session = readCookie(c, SESSION_COOKIE);
  return (session && unsigned(session)) || readCookie(c, VISITOR_COOKIE) || freshVisitors.get(c.req.raw) || '';
}
