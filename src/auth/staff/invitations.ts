import { type AuditAction, recordAudit } from '../../audit/record';
import type { Role } from '../../platform/access';
import type { BatchEntry } from '../../platform/commit';
import { actingAs, type Context } from '../../platform/context';
import { assertInBatch } from '../../platform/db';
import { type AppError, notFound } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { INVITATION_DAYS } from '../limits';
import { assertGoodPassword } from './account';
import type { Caller } from './attempts';
import { deviceWith } from './device';
import { findLink, usingLink } from './links';
import { hashPassword, recipeOf } from './password';
import { recipeFor, signInKeyOf } from './people';
import { replaceSession } from './session';
import type { SignedIn } from './sign-in';
import { acceptInvitationRow, insertPassword, selectInvitation } from './store-members';
import { sharesRecipe } from './store-memberships';

export interface OpenInvitation {
  memberId: string;
  orgId: string;
  email: string;
  role: Role;
  organizationName: string;
}

/**
 * The invitation of a link. Anybody who has the link may read it.
 * @throws AppError `invitation_not_found`, the same for a link that is wrong, used, withdrawn or expired
 */
export async function getInvitation(ctx: Context, token: string): Promise<OpenInvitation> {
  const { id, orgId, email, role, organizationName } = (await readInvitation(ctx, token)).invitation;
  return { memberId: id, orgId, email, role, organizationName };
}

async function readInvitation(ctx: Context, token: string) {
  const link = await findLink(ctx, 'invitation', token);
  if (!link) throw notOpen();
  const { db } = link.ctx;
  const { invitation } = await db.run({ invitation: selectInvitation(link.hashes, ctx.now()) });
  const [row] = invitation;
  if (!row) throw notOpen();
  return { ...link, invitation: row };
}

export interface Acceptance {
  headers: Headers;
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

async function acceptOnce(anywhere: Context, input: Acceptance): Promise<SignedIn> {
  const { headers, token, name, password, caller } = input;
  const { ctx, hashes, invitation } = await readInvitation(anywhere, token);
  const { id, email, organizationName } = invitation;
  assertGoodPassword(password, { email, name, organizationName });
  const stored = await hashPassword(password, await recipeFor(ctx, email, invitation.passwordElsewhere));
  const answer = await replaceSession(
    ctx,
    headers,
    (api) => api.signInEmail({ headers, body: { email: signInKeyOf(id), password: '' }, returnHeaders: true }),
    {
      person: asPerson(invitation, name, stored),
      proven: stored,
      withSession: async () => acceptance(ctx, { hashes, name, stored, invitation }),
    },
  );
  const device = await deviceWith(ctx, caller.device, email);
  return { cookies: answer.headers.getSetCookie(), device, person: { orgId: invitation.orgId, memberId: id } };
}

type InvitationRow = Awaited<ReturnType<typeof readInvitation>>['invitation'];

/** The values that make an invited person a member. */
function acceptance(
  ctx: Context,
  { hashes, name, stored, invitation }: { hashes: string[]; name: string; stored: string; invitation: InvitationRow },
): BatchEntry[] {
  const { id: memberId, orgId, email, role } = invitation;
  const now = ctx.now();
  const acting = actingAs(ctx, { kind: 'staff', memberId, orgId, role });
  const record = (action: AuditAction, reasonCode?: string) =>
    recordAudit(acting, { orgId, action, entityId: memberId, reasonCode });
  return [
    acceptInvitationRow(hashes, name, now),
    assertInBatch(sharesRecipe(email, memberId, recipeOf(stored) ?? '')),
    insertPassword({ id: newId(), memberId, password: stored, now }),
    record('member.accepted'),
    record('member.signed_in', 'invitation'),
  ];
}

/** The row as it will be after the batch; better-auth creates the session in that same batch. */
function asPerson(
  { id, orgId, email, role, organizationName, invitedAt }: InvitationRow,
  name: string,
  stored: string,
) {
  return {
    ...{ id, orgId, email, role, organizationName, invitedAt, name, twoFactorEnabled: false },
    account: [{ id, userId: id, accountId: id, providerId: 'credential', password: stored }],
  };
}

function notOpen(): AppError {
  return notFound(
    'invitation_not_found',
    `This invitation was already used, revoked, or is older than ${INVITATION_DAYS} days.`,
  );
}
