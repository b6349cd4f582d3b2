import { parseCookies } from 'better-auth/cookies';
import type { Context } from '../../platform/context';
import type { Statement } from '../../platform/db';
import { hashKey } from '../keys/format';
import { sessionCookieName } from './better-auth';
import { deleteSessionByToken } from './store-memberships';

/** The statements that end the current session of a browser, for the batch that creates another one. */
export async function endSessionOf(ctx: Context, headers: Headers): Promise<Statement[]> {
  const cookie = parseCookies(headers.get('Cookie') ?? '').get(sessionCookieName(ctx.config));
  // The signature is not verified, because knowing the token is enough to end its session.
  const [token] = cookie?.split('.') ?? [];
  return token ? [deleteSessionByToken(ctx.db, await hashKey(ctx.config.keyPepper, token))] : [];
}

/** The request headers without the session, so that only the half-finished sign-in identifies the person. */
export function withoutSession(ctx: Context, headers: Headers): Headers {
  const cookies = parseCookies(headers.get('Cookie') ?? '');
  cookies.delete(sessionCookieName(ctx.config));
  const others = new Headers(headers);
  others.set('Cookie', [...cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; '));
  return others;
}
