import { settleIn, shardsOf } from '../../../directory/service';
import type { Context } from '../../../platform/context';
import { isSameMac } from '../../../platform/crypto';
import type { Condition } from '../../../platform/data/db';
import { AppError } from '../../../platform/errors';
import { hashPassword, newRecipe, recipeOf } from '../passwords/hash';
import { selectPeople, withEmail } from './store-memberships';

/**
 * Another membership of the address may get its first password at the same moment. Then the write is tried once more,
 * with the recipe of that password.
 */
export const RECIPE_TRIES_MAX = 2;

/** A membership that may sign in. */
export interface Person extends Omit<Awaited<ReturnType<typeof selectPeople>>[number], 'organizationState'> {
  /** The number of the database on which it was found. */
  shard: number;
}

/** The memberships that were found on several databases. */
export interface Found {
  /** The longest membership first. */
  people: Person[];
  /** Why a database could not be asked, if it could not. */
  failure?: unknown;
}

/**
 * The memberships of an address that may sign in. The directory names the databases to ask; for an unknown address one is
 * asked all the same, so that the round trips do not show whether it is known.
 */
export async function peopleWith(ctx: Context, email: string): Promise<Found> {
  const shards = await shardsOf(ctx, email);
  return readPeople(ctx, shards.length > 0 ? shards : [0], withEmail(email));
}

/**
 * The memberships that match a condition and may sign in, in one round trip to each database, all at once. A database that
 * cannot be reached keeps nobody from the others.
 * @throws AppError `backend_unreachable` when none can be reached
 */
export async function readPeople(ctx: Context, shards: readonly number[], who: Condition): Promise<Found> {
  const answers = await Promise.allSettled(shards.map((shard) => readShard(ctx, shard, who)));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  if (failures.length === shards.length && failures.length > 0) throw failures[0];
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  // While an organization moves, its memberships are on two databases: the one that is active counts.
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

/** The context on the database of a person who was found, without a round trip. */
export function atHomeOf(ctx: Context, { orgId, shard }: Person): Context {
  return settleIn(ctx, { orgId, shard });
}

/**
 * The memberships of an address to which a password belongs. Exactly one hash is computed, so that the time does not
 * show whether the address has no membership, one or several: its memberships share a recipe (`recipeFor`), and for an
 * unknown address the recipe is used that it would get. Only where two databases came to have different ones it is one
 * hash for each, so that nobody is kept out.
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
 * The recipe for a new password of an address: that of another password of the address, so that passwords from before recipes
 * were shared stay valid; otherwise a new one derived from the address, the same on every database.
 *
 * On one database the batch that stores the password refuses a recipe that its memberships do not have (`sharesRecipe`).
 * No batch spans two databases: when the passwords of an address change on two of them at the same moment, while one of
 * them has an old recipe, both keep their own. Then `whoHas` computes both, until one of them is changed again.
 * @param elsewhere the stored password of another membership on the same database, if there is one
 */
export async function recipeFor(ctx: Context, email: string, elsewhere: string | null): Promise<string> {
  const here = elsewhere === null ? null : recipeOf(elsewhere);
  return here ?? (await recipeOfOthers(ctx, email)) ?? newRecipe(ctx, email);
}

/** That of a password on another database. One that cannot be reached keeps nobody from a new password on this one. */
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
