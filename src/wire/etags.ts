import { sha256, toHex, utf8 } from '../platform/crypto';

/** Entity tags (RFC 9110 §8.8.3) of what has a version: `"7"`. Compression on the way makes them weak, `W/"7"`: both are taken. */

export function etagOf({ version }: { version: number }): string {
  return `"${version}"`;
}

/** The tag of an answer that is made from several things: of all that it says. */
export async function etagOfBody(body: object): Promise<string> {
  return `"${toHex(await sha256(utf8(JSON.stringify(body))))}"`;
}

/**
 * The versions that an `If-Match` names: one of them must be the current one.
 * @returns undefined without a header, and for `*`, which takes any version
 */
export function versionsIn(header: string | undefined): number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').flatMap((tag) => {
    const digits = /^(?:W\/)?"(\d{1,15})"$/.exec(tag.trim())?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** Whether an `If-None-Match` names this tag: the caller has it already. */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
