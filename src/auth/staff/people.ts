import type { Context } from '../../platform/context';
import type { Condition } from '../../platform/db';
import { hashPassword, isSameHash, newRecipe, recipeOf } from './password';
import { selectAccounts } from './store-memberships';
import { type StaffRow, selectPeople } from './store-staff';

/**
 * Another membership of the address may get its first password at the same moment. Then the write is tried once more,
 * with the recipe of that password.
 */
export const RECIPE_TRIES_MAX = 2;

/** A membership as a user of better-auth, with its password. */
export interface Person {
  row: StaffRow & { account: StaffRow[] };
  id: string;
  organizationName: string;
  password: string;
}

/** The memberships that match a condition and may sign in, in one round trip. */
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
 * The memberships of an address to which a password belongs. Exactly one hash is computed, so that the time does not
 * show whether the address has no membership, one or several: its memberships share a recipe (`sharesRecipe`), and for
 * an unknown address the recipe is used that it would get.
 * @throws AppError `rate_limited` when too many passwords wait to be hashed
 */
export async function whoHas(ctx: Context, email: string, password: string, people: Person[]): Promise<Person[]> {
  const hash = await hashPassword(password, await recipeFor(ctx, email, people[0]?.password ?? null));
  return people.filter((person) => isSameHash(hash, person.password));
}

/**
 * The recipe of an address: that of one of its memberships, so that passwords from before recipes were shared stay
 * valid; otherwise a new one derived from the address.
 * @param elsewhere the stored password of a membership of the address, if there is one
 */
export async function recipeFor(ctx: Context, email: string, elsewhere: string | null): Promise<string> {
  return (elsewhere !== null && recipeOf(elsewhere)) || newRecipe(ctx.config.keyPepper, email);
}

/** RFC 2606 §2 reserves `.invalid`, so this is never a real address. */
const KEY_DOMAIN = '@member.invalid';

/**
 * The value that better-auth gets as the e-mail address of a membership at sign-in: it identifies users by address
 * only, and an address may have several memberships.
 */
export function signInKeyOf(memberId: string): string {
  return memberId + KEY_DOMAIN;
}
