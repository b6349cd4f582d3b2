import { sha256, toHex, utf8 } from '../crypto';

/**
 * An entity tag over everything that an answer is made from. It is weak (RFC 9110 §8.8.1): an edge that compresses an answer
 * makes it so anyway.
 */
export async function entityTag(madeFrom: readonly unknown[]): Promise<string> {
  return `W/"${toHex(await sha256(utf8(JSON.stringify(madeFrom))))}"`;
}

/** Whether the caller has this version of the answer (RFC 9110 §13.1.2). @param ifNoneMatch the header as it was sent */
export function isKnownTag(ifNoneMatch: string | null | undefined, tag: string): boolean {
  const sent = ifNoneMatch?.split(',') ?? [];
  return sent.some((each) => opaque(each) === opaque(tag));
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
