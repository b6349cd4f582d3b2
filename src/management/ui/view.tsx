import type { StaffSession } from '../../auth/staff/sign-in/session';
import { readDecided } from '../../order-requests/review/decisions';
import type { DecidedRequest } from '../../order-requests/review/store';
import type { ErrorCode } from '../../platform/error-codes';
import { AppError } from '../../platform/errors';
import type { Markup } from '../../platform/markup/markup';
import type { StoppedSubscription } from '../../webhooks/log/store';
import { hasShortcuts } from '../http/cookies';
import type { ManageContext } from '../http/env';
import { takeFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import type { Language, Reader } from '../http/language';
import { pathOf } from '../http/paths';
import { liveCookieOf } from '../http/session';
import { type SharedMessages, sharedMessages } from './messages';

/** Data about the current request that every part of a page may need. */
export interface View {
  language: Language;
  formToken: string;
  /** The path at which GET shows this page: the language switch returns to it. */
  path: string;
  now: number;
  flash?: Flash;
  /** The request that was just decided, if the page shows another one. */
  decided?: DecidedRequest;
  session?: StaffSession;
  /** In a test organization: the person came from the live one, and can go back to it. */
  isFromLive: boolean;
  /** How many order requests wait for a decision, up to `WAITING_COUNTED_MAX`. */
  waiting: number;
  /** How many orders wait to be packed, up to `TO_PACK_COUNTED_MAX`. */
  toPack: number;
  /** For owners: webhook subscriptions to which nothing is posted although nobody paused them. */
  stopped: readonly StoppedSubscription[];
  /** While the operator takes nothing in from platforms. */
  isIntakeOff: boolean;
  /** Whether single-letter shortcuts are on in this browser. */
  hasShortcuts: boolean;
}

/** @param path the path to return to, for the answer to a POST whose own path has no GET page */
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

/** Whose session it is: a page remembers it, and asks before its forms are sent in another session. */
export function personOf({ actor }: StaffSession): string {
  return `${actor.orgId}.${actor.memberId}`;
}

/** Answers with a page. */
export function respondPage(c: ManageContext, page: Markup, status: 200 | 400 | 401 | 404 | 409 = 200): Response {
  return c.html(`<!doctype html>${page}`, status);
}

/** Answers with the page of a form: 400 if something in it was refused. */
export function respondForm(c: ManageContext, page: Markup, fieldErrors: FieldErrors = {}): Response {
  return respondPage(c, page, hasFieldErrors(fieldErrors) ? 400 : 200);
}

/** Errors of a form by field, in the reader's language. */
export type FieldErrors = Record<string, string>;

/** Field names by the error code that they show. */
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

/** What a use case refused, by field; null when no field of the form can say it. */
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
 * The text for a code from outside, which may be unknown.
 * @param otherwise the text for an unknown code; by default the code itself
 */
export function textFor(texts: Readonly<Record<string, string>>, code: string, otherwise: string = code): string {
  return (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? otherwise;
}
