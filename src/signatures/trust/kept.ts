import { DAY_MS } from '../../platform/time';
import type { TrustedList } from './list';

/** The list of lists. */
export const EU = 'EU';
export const LISTS = 'trust-lists/';
const TRIED = 'trust-lists-tried/';
export const SENT = 'trust-lists-sent/';
/** How long after its next update a list still counts. */
const STALE_MS = 14 * DAY_MS;

/** A list in the bucket, by its metadata. */
export interface Kept {
  territory: string;
  sequence: number;
  /** Epoch ms; null for a list that is closed. */
  nextUpdate: number | null;
  /** Countries in the names of its services' certificates. */
  countries: string[];
  /** Only of the list of lists: the territories that it points to and that are wanted. */
  wanted: string[];
  etag: string;
}

/** The last attempt to keep a list. */
export interface Tried {
  territory: string;
  /** Epoch ms. */
  at: number;
  /** Why it failed: `no_answer`, or the message of a `Fault`. Null if it is kept. */
  failure: string | null;
}

async function metadataBelow(files: R2Bucket, prefix: string): Promise<(Record<string, string> & { etag: string })[]> {
  const found: (Record<string, string> & { etag: string })[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await files.list({ prefix, cursor, include: ['customMetadata'] });
    found.push(...page.objects.map(({ key, customMetadata, etag }) => ({ ...customMetadata, key, etag })));
    if (!page.truncated) return found;
    cursor = page.cursor;
  }
}

const wordsOf = (text = ''): string[] => text.split(',').filter(Boolean);

/** The lists in the bucket, without their content. @throws R2's error */
export async function keptLists(files: R2Bucket): Promise<Kept[]> {
  const found = await metadataBelow(files, LISTS);
  return found.map(({ key = '', sequence, nextUpdate, countries, wanted, etag }) => ({
    territory: key.slice(LISTS.length),
    sequence: Number(sequence),
    nextUpdate: nextUpdate ? Number(nextUpdate) : null,
    countries: wordsOf(countries),
    wanted: wordsOf(wanted),
    etag,
  }));
}

/** @throws R2's error */
export async function triedLists(files: R2Bucket): Promise<Tried[]> {
  const found = await metadataBelow(files, TRIED);
  return found.map(({ key = '', at, failure }) => {
    return { territory: key.slice(TRIED.length), at: Number(at), failure: failure || null };
  });
}

/** @throws R2's error */
export async function noteTried(files: R2Bucket, { territory, at, failure }: Tried): Promise<void> {
  await files.put(`${TRIED}${territory}`, '', { customMetadata: { at: String(at), failure: failure ?? '' } });
}

/** What is kept of a list; null if it is not. @throws R2's error */
export async function readKept(files: R2Bucket, territory: string): Promise<TrustedList | null> {
  return (await (await files.get(`${LISTS}${territory}`))?.json<TrustedList>()) ?? null;
}

/** Whether a list no longer counts. */
export function isStale({ nextUpdate }: Pick<Kept, 'nextUpdate'>, now: number): boolean {
  return nextUpdate !== null && nextUpdate + STALE_MS < now;
}

/** What the check of `trust_lists` is told: the lists that are kept, and the last attempts to keep one. */
export interface TrustLists {
  kept: Kept[];
  tried: Tried[];
}

/** @throws R2's error */
export async function trustListsIn(files: R2Bucket): Promise<TrustLists> {
  const [kept, tried] = await Promise.all([keptLists(files), triedLists(files)]);
  return { kept, tried };
}
