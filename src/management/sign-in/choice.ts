import { choicesOf, choosePharmacy } from '../../auth/staff/service';
import { readCookie, writeCookie } from '../http/cookies';
import type { ManageContext } from '../http/env';
import { callerOf } from '../http/session';

/** Finds the sign-in again whose password was right (src/auth/staff/choice.ts); it ends there after five minutes at the latest. */
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

/** The pharmacies to choose from; none once the choice has ended. */
export function openChoices(c: ManageContext): ReturnType<typeof choicesOf> {
  return choicesOf(c.var.ctx, readCookie(c, COOKIE) ?? '');
}
