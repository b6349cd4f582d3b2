import type { JSX } from 'hono/jsx/jsx-runtime';
import type { StaffSession } from '../../auth/staff/sign-in/session';
import { readDecided } from '../../order-requests/review/decisions';
import type { DecidedRequest } from '../../order-requests/review/store';
import { roleHolds, type Scope } from '../../platform/access';
import type { ErrorCode } from '../../platform/errors/error-codes';
import { AppError } from '../../platform/errors/errors';
import type { StoppedSubscription } from '../../webhooks/log/store';
import { hasShortcuts } from '../http/cookies';
import type { ManageContext } from '../http/env';
import { takeFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import { type Language, type Reader, ReaderContext, useReader } from '../http/language';
import { pathOf } from '../http/paths';
import { liveCookieOf } from '../http/session';
import { type SharedMessages, sharedMessages } from './messages';

/** The data of the current request that any part of a page may need. */
export interface View {
  language: Language;
  formToken: string;
  /** The path at which a GET request shows this page. After a change of the language, the person returns to it. */
  path: string;
  now: number;
  flash?: Flash;
  /** The request that was just decided, if the person was sent on to the next request or the inbox. */
  decided?: DecidedRequest;
  session?: StaffSession;
  /** Whether the person came to the test organization from the live one and can return to it. */
  isFromLive: boolean;
  /** Number of order requests that wait for a decision, up to `WAITING_COUNTED_MAX`. */
  waiting: number;
  /** Number of orders to pack, up to `TO_PACK_COUNTED_MAX`. */
  toPack: number;
  /** The webhook subscriptions that stopped although nobody paused them. Empty for everybody but owners. */
  stopped: readonly StoppedSubscription[];
  /** Whether the operator has switched off intake from platforms. */
  isIntakeOff: boolean;
  /** Whether single-letter shortcuts are on in this browser. */
  hasShortcuts: boolean;
}

/** The view of the page that is being rendered. @throws Error outside of `respondPage` */
export function useView(): View {
  // SAFETY: `respondPage` provides a view.
  return useReader() as View;
}

/**
 * The view of the current request.
 * @param path the path at which a GET request shows the page; needed after a POST whose own path has no page
 */
export async function viewOf(c: ManageContext, path = pathOf(c)): Promise<View> {
  const { ctx, language, formToken, session, waiting = 0, toPack = 0, stopped = [], isIntakeOff = false } = c.var;
  const { flash, subjectId } = takeFlash(c) ?? {};
  const decided = session && subjectId ? await readDecided(ctx, subjectId) : undefined;
  return {
    language,
    formToken,
    path,
    now: ctx.now(),
    flash,
    decided,
    session,
    isFromLive: session?.isTest === true && liveCookieOf(c) !== undefined,
    waiting,
    toPack,
    stopped,
    isIntakeOff,
    hasShortcuts: hasShortcuts(c),
  };
}

/** Whether the reader's role has the scope. */
export function mayUse(scope: Scope): boolean {
  const { session } = useView();
  return session !== undefined && roleHolds(session.role, scope);
}

/**
 * An id of the session's person. A page compares it with the current session before it submits a form: if the session
 * is another person's by now, the page asks first.
 */
export function personOf({ actor }: StaffSession): string {
  return `${actor.orgId}.${actor.memberId}`;
}

/**
 * Responds with a page. Its components can read the view of the current request.
 * @param path the path at which a GET request shows the page; needed after a POST whose own path has no page
 */
export async function respondPage(
  c: ManageContext,
  page: JSX.Element,
  status: 200 | 400 | 401 | 404 | 409 = 200,
  path?: string,
): Promise<Response> {
  return c.html(`<!doctype html>${render(await viewOf(c, path), page)}`, status);
}

/**
 * Responds with the page of a form. The status is 400 if the form has errors, otherwise 200.
 * @param path as for `respondPage`
 */
export function respondForm(
  c: ManageContext,
  page: JSX.Element,
  fieldErrors: FieldErrors = {},
  path?: string,
): Promise<Response> {
  return respondPage(c, page, hasFieldErrors(fieldErrors) ? 400 : 200, path);
}

/**
 * The HTML of a page or of a part of a page. Components must be synchronous, because they lose the reader's context
 * after an `await`.
 */
export function render(reader: Reader, page: JSX.Element): string {
  return String(<ReaderContext.Provider value={reader}>{page}</ReaderContext.Provider>);
}

/** Errors of a form by field, in the reader's language. */
export type FieldErrors = Record<string, string>;

/** The form field to which each error code belongs. */
export type Refusals = { [C in ErrorCode & keyof SharedMessages['fieldErrors']]?: string };

/**
 * Runs a use case for a form.
 * @param fields the field that each error code belongs to
 * @returns the use case's result, or the errors to show beside the fields
 * @throws every error whose code is not in `fields`
 */
export async function tryForm<T>(
  reader: Reader,
  fields: Refusals,
  run: () => Promise<T>,
): Promise<{ value: T; fieldErrors?: never } | { value?: never; fieldErrors: FieldErrors }> {
  try {
    return { value: await run() };
  } catch (error) {
    const fieldErrors = error instanceof AppError ? fieldErrorsOf(reader, fields, error) : null;
    if (!fieldErrors) throw error;
    return { fieldErrors };
  }
}

/** Returns the error texts of a refused use case by form field; null if no form field belongs to the error. */
export function fieldErrorsOf(reader: Reader, fields: Refusals, error: AppError): FieldErrors | null {
  const fieldOf: Partial<Record<ErrorCode, string>> = fields;
  const field = fieldOf[error.code];
  if (field) return { [field]: messageOf(reader, error.code) };
  const { errors } = error.details;
  return errors ? Object.fromEntries(errors.map((e) => [e.pointer.slice(1), messageOf(reader, e.code)])) : null;
}

function messageOf(reader: Reader, code: string): string {
  const { fieldErrors } = sharedMessages(reader);
  return textFor(fieldErrors, code, fieldErrors.other);
}

export function hasFieldErrors(fieldErrors: FieldErrors): boolean {
  return Object.keys(fieldErrors).length > 0;
}

/**
 * Returns the text for a code. The code comes from outside the service, so `texts` may not contain it.
 * @param otherwise the text for an unknown code; by default the code itself
 */
export function textFor(texts: Readonly<Record<string, string>>, code: string, otherwise: string = code): string {
  return (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? otherwise;
}
