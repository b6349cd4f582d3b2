import { requireOperator } from '../../platform/access';
import type { Context } from '../../platform/context';
import { LIST_STALE_MS } from '../limits';
import type { TrustedList } from './list';

/** The territory of the list of lists, which names all other lists. */
export const EU = 'EU';
export const LISTS = 'trust-lists/';
const TRIED = 'trust-lists-tried/';
export const SENT = 'trust-lists-sent/';

/** The metadata of a stored list. */
export interface Said {
  sequence: number;
  /** Epoch ms; null for a list that is closed. */
  nextUpdate: number | null;
  /** The countries in the names of the certificates of the list's services. */
  countries: string[];
  /** The wanted territories to which the list points, without `EU`. Usually, only the list of lists has any. */
  wanted: string[];
}

/** The last attempt to keep a list. */
export interface Tried {
  territory: string;
  /** Epoch ms. */
  at: number;
  /** The reason why the attempt failed: `no_answer`, or the message of a `Fault`. Null if the list was stored. */
  failure: string | null;
}

export type Kept = Said & { territory: string };

/** Packs a value into the metadata of an R2 object, which can contain only texts. */
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

/** The metadata of all lists in the bucket. @throws R2's error */
export function keptLists(files: R2Bucket): Promise<Kept[]> {
  return saidBelow<Said>(files, LISTS);
}

/** Records the last attempt for a territory in place of the attempt before. @throws R2's error */
export async function noteTried(files: R2Bucket, { territory, ...tried }: Tried): Promise<void> {
  await files.put(`${TRIED}${territory}`, '', { customMetadata: metadataOf(tried) });
}

/** Reads the stored list of a territory; null if there is none. @throws R2's error */
export async function readKept(files: R2Bucket, territory: string): Promise<TrustedList | null> {
  return (await (await files.get(`${LISTS}${territory}`))?.json<TrustedList>()) ?? null;
}

/** Whether a list no longer counts, because its next update was due too long ago. */
export function isStale({ nextUpdate }: Pick<Kept, 'nextUpdate'>, now: number): boolean {
  return nextUpdate !== null && nextUpdate + LIST_STALE_MS < now;
}

export type TrustLists = Awaited<ReturnType<typeof trustListsIn>>;

/** Returns the metadata of all stored lists, and the last attempt for each territory. @throws R2's error */
export async function trustListsIn(files: R2Bucket) {
  const [kept, tried] = await Promise.all([keptLists(files), saidBelow<Omit<Tried, 'territory'>>(files, TRIED)]);
  return { kept, tried };
}

/**
 * A queue message about a trusted list that the operator sent. The other messages on the queue are about prescriptions.
 */
export interface ListMessage {
  trustList: string;
}

/**
 * Stores a list that the operator sends. The Worker that checks signatures verifies it later.
 * @param signedBy the SHA-256 of one more certificate that may sign the list. The pinned certificates and those in the
 *   list of lists may sign it anyway
 * @throws R2's error
 */
export async function sendList(
  ctx: Context,
  { territory, bytes, signedBy = '' }: { territory: string; bytes: Uint8Array; signedBy?: string },
): Promise<void> {
  requireOperator(ctx);
  await ctx.files.put(`${SENT}${territory}`, bytes, { customMetadata: { signedBy } });
  // If the message is lost, the cron of the other Worker finds the file.
  await ctx.queues.signatureChecks.send({ trustList: territory } satisfies ListMessage).catch(() => undefined);
}

/** Returns the stored lists, each with the reason why the last attempt to store it failed. @throws R2's error */
export async function tellLists(ctx: Context) {
  requireOperator(ctx);
  const { kept, tried } = await trustListsIn(ctx.files);
  const territories = new Set([...kept, ...tried].map(({ territory }) => territory));
  const isoOf = (time: number | null = null) => (time === null ? null : new Date(time).toISOString());
  return [...territories].sort().map((territory) => {
    const list = kept.find((each) => each.territory === territory);
    const last = tried.find((each) => each.territory === territory);
    return {
      territory,
      sequence: list?.sequence ?? null,
      next_update: isoOf(list?.nextUpdate),
      tried_at: isoOf(last?.at),
      failure: last?.failure ?? null,
    };
  });
}
