import { type BatchEntry, tryCommit } from '../../../platform/commit';
import type { Context } from '../../../platform/context';
import { assertInBatch } from '../../../platform/data/db';
import { PASSWORD_LENGTH_MAX } from '../../limits';
import { attemptFor, attemptFrom, type Caller, during } from './attempts';
import { findChoice, keepChoice } from './choice';
import { atHomeOf, type Person, peopleWith, whoHas } from './people';
import { newHalf } from './second-step';
import { earlierSession, newSession, recordOwn, type SignedIn, signedIn } from './session';
import { isPasswordStill } from './store-memberships';

/** RFC 5321 §4.5.3.1.3. */
const EMAIL_LENGTH_MAX = 254;

export type SignIn =
  | ({ outcome: 'signed_in' } & SignedIn)
  /** The sign-in waits for a code; `verifySecondFactor` continues it by the token. The browser's session has ended. */
  | { outcome: 'second_factor'; token: string }
  /** The password belongs to several memberships; `choicesOf` reads them by the token. */
  | { outcome: 'choose'; token: string }
  /**
   * The same result, after the same work, for an unknown address, a wrong password, and a person who was revoked or has
   * not accepted the invitation yet.
   */
  | { outcome: 'refused' };

/**
 * Signs in with a password. With a second factor, or when the password belongs to several memberships of the address,
 * another step follows. An earlier session in the same browser ends.
 * @throws AppError `rate_limited` for a caller who failed too often, and when too many passwords wait to be hashed
 */
export async function signIn(
  ctx: Context,
  input: { email: string; password: string; caller: Caller },
): Promise<SignIn> {
  const email = input.email.toLowerCase();
  const attempt = await attemptFor(ctx, email, input.caller);
  // A longer text takes longer to hash: whatever is too long for a password is refused without hashing, for every
  // address alike.
  const isPossible = input.password.length <= PASSWORD_LENGTH_MAX && email.length <= EMAIL_LENGTH_MAX;
  const { people, matching } = await during(attempt, async () => {
    const { people, failure } = isPossible ? await peopleWith(ctx, email) : { people: [] };
    const matching = isPossible ? await whoHas(ctx, email, input.password, people) : [];
    // The password may be that of a membership on the database that could not be asked.
    if (matching.length === 0 && failure) throw failure;
    return { people, matching };
  });
  const [person, ...others] = matching;
  if (!person) return { outcome: 'refused' };
  // Otherwise an owner who gave the address a membership in their own organization could use it to try the passwords of
  // the other memberships without a limit.
  if (matching.length < people.length) attempt.giveBackToAddress();
  else attempt.giveBack();
  if (others.length > 0) return { outcome: 'choose', token: await keepChoice(ctx, [person, ...others]) };
  return enter(ctx, person, input.caller);
}

export interface Choice {
  memberId: string;
  organizationName: string;
}

/** The pharmacies that can be chosen with a token; none for a token that is wrong, used or expired. */
export async function choicesOf(ctx: Context, token: string): Promise<Choice[]> {
  const choice = await findChoice(ctx, token);
  return choice?.people.map(({ id, organizationName }) => ({ memberId: id, organizationName })) ?? [];
}

/**
 * Continues a sign-in with the chosen pharmacy, once. A second factor of that membership is still required.
 * @throws AppError `rate_limited`
 */
export async function choosePharmacy(
  ctx: Context,
  input: { token: string; memberId: string; caller: Caller },
): Promise<Exclude<SignIn, { outcome: 'choose' }>> {
  const attempt = await attemptFrom(ctx, input.caller);
  const choice = await during(attempt, () => findChoice(ctx, input.token));
  const person = choice?.people.find(({ id }) => id === input.memberId);
  if (!choice || !person) return { outcome: 'refused' };
  attempt.giveBack();
  const home = atHomeOf(ctx, person);
  if (choice.ctx.db.shard === home.db.shard) return enter(ctx, person, input.caller, choice.useUp(home));
  // The session will be on another database, so the choice is used up before: nobody can use it twice.
  const used = await tryCommit(choice.ctx, { used: choice.useUp(choice.ctx) });
  return used ? enter(ctx, person, input.caller) : { outcome: 'refused' };
}

/**
 * Creates the session of a person whose password was verified, or a half-finished sign-in if there is a second factor. Neither
 * if the password was changed while it was verified.
 */
async function enter(
  globalCtx: Context,
  person: Person,
  caller: Caller,
  first: BatchEntry[] = [],
): Promise<Exclude<SignIn, { outcome: 'choose' }>> {
  const ctx = atHomeOf(globalCtx, person);
  const { id: memberId, orgId, role, email } = person;
  const before = [...first, assertInBatch(isPasswordStill(memberId, person.password))];
  if (person.hasSecondFactor) {
    const half = await newHalf(ctx, { orgId, memberId });
    const earlier = await earlierSession(ctx, caller.session);
    if (!(await tryCommit(ctx, { before, half: half.writes, earlier: earlier.here }))) return { outcome: 'refused' };
    await earlier.endElsewhere();
    return { outcome: 'second_factor', token: half.token };
  }
  const session = await newSession(ctx, { orgId, memberId }, caller.session);
  const audit = recordOwn(ctx, { orgId, memberId, role }, { action: 'member.signed_in' });
  if (!(await tryCommit(ctx, { before, session: session.writes, audit }))) return { outcome: 'refused' };
  return { outcome: 'signed_in', ...(await signedIn(ctx, session, { orgId, memberId, email }, caller)) };
}
