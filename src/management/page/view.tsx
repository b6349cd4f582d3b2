import type { Child } from 'hono/jsx';
import type { StaffSession } from '../../auth/service';
import { originOf } from '../access/resume';
import type { ManageContext } from '../env';
import { pathOf } from '../paths';
import type { Words } from '../words/de';
import { type AssetPaths, assetPaths } from './assets';
import { type Flash, takeFlash } from './flash';
import type { Language } from './language';

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
  session?: StaffSession;
  /** How many order requests wait for a decision, up to `WAITING_COUNTED_MAX`. */
  waiting: number;
}

/** @param path for a page that answers a POST whose address is no page of its own */
export async function viewOf(c: ManageContext, path = pathOf(c)): Promise<View> {
  const { words, language, formToken, session } = c.var;
  return {
    words,
    language,
    formToken,
    formOrigin: session && (await originOf(c, session.actor.memberId, path)),
    path,
    now: c.var.ctx.now(),
    assets: await assetPaths(),
    flash: takeFlash(c),
    session,
    waiting: c.var.waiting ?? 0,
  };
}

/** Answers with a page. */
export function answerPage(c: ManageContext, page: Child, status: 200 | 400 | 401 | 404 | 409 = 200): Response {
  return c.html(`<!doctype html>${page}`, status) as Response;
}
