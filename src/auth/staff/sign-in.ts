import { type AuditAction, recordAudit } from '../../audit/record';
import type { Role } from '../../platform/access';
import { type BatchEntry, tryCommit } from '../../platform/commit';
import { actingAs, type Context } from '../../platform/context';
import { assertInBatch, type Statement } from '../../platform/db';
import { AppError } from '../../platform/errors';
import { PASSWORD_LENGTH_MAX } from '../limits';
import type { RowsRead } from './adapter';
import { attemptFor, attemptFrom, type Caller, during } from './attempts';
import { isAPIError, isRefusal } from './better-auth';
import { findChoice, keepChoice } from './choice';
import { CODE, claimCode } from './code';
import { deviceWith } from './device';
import { HalfSignIn } from './half';
import { atHomeOf, type Person, peopleWith, signInKeyOf, whoHas } from './people';
import { atOrganization } from './routing';
import { isRole, replaceSession, withoutSession } from './session';
import { isPasswordStill } from './store-resets';
import type { StaffRow } from './store-staff';

/** RFC 5321 §4.5.3.1.3. */
const EMAIL_LENGTH_MAX = 254;

/** The cookies for the browser after a sign-in. */
export interface SignedIn {
  /** As `Set-Cookie` values. */
  cookies: string[];
  /** The value of the device cookie (device.ts). */
  device: string;
  person: { orgId: string; memberId: string };
}

export type SignIn =
  | ({ outcome: 'signed_in' } & SignedIn)
  /** The half-finished sign-in waits for its code on the database of this organization. */
  | { outcome: 'second_factor'; cookies: string[]; orgId: string }
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
  input: { headers: Headers; email: string; password: string; caller: Caller },
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
  return enter(ctx, person, { headers: input.headers, device: input.caller.device });
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
  input: { headers: Headers; token: string; memberId: string; caller: Caller },
): Promise<Exclude<SignIn, { outcome: 'choose' }>> {
  const attempt = await attemptFrom(ctx, input.caller);
  const choice = await during(attempt, () => findChoice(ctx, input.token));
  const person = choice?.people.find(({ id }) => id === input.memberId);
  if (!choice || !person) return { outcome: 'refused' };
  attempt.giveBack();
  const by = { headers: input.headers, device: input.caller.device };
  const home = atHomeOf(ctx, person);
  if (choice.ctx.db.shard === home.db.shard) return enter(ctx, person, { ...by, first: choice.useUp(home) });
  // The session will be on another database, so the choice is used up before: nobody can use it twice.
  const used = await tryCommit(choice.ctx, { used: choice.useUp(choice.ctx) });
  return used ? enter(ctx, person, by) : { outcome: 'refused' };
}

/**
 * Creates the session of a person whose password was verified, or a half-finished sign-in if there is a second factor.
 */
async function enter(
  anywhere: Context,
  person: Person,
  { headers, device, first = [] }: { headers: Headers; device: string | undefined; first?: BatchEntry[] },
): Promise<Exclude<SignIn, { outcome: 'choose' }>> {
  const ctx = atHomeOf(anywhere, person);
  const email = String(person.row.email);
  try {
    const answer = await replaceSession(
      ctx,
      headers,
      // The password has been hashed and compared already (`proven`); better-auth only gets the membership.
      (api) => api.signInEmail({ headers, body: { email: signInKeyOf(person.id), password: '' }, returnHeaders: true }),
      {
        person: person.row,
        proven: person.password,
        withSession: async (seen) => [...first, ...unlessChanged(ctx, seen)],
      },
    );
    const cookies = answer.headers.getSetCookie();
    if ('twoFactorRedirect' in answer.response) return { outcome: 'second_factor', cookies, orgId: person.orgId };
    return {
      outcome: 'signed_in',
      cookies,
      device: await deviceWith(ctx, device, email),
      person: { orgId: person.orgId, memberId: person.id },
    };
  } catch (error) {
    if (isRefusal(error)) return { outcome: 'refused' };
    throw error;
  }
}

