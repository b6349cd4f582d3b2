import { Hono } from 'hono';
import * as z from 'zod';
import { issueReset } from '../../auth/staff/invitations';
import { changeRole, inviteMember, listMembers, type Member, revokeMember } from '../../auth/staff/members';
import { ROLES, type Role } from '../../platform/access';
import { notFound } from '../../platform/errors/errors';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once, showOnce, takeMade } from '../http/once';
import { MEMBERS } from '../http/paths';
import { signedIn } from '../http/session';
import { ConfirmPage, respondConfirm } from '../ui/confirm';
import { Button, Fault, Field, Form, Hidden, Options, RadioGroup, ShownBefore, ShownOnce, Submit } from '../ui/fields';
import { formatDate } from '../ui/format';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { ButtonLink, breakableAddress, labelFor, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import { type FieldErrors, hasFieldErrors, respondForm, tryForm, useView } from '../ui/view';
import { messages } from './messages';

const EMAIL = z.email().max(254);

/** Routes of members. They are for owners only: the use cases refuse all other roles. */
export const memberRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => respondMembers(c, { link: await takeMade<MadeLink>(c) }))
  .post('/', once(MEMBERS, inviteOne))
  .post('/:id/role', async (c) => {
    const { form, ctx } = c.var;
    const memberId = c.req.param('id');
    const role = roleOf(form.text('role'));
    const field = `role-${memberId}`;
    if (!role) return respondMembers(c, { fieldErrors: { [field]: sharedMessages(c.var).fieldErrors.role } });
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
  const memberId = c.req.param('id') ?? '';
  const lost = RESETS.find((each) => each === form.text('lost'));
  if (!lost) return respondReset(c, await memberOf(c, memberId), { lost: sharedMessages(c.var).fieldErrors.lost });
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
  return respondForm(c, <ResetPage member={member} fieldErrors={fieldErrors} />, fieldErrors);
}

async function respondMembers(c: ManageContext, state: MembersState = {}): Promise<Response> {
  const members = await listMembers(c.var.ctx);
  return respondForm(c, <MembersPage {...{ members, state }} />, state.fieldErrors, MEMBERS);
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

interface MembersState {
  /** Typed values of a refused invitation. */
  email?: string;
  role?: Role;
  fieldErrors?: FieldErrors;
  /** The link that was just created, which is shown once; `'gone'` if it was shown already. */
  link?: MadeLink | 'gone';
}

/** The link of an invitation or of a password reset. */
interface MadeLink {
  email: string;
  url: string;
  isReset?: boolean;
}

function MembersPage({ members, state }: { members: Member[]; state: MembersState }) {
  const t = messages();
  const { common, nav } = sharedMessages();
  const { fieldErrors = {}, link } = state;
  return (
    <Page title={nav.members} fieldErrors={fieldErrors} acts={<ButtonLink path="#invite" label={t.inviteTitle} />}>
      {link === 'gone' && <ShownBefore />}
      {typeof link === 'object' && <LinkPanel link={link} />}
      <Table
        rows={members}
        columns={[
          {
            label: t.person,
            kind: 'name',
            cell: (member) => <Person member={member} />,
          },
          {
            label: common.role,
            // The cell shows no label: screen readers read the select's own label, and the select needs the space.
            kind: 'name',
            cell: (member) => <RoleForm member={member} fault={fieldErrors[`role-${member.id}`]} />,
          },
          { label: t.state, cell: (member) => <Access member={member} /> },
          {
            label: common.actions,
            kind: 'actions',
            cell: (member) => <Actions member={member} />,
          },
        ]}
      />
      <Panel title={t.inviteTitle} id="invite" isWide>
        <Form action={MEMBERS} once>
          <Field name="email" type="email" label={common.email} form={state} />
          <RadioGroup name="role" label={common.role} options={roleOptions()} form={state} />
          <Submit>{t.invite}</Submit>
        </Form>
      </Panel>
    </Page>
  );
}

function LinkPanel({ link }: { link: MadeLink }) {
  const t = messages();
  const { linkTitle, linkHint } = link.isReset ? t.resets : t;
  return (
    <section class="panel wide">
      <ShownOnce id="made-link" label={linkTitle(link.email)} value={link.url} />
      <p class="hint">{linkHint}</p>
    </section>
  );
}

interface MemberProps {
  member: Member;
}

function personOf({ name, email }: Member): string {
  return name ?? email;
}

function isSelf({ id }: Member): boolean {
  return id === useView().session?.actor.memberId;
}

function Person({ member }: MemberProps) {
  return (
    <>
      <strong dir="auto">{breakableAddress(personOf(member))}</strong>{' '}
      {isSelf(member) && <span class="quiet">({messages().you})</span>}
      {member.name && <small>{breakableAddress(member.email)}</small>}
    </>
  );
}

function Access({ member }: MemberProps) {
  const t = messages();
  const openReset = member.resetExpiresAt ?? 0;
  return (
    <>
      <AccessChip member={member} />
      {member.hasSecondFactor && <small>{t.factorOn}</small>}
      {openReset > useView().now && <small>{t.resets.openUntil(formatDate(openReset))}</small>}
    </>
  );
}

function Actions({ member }: MemberProps) {
  const t = messages();
  const { common } = sharedMessages();
  const isInvited = member.acceptedAt === null;
  const path = `${MEMBERS}/${member.id}`;
  return (
    <>
      {isInvited && (
        <Form action={MEMBERS} once>
          <Hidden name="email" value={member.email} />
          <Hidden name="role" value={member.role} />
          <Button tone="plain" label={t.newLink} />
        </Form>
      )}
      {!isInvited && !isSelf(member) && member.hasPassword === 1 && (
        <a href={`${path}/reset`}>{labelFor(common.newPassword, personOf(member))}</a>
      )}{' '}
      {!isSelf(member) && (
        <a href={`${path}/revoke`}>{labelFor(isInvited ? t.withdraw : common.revoke, personOf(member))}</a>
      )}
    </>
  );
}

function RoleForm({ member, fault }: MemberProps & { fault?: string }) {
  const t = messages();
  const id = `role-${member.id}`;
  return (
    <Form action={`${MEMBERS}/${member.id}/role`} class="inline role-form">
      <select
        id={id}
        name="role"
        aria-label={t.roleOf(personOf(member))}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={fault && `${id}-fault`}
      >
        <Options options={roleOptions().toReversed()} value={member.role} />
      </select>
      <button type="submit">{t.changeRole}</button>
      <Fault name={id} text={fault} />
    </Form>
  );
}

function AccessChip({ member }: MemberProps) {
  const t = messages();
  if (member.acceptedAt !== null) return <Chip tone="good">{sharedMessages().common.active}</Chip>;
  const expiresAt = member.invitationExpiresAt ?? 0;
  if (expiresAt <= useView().now) return <Chip tone="bad">{t.expired}</Chip>;
  return <Chip tone="wait">{t.invitedUntil(formatDate(expiresAt))}</Chip>;
}

function roleOptions() {
  const { roles } = sharedMessages();
  const t = messages();
  return ROLES.toReversed().map((role) => ({ value: role, label: roles[role], hint: t.roleHints[role] }));
}

/** The choices for what a link resets: the password, or the password and the second factor if the member has one. */
const RESETS = ['password', 'both'] as const;

/** The page that asks the owner what the member has lost. It reminds the owner to verify who asks for the reset. */
function ResetPage({ member, fieldErrors }: { member: Member; fieldErrors?: FieldErrors }) {
  const { resets: t } = messages();
  const options = [
    { value: RESETS[0], label: t.password, hint: t.passwordHint },
    { value: RESETS[1], label: t.both, hint: t.bothHint },
  ];
  return (
    <ConfirmPage
      title={t.title(member.name ?? member.email)}
      fieldErrors={fieldErrors}
      about={<strong>{t.identity}</strong>}
      lead={t.lead}
      action={`${MEMBERS}/${member.id}/reset`}
      act={t.submit}
      back={MEMBERS}
      isHarmless
      once
    >
      {member.hasSecondFactor ? (
        <RadioGroup name="lost" label={t.what} options={options} form={{ lost: RESETS[0], fieldErrors }} />
      ) : (
        <Hidden name="lost" value={RESETS[0]} />
      )}
    </ConfirmPage>
  );
}
