import { sha256, toHex, utf8 } from '../../platform/crypto/crypto';
import type { ManageContext } from './env';

/**
 * An entity tag over everything that a page is made from. It is weak (RFC 9110 §8.8.1), because an edge that compresses
 * pages makes every tag weak. Browsers do not cache pages (management/routes.tsx), so only the script that refreshes a
 * page sends a tag (client/refresh.js).
 */
export async function entityTag(madeFrom: readonly unknown[]): Promise<string> {
  return `W/"${toHex(await sha256(utf8(JSON.stringify(madeFrom))))}"`;
}

/**
 * Whether the script sent the request. Such a request must not take what a page shows only once (flash.ts, once.ts),
 * because nobody would see it.
 */
export function isFetchedByScript(c: ManageContext): boolean {
  return c.req.header('Sec-Fetch-Dest') === 'empty';
}

/** Whether the browser has this version of the page (RFC 9110 §13.1.2). */
export function isKnown(c: ManageContext, tag: string): boolean {
  const sent = c.req.header('If-None-Match')?.split(',') ?? [];
  return sent.some((each) => opaque(each) === opaque(tag));
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
