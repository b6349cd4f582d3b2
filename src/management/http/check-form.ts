import { createMiddleware } from 'hono/factory';
import { readBody } from '../../platform/body';
import { actingAs, type Context } from '../../platform/context';
import { AppError } from '../../platform/errors';
import { PDF_BYTES_MAX } from '../../prescriptions/limits';
import { ensureVisitor, formTokenOf, isFormToken } from './csrf';
import type { ManageContext, ManageEnv } from './env';
import { Form, staleForm, TOKEN_FIELD } from './form-data';
import { sessionOf } from './session';

const FORM_BYTES_MAX = 64 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const FILE_FORM_TYPE = 'multipart/form-data';
/** Forms that may contain a PDF. */
export const FILE_PATH = /^\/manage\/(requests|orders)\/[^/]+\/prescription$/;
const FILE_FORM_BYTES_MAX = PDF_BYTES_MAX + FORM_BYTES_MAX;

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
    if (!form.isTooLarge && !(await isFormToken(c, form.text(TOKEN_FIELD)))) throw staleForm();
    c.set('formToken', await formTokenOf(c));
    await next();
  } finally {
    release();
  }
});

/** @returns the form, and a function that releases the memory of its file; call it once the response is ready */
async function readForm(c: ManageContext): Promise<{ form: Form; release: () => void }> {
  const request = c.req.raw;
  const sent = request.headers.get('Content-Type') ?? '';
  const type = sent.split(';')[0]?.trim().toLowerCase();
  const takesFile = FILE_PATH.test(new URL(request.url).pathname);
  if (type === FILE_FORM_TYPE && takesFile) {
    // Without a session no upload of up to 10 MiB is read.
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
