import { createMiddleware } from 'hono/factory';
import { IMPORT_BYTES_MAX } from '../../inventory/limits';
import { requireScope } from '../../platform/access';
import { actingAs, type Context } from '../../platform/context';
import { AppError } from '../../platform/errors';
import { type Body, readBody } from '../../platform/http/body';
import { isLong } from '../../platform/http/short-body';
import { PDF_BYTES_MAX } from '../../prescriptions/limits';
import { ensureVisitor, formTokenOf, isFormToken } from './csrf';
import type { ManageContext, ManageEnv } from './env';
import { Form, staleForm, TOKEN_FIELD } from './form-data';
import { assertFewFields, assertSmallParts, boundaryOf } from './form-limits';
import { HOME, pathnameOf, SIGN_IN } from './paths';
import { sessionOf } from './session';

const FORM_BYTES_MAX = 64 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const FILE_FORM_TYPE = 'multipart/form-data';
/** Forms with a file: how large that may be, and who may send one. */
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
 * Checks a form's token before anything else runs: a form without one, with a wrong one or with another session's
 * changes nothing. It also gives pages the token for their own forms.
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
      // Who has signed in in another tab meanwhile is where this form leads.
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
  /** Releases the memory of its file; called once the response is ready. */
  release: () => void;
}

async function readForm(c: ManageContext): Promise<ReadForm> {
  const request = c.req.raw;
  const sent = request.headers.get('Content-Type') ?? '';
  const type = sent.split(';')[0]?.trim().toLowerCase();
  const path = pathnameOf(c);
  const fileForm = type === FILE_FORM_TYPE && FILE_FORMS.find((each) => each.path.test(path));
  if (fileForm) {
    // Without a session, or without the right, no upload of up to 10 MiB is read.
    const ctx = await readerOf(c);
    if (ctx.actor.kind === 'anonymous') throw staleForm();
    requireScope(ctx, fileForm.scope);
    return readFileForm(ctx, request, sent, fileForm);
  }
  if (type !== FORM_TYPE) throw staleForm();
  // Strangers share little memory: who is signed in is known before a long form is read. Whoever signs in is a stranger.
  const ctx = isLong(request) && !path.startsWith(SIGN_IN) ? await readerOf(c) : c.var.ctx;
  const { bytes, release } = await readBody(ctx, request, FORM_BYTES_MAX);
  try {
    assertFewFields(bytes);
    return { form: new Form(new URLSearchParams(new TextDecoder().decode(bytes))), release: () => undefined };
  } finally {
    release();
  }
}

/** The context on behalf of the signed-in person, if any. */
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
    // With this boundary and no other, since its parts were counted.
    return await new Response(bytes, {
      headers: { 'Content-Type': `${FILE_FORM_TYPE}; boundary="${boundary}"` },
    }).formData();
  } catch {
    throw staleForm();
  }
}

/** Characters of all fields but files, with their names. */
function textLengthOf(fields: FormData): number {
  let length = 0;
  for (const [name, value] of fields) length += name.length + (typeof value === 'string' ? value : value.name).length;
  return length;
}
