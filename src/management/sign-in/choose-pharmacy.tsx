import { choicesOf, choosePharmacy } from '../../auth/staff/service';
import { readCookie, writeCookie } from '../http/cookies';
import type { ManageContext } from '../http/env';
import { pathWith, SIGN_IN } from '../http/paths';
import { callerOf } from '../http/session';
import { Form } from '../ui/fields';
import { BarePage } from '../ui/layout';
import { answerPage, viewOf } from '../ui/view';
import { messages } from './messages';

export const PHARMACY = `${SIGN_IN}/pharmacy`;

/** Finds the sign-in again whose password was right (staff-choice.ts); it ends there after five minutes at the latest. */
const COOKIE = 'choice';
const SECONDS = 5 * 60;

/** Lets the browser keep a sign-in whose password belongs to several memberships. */
export function keepChoice(c: ManageContext, token: string): void {
  writeCookie(c, COOKIE, token, SECONDS);
}

/** Goes on at the pharmacy that was chosen. Right or not, the cookie is of no use after it. */
export async function chosen(c: ManageContext): ReturnType<typeof choosePharmacy> {
  const result = await choosePharmacy(c.var.ctx, {
    headers: c.req.raw.headers,
    token: readCookie(c, COOKIE) ?? '',
    memberId: c.var.form.text('member'),
    caller: callerOf(c),
  });
  if (result.outcome !== 'refused') writeCookie(c, COOKIE, '', 0);
  return result;
}

/** Asks for the pharmacy, after the password and for whoever gave the right one alone. */
export async function answerChoice(c: ManageContext, next: string, wasRefused = false): Promise<Response> {
  const choices = await choicesOf(c.var.ctx, readCookie(c, COOKIE) ?? '');
  if (choices.length === 0 && !wasRefused) return c.redirect(pathWith(SIGN_IN, next), 303);
  const view = await viewOf(c, pathWith(PHARMACY, next));
  const t = messages(view);
  const page = (
    <BarePage view={view} title={t.choosePharmacy.title}>
      {choices.length > 0 ? <p>{t.choosePharmacy.lead}</p> : <p>{t.choosePharmacy.gone}</p>}
      {choices.length > 0 && (
        <Form view={view} action={PHARMACY}>
          <input type="hidden" name="next" value={next} />
          <div class="buttons">
            {choices.map(({ memberId, organizationName }) => (
              <button type="submit" name="member" value={memberId}>
                {organizationName}
              </button>
            ))}
          </div>
        </Form>
      )}
      <p>
        <a href={pathWith(SIGN_IN, next)}>{t.secondStep.again}</a>
      </p>
    </BarePage>
  );
  return answerPage(c, page, wasRefused ? 401 : 200);
}
