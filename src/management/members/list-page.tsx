import type { Member } from '../../auth/staff/service';
import { ROLES, type Role } from '../../platform/access';
import { MEMBERS } from '../http/paths';
import { Fault, Field, Form, Options, RadioGroup, ShownBefore, ShownOnce, Submit } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { formatDate } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { labelFor, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { messages } from './messages';

export interface MembersState {
  /** Typed values of a refused invitation. */
  email?: string;
  role?: Role;
  fieldErrors?: FieldErrors;
  /** The link that was just created; shown once. */
  link?: MadeLink | 'gone';
}

/** The link of an invitation or of a password reset. */
export interface MadeLink {
  email: string;
  url: string;
  isReset?: boolean;
}

interface MembersProps {
  view: View;
  members: Member[];
  state: MembersState;
}

export function MembersPage({ view, members, state }: MembersProps) {
  const t = messages(view);
  const { common, nav } = sharedMessages(view);
  const { fieldErrors = {}, link } = state;
  return (
    <Page view={view} title={nav.members} fieldErrors={fieldErrors}>
      {link === 'gone' && <ShownBefore view={view} />}
      {typeof link === 'object' && <LinkPanel view={view} link={link} />}
      <div class="two-columns for-table">
        <Table
          rows={members}
          columns={[
            {
              label: t.person,
              kind: 'name',
              cell: (member) => <Person view={view} member={member} />,
            },
            {
              label: common.role,
              // The select says it to screen readers, and needs the room.
              kind: 'name',
              cell: (member) => <RoleForm view={view} member={member} fault={fieldErrors[`role-${member.id}`]} />,
            },
            { label: t.state, cell: (member) => <Access view={view} member={member} /> },
            {
              label: common.actions,
              kind: 'actions',
              cell: (member) => <Actions view={view} member={member} />,
            },
          ]}
        />
        <aside>
          <Panel title={t.inviteTitle}>
            <Form view={view} action={MEMBERS} once>
              <Field name="email" type="email" label={common.email} form={state} />
              <RadioGroup name="role" label={common.role} options={roleOptions(view)} form={state} />
              <Submit>{t.invite}</Submit>
            </Form>
          </Panel>
        </aside>
      </div>
    </Page>
  );
}

function LinkPanel({ view, link }: { view: View; link: MadeLink }) {
  const t = messages(view);
  const { linkTitle, linkHint } = link.isReset ? t.resets : t;
  return (
    <section class="panel wide">
      <ShownOnce view={view} id="made-link" label={linkTitle(link.email)} value={link.url} />
      <p class="hint">{linkHint}</p>
    </section>
  );
}

interface MemberProps {
  view: View;
  member: Member;
}

function personOf({ name, email }: Member): string {
  return name ?? email;
}

function isSelf({ session }: View, { id }: Member): boolean {
  return id === session?.actor.memberId;
}

function Person({ view, member }: MemberProps) {
  return (
    <>
      <strong>
        <bdi>{personOf(member)}</bdi>
      </strong>{' '}
      {isSelf(view, member) && <span class="quiet">({messages(view).you})</span>}
      {member.name && <small>{member.email}</small>}
    </>
  );
}

function Access({ view, member }: MemberProps) {
  const t = messages(view);
  const openReset = member.resetExpiresAt ?? 0;
  return (
    <>
      <AccessChip view={view} member={member} />
      {member.hasSecondFactor && <small>{t.factorOn}</small>}
      {openReset > view.now && <small>{t.resets.openUntil(formatDate(view.language, openReset))}</small>}
    </>
  );
}

function Actions({ view, member }: MemberProps) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  const isInvited = member.acceptedAt === null;
  const path = `${MEMBERS}/${member.id}`;
  return (
    <>
      {isInvited && (
        <Form view={view} action={MEMBERS} once>
          <Hidden name="email" value={member.email} />
          <Hidden name="role" value={member.role} />
          <button class="plain" type="submit">
            {t.newLink}
          </button>
        </Form>
      )}
      {!isInvited && !isSelf(view, member) && member.hasPassword === 1 && (
        <a href={`${path}/reset`}>{labelFor(common.newPassword, personOf(member))}</a>
      )}{' '}
      <a href={`${path}/revoke`}>{labelFor(isInvited ? t.withdraw : common.revoke, personOf(member))}</a>
    </>
  );
}

function RoleForm({ view, member, fault }: MemberProps & { fault?: string }) {
  const t = messages(view);
  const id = `role-${member.id}`;
  return (
    <Form view={view} action={`${MEMBERS}/${member.id}/role`} class="inline role-form">
      <select
        id={id}
        name="role"
        aria-label={t.roleOf(personOf(member))}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={fault && `${id}-fault`}
      >
        <Options options={roleOptions(view).toReversed()} value={member.role} />
      </select>
      <button type="submit">{t.changeRole}</button>
      <Fault name={id} text={fault} />
    </Form>
  );
}

function AccessChip({ view, member }: MemberProps) {
  const t = messages(view);
  if (member.acceptedAt !== null) return <Chip tone="good">{sharedMessages(view).common.active}</Chip>;
  const expiresAt = member.invitationExpiresAt ?? 0;
  if (expiresAt <= view.now) return <Chip tone="bad">{t.expired}</Chip>;
  return <Chip tone="wait">{t.invitedUntil(formatDate(view.language, expiresAt))}</Chip>;
}

function roleOptions(view: View) {
  const { roles } = sharedMessages(view);
  const t = messages(view);
  return ROLES.toReversed().map((role) => ({ value: role, label: roles[role], hint: t.roleHints[role] }));
}
