import type { Context } from '../../platform/context';
import type { Condition } from '../../platform/db';
import { hashPassword, isSameHash, newRecipe, recipeOf } from './password';
import { selectAccounts } from './store-memberships';
import { type StaffRow, selectPeople } from './store-staff';

/** Another membership of the address may get its first password in the meantime; then once more by its recipe. */
export const RECIPE_TRIES_MAX = 2;

/** A membership as better-auth knows a user, with its password. */
export interface Person {
  row: StaffRow & { account: StaffRow[] };
  id: string;
  organizationName: string;
  password: string;
}

/** The memberships that a condition finds and that may sign in: one round trip. */
export async function readPeople(ctx: Context, who: Condition): Promise<Person[]> {
  const { people, accounts } = await ctx.db.run({
    people: selectPeople(ctx.db, who),
    accounts: selectAccounts(ctx.db, who),
  });
  return people.flatMap((row: StaffRow) => {
    const account = accounts.filter(({ userId }) => userId === row.id);
    const [first] = account;
    return first ? [personOf({ ...row, account })] : [];
  });
}

export function personOf(row: StaffRow & { account: StaffRow[] }): Person {
  return {
    row,
    id: String(row.id),
    organizationName: String(row.organizationName),
    password: String(row.account[0]?.password),
  };
}

/**
 * Which memberships of an address a password belongs to. One hash and no more, whether the address has no membership,
 * one or many: they all share a recipe (`sharesRecipe`), and an address without any is hashed by the one it would get.
 * @throws AppError `rate_limited` when too many passwords wait to be hashed
 */
export async function whoHas(ctx: Context, email: string, password: string, people: Person[]): Promise<Person[]> {
  const hash = await hashPassword(password, await recipeFor(ctx, email, people[0]?.password ?? null));
  return people.filter((person) => isSameHash(hash, person.password));
}

/**
 * The recipe of an address: the one that a membership of it has, so that passwords from before the recipes were shared
 * go on counting, else the one that follows from the address.
 * @param elsewhere the stored password of a membership of the address, if there is one
 */
export async function recipeFor(ctx: Context, email: string, elsewhere: string | null): Promise<string> {
  return (elsewhere !== null && recipeOf(elsewhere)) || newRecipe(ctx.config.keyPepper, email);
}

/** By RFC 2606 §2 nobody's address. */
const KEY_DOMAIN = '@member.invalid';

/**
 * What better-auth takes for the e-mail address of a membership when somebody signs in: it knows users by their address
 * alone, and an address may have several memberships.
 */
export function signInKeyOf(memberId: string): string {
  return memberId + KEY_DOMAIN;
}
