import { shardsOf } from '../../../directory/emails';
import { settleIn } from '../../../directory/route';
import type { Context } from '../../../platform/context';
import { isSameMac, randomBase62, toHex } from '../../../platform/crypto/crypto';
import type { Condition } from '../../../platform/data/statements';
import { AppError } from '../../../platform/errors/errors';
import { assertNotCooling, countAttempt, type Failed, isCooling } from '../../../platform/http/rate-limit';
import { bytesOf, isMac, mac, macs } from '../../../platform/mac';
import { DEVICE_ACCOUNTS_MAX } from '../../limits';
import { hashPassword, newRecipe, recipeOf } from '../passwords/hash';
import { selectPeople, withEmail } from './store-memberships';

/** The caller who tries to sign in. */
export interface Caller {
  /** From `callerAddress`. */
  address: string;
  /** The device cookie as sent, if there was one. */
  device: string | undefined;
  /** The session cookie as sent, if there was one. Its session ends when another session begins. */
  session?: string | undefined;
}

/**
 * An attempt to sign in. It is counted when it begins, so that concurrent attempts cannot exceed the limit. Only
 * failures stay counted: after a success or a fault of the service, call one of the methods, which take the count back.
 */
interface Attempt {
  giveBack(): void;
  /** Takes the count back for the address only, not for the account. */
  giveBackToAddress(): void;
}

/**
 * Starts an attempt for an account and counts it. An attempt from an unknown device is counted by address, and by
 * account and address together. An attempt from a device that has signed in to the account before is counted
 * separately. Failures of others at the same address, such as another computer of the pharmacy, therefore do not lock
 * this device out. All known devices of an account share one counter, because each sign-in creates a known device.
 * @throws AppError `rate_limited` while the caller has failed too often, before anything is read or hashed
 */
export async function attemptFor(ctx: Context, email: string, caller: Caller): Promise<Attempt> {
  const tags = await accountTags(ctx, email);
  const [tag] = tags;
  const isKnown = (await accountsOfDevice(ctx, caller.device)).some((account) => tags.includes(account));
  const byDevice = isKnown ? await startOf(ctx, tag) : null;
  if (byDevice) return { giveBack: byDevice, giveBackToAddress: () => undefined };
  const stranger: Failed = { address: caller.address, also: [`account ${tag} ${caller.address}`] };
  assertNotCooling(ctx, 'sign_in', stranger);
  const giveBack = await countAttempt(ctx, 'sign_in', stranger);
  return { giveBack, giveBackToAddress: () => giveBack({ address: caller.address }) };
}

/**
 * Starts an attempt with something that identifies a person without an e-mail address: a second-factor code or a link.
 * @throws AppError `rate_limited` while the address has failed too often
 */
export async function attemptFrom(ctx: Context, caller: Caller): Promise<Pick<Attempt, 'giveBack'>> {
  const [newest] = await accountsOfDevice(ctx, caller.device);
  const byDevice = newest === undefined ? null : await startOf(ctx, newest);
  if (byDevice) return { giveBack: byDevice };
  const stranger: Failed = { address: caller.address };
  assertNotCooling(ctx, 'sign_in', stranger);
  return { giveBack: await countAttempt(ctx, 'sign_in', stranger) };
}

/**
 * Counts an attempt for all known devices of an account.
 * @returns a function that takes the count back; null if the known devices have failed too often. The caller then
 *   treats the device as unknown. Somebody else may have caused the failures, for example the owner of another
 *   organization who gave the address a membership
 */
async function startOf(ctx: Context, tag: string): Promise<(() => void) | null> {
  const devices: Failed = { also: [`known devices ${tag}`] };
  if (isCooling(ctx, 'sign_in', devices)) return null;
  try {
    return await countAttempt(ctx, 'sign_in', devices);
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return null;
    throw error;
  }
}

/** Runs `make`. If it throws, the attempt is not counted, because it is unknown whether the person made a mistake. */
export async function during<T>(attempt: Pick<Attempt, 'giveBack'>, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    attempt.giveBack();
    throw error;
  }
}

/**
 * How often a write of a password is tried. Another membership of the address may get its first password at the same
 * moment. The write is then tried again, with the recipe of that password.
 */
export const RECIPE_TRIES_MAX = 2;

/** A membership that may sign in. */
export interface Person extends Omit<Awaited<ReturnType<typeof selectPeople>>[number], 'organizationState'> {
  /** The number of the database on which the membership was found. */
  shard: number;
}

/** The memberships that were found on several databases. */
interface Found {
  /** The memberships, in the order in which they were accepted. */
  people: Person[];
  /** The error of a database that could not be read, if there was one. */
  failure?: unknown;
}

/**
 * Returns the memberships with which an e-mail address may sign in, from the databases that the directory names. For an
 * unknown address, one database is read as well, so that the response time does not show whether the address is known.
 */
export async function peopleWith(ctx: Context, email: string): Promise<Found> {
  const shards = await shardsOf(ctx, email);
  return readPeople(ctx, shards.length > 0 ? shards : [0], withEmail(email));
}

/**
 * Returns the memberships that match a condition and may sign in. They are read in one round trip to each database, all
 * at the same time. A database that cannot be reached is left out.
 * @throws AppError `backend_unreachable` when no database can be reached
 */
