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

/** Security headers of every response, errors included. */
export const applyPolicy = createMiddleware<ManageEnv>(async (c, next) => {
  await next();
  // Not by `c.header`, which copies a finished response for each header.
  const { headers } = c.res;
  // A prescription's PDF has its own policy: with this one, browsers refuse to show it.
  if (!headers.has('Content-Security-Policy')) {
    headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    // URLs of pages hold ids and the tokens of invitations.
    headers.set('Referrer-Policy', 'same-origin');
  }
  headers.set('X-Robots-Tag', 'noindex');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
});
