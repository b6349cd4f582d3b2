import { conflict, isLostRace } from '../../platform/conflict';
import type { CodeOf, ErrorCode, ErrorKind } from '../../platform/error-codes';
import { AppError } from '../../platform/errors';
import { answerError, type HttpContext } from '../../platform/http/http';
import type { ManageContext } from '../http/env';
import type { Reader } from '../http/language';
import { HOME } from '../http/paths';
import { Page } from './layout';
import { type SharedMessages, sharedMessages } from './messages';
import { viewOf } from './view';

const TEXT_OF_KIND: Record<ErrorKind, keyof SharedMessages['errors']> = {
  invalid: 'invalid',
  unauthenticated: 'forbidden',
  forbidden: 'forbidden',
  not_found: 'not_found',
  method_not_allowed: 'not_found',
  conflict: 'conflict',
  precondition_failed: 'conflict',
  reused: 'conflict',
  too_slow: 'invalid',
  too_large: 'invalid',
  unsupported_media_type: 'invalid',
  rate_limited: 'rate_limited',
  unavailable: 'unavailable',
  not_now: 'missing',
};

/** An error as a page. Status and headers are those of the APIs, and it too reveals nothing about internal errors. */
export async function respondErrorPage(error: unknown, c: ManageContext): Promise<Response> {
  // SAFETY: a page's context has every variable that an API's context has.
  const problem = answerError(error, c as unknown as HttpContext);
  if (!c.var.language) c.set('language', 'de');
  const [title, text] = textOf(error, c.var);
  const view = await viewOf(c, '/manage');
  const page = (
    <Page view={view} title={title}>
      <p>{text}</p>
      <p class="quiet">
        {sharedMessages(view).errors.requestId}: <code>{c.var.ctx.requestId}</code>
      </p>
      <p>
        <a class="button" href={HOME}>
          {sharedMessages(view).errors.home}
        </a>
      </p>
    </Page>
  );
  const headers = new Headers(problem.headers);
  headers.set('Content-Type', 'text/html; charset=UTF-8');
  return new Response(`<!doctype html>${page}`, { status: problem.status, headers });
}

/** Conflicts that no page can cause, or for which "the page is out of date" says enough. */
type PlainConflict =
  | 'conflict'
  | 'out_of_stock'
  | 'open_orders'
  | 'external_reference_conflict'
  | 'supplement_limit_reached'
  | 'api_key_not_rotatable';

/** Texts of conflicts on the error page. The type makes every other conflict have a text in every language. */
function conflictTexts(shared: SharedMessages): Record<Exclude<CodeOf<'conflict'>, PlainConflict>, string> {
  return { ...shared.requests.conflicts, ...shared.fieldErrors, ...shared.conflicts };
}

function textOf(thrown: unknown, reader: Reader): readonly [title: string, text: string] {
  const error = isLostRace(thrown) ? conflict() : thrown;
  const shared = sharedMessages(reader);
  if (error instanceof AppError && error.kind === 'conflict') {
    const [title = '', text = ''] = shared.errors.conflict;
    const texts: Partial<Record<ErrorCode, string>> = conflictTexts(shared);
    return [title, texts[error.code] ?? text];
  }
  const name = !(error instanceof AppError)
    ? 'internal'
    : error.code === 'stale_form' || error.code === 'organization_suspended' || error.code === 'organization_moving'
      ? error.code
      : TEXT_OF_KIND[error.kind];
  // SAFETY: every entry but `requestId` and `home`, which are none of these names, is a title and a text.
  return shared.errors[name] as unknown as readonly [string, string];
}
