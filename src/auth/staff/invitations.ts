import { noteDone, noting } from '../../audit/journal';
import { recordAudit } from '../../audit/record';
import { requireOwnerOrOperator } from '../../platform/access';
import { commit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { assertInBatch } from '../../platform/data/db';
import { AppError, notFound } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { HOUR_MS } from '../../platform/time';
import { INVITATION_DAYS, RESET_HOURS } from '../limits';
import { assertGoodPassword, hashPassword, recipeOf } from './passwords/hash';
import { type Caller, recipeFor } from './sign-in/attempts';
import { findLink, newLink, usingLink } from './sign-in/links';
import { newSession, recordOwn, type SignedIn, signedIn } from './sign-in/session';
import { insertPassword, sharesRecipe, updateHasSecondFactor, updatePassword } from './sign-in/store-memberships';
import { deleteHalfSignInsOf, deleteSecondFactorOf, deleteSessionsOf } from './sign-in/store-sessions';
import * as store from './store';

export type OpenInvitation = Awaited<ReturnType<typeof getInvitation>>;

/**
 * Returns the invitation to which a link leads. Anybody who has the link may read it.
 * @throws AppError `invitation_not_found`; the same error for a link that is wrong, used, withdrawn or expired
 */
export async function getInvitation(ctx: Context, token: string) {
  const { passwordElsewhere: _, ...open } = (await readInvitation(ctx, token)).invitation;
  return open;
}

async function readInvitation(ctx: Context, token: string) {
  const link = await findLink(ctx, 'invitation', token);
  const found = link && (await link.ctx.db.run({ invitation: store.selectInvitation(link.hashes, ctx.now()) }));
  const [invitation] = found?.invitation ?? [];
  if (!link || !invitation) throw invitationNotOpen();
  return { ...link, invitation };
}

interface Acceptance {
  token: string;
  name: string;
  password: string;
  caller: Caller;
}

/**
 * Makes the invited person a member and signs them in, in one batch. An earlier session of the browser ends. When two
 * requests use the same link, one of them is refused. Other memberships of the address do not change: this membership
 * has its own password.
 * @throws AppError `invitation_not_found`, `validation_failed`, `rate_limited`
 */
export function acceptInvitation(ctx: Context, input: Acceptance): Promise<SignedIn> {
  return usingLink(ctx, input.caller, invitationNotOpen, () => acceptOnce(ctx, input));
}

async function acceptOnce(globalCtx: Context, { token, name, password, caller }: Acceptance): Promise<SignedIn> {
  const { ctx, hashes, invitation } = await readInvitation(globalCtx, token);
  const { memberId, orgId, email, organizationName } = invitation;
  assertGoodPassword(password, { email, name, organizationName });
  const stored = await hashPassword(password, await recipeFor(ctx, email, invitation.passwordElsewhere));
  const session = await newSession(ctx, { orgId, memberId }, caller.session);
  const now = ctx.now();
  await commit(ctx, {
    member: store.acceptInvitationRow(hashes, name, now),
    shared: assertInBatch(sharesRecipe(email, memberId, recipeOf(stored) ?? '')),
    password: insertPassword({ id: newId(), memberId, password: stored, now }),
    session: session.writes,
    accepted: recordOwn(ctx, invitation, { action: 'member.accepted' }),
    signedIn: recordOwn(ctx, invitation, { action: 'member.signed_in', reasonCode: 'invitation' }),
  });
  return signedIn(ctx, session, { orgId, memberId, email }, caller);
}

function invitationNotOpen(): AppError {
  return notFound(
    'invitation_not_found',
    `This invitation was already used, revoked, or is older than ${INVITATION_DAYS} days.`,
  );
}

/**
 * Creates a link with which a member sets a new password. It works once, for a day, and replaces an earlier link.
 * Nothing else changes until the link is used. Nobody may create a link for themselves: a stranger at their unlocked
 * computer could otherwise set a new password without knowing the old one (`changePassword`).
 * @param input.endsSecondFactor whether using the link also removes the second factor, for a person who lost the device
 * @returns the person's e-mail address, and the link. The link can be shown only now, because only its hash is stored
 * @throws AppError `member_not_found`, `own_reset`
 */
export async function issueReset(
  ctx: Context,
  input: { orgId: string; memberId: string; endsSecondFactor: boolean },
): Promise<{ resetUrl: string; email: string }> {
  requireOwnerOrOperator(ctx, input.orgId);
  const { orgId, memberId, endsSecondFactor } = input;
  if (ctx.actor.kind === 'staff' && ctx.actor.memberId === memberId) {
    throw new AppError('own_reset', 'Change your own password with the one you have, or ask another owner.');
  }
  const { token, hash } = await newLink(ctx, 'password reset', orgId);
  const expiresAt = ctx.now() + RESET_HOURS * HOUR_MS;
  const fields = fieldsOf(endsSecondFactor);
  const batch = {
    reset: store.insertReset({ orgId, memberId, hash, endsSecondFactor, expiresAt }),
    audit: recordAudit(ctx, { orgId, action: 'member.reset_issued', entityId: memberId, fields }),
    member: store.selectMember(orgId, memberId),
  };
  const { member } = await commit(ctx, batch, { refused: () => notFound('member_not_found') });
  return { resetUrl: `${ctx.config.baseUrl}/manage/reset/${token}`, email: member[0]?.email ?? '' };
}

/** Like `issueReset`, for the operator, who identifies people by e-mail address. @throws AppError `member_not_found` */
export async function issueResetByEmail(
  ctx: Context,
  { email, ...input }: { orgId: string; email: string; endsSecondFactor: boolean },
): Promise<{ resetUrl: string }> {
  requireOwnerOrOperator(ctx, input.orgId);
  const member = await ctx.db.rows(store.selectMemberByEmail(input.orgId, email.toLowerCase()));
  if (!member[0]) throw notFound('member_not_found');
  return issueReset(ctx, { ...input, memberId: member[0].id });
}

export type OpenReset = Awaited<ReturnType<typeof getReset>>;

/**
 * Returns the person who may set a new password by this link. Anybody who has the link may read this.
 * @throws AppError `reset_not_found`; the same error for a link that is wrong, used, replaced or expired, or whose
 *   person was revoked
 */
export async function getReset(ctx: Context, token: string) {
  const { passwordElsewhere: _, ...open } = (await readReset(ctx, token)).reset;
  return open;
}

async function readReset(ctx: Context, token: string) {
  const link = await findLink(ctx, 'password reset', token);
  const found = link && (await link.ctx.db.run({ reset: store.selectReset(link.hashes, ctx.now()) }));
  const [reset] = found?.reset ?? [];
  if (!link || !reset) throw resetNotOpen();
  return { ...link, reset };
}

/**
 * Sets the new password and ends every session. It does not sign the person in, so a second factor that remains is
 * still required. When two requests use the same link, one of them is refused.
 * @throws AppError `reset_not_found`, `validation_failed`, `rate_limited`
 */
export function useReset(ctx: Context, input: UsedReset): Promise<void> {
  return usingLink(ctx, input.caller, resetNotOpen, () => useOnce(ctx, input));
}

interface UsedReset {
  token: string;
  password: string;
  caller: Caller;
}

async function useOnce(globalCtx: Context, input: UsedReset): Promise<void> {
  const { ctx, hashes, reset } = await readReset(globalCtx, input.token);
  const { memberId, orgId, email, endsSecondFactor, organizationName } = reset;
  assertGoodPassword(input.password, { email, name: reset.name ?? '', organizationName });
  const password = await hashPassword(input.password, await recipeFor(ctx, email, reset.passwordElsewhere));
  const [now, fields] = [ctx.now(), fieldsOf(endsSecondFactor)];
  const batch = {
    reset: store.useResetRow(hashes, now),
    shared: assertInBatch(sharesRecipe(email, memberId, recipeOf(password) ?? '')),
    password: updatePassword(memberId, password, now),
    sessions: deleteSessionsOf(memberId),
    halves: deleteHalfSignInsOf(memberId),
    secondFactor: endsSecondFactor ? deleteSecondFactorOf(memberId) : undefined,
    member: endsSecondFactor ? updateHasSecondFactor(memberId, false, now) : undefined,
    audit: recordOwn(ctx, reset, { action: 'member.reset_used', fields }),
  };
  const note = { orgId, id: memberId, at: now };
  await noting(ctx, { ...note, kind: 'password' }, () => commit(ctx, batch));
  if (endsSecondFactor) await noteDone(ctx, { ...note, kind: 'second_factor', is_on: false });
}

function fieldsOf(endsSecondFactor: boolean): string[] {
  return endsSecondFactor ? ['password', 'second_factor'] : ['password'];
}

function resetNotOpen(): AppError {
  return notFound('reset_not_found', `This link was already used, replaced, or is older than ${RESET_HOURS} hours.`);
}
