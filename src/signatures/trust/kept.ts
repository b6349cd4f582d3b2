import { ifUnchanged } from '../../platform/files';
import { DAY_MS } from '../../platform/time';
import { Budget } from '../budget';
import { Fault } from '../bytes';
import { readTrustedList, type TrustedList, type TrustService } from './list';
import { anchorsOf } from './services';

/** The list of lists. */
export const EU = 'EU';
const LISTS = 'trust-lists/';
const TRIED = 'trust-lists-tried/';
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
  /** Of the list of lists: the territories that it leads to and that are wanted. */
  wanted: string[];
  etag: string;
}

/** The last attempt to fetch a list. */
export interface Tried {
  territory: string;
  /** Epoch ms. */
  at: number;
  /** Why it failed: `no_answer`, or the message of a `Fault`. Null if it is kept. */
  failure: string | null;
}

/** Why a list is not kept. */
export class ListRefused extends Fault {}

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

/** The lists that are kept, without what they hold. @throws R2's error */
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

/**
 * Verifies a list and keeps it in place of the one before. One that is refused leaves that one.
 * @param wanted the territories that are wanted; null: all
 * @throws Fault that says why it is refused; R2's error
 */
export async function keepList(
  files: R2Bucket,
  bytes: Uint8Array,
  of: { territory: string; isTrusted: (fingerprint: string) => boolean; wanted: readonly string[] | null; now: number },
): Promise<TrustedList> {
  const list = await readTrustedList(bytes, of.isTrusted);
  if (list.territory !== of.territory) throw new ListRefused(`The list is that of ${list.territory}`);
  if (list.nextUpdate !== null && list.nextUpdate < of.now) throw new ListRefused('The list has expired');
  const key = `${LISTS}${list.territory}`;
  const before = await files.head(key);
  if (before && Number(before.customMetadata?.sequence) > list.sequence)
    throw new ListRefused('The list is older than the one that is kept');
  const names = anchorsOf(list.services, new Budget()).flatMap(({ certificates }) => certificates);
  const countries = new Set(names.map(({ subject }) => countryIn(subject)));
  const wanted = list.pointers.map(({ territory }) => territory).filter((each) => each !== EU);
  const customMetadata = {
    sequence: String(list.sequence),
    nextUpdate: list.nextUpdate === null ? '' : String(list.nextUpdate),
    countries: [...countries].join(),
    wanted: [...new Set(wanted)].filter((each) => of.wanted === null || of.wanted.includes(each)).join(),
  };
  const onlyIf = ifUnchanged(before?.etag ?? null);
  if (!(await files.put(key, JSON.stringify(list), { customMetadata, onlyIf })))
    throw new ListRefused('Another version is being kept at this moment');
  return list;
}

type Name = readonly { oid: string; value: string }[];

/** The country in a name; `-` if it has none. */
function countryIn(name: Name): string {
  const country = name.find(({ oid }) => oid === '2.5.4.6')?.value ?? '';
  return /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : '-';
}

/** Whether a list no longer counts. */
export function isStale({ nextUpdate }: Pick<Kept, 'nextUpdate'>, now: number): boolean {
  return nextUpdate !== null && nextUpdate + STALE_MS < now;
}

/**
 * The services that certificates may chain to: of the lists whose services are in the countries of their names.
 * @returns `isIncomplete`: a list that is wanted is missing or no longer counts
 * @throws R2's error
 */
export async function servicesFor(
  files: R2Bucket,
  certificates: readonly { issuer: Name; subject: Name }[],
  now: number,
): Promise<{ services: TrustService[]; isIncomplete: boolean }> {
  const kept = await keptLists(files);
  const current = kept.filter((each) => !isStale(each, now));
  const countries = new Set(certificates.flatMap(({ issuer, subject }) => [countryIn(issuer), countryIn(subject)]));
  const read = current
    .filter(({ territory, countries: own }) => territory !== EU && own.some((each) => countries.has(each)))
    .map(({ territory }) => readKept(files, territory));
  const services = (await Promise.all(read)).flatMap((list) => list?.services ?? []);
  const wanted = kept.flatMap((each) => [each.territory, ...each.wanted]);
  return { services, isIncomplete: wanted.some((each) => !current.some(({ territory }) => territory === each)) };
}
