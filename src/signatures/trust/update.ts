import { requireSystem } from '../../platform/access';
import type { Context } from '../../platform/context';
import { AppError } from '../../platform/errors/errors';
import { callOut, isOfBaseHost, readBounded, refusalOf } from '../../platform/http/outgoing';
import { HOUR_MS } from '../../platform/time';
import { Fault } from '../bytes';
import { EU, type Kept, keptLists, noteTried, readKept, type Tried, triedLists } from './kept';
import type { TrustedList } from './list';
import { readXml } from './xml';

/** Where the EU publishes its list of lists. */
const LIST_OF_LISTS = 'https://ec.europa.eu/tools/lotl/eu-lotl.xml';
const LIST_BYTES_MAX = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const REDIRECTS_MAX = 3;
const PIVOTS_MAX = 20;
const AGAIN_MS = 20 * HOUR_MS;
const AGAIN_AFTER_FAILURE_MS = HOUR_MS;

/**
 * Fetches the one list that has waited longest, each of them once a day: the list of lists first, then those that it
 * leads to. Without pinned certificates nobody is asked.
 */
export async function updateTrustLists(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (ctx.config.trustCertificates.length === 0) return;
  const [kept, tried] = await Promise.all([keptLists(ctx.files), triedLists(ctx.files)]);
  const now = ctx.now();
  const wanted = [EU, ...(kept.find(({ territory }) => territory === EU)?.wanted ?? [])];
  const dueAt = (territory: string): number => {
    const last = tried.find((each) => each.territory === territory);
    return last ? last.at + (last.failure === null ? AGAIN_MS : AGAIN_AFTER_FAILURE_MS) : 0;
  };
  const [next] = wanted.filter((each) => dueAt(each) <= now).sort((one, other) => dueAt(one) - dueAt(other));
  if (next === undefined) return;
  const failure = await fetchAndKeep(ctx, next);
  await noteTried(ctx.files, { territory: next, at: now, failure });
  if (failure !== null) ctx.log('warn', 'trust_list_not_kept', { code: next });
}

/** @returns why it is not kept; null if it is */
async function fetchAndKeep(ctx: Context, territory: string): Promise<string | null> {
  const signers = await signersOf(ctx, territory);
  const url = territory === EU ? LIST_OF_LISTS : signers.url;
  const bytes = url === null ? null : await fetchList(ctx, url);
  if (!bytes) return 'no_answer';
  try {
    const trusted = territory === EU ? await followPivots(ctx, bytes, signers.trusted) : signers.trusted;
    const { keepList } = await verifier();
    await keepList(ctx.files, bytes, { territory, isTrusted: isIn(trusted), ...wantedBy(ctx) });
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** Loaded when it is needed: its curves would delay the first request of each isolate. */
const verifier = () => import('./keep');

const isIn =
  (fingerprints: readonly string[]) =>
  (fingerprint: string): boolean =>
    fingerprints.includes(fingerprint);

function wantedBy(ctx: Context): { wanted: readonly string[] | null; now: number } {
  return { wanted: ctx.config.trustCountries, now: ctx.now() };
}

/** Who may sign the list of a territory, and where it is: by the list of lists, whose own signers are pinned. */
async function signersOf(ctx: Context, territory: string): Promise<{ trusted: string[]; url: string | null }> {
  const pointers = (await readKept(ctx.files, EU))?.pointers.filter((each) => each.territory === territory) ?? [];
  const trusted = pointers.flatMap(({ signers }) => signers);
  const pinned = territory === EU ? ctx.config.trustCertificates : [];
  return { trusted: [...pinned, ...trusted], url: pointers[0]?.url ?? null };
}

/**
 * The signers of the list of lists by its pivots: each version in which they changed is signed by those before, and
 * names the next (ETSI TS 119 615 §4.1). Pivots that the signers so far have not signed are of an earlier time.
 */
async function followPivots(ctx: Context, bytes: Uint8Array, trusted: string[]): Promise<string[]> {
  const pivots = pivotsIn(bytes).slice(0, PIVOTS_MAX).toReversed();
  const { readTrustedList } = await import('./list');
  let signers = trusted;
  for (const url of pivots) {
    const pivot = await fetchList(ctx, url);
    const list = pivot && (await readTrustedList(pivot, isIn(signers)).catch(ifFault));
    const named = list ? list.pointers.filter(({ territory }) => territory === EU).flatMap((each) => each.signers) : [];
    if (named.length > 0) signers = named;
  }
  return signers;
}

function ifFault(error: unknown): null {
  if (error instanceof Fault) return null;
  throw error;
}

/** Read before the list is verified: each pivot is verified itself, and is of the same server. */
function pivotsIn(bytes: Uint8Array): string[] {
  const uris = readXml(bytes).root.at('SchemeInformation', 'SchemeInformationURI')?.all('URI') ?? [];
  const folder = LIST_OF_LISTS.slice(0, LIST_OF_LISTS.lastIndexOf('/') + 1);
  return uris.map(({ text }) => text).filter((uri) => uri.startsWith(folder) && /-pivot-\d{1,6}\.xml$/.test(uri));
}

/** A list's bytes; null without an answer. Lists at http:// addresses are asked for at https://. */
async function fetchList(ctx: Context, address: string): Promise<Uint8Array | null> {
  let url = address.replace(/^http:/i, 'https:');
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    if (refusalOf(url, { isOwnHost: (host) => isOfBaseHost(host, ctx.config.baseHost) })) return null;
    const { answer } = await callOut(url, { timeoutMs: TIMEOUT_MS });
    if (!answer) return null;
    // A body that stops in the middle is no answer.
    const read = await readBounded(answer, LIST_BYTES_MAX).catch(() => null);
    const location = answer.headers.get('Location');
    if (answer.status < 300 || answer.status > 399 || !location) {
      return answer.status === 200 && read && !read.isCut ? read.bytes : null;
    }
    url = URL.parse(location, url)?.href ?? '';
  }
  return null;
}

/**
 * Keeps a list that the operator sends as a file.
 * @param signedBy the SHA-256 of the certificate that signed it, where neither a pinned certificate nor the list of lists
 * says so
 * @throws AppError `trust_list_refused` with the reason; R2's error
 */
export async function importTrustList(
  ctx: Context,
  { territory, bytes, signedBy }: { territory: string; bytes: Uint8Array; signedBy?: string },
): Promise<TrustedList> {
  const { trusted } = await signersOf(ctx, territory);
  try {
    const isTrusted = isIn(signedBy ? [...trusted, signedBy] : trusted);
    const { keepList } = await verifier();
    const list = await keepList(ctx.files, bytes, { territory, isTrusted, ...wantedBy(ctx) });
    await noteTried(ctx.files, { territory, at: ctx.now(), failure: null });
    ctx.log('info', 'trust_list_kept', { code: territory });
    return list;
  } catch (error) {
    if (error instanceof Fault) throw new AppError('trust_list_refused', `${error.message}.`);
    throw error;
  }
}

/** What the check of `trust_lists` is told: the lists that are kept, and the last attempts to fetch them. */
export interface TrustLists {
  kept: Kept[];
  tried: Tried[];
}

/** @throws R2's error */
export async function trustListsIn(files: R2Bucket): Promise<TrustLists> {
  const [kept, tried] = await Promise.all([keptLists(files), triedLists(files)]);
  return { kept, tried };
}
