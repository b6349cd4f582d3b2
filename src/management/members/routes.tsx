import { Hono } from 'hono';
import * as z from 'zod';
import { changeRole, inviteMember, issueReset, listMembers, type Member, revokeMember } from '../../auth/staff/service';
import { ROLES, type Role } from '../../platform/access';
import { notFound } from '../../platform/errors';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once, showOnce, takeMade } from '../http/once';
import { MEMBERS } from '../http/paths';
import { signedIn } from '../http/session';
import { respondConfirm } from '../ui/confirm';
import { type FieldErrors, hasFieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondForm, viewOf } from '../ui/view';
import { type MadeLink, MembersPage, type MembersState } from './list-page';
import { messages } from './messages';
import { RESETS, ResetPage } from './reset-page';

const EMAIL = z.email().max(254);

/** For owners only: the use cases refuse everybody else. */
export const memberRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => respondMembers(c, { link: await takeMade<MadeLink>(c) }))
  .post('/', once(MEMBERS, inviteOne))
  .post('/:id/role', async (c) => {
    const { form, ctx } = c.var;
    const { fieldErrors: t } = sharedMessages(c.var);
    const memberId = c.req.param('id');
    const role = roleOf(form.text('role'));
    const field = `role-${memberId}`;
    if (!role) return respondMembers(c, { fieldErrors: { [field]: t.role } });
    const result = await tryForm(c.var, { last_owner: field }, () => changeRole(ctx, { memberId, role }));
    if (result.fieldErrors) return respondMembers(c, { fieldErrors: result.fieldErrors });
    return redirectWithFlash(c, 'role_changed', MEMBERS);
  })
  .get('/:id/reset', async (c) => respondReset(c, await memberOf(c, c.req.param('id'))))
  .post('/:id/reset', once(MEMBERS, resetOne))
  .get('/:id/revoke', async (c) => respondRevoke(c, await memberOf(c, c.req.param('id'))))
  .post('/:id/revoke', async (c) => {
    const memberId = c.req.param('id');
    const field = `role-${memberId}`;
    const result = await tryForm(c.var, { last_owner: field }, () => revokeMember(c.var.ctx, memberId));
    if (result.fieldErrors) return respondMembers(c, { fieldErrors: result.fieldErrors });
    return redirectWithFlash(c, 'member_revoked', MEMBERS);
  });

async function inviteOne(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const { fieldErrors: t } = sharedMessages(c.var);
  const [email, role] = [form.text('email').toLowerCase(), roleOf(form.text('role'))];
  const fieldErrors: FieldErrors = {
    ...(!EMAIL.safeParse(email).success && { email: t.email }),
    ...(!role && { role: t.role }),
  };
  if (hasFieldErrors(fieldErrors) || !role) return respondMembers(c, { email, role, fieldErrors });
  const { orgId } = signedIn(c).actor;
  const refusals = { member_exists: 'email', member_limit_reached: 'email' };
  const result = await tryForm(c.var, refusals, () => inviteMember(ctx, { orgId, email, role }));
  if (result.fieldErrors) return respondMembers(c, { email, role, fieldErrors: result.fieldErrors });
  return showOnce(c, MEMBERS, { email, url: result.value.invitationUrl } satisfies MadeLink);
}

async function resetOne(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const { fieldErrors: t } = sharedMessages(c.var);
  const memberId = c.req.param('id') ?? '';
  const lost = RESETS.find((each) => each === form.text('lost'));
  if (!lost) return respondReset(c, await memberOf(c, memberId), { lost: t.lost });
  const { orgId } = signedIn(c).actor;
  const { resetUrl, email } = await issueReset(ctx, { orgId, memberId, endsSecondFactor: lost === 'both' });
  return showOnce(c, MEMBERS, { email, url: resetUrl, isReset: true } satisfies MadeLink);
}

async function memberOf(c: ManageContext, id: string): Promise<Member> {
  const members = await listMembers(c.var.ctx);
  const member = members.find((each) => each.id === id);
  if (!member) throw notFound();
  return member;
}

async function respondReset(c: ManageContext, member: Member, fieldErrors?: FieldErrors): Promise<Response> {
  const isTheirs = member.acceptedAt !== null && member.id !== signedIn(c).actor.memberId;
  if (!isTheirs) throw notFound();
  const view = await viewOf(c);
  return respondForm(c, <ResetPage view={view} member={member} fieldErrors={fieldErrors} />, fieldErrors);
}

async function respondMembers(c: ManageContext, state: MembersState = {}): Promise<Response> {
  const members = await listMembers(c.var.ctx);
  const view = await viewOf(c, MEMBERS);
  return respondForm(c, <MembersPage {...{ view, members, state }} />, state.fieldErrors);
}

function respondRevoke(c: ManageContext, member: Member): Promise<Response> {
  const t = messages(c.var);
  const isInvited = member.acceptedAt === null;
  const person = member.name ?? member.email;
  return respondConfirm(c, {
    title: isInvited ? t.withdrawTitle(person) : t.revokeTitle(person),
    lead: isInvited ? t.withdrawLead : t.revokeLead,
    action: `${MEMBERS}/${member.id}/revoke`,
    act: isInvited ? t.withdraw : sharedMessages(c.var).common.revoke,
    back: MEMBERS,
  });
}

function roleOf(text: string): Role | undefined {
  return ROLES.find((role) => role === text);
}
