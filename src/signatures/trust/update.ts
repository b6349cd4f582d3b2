import { callOut, refusalOf } from '../../platform/http/outgoing';
import { log } from '../../platform/log';
import { HOUR_MS } from '../../platform/time';
import { Fault, ifFault, orNull } from '../bytes';
import { bytesIn, keepList } from './keep';
import { EU, noteTried, readKept, SENT, trustListsIn } from './kept';
import { readTrustedList } from './list';
import { readXml } from './xml';

/** The address at which the EU publishes its list of lists. */
const LIST_OF_LISTS = 'https://ec.europa.eu/tools/lotl/eu-lotl.xml';
const LIST_BYTES_MAX = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const REDIRECTS_MAX = 3;
const PIVOTS_MAX = 20;
const AGAIN_MS = 20 * HOUR_MS;
const AGAIN_AFTER_FAILURE_MS = HOUR_MS;

export interface TrustEnv {
  FILES: R2Bucket;
  /** SHA-256 of each certificate that may sign the list of lists, separated by commas. If empty, no list is fetched. */
  TRUST_CERTIFICATES?: string;
  /** The territories whose lists are fetched, such as `DE,AT`. If empty, all are. */
  TRUST_COUNTRIES?: string;
}

const wordsOf = (text = ''): string[] => text.split(',').flatMap((each) => each.trim() || []);

/** Returns the pinned fingerprints in lowercase hex. The configuration may have them with colons and capitals. */
function pinnedIn({ TRUST_CERTIFICATES }: TrustEnv): string[] {
  return wordsOf(TRUST_CERTIFICATES).map((each) => each.replaceAll(':', '').toLowerCase());
}

function wantedIn({ TRUST_COUNTRIES }: TrustEnv): string[] | null {
  const wanted = wordsOf(TRUST_COUNTRIES?.toUpperCase());
  return wanted.length > 0 ? wanted : null;
}

/**
 * Fetches and stores one trusted list: the list that has been due for the longest time. The lists are the list of
 * lists, and the lists that the list of lists names for the wanted territories. A list is due 20 hours after a
 * successful attempt, and one hour after a failed one. A list that was never tried is due at once. Nothing is fetched
 * if no list is due, or if no certificate is pinned.
 */
export async function updateTrustLists(env: TrustEnv, now = Date.now()): Promise<void> {
  if (pinnedIn(env).length === 0) return;
  const { kept, tried } = await trustListsIn(env.FILES);
  const wanted = [EU, ...(kept.find(({ territory }) => territory === EU)?.wanted ?? [])];
  const dueAt = (territory: string): number => {
    const last = tried.find((each) => each.territory === territory);
    return last ? last.at + (last.failure === null ? AGAIN_MS : AGAIN_AFTER_FAILURE_MS) : 0;
  };
  const [next] = wanted.filter((each) => dueAt(each) <= now).sort((one, other) => dueAt(one) - dueAt(other));
  if (next === undefined) return;
  const failure = await fetchAndKeep(env, next, now);
  await noteTried(env.FILES, { territory: next, at: now, failure });
}

/** Fetches and stores a list. @returns `no_answer` if the list could not be fetched; otherwise the result of `keep` */
async function fetchAndKeep(env: TrustEnv, territory: string, now: number): Promise<string | null> {
  const { trusted, url } = await signersOf(env, territory);
  const bytes = url === null ? null : await fetchList(url);
  if (!bytes) return 'no_answer';
  const signers = territory === EU ? await followPivots(bytes, trusted) : trusted;
  return keep(env, bytes, { territory, signers, now });
}

/**
 * Verifies and stores a list.
 * @returns null if the list was stored; otherwise, why it was not. If the list of lists was stored but does not name
 *   all wanted territories, the result says which ones are missing
 */
async function keep(
  env: TrustEnv,
  bytes: Uint8Array,
  { territory, signers, now }: { territory: string; signers: readonly string[]; now: number },
): Promise<string | null> {
  try {
    const wanted = wantedIn(env);
    const { pointers } = await keepList(env.FILES, bytes, { territory, isTrusted: isIn(signers), wanted, now });
    const unknown = wanted?.filter((each) => !pointers.some((pointer) => pointer.territory === each)) ?? [];
    if (territory !== EU || unknown.length === 0) return null;
    return `TRUST_COUNTRIES names no list: ${unknown.join()}`.slice(0, 200);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    log('warn', 'trust_list_not_kept', { code: territory });
    return error.message;
  }
}

