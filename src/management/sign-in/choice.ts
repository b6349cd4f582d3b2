import { choicesOf, choosePharmacy } from '../../auth/staff/service';
import { readCookie, writeCookie } from '../http/cookies';
import type { ManageContext } from '../http/env';
import { callerOf } from '../http/session';

/** Cookie of a sign-in after the right password; the server ends it after five minutes. */
const COOKIE = 'choice';
const SECONDS = 5 * 60;

/** Sets the cookie of a sign-in whose password belongs to several memberships. */
export function keepChoice(c: ManageContext, token: string): void {
  writeCookie(c, COOKIE, token, SECONDS);
}

/** Continues with the chosen pharmacy. The cookie works for one choice; it is kept only if the attempt was refused. */
export async function chosen(c: ManageContext): ReturnType<typeof choosePharmacy> {
  const result = await choosePharmacy(c.var.ctx, {
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
