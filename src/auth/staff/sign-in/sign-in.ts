import { type BatchEntry, tryCommit } from '../../../platform/commit';
import type { Context } from '../../../platform/context';
import { assertInBatch } from '../../../platform/data/db';
import { isMac, mac } from '../../../platform/mac';
import { EMAIL_LENGTH_MAX, ORGANIZATION_CHOICE_MS, PASSWORD_LENGTH_MAX } from '../../limits';
import {
  atHomeOf,
  attemptFor,
  attemptFrom,
  type Caller,
  during,
  type Person,
  peopleWith,
  readPeople,
  whoHas,
} from './attempts';
import { findWaiting, newWaiting } from './links';
import { newHalf } from './second-step';
import { earlierSession, newSession, recordOwn, type SignedIn, signedIn } from './session';
import { isPasswordStill, withIds } from './store-memberships';
import { selectWaiting, useWaitingRow } from './store-sessions';

export type SignIn =
  | ({ outcome: 'signed_in' } & SignedIn)
  /**
   * The sign-in waits for a code; `verifySecondFactor` continues it by the token. The browser's earlier session has
   * ended.
   */
  | { outcome: 'second_factor'; token: string }
  /** The password belongs to several memberships; `choicesOf` reads them by the token. */
  | { outcome: 'choose'; token: string }
  /**
   * The address is unknown, the password is wrong, or the person was revoked or has not accepted the invitation yet.
   * The service does the same work in all these cases, so that the response time does not show which case it is.
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
  // A longer text takes longer to hash. A text that is too long for a password is refused without hashing, for known
  // and unknown addresses alike.
  const isPossible = input.password.length <= PASSWORD_LENGTH_MAX && email.length <= EMAIL_LENGTH_MAX;
  const { people, matching } = await during(attempt, async () => {
    const { people, failure } = isPossible ? await peopleWith(ctx, email) : { people: [] };
    const matching = isPossible ? await whoHas(ctx, email, input.password, people) : [];
    // The password may belong to a membership on the database that could not be read.
    if (matching.length === 0 && failure) throw failure;
    return { people, matching };
  });
  const [person, ...others] = matching;
  if (!person) return { outcome: 'refused' };
  // If only some of the memberships have the password, the attempt still counts for the account. Otherwise, an owner
  // could give the address a membership in their own organization. By signing in to it, the owner could then try the
  // passwords of the other memberships without a limit.
  if (matching.length < people.length) attempt.giveBackToAddress();
  else attempt.giveBack();
  if (others.length > 0) return { outcome: 'choose', token: await keepChoice(ctx, [person, ...others]) };
  return enter(ctx, person, input.caller);
}

interface Choice {
  memberId: string;
  organizationName: string;
}

/** Returns the pharmacies that can be chosen with a token; none for a token that is wrong, used or expired. */
export async function choicesOf(ctx: Context, token: string): Promise<Choice[]> {
  const choice = await findChoice(ctx, token);
  return choice?.people.map(({ id, organizationName }) => ({ memberId: id, organizationName })) ?? [];
}

/**
 * Continues a sign-in with the pharmacy that the person chose. Each token can be used once. A second factor of the
 * chosen membership is still required.
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
  // The session will be on another database, so the choice is used up before the session begins: nobody can use it
  // twice.
  const used = await tryCommit(choice.ctx, { used: choice.useUp(choice.ctx) });
  return used ? enter(ctx, person, input.caller) : { outcome: 'refused' };
}

/**
 * Begins the session of a person whose password was verified. For a person with a second factor, it stores a sign-in
 * that waits for a code instead. It refuses if the password was changed during the verification.
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

/** The stored form of a membership that has the entered password. */
interface KeptChoice {
  id: string;
  /** The number of the database on which the membership was found. */
  shard: number;
  /** HMAC of the stored password: when the password changes, the choice becomes invalid. */
  proof: string;
}

/**
 * Stores a sign-in until the person chooses one of several memberships that have the password. It is stored on the
 * database of the first membership.
 * @returns a token that finds the sign-in again, once, within five minutes. Only its hash is stored
 */
async function keepChoice(ctx: Context, people: readonly [Person, ...Person[]]): Promise<string> {
  const [first] = people;
  const home = atHomeOf(ctx, first);
  const kept: KeptChoice[] = await Promise.all(
    people.map(async ({ id, shard, password }) => ({
      id,
      shard,
      proof: await mac(ctx, 'password of a choice', password),
    })),
  );
  const choice = { orgId: first.orgId, value: JSON.stringify(kept), lifeMs: ORGANIZATION_CHOICE_MS };
  const { token, writes } = await newWaiting(home, 'pharmacy choice', choice);
  await home.db.run({ writes });
  return token;
}

interface OpenChoice {
  /** The memberships that may be chosen. */
  people: Person[];
  /** The context on the database where the choice is stored. */
  ctx: Context;
  /** The statements that use the token up. The batch is undone if the token was already used or has expired. */
  useUp: (at: Context) => BatchEntry[];
}

/** Returns the memberships that can be chosen with a token; null for a token that is wrong, used or expired. */
async function findChoice(globalCtx: Context, token: string): Promise<OpenChoice | null> {
  const waiting = await findWaiting(globalCtx, 'pharmacy choice', token);
  if (!waiting) return null;
  const { ctx, identifiers } = waiting;
  const choice = await ctx.db.rows(selectWaiting(identifiers, ctx.now()));
  if (!choice[0]) return null;
  // SAFETY: keepChoice wrote this value.
  const kept = JSON.parse(choice[0].value) as KeptChoice[];
  const shards = new Set(kept.map(({ shard }) => shard));
  const { people } = await readPeople(ctx, [...shards], withIds(kept.map(({ id }) => id)));
  const proofs = new Map(kept.map(({ id, proof }) => [id, proof]));
  const isStill = await Promise.all(
    people.map(({ id, password }) => isMac(ctx, proofs.get(id) ?? '', 'password of a choice', password)),
  );
  return {
    people: people.filter((_, index) => isStill[index]),
    ctx,
    useUp: (at) => [useWaitingRow(identifiers, at.now())],
  };
}