function isIn(fingerprints: readonly string[]): (fingerprint: string) => boolean {
  return (fingerprint) => fingerprints.includes(fingerprint);
}

/**
 * Returns the fingerprints of the signers (`trusted`) and the address of a territory's list, as the list of lists names
 * them. The address is null if the list of lists does not name the territory. For the list of lists itself, the pinned
 * fingerprints come first.
 */
async function signersOf(env: TrustEnv, territory: string): Promise<{ trusted: string[]; url: string | null }> {
  const pointers = (await readKept(env.FILES, EU))?.pointers.filter((each) => each.territory === territory) ?? [];
  const trusted = pointers.flatMap(({ signers }) => signers);
  const pinned = territory === EU ? pinnedIn(env) : [];
  return { trusted: [...pinned, ...trusted], url: territory === EU ? LIST_OF_LISTS : (pointers[0]?.url ?? null) };
}

/**
 * Returns the fingerprints of the current signers of the list of lists, by its pivots. A pivot is a version of that
 * list that names new signers and is signed by the earlier ones (ETSI TS 119 615 §4.1). A pivot that the signers known
 * so far did not sign is older than these signers. It is skipped.
 */
async function followPivots(bytes: Uint8Array, trusted: string[]): Promise<string[]> {
  const pivots = pivotsIn(bytes).slice(0, PIVOTS_MAX).toReversed();
  let signers = trusted;
  for (const url of pivots) {
    const pivot = await fetchList(url);
    const list = pivot && (await readTrustedList(pivot, isIn(signers)).catch(ifFault));
    const named = list ? list.pointers.filter(({ territory }) => territory === EU).flatMap((each) => each.signers) : [];
    if (named.length > 0) signers = named;
  }
  return signers;
}

/**
 * Returns the addresses of the pivots that the list of lists names. Only addresses in the folder of the list of lists
 * count. `bytes` is not verified yet; the caller verifies each pivot.
 */
function pivotsIn(bytes: Uint8Array): string[] {
  const root = orNull(() => readXml(bytes));
  const uris = root?.at('SchemeInformation', 'SchemeInformationURI')?.all('URI') ?? [];
  const folder = LIST_OF_LISTS.slice(0, LIST_OF_LISTS.lastIndexOf('/') + 1);
  return uris.map(({ text }) => text).filter((uri) => uri.startsWith(folder) && /-pivot-\d{1,6}\.xml$/.test(uri));
}

/** Returns the bytes of a list, which is always fetched over HTTPS. Null if there is no answer. */
async function fetchList(address: string): Promise<Uint8Array | null> {
  let url = address.replace(/^http:/i, 'https:');
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    if (refusalOf(url, { isOwnHost: () => false })) return null;
    const { answer } = await callOut(url, { timeoutMs: TIMEOUT_MS });
    if (!answer) return null;
    const bytes = await bytesIn(answer, LIST_BYTES_MAX);
    const location = answer.headers.get('Location');
    if (answer.status < 300 || answer.status > 399 || !location) return bytes;
    url = URL.parse(location, url)?.href ?? '';
  }
  return null;
}

/**
 * Verifies and stores a list that the operator sent, notes the result, and deletes the file that was sent. Does nothing
 * if there is no such file.
 * @throws R2's error
 */
export async function keepSent(env: TrustEnv, territory: string, now = Date.now()): Promise<void> {
  const key = `${SENT}${territory}`;
  const file = await env.FILES.get(key);
  if (!file) return;
  const { trusted } = await signersOf(env, territory);
  const signers = [...trusted, file.customMetadata?.signedBy ?? ''];
  const bytes = new Uint8Array(await file.arrayBuffer());
  const failure = await keep(env, bytes, { territory, signers, now });
  await noteTried(env.FILES, { territory, at: now, failure });
  await env.FILES.delete(key);
}

/** Verifies and stores each list that the operator sent and that is still waiting. @throws R2's error */
export async function keepAllSent(env: TrustEnv): Promise<void> {
  const { objects } = await env.FILES.list({ prefix: SENT });
  for (const { key } of objects) await keepSent(env, key.slice(SENT.length));
}
