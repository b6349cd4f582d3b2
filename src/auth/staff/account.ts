import { noting } from '../../audit/journal';
import { recordAudit } from '../../audit/record';
import { ROLES, requireRole, requireSystem } from '../../platform/access';
import { commit, tryCommit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { decrypt, encrypt } from '../../platform/crypto/crypto';
import { assertInBatch } from '../../platform/data/db';
import { AppError, invalidField } from '../../platform/errors/errors';
import { assertWithinLimit } from '../../platform/http/rate-limit';
import { newId } from '../../platform/ids';
import { PASSWORD_LENGTH_MAX } from '../limits';
import { assertGoodPassword, hashPassword, isPasswordOf } from './passwords/hash';
import type { About } from './passwords/rules';
import { RECIPE_TRIES_MAX, recipeFor } from './sign-in/attempts';
import { claimCode, newSecondFactor, openFactor, sealFactor } from './sign-in/second-step';
import { newSession } from './sign-in/session';
import {
  isPasswordStill,
  selectPassword,
  selectPasswordElsewhere,
  sharesRecipe,
  updateHasSecondFactor,
  updatePassword,
} from './sign-in/store-memberships';
import {
  deleteHalfSignInsOf,
  deleteSecondFactorOf,
  deleteSessionsOf,
  insertSecondFactor,
  selectSecondFactor,
} from './sign-in/store-sessions';
import { CODE, toBase32, uriOf } from './sign-in/totp';
import * as store from './store';

interface NewPassword {
  current: string;
  next: string;
  /** The person who gets the password. The password must not contain the person's name or address. */
  about: About;
}

/**
 * Changes the password of the person's membership in this organization. Passwords of other memberships of the same
 * address do not change. Every other session ends, and the current session gets a new token. An open link to reset the
 * password ends, too.
 * @returns the value of the session cookie
 * @throws AppError `wrong_password`, `validation_failed`, `rate_limited`
 */
export async function changePassword(ctx: Context, input: NewPassword): Promise<string> {
  const { memberId } = requireRole(ctx, ROLES);
  assertGoodPassword(input.next, input.about, '/next');
  await assertWithinLimit(ctx.limits.signIn, `member ${memberId}`);
  return retryOnConflict(ctx, () => changeOnce(ctx, input), RECIPE_TRIES_MAX);
}

async function changeOnce(ctx: Context, { current, next, about }: NewPassword): Promise<string> {
  const { orgId, memberId } = requireRole(ctx, ROLES);
  const { own, elsewhere } = await ctx.db.run({
    own: selectPassword(memberId),
    elsewhere: selectPasswordElsewhere(memberId),
  });
  const earlier = own[0]?.password ?? '';
  await assertOwn(current, earlier, '/current');
  const recipe = await recipeFor(ctx, about.email, elsewhere[0]?.password ?? null);
  const password = await hashPassword(next, recipe);
  const session = await newSession(ctx, { orgId, memberId }, undefined);
  const at = ctx.now();
  const batch = {
    unchanged: assertInBatch(isPasswordStill(memberId, earlier)),
    shared: assertInBatch(sharesRecipe(about.email, memberId, recipe)),
    password: updatePassword(memberId, password, at),
    sessions: deleteSessionsOf(memberId),
    halves: deleteHalfSignInsOf(memberId),
    session: session.writes,
    reset: store.deleteResetOf(memberId),
    audit: recordAudit(ctx, { orgId, action: 'member.password_changed', entityId: memberId }),
  };
  await noting(ctx, { orgId, kind: 'password', id: memberId, at }, () => commit(ctx, batch));
  return session.cookie;
}

/** @throws AppError `wrong_password` */
async function assertOwnPassword(ctx: Context, password: string): Promise<void> {
  const { memberId } = requireRole(ctx, ROLES);
  const own = await ctx.db.rows(selectPassword(memberId));
  await assertOwn(password, own[0]?.password ?? '', '/password');
}

/**
 * Checks a password. A text longer than any password is refused as wrong, without hashing it.
 * @throws AppError `wrong_password`
 */
async function assertOwn(password: string, stored: string, pointer: string): Promise<void> {
  const isOwn = password.length <= PASSWORD_LENGTH_MAX && (await isPasswordOf(password, stored));
  if (!isOwn) throw invalidField(pointer, 'wrong_password', 'This is not your password.');
}

/** Ends every session of the person, including the current session. */
export async function signOutEverywhere(ctx: Context): Promise<void> {
  const { orgId, memberId } = requireRole(ctx, ROLES);
  await commit(ctx, {
    sessions: deleteSessionsOf(memberId),
    halves: deleteHalfSignInsOf(memberId),
    audit: recordAudit(ctx, { orgId, action: 'member.signed_out_everywhere', entityId: memberId }),
  });
}

export interface SecondFactorStart {
  /** `otpauth://…`, the content of the QR code. */
  uri: string;
  /** The secret of `uri` in Base32 (RFC 4648 §6), for people who type it in. */
  secret: string;
  /** Codes that can each be used once, instead of a code of the app. They can be shown only now. */
  recoveryCodes: string[];
}

/**
 * Starts to set up a second factor. It takes effect when `confirmSecondFactor` has accepted a code.
 * @throws AppError `wrong_password`; `rate_limited`; `second_factor_on` if the person already has a second factor,
 *   which must be turned off first
 */
export async function startSecondFactor(
  ctx: Context,
  { email, password }: { email: string; password: string },
): Promise<SecondFactorStart> {
  const { memberId } = requireRole(ctx, ROLES);
  await assertWithinLimit(ctx.limits.signIn, `member ${memberId}`);
  await assertOwnPassword(ctx, password);
  const factor = newSecondFactor();
  const row = { id: newId(), memberId, ...(await sealFactor(ctx, memberId, factor)) };
  await commit(ctx, { factor: insertSecondFactor(row) }, { refused: secondFactorOn });
  const { secret, recoveryCodes } = factor;
  return { uri: uriOf(secret, email), secret: toBase32(secret), recoveryCodes };
}

function secondFactorOn(): AppError {
  return new AppError('second_factor_on', 'The second factor is already on. Turn it off first.');
}

/**
 * Turns on the second factor that `startSecondFactor` has set up. The session continues under a new token.
 * @param input.session the session cookie as sent
 * @returns the value of the session cookie; undefined if the second factor was already on
 * @throws AppError `wrong_code`, `rate_limited`
 */
export async function confirmSecondFactor(
  ctx: Context,
  { session, code }: { session: string | undefined; code: string },
): Promise<string | undefined> {
  const { orgId, memberId } = requireRole(ctx, ROLES);
  await assertWithinLimit(ctx.limits.signIn, `member ${memberId}`);
  const [factor] = await ctx.db.rows(selectSecondFactor(memberId));
  const claim = factor && CODE.test(code) ? await claimCode(ctx, factor, code) : null;
  if (!factor || !claim) throw wrongCode();
  if (factor.verified) return undefined;
  const next = await newSession(ctx, { orgId, memberId }, session);
  const at = ctx.now();
  const batch = {
    claim,
    member: updateHasSecondFactor(memberId, true, at),
    session: next.writes,
    audit: recordAudit(ctx, { orgId, action: 'member.second_factor_enabled', entityId: memberId }),
  };
  const committed = await noting(ctx, { orgId, kind: 'second_factor', id: memberId, at, is_on: true }, () =>
    tryCommit(ctx, batch),
  );
  if (!committed) throw wrongCode();
  return next.cookie;
}

/**
 * Returns the write that uses up a code of the person's second factor. Add it to the batch of the command that needs
 * the code.
 * @throws AppError `wrong_code`, also if the person has no second factor; `rate_limited`
 */
export async function claimOwnCode(ctx: Context, code: string) {
  const { memberId } = requireRole(ctx, ROLES);
  await assertWithinLimit(ctx.limits.signIn, `member ${memberId}`);
  const [factor] = await ctx.db.rows(selectSecondFactor(memberId));
  const claim = factor?.verified && CODE.test(code) ? await claimCode(ctx, factor, code) : null;
  if (!claim) throw wrongCode();
  return claim;
}

export function wrongCode(): AppError {
  return invalidField('/code', 'wrong_code', 'This code is wrong or too old.');
}

/**
 * Turns the second factor off. The session continues under a new token.
 * @param input.session the session cookie as sent
 * @returns the value of the session cookie
 * @throws AppError `wrong_password`, `rate_limited`
 */
export async function disableSecondFactor(
  ctx: Context,
  { session, password }: { session: string | undefined; password: string },
): Promise<string> {
  const { orgId, memberId } = requireRole(ctx, ROLES);
  await assertWithinLimit(ctx.limits.signIn, `member ${memberId}`);
  await assertOwnPassword(ctx, password);
  const next = await newSession(ctx, { orgId, memberId }, session);
  const at = ctx.now();
  const batch = {
    member: updateHasSecondFactor(memberId, false, at),
    factor: deleteSecondFactorOf(memberId),
    session: next.writes,
    audit: recordAudit(ctx, { orgId, action: 'member.second_factor_disabled', entityId: memberId }),
  };
  await noting(ctx, { orgId, kind: 'second_factor', id: memberId, at, is_on: false }, () => commit(ctx, batch));
  return next.cookie;
}

interface NewPageData {
  /** The id by which the next page finds the data. The page's address contains the id, so it must not be guessable. */
  id: string;
  memberId: string;
  /** Any JSON value. */
  data: unknown;
  /** Epoch ms. */
  expiresAt: number;
}

/**
 * Stores data for the page to which a response redirects. The data is encrypted, can be read only for the member
 * `memberId`, and expires.
 */
export async function leavePageData(ctx: Context, { id, memberId, data, expiresAt }: NewPageData): Promise<void> {
  const sealed = await encrypt(ctx.config.roots, 'page data', JSON.stringify(data), contextOf(id, memberId));
  await ctx.db.run({
    expired: store.deleteExpiredPageData(ctx.now()),
    row: store.putPageData({ id, memberId, sealed, expiresAt }),
  });
}

/**
 * Returns the data that were stored for the current person; undefined if there are none. Can be called any number of
 * times until the data expire.
 */
export function readPageData(ctx: Context, id: string): Promise<unknown> {
  return open(ctx, id, store.selectPageData);
}

/** Like `readPageData`, but deletes the data. If the response is lost, the data are lost too. */
export function takePageDataOnce(ctx: Context, id: string): Promise<unknown> {
  return open(ctx, id, store.takePageData);
}

/** Deletes expired page data of this database. */
export async function sweepPageData(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ expired: store.deleteExpiredPageData(ctx.now()) });
}

