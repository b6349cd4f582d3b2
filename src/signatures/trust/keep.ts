import { ifUnchanged } from '../../platform/files';
import { Budget } from '../budget';
import { Fault } from '../bytes';
import { EU, isStale, keptLists, LISTS, metadataOf, readKept, type Said, saidIn } from './kept';
import { readTrustedList, type TrustedList, type TrustService } from './list';
import { anchorsOf } from './services';

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
  if (list.territory !== of.territory) throw new Fault(`The list is that of ${list.territory}`);
  if (list.nextUpdate !== null && list.nextUpdate < of.now) throw new Fault('The list has expired');
  const key = `${LISTS}${list.territory}`;
  const before = await files.head(key);
  if (before && saidIn<Said>(before).sequence > list.sequence)
    throw new Fault('The list is older than the one that is kept');
  const names = anchorsOf(list.services, new Budget()).flatMap(({ certificates }) => certificates);
  const countries = new Set(names.map(({ subject }) => countryIn(subject)));
  const wanted = list.pointers.map(({ territory }) => territory).filter((each) => each !== EU);
  const { sequence, nextUpdate } = list;
  const said: Said = {
    ...{ sequence, nextUpdate, countries: [...countries] },
    wanted: [...new Set(wanted)].filter((each) => of.wanted === null || of.wanted.includes(each)),
  };
  const onlyIf = ifUnchanged(before?.etag ?? null);
  if (!(await files.put(key, JSON.stringify(list), { customMetadata: metadataOf(said), onlyIf })))
    throw new Fault('Another version is being kept at this moment');
  return list;
}

type Name = readonly { oid: string; value: string }[];

/** The country in a name; `-` if it has none. */
function countryIn(name: Name): string {
  const country = name.find(({ oid }) => oid === '2.5.4.6')?.value ?? '';
  return /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : '-';
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
