import { parseCookies } from 'better-auth/cookies';
import type { Context } from '../../platform/context';
import type { Statement } from '../../platform/db';
import { hashKey } from '../keys/format';
import { sessionCookieName } from './better-auth';
import { deleteSessionByToken } from './store-memberships';

/** The statements that end the session that a browser has: for the batch that gives it another one. */
export async function endSessionOf(ctx: Context, headers: Headers): Promise<Statement[]> {
  const cookie = parseCookies(headers.get('Cookie') ?? '').get(sessionCookieName(ctx.config));
  // Whoever knows a token may end its session, so the signature behind it need not be looked at.
  const [token] = cookie?.split('.') ?? [];
  return token ? [deleteSessionByToken(ctx.db, await hashKey(ctx.config.keyPepper, token))] : [];
}

/** The same request without its session, for what a half sign-in alone is to speak for. */
export function withoutSession(ctx: Context, headers: Headers): Headers {
  const cookies = parseCookies(headers.get('Cookie') ?? '');
  cookies.delete(sessionCookieName(ctx.config));
  const others = new Headers(headers);
  others.set('Cookie', [...cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; '));
  return others;
}
