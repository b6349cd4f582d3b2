import { createMiddleware } from 'hono/factory';
import type { ManageEnv } from './env';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "frame-src 'self'",
].join('; ');

/** Security headers of every response, errors included. Assets replace `no-store` by their own caching. */
export const applyPolicy = createMiddleware<ManageEnv>(async (c, next) => {
  await next();
  // A prescription's PDF has its own policy: with this one, browsers refuse to show it.
  if (!c.res.headers.has('Content-Security-Policy')) {
    c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    // URLs of pages hold ids and the tokens of invitations.
    c.header('Referrer-Policy', 'same-origin');
  }
  c.header('X-Robots-Tag', 'noindex');
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
});