async function open(
  ctx: Context,
  id: string,
  find: typeof store.selectPageData | typeof store.takePageData,
): Promise<unknown> {
  if (ctx.actor.kind !== 'staff') throw new Error('only people look at pages');
  const { memberId } = ctx.actor;
  const [row] = await ctx.db.rows(find({ id, memberId, now: ctx.now() }));
  if (!row) return undefined;
  return JSON.parse(await decrypt(ctx.config.roots, 'page data', row.sealed, contextOf(id, memberId)));
}

/** Returns the context to which the ciphertext is bound, so that a ciphertext in another row cannot be decrypted. */
function contextOf(id: string, memberId: string): string {
  return `page data ${id} of ${memberId}`;
}

/** The most second factors that one call rewrites. */
const PAGE = 500;

/**
 * Encrypts second factors of this database anew under the current root secret. One call handles at most `PAGE` second
 * factors that are encrypted under the old root secret `rootId`.
 */
export async function rewriteSecondFactors(ctx: Context, rootId: string): Promise<void> {
  requireSystem(ctx);
  const page = await ctx.db.rows(store.selectSecondFactorsUnder(rootId, PAGE));
  const anew = page.map(async (stored) => {
    const factor = await openFactor(ctx, stored.memberId, stored);
    // The result is a list: if an async function returned the statement itself, `await` would run it.
    return [store.updateSealed(stored, await sealFactor(ctx, stored.memberId, factor))];
  });
  // A second factor that cannot be decrypted stays as it is; /readyz counts it.
  await ctx.db.batch((await Promise.allSettled(anew)).flatMap((each) => ('value' in each ? each.value : [])));
}