/**
 * Prevents a session if the password was changed while it was verified. A half-finished sign-in is not a session yet
 * and is not recorded.
 */
function unlessChanged(ctx: Context, seen: RowsRead): Statement[] {
  const { memberId } = whoOf(seen);
  // SAFETY: `enter` passes the person together with the account, and only a sign-in by password comes here.
  const [account] = (seen.user?.account ?? []) as StaffRow[];
  const guard = assertInBatch(isPasswordStill(memberId, String(account?.password)));
  return seen.user?.twoFactorEnabled ? [guard] : [guard, recordSignIn(ctx, seen)];
}

function recordSignIn(ctx: Context, seen: RowsRead, reasonCode?: string): Statement {
  return record(ctx, seen, 'member.signed_in', reasonCode);
}

function record(ctx: Context, seen: RowsRead, action: AuditAction, reasonCode?: string): Statement {
  const { orgId, memberId, role } = whoOf(seen);
  const acting = actingAs(ctx, { kind: 'staff', orgId, memberId, role });
  return recordAudit(acting, { orgId, action, entityId: memberId, reasonCode });
}

function whoOf({ user }: RowsRead): { orgId: string; memberId: string; role: Role } {
  if (!user || !isRole(user.role)) throw new Error('no person was read');
  return { orgId: String(user.orgId), memberId: String(user.id), role: user.role };
}

/**
 * The second step of a sign-in: a code of the app, or one of the recovery codes. A code that was used before costs one
 * attempt.
 * @param input.orgId of the answer to the first step
 * @returns null when the code is wrong or was used before, or when the first step is too long ago
 * @throws AppError `rate_limited`, also after ten wrong codes in a row for this person
 */
export async function verifySecondFactor(
  anywhere: Context,
  input: { headers: Headers; orgId: string; code: string; caller: Caller },
): Promise<SignedIn | null> {
  const attempt = await attemptFrom(anywhere, input.caller);
  const ctx = await during(attempt, () => atOrganization(anywhere, input.orgId));
  if (!ctx) return null;
  const half = new HalfSignIn();
  // A session of another person in the same browser is removed, because the code belongs to the half-finished sign-in.
  const asked = {
    headers: withoutSession(ctx, input.headers),
    body: { code: input.code },
    returnHeaders: true,
  } as const;
  const isCode = CODE.test(input.code);
  let seenAtLast: RowsRead = {};
  try {
    const { headers } = await replaceSession(
      ctx,
      input.headers,
      (api) => (isCode ? api.verifyTOTP(asked) : api.verifyBackupCode(asked)),
      {
        half,
        withSession: async (seen) => {
          seenAtLast = seen;
          const claim = isCode ? await claimCode(ctx, seen.twoFactor, input.code) : [];
          const reason = isCode ? 'second_factor' : 'recovery_code';
          return [...claim, recordSignIn(ctx, seen, reason)];
        },
        withLock: (seen) => [record(ctx, seen, 'member.second_factor_locked')],
      },
    );
    attempt.giveBack();
    const { orgId, memberId } = whoOf(seenAtLast);
    const device = await deviceWith(ctx, input.caller.device, String(seenAtLast.user?.email));
    return { cookies: headers.getSetCookie(), device, person: { orgId, memberId } };
  } catch (error) {
    if (isAPIError(error) && error.body?.code === 'ACCOUNT_TEMPORARILY_LOCKED') throw locked();
    if (!isRefusal(error)) {
      attempt.giveBack();
      // Where it is lost because this fails, too, the person begins anew with the password.
      await half.countNone(ctx).catch(() => undefined);
      throw error;
    }
    if (!isAPIError(error)) await during(attempt, () => half.countTry(ctx));
    return null;
  }
}

const LOCKED_SECONDS = 900;

function locked(): AppError {
  return new AppError('rate_limited', 'Too many wrong codes. Wait a quarter of an hour.', {
    headers: { 'Retry-After': String(LOCKED_SECONDS) },
  });
}