export async function readPeople(ctx: Context, shards: readonly number[], who: Condition): Promise<Found> {
  const answers = await Promise.allSettled(shards.map((shard) => readShard(ctx, shard, who)));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  if (failures.length === shards.length && failures.length > 0) throw failures[0];
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  // While an organization moves, its memberships are on two databases. The row on the database where the organization
  // is active counts.
  const byId = new Map(found.sort((a, b) => Number(a.isActive) - Number(b.isActive)).map((each) => [each.id, each]));
  return { people: [...byId.values()].sort(byAcceptance), failure: failures[0] };
}

async function readShard(ctx: Context, shard: number, who: Condition) {
  const people = await ctx.databases.at(shard).rows(selectPeople(who));
  return people.map(({ organizationState, ...person }) => ({
    ...person,
    shard,
    isActive: organizationState === 'active',
  }));
}

function byAcceptance(a: Person, b: Person): number {
  return Number(a.acceptedAt) - Number(b.acceptedAt) || (a.id < b.id ? -1 : 1);
}

/** Returns the context on the database on which the person was found. It needs no round trip. */
export function atHomeOf(ctx: Context, { orgId, shard }: Person): Context {
  return settleIn(ctx, { orgId, shard });
}

/**
 * Returns the memberships of an address that have this password. Computes exactly one hash, so that the time does not
 * show how many memberships the address has. One hash is enough, because all memberships of an address share a recipe
 * (`recipeFor`). Only if two databases have different recipes for the address, one hash is computed for each recipe.
 * For an unknown address, the hash uses the recipe that the address's first password would get.
 * @throws AppError `rate_limited` when too many passwords wait to be hashed
 */
export async function whoHas(ctx: Context, email: string, password: string, people: Person[]): Promise<Person[]> {
  const recipes = new Set(people.flatMap((person) => recipeOf(person.password) ?? []));
  if (recipes.size === 0) recipes.add(await newRecipe(ctx, email));
  const hashes: string[] = [];
  for (const recipe of recipes) hashes.push(await hashPassword(password, recipe));
  return people.filter((person) => hashes.some((hash) => isSameMac(hash, person.password)));
}

/**
 * Returns the recipe (scrypt cost and salt) for a new password. All passwords of an address share a recipe, so that a
 * sign-in computes one hash. If the address has another password, that password's recipe is returned. Otherwise, a new
 * recipe is derived from the address. It is the same on every database.
 *
 * On one database, the batch that stores the password is undone if the address has other passwords and none of them has
 * this recipe (`sharesRecipe`). No batch spans two databases. Passwords of an address that change on two databases at
 * the same moment can therefore end up with different recipes, if one of them had an old recipe. Then `whoHas` computes
 * a hash for each recipe, until either password is changed again.
 * @param elsewhere the stored password of another membership on the same database, if there is one
 */
export async function recipeFor(ctx: Context, email: string, elsewhere: string | null): Promise<string> {
  const here = elsewhere === null ? null : recipeOf(elsewhere);
  return here ?? (await recipeOfOthers(ctx, email)) ?? newRecipe(ctx, email);
}

/**
 * Returns the recipe of a password that the address has on another database. Undefined if there is no such password, or
 * if the databases cannot be reached.
 */
async function recipeOfOthers(ctx: Context, email: string): Promise<string | undefined> {
  try {
    const others = (await shardsOf(ctx, email)).filter((shard) => shard !== ctx.db.shard);
    const { people } = await readPeople(ctx, others, withEmail(email));
    return people.flatMap(({ password }) => recipeOf(password) ?? [])[0];
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/**
 * A device cookie (OWASP, "Device Cookies") proves that an account has signed in on this device before. It gives no
 * access. Its format is `<id>.<accounts>.<mac>`. Accounts are tags separated by `-`, the newest first.
 */
const FORMAT = /^(\w{16})\.([0-9a-f]{32}(?:-[0-9a-f]{32}){0,7})\.([\w-]{1,32}\.[0-9a-f]{64})$/;
const ID_LENGTH = 16;
const TAG_BYTES = 16;

/**
 * Returns the tags of an e-mail address. A tag replaces the address in cookies and in keys of rate limits, so that the
 * address itself does not appear there.
 * @returns the tag to write, then the tags that older cookies may contain
 */
async function accountTags(ctx: Context, email: string): Promise<[string, ...string[]]> {
  const [first, ...others] = await macs(ctx, 'account tag', email);
  return [tagOf(first), ...others.map(tagOf)];
}

function tagOf(made: string): string {
  return toHex(bytesOf(made).subarray(0, TAG_BYTES));
}

/** Returns the tags of the accounts in a device cookie; empty if this service did not make the cookie. */
export async function accountsOfDevice(ctx: Context, cookie: string | undefined): Promise<string[]> {
  const [, id = '', accounts = '', signature = ''] = FORMAT.exec(cookie ?? '') ?? [];
  if (!id || !(await isMac(ctx, signature, 'device', id, accounts))) return [];
  return accounts.split('-');
}

/** Returns the cookie of a device on which a person has just signed in. */
export async function deviceWith(ctx: Context, cookie: string | undefined, email: string): Promise<string> {
  const tags = await accountTags(ctx, email);
  const others = (await accountsOfDevice(ctx, cookie)).filter((each) => !tags.includes(each));
  const accounts = [tags[0], ...others].slice(0, DEVICE_ACCOUNTS_MAX).join('-');
  const id = randomBase62(ID_LENGTH);
  return `${id}.${accounts}.${await mac(ctx, 'device', id, accounts)}`;
}
