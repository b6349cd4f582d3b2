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

/** On everything that the interface answers, errors included. Assets put their own caching in place of `no-store`. */
export const applyPolicy = createMiddleware<ManageEnv>(async (c, next) => {
  await next();
  // A prescription's PDF brings its own: with ours, browsers refuse to show it.
  if (!c.res.headers.has('Content-Security-Policy')) {
    c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    // Addresses of pages hold ids and an invitation's token.
    c.header('Referrer-Policy', 'same-origin');
  }
  c.header('X-Robots-Tag', 'noindex');
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
});
