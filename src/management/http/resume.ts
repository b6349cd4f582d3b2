import * as z from 'zod';
import { leavePageData, readPageData, type SignedIn, type StaffSession } from '../../auth/staff/service';
import { inOrganization } from '../../directory/service';
import { decrypt, encrypt, utf8 } from '../../platform/crypto';
import { newId } from '../../platform/ids';
import { isMac, mac } from '../../platform/mac';
import type { ManageContext } from './env';
import { setFlash } from './flash';
import { type Form, ORIGIN_FIELD, SECRET_FIELDS } from './form-data';
import { localPath, pathnameOf } from './paths';

/**
 * Carries what was typed when a session ended from the form through the sign-in page back into the form. On the way it
 * is always encrypted (in a hidden field of the sign-in page, then in a row), bound to its person, and it expires.
 */
export const RESUME_FIELD = 'form_resume';
/** Query parameter of the page whose form gets its fields back. */
export const RESUME = 'resume';

const SECONDS_MAX = 30 * 60;
/** Maximum size of the JSON: in base64 it fits into the sign-in form, which may have 64 KiB. */
const CARRIED_BYTES_MAX = 32 * 1024;
const CONTEXT = 'fields over a sign-in';

const carriedSchema = z.object({
  orgId: z.string(),
  memberId: z.string(),
  /** Path of the page that holds the form. */
  page: z.string(),
  /** Path that the form was posted to. */
  action: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()])),
  hadFile: z.boolean(),
  /** Epoch ms. */
  endsAt: z.number(),
});
export type Carried = z.output<typeof carriedSchema>;

/** Signs the person and the page of a form, so that nobody gets another person's fields into their form. */
export async function originOf(c: ManageContext, person: StaffSession['actor'], page: string): Promise<string> {
  const url = new URL(page, c.get('ctx').config.baseUrl);
  if (url.search !== '') url.searchParams.delete(RESUME);
  const path = url.pathname + url.search;
  const { orgId, memberId } = person;
  return `${await mac(c.get('ctx'), 'form origin', orgId, memberId, path)}.${orgId}.${memberId}.${path}`;
}

/** Whose form it was, and the path of the page that holds it. */
type Origin = Pick<Carried, 'orgId' | 'memberId' | 'page'>;

/** Null for a form without a valid signed origin. */
export async function readOrigin(c: ManageContext, form: Form): Promise<Origin | null> {
  const [, signature = '', orgId = '', memberId = '', page = ''] =
    /^([\w-]+\.[0-9a-f]+)\.([\w-]+)\.([\w-]+)\.(\/.*)$/.exec(form.text(ORIGIN_FIELD)) ?? [];
  const isOurs = await isMac(c.get('ctx'), signature, 'form origin', orgId, memberId, page);
  return isOurs ? { orgId, memberId, page } : null;
}

/** The fields to carry: without the interface's own fields (`form_…`) and without secrets. */
export function carriedOf(c: ManageContext, form: Form, origin: Origin): Carried {
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

/** @returns the hidden field's value; null when the fields are too large */
export async function sealCarried(c: ManageContext, carried: Carried): Promise<string | null> {
  const text = JSON.stringify(carried);
  if (utf8(text).length > CARRIED_BYTES_MAX) return null;
  return encrypt(c.var.ctx.config.encryptionKeys, text, CONTEXT);
}

/** Whether the form that was sent carries fields to the end of the sign-in: then each step has to pass them on. */
export function carriesFields(c: ManageContext): boolean {
  return c.var.form.text(RESUME_FIELD) !== '';
}

/**
 * After the last step of a sign-in: stores what its pages carried for the page that follows, if it is of the person who has
 * signed in. Only that person can decrypt it there.
 * @returns where to go
 */
export async function keepCarried(c: ManageContext, { person }: SignedIn, next: string): Promise<string> {
  const carried = carriesFields(c) ? await openCarried(c, c.var.form.text(RESUME_FIELD)) : null;
  if (carried?.memberId !== person.memberId || carried.orgId !== person.orgId) return next;
  if (carried.endsAt <= c.var.ctx.now()) {
    setFlash(c, 'fields_expired');
    return next;
  }
  return leaveCarried(c, carried);
}

/** @returns the address of the form's page, which shows the fields again */
export async function leaveCarried(c: ManageContext, carried: Carried): Promise<string> {
  const { orgId, memberId, endsAt } = carried;
  const page = localPath(c, carried.page);
  const ctx = await inOrganization(c.var.ctx, orgId);
  if (!ctx) return page;
  const id = newId();
  await leavePageData(ctx, { id, memberId, data: carried, expiresAt: endsAt });
  return `${page}${page.includes('?') ? '&' : '?'}${RESUME}=${id}`;
}

/** The stored fields of the signed-in person for this page; undefined when there are none. */
export async function readCarried(c: ManageContext, id: string): Promise<Carried | undefined> {
  const { data } = carriedSchema.safeParse(await readPageData(c.var.ctx, id));
  return data && new URL(data.page, c.var.ctx.config.baseUrl).pathname === pathnameOf(c) ? data : undefined;
}

/** Null for a value that this service did not encrypt. */
async function openCarried(c: ManageContext, sealed: string): Promise<Carried | null> {
  try {
    return carriedSchema.parse(JSON.parse(await decrypt(c.var.ctx.config.encryptionKeys, sealed, CONTEXT)));
  } catch {
    return null;
  }
}
