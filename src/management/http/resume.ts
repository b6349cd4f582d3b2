import * as z from 'zod';
import { leavePageData, readPageData } from '../../auth/staff/service';
import { decrypt, encrypt, hmac, importHmacKey, isSameSecret, toHex, utf8 } from '../../platform/crypto';
import { newId } from '../../platform/ids';
import type { ManageContext } from './env';
import { setFlash } from './flash';
import { type Form, ORIGIN_FIELD, SECRET_FIELDS } from './form-data';
import { localPath, pathnameOf } from './paths';

/**
 * What was typed when a session ended: from the form, through the sign-in page, back into the form. It is only ever
 * encrypted on the way (a hidden field of the sign-in page, then a row), names its person, and ends by itself.
 */
export const RESUME_FIELD = 'form_resume';
/** In the address of the page whose form gets its fields back. */
export const RESUME = 'resume';

const SECONDS_MAX = 30 * 60;
/** Of JSON: with base64 it fits into the sign-in form, which may hold 64 KiB. */
const CARRIED_BYTES_MAX = 32 * 1024;
/** 128 bits of an HMAC. */
const SIGNATURE_LENGTH = 32;
const CONTEXT = 'fields over a sign-in';

const carriedSchema = z.object({
  memberId: z.string(),
  /** Where the form stands. */
  page: z.string(),
  /** Where it was sent. */
  action: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()])),
  hadFile: z.boolean(),
  /** Epoch ms. */
  endsAt: z.number(),
});
export type Carried = z.output<typeof carriedSchema>;

/** Whose form it is and where it stands, signed: nobody else's fields ever come back into somebody's form. */
export async function originOf(c: ManageContext, memberId: string, page: string): Promise<string> {
  const url = new URL(page, c.var.ctx.config.baseUrl);
  url.searchParams.delete(RESUME);
  const path = url.pathname + url.search;
  return `${await signatureOf(c, memberId, path)}.${memberId}.${path}`;
}

/** Null for a form without an origin that we signed. */
export async function readOrigin(c: ManageContext, form: Form): Promise<{ memberId: string; page: string } | null> {
  const [, signature = '', memberId = '', page = ''] =
    /^([0-9a-f]+)\.([\w-]+)\.(\/.*)$/.exec(form.text(ORIGIN_FIELD)) ?? [];
  if (page === '' || !(await isSameSecret(signature, await signatureOf(c, memberId, page)))) return null;
  return { memberId, page };
}

async function signatureOf(c: ManageContext, memberId: string, page: string): Promise<string> {
  const key = await importHmacKey(utf8(c.var.ctx.config.authSecret));
  return toHex(await hmac(key, `form of ${memberId} on ${page}`)).slice(0, SIGNATURE_LENGTH);
}

/** What of a form is worth carrying: what was typed, without our own fields and without secrets. */
export function carriedOf(c: ManageContext, form: Form, origin: { memberId: string; page: string }): Carried {
  const { pathname, search } = new URL(c.req.url);
  const secrets: readonly string[] = SECRET_FIELDS;
  const fields = form.entries().filter(([name]) => !name.startsWith('form_') && !secrets.includes(name));
  return {
    ...origin,
    action: pathname + search,
    fields,
    hadFile: form.hasFile(),
    endsAt: c.var.ctx.now() + SECONDS_MAX * 1000,
  };
}

/** @returns the hidden field's value; null when it would be too much */
export async function sealCarried(c: ManageContext, carried: Carried): Promise<string | null> {
  const text = JSON.stringify(carried);
  if (utf8(text).length > CARRIED_BYTES_MAX) return null;
  return encrypt(c.var.ctx.config.encryptionKeys, text, CONTEXT);
}

/**
 * Somebody has given the right password: what the sign-in page carried waits on the page that they go to, where it
 * opens for the person who typed it and for nobody else.
 * @returns where to go
 */
export async function keepCarried(c: ManageContext, next: string): Promise<string> {
  const sealed = c.var.form.text(RESUME_FIELD);
  const carried = sealed === '' ? null : await openCarried(c, sealed);
  if (!carried) return next;
  if (carried.endsAt <= c.var.ctx.now()) {
    setFlash(c, 'fields_expired');
    return next;
  }
  return leaveCarried(c, carried);
}

/** @returns the address of the form's page, which shows the fields again */
export async function leaveCarried(c: ManageContext, carried: Carried): Promise<string> {
  const { memberId, endsAt } = carried;
  const id = newId();
  await leavePageData(c.var.ctx, { id, memberId, data: carried, expiresAt: endsAt });
  const page = localPath(c, carried.page);
  return `${page}${page.includes('?') ? '&' : '?'}${RESUME}=${id}`;
}

/** What waits for the person who is signed in, for this page; undefined when there is nothing. */
export async function readCarried(c: ManageContext, id: string): Promise<Carried | undefined> {
  const { data } = carriedSchema.safeParse(await readPageData(c.var.ctx, id));
  return data && new URL(data.page, c.var.ctx.config.baseUrl).pathname === pathnameOf(c) ? data : undefined;
}

/** Null for what we did not encrypt. */
async function openCarried(c: ManageContext, sealed: string): Promise<Carried | null> {
  try {
    return carriedSchema.parse(JSON.parse(await decrypt(c.var.ctx.config.encryptionKeys, sealed, CONTEXT)));
  } catch {
    return null;
  }
}
