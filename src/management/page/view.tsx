import type { Child } from 'hono/jsx';
import type { StaffSession } from '../../auth/service';
import { type DecidedRequest, readDecided } from '../../order-requests/service';
import { originOf } from '../access/resume';
import type { ManageContext } from '../env';
import { pathOf } from '../paths';
import type { Words } from '../words/de';
import { type AssetPaths, assetPaths } from './assets';
import { type Flash, takeFlash } from './flash';
import type { Language } from './language';
import { hasShortcuts } from './shortcuts-choice';

/** What every part of a page may need to know about the request that it answers. */
export interface View {
  words: Words;
  language: Language;
  formToken: string;
  /** Goes into every form of somebody who is signed in: whose it is, and where it stands. */
  formOrigin?: string;
  /** Where a GET shows this page: the language switch comes back here. */
  path: string;
  now: number;
  assets: AssetPaths;
  flash?: Flash;
  /** The request that was just decided, where the page is about another one. */
  decided?: DecidedRequest;
  session?: StaffSession;
  /** How many order requests wait for a decision, up to `WAITING_COUNTED_MAX`. */
  waiting: number;
  /** Letters move the focus; switched off by the person for this browser. */
  hasShortcuts: boolean;
}

/** @param path for a page that answers a POST whose address is no page of its own */
export async function viewOf(c: ManageContext, path = pathOf(c)): Promise<View> {
  const { words, language, formToken, session } = c.var;
  const flash = takeFlash(c);
  const decided = session && flash?.subjectId ? await readDecided(c.var.ctx, flash.subjectId) : undefined;
  return {
    words,
    language,
    formToken,
    formOrigin: session && (await originOf(c, session.actor.memberId, path)),
    path,
    now: c.var.ctx.now(),
    assets: await assetPaths(),
    flash: flash?.name,
    decided,
    session,
    waiting: c.var.waiting ?? 0,
    hasShortcuts: hasShortcuts(c),
  };
}

/** Answers with a page. */
export function answerPage(c: ManageContext, page: Child, status: 200 | 400 | 401 | 404 | 409 = 200): Response {
  return c.html(`<!doctype html>${page}`, status) as Response;
}
