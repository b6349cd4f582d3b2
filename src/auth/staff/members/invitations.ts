import { commit } from '../../../platform/commit';
import type { Context } from '../../../platform/context';
import { assertInBatch } from '../../../platform/data/db';
import { type AppError, notFound } from '../../../platform/errors';
import { newId } from '../../../platform/ids';
import { INVITATION_DAYS } from '../../limits';
import { hashPassword, recipeOf } from '../passwords/hash';
import { assertGoodPassword } from '../passwords/new-password';
import type { Caller } from '../sign-in/attempts';
import { findLink, usingLink } from '../sign-in/links';
import { recipeFor } from '../sign-in/people';
import { newSession, recordOwn, type SignedIn, signedIn } from '../sign-in/session';
import { insertPassword, sharesRecipe } from '../sign-in/store-memberships';
import { acceptInvitationRow, selectInvitation } from './store-members';

export type OpenInvitation = Awaited<ReturnType<typeof getInvitation>>;

/**
 * The invitation of a link. Anybody who has the link may read it.
 * @throws AppError `invitation_not_found`, the same for a link that is wrong, used, withdrawn or expired
 */
export async function getInvitation(ctx: Context, token: string) {
  const { passwordElsewhere: _, ...open } = (await readInvitation(ctx, token)).invitation;
  return open;
}

async function readInvitation(ctx: Context, token: string) {
  const link = await findLink(ctx, 'invitation', token);
  const found = link && (await link.ctx.db.run({ invitation: selectInvitation(link.hashes, ctx.now()) }));
  const [invitation] = found?.invitation ?? [];
  if (!link || !invitation) throw notOpen();
  return { ...link, invitation };
}

export interface Acceptance {
  token: string;
  name: string;
  password: string;
  caller: Caller;
}

/**
 * Makes the invited person a member and signs them in, in one batch; an earlier session of the browser ends. When two
 * requests use the same link, one of them is refused. Other memberships of the address are neither read nor changed:
 * this membership has its own password.
 * @throws AppError `invitation_not_found`, `validation_failed`, `rate_limited`
 */
export function acceptInvitation(ctx: Context, input: Acceptance): Promise<SignedIn> {
  return usingLink(ctx, input.caller, notOpen, () => acceptOnce(ctx, input));
}

async function acceptOnce(globalCtx: Context, { token, name, password, caller }: Acceptance): Promise<SignedIn> {
  const { ctx, hashes, invitation } = await readInvitation(globalCtx, token);
  const { memberId, orgId, email, organizationName } = invitation;
  assertGoodPassword(password, { email, name, organizationName });
  const stored = await hashPassword(password, await recipeFor(ctx, email, invitation.passwordElsewhere));
  const session = await newSession(ctx, { orgId, memberId }, caller.session);
  const now = ctx.now();
  await commit(ctx, {
    member: acceptInvitationRow(hashes, name, now),
    shared: assertInBatch(sharesRecipe(email, memberId, recipeOf(stored) ?? '')),
    password: insertPassword({ id: newId(), memberId, password: stored, now }),
    session: session.writes,
    accepted: recordOwn(ctx, invitation, { action: 'member.accepted' }),
    signedIn: recordOwn(ctx, invitation, { action: 'member.signed_in', reasonCode: 'invitation' }),
  });
  return signedIn(ctx, session, { orgId, memberId, email }, caller);
}

function notOpen(): AppError {
  return notFound(
    'invitation_not_found',
    `This invitation was already used, revoked, or is older than ${INVITATION_DAYS} days.`,
  );
}
