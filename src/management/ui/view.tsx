import type { StaffSession } from '../../auth/staff/service';
import { type DecidedRequest, readDecided } from '../../order-requests/service';
import type { Markup } from '../../platform/markup/markup';
import type { StoppedSubscription } from '../../webhooks/service';
import type { ManageContext } from '../http/env';
import { takeFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import type { Language } from '../http/language';
import { pathOf } from '../http/paths';
import { originOf } from '../http/resume';
import { liveCookieOf } from '../http/session';
import { hasShortcuts } from '../http/shortcuts';
import { type FieldErrors, hasFieldErrors } from './form-errors';

/** Data about the current request that every part of a page may need. */
export interface View {
  language: Language;
  formToken: string;
  /** Signed person and path of the page; part of every form of a signed-in person (http/resume.ts). */
  formOrigin?: string;
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
  /** The ready text that was chosen on a page without scripts. */
  message?: string;
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
    formOrigin: session && (await originOf(c, session.actor, path)),
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
    message: c.req.query('message'),
    hasShortcuts: hasShortcuts(c),
  };
}

/** Answers with a page. */
export function respondPage(c: ManageContext, page: Markup, status: 200 | 400 | 401 | 404 | 409 = 200): Response {
  return c.html(`<!doctype html>${page}`, status);
}

/** Answers with the page of a form: 400 if something in it was refused. */
export function respondForm(c: ManageContext, page: Markup, fieldErrors: FieldErrors = {}): Response {
  return respondPage(c, page, hasFieldErrors(fieldErrors) ? 400 : 200);
}
