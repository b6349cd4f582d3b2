import { DAY_MS } from '../../platform/time';
import type { TrustedList } from './list';

/** The list of lists. */
export const EU = 'EU';
export const LISTS = 'trust-lists/';
const TRIED = 'trust-lists-tried/';
export const SENT = 'trust-lists-sent/';
/** How long after its next update a list still counts. */
const STALE_MS = 14 * DAY_MS;

/** What is said of a kept list beside it. */
export interface Said {
  sequence: number;
  /** Epoch ms; null for a list that is closed. */
  nextUpdate: number | null;
  /** Countries in the names of its services' certificates. */
  countries: string[];
  /** Only of the list of lists: the territories that it points to and that are wanted. */
  wanted: string[];
}

/** The last attempt to keep a list. */
export interface Tried {
  territory: string;
  /** Epoch ms. */
  at: number;
  /** Why it failed: `no_answer`, or the message of a `Fault`. Null if it is kept. */
  failure: string | null;
}

export type Kept = Said & { territory: string };

/** The metadata of an object, in which R2 keeps texts alone. */
export const metadataOf = (said: object) => ({ said: JSON.stringify(said) });
export const saidIn = <T>({ customMetadata }: R2Object): T => JSON.parse(customMetadata?.said ?? '{}');

async function saidBelow<T>(files: R2Bucket, prefix: string): Promise<(T & { territory: string })[]> {
  const found: (T & { territory: string })[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await files.list({ prefix, cursor, include: ['customMetadata'] });
    found.push(...page.objects.map((each) => ({ ...saidIn<T>(each), territory: each.key.slice(prefix.length) })));
    if (!page.truncated) return found;
    cursor = page.cursor;
  }
}

/** The lists in the bucket, without their content. @throws R2's error */
export function keptLists(files: R2Bucket): Promise<Kept[]> {
  return saidBelow<Said>(files, LISTS);
}

/** Records an attempt in place of the one before. @throws R2's error */
export async function noteTried(files: R2Bucket, { territory, ...tried }: Tried): Promise<void> {
  await files.put(`${TRIED}${territory}`, '', { customMetadata: metadataOf(tried) });
}

/** What is kept of a list; null if it is not. @throws R2's error */
export async function readKept(files: R2Bucket, territory: string): Promise<TrustedList | null> {
  return (await (await files.get(`${LISTS}${territory}`))?.json<TrustedList>()) ?? null;
}

/** Whether a list no longer counts. */
export function isStale({ nextUpdate }: Pick<Kept, 'nextUpdate'>, now: number): boolean {
  return nextUpdate !== null && nextUpdate + STALE_MS < now;
}

export type TrustLists = Awaited<ReturnType<typeof trustListsIn>>;

/** The lists that are kept, and the last attempts to keep one. @throws R2's error */
export async function trustListsIn(files: R2Bucket) {
  const [kept, tried] = await Promise.all([keptLists(files), saidBelow<Omit<Tried, 'territory'>>(files, TRIED)]);
  return { kept, tried };
}
