import type { Member } from '../../auth/staff/service';
import { ROLES, type Role } from '../../platform/access';
import { MEMBERS } from '../http/paths';
import { Choice, FaultSummary, Field, Form, ShownBefore, ShownOnce } from '../ui/fields';
import type { Faults } from '../ui/form-errors';
import { formatDate } from '../ui/format';
import { Chip, Page } from '../ui/layout';
import { Heads } from '../ui/table';
import type { View } from '../ui/view';

export interface MembersState {
  /** What was typed into the invitation. */
  email?: string;
  role?: Role;
  faults?: Faults;
  /** The link that was just made. */
  link?: MadeLink | 'gone';
}

/** An invitation, or a link for a new password. */
export interface MadeLink {
  email: string;
  url: string;
  isReset?: boolean;
}

interface MembersProps {
  view: View;
  members: Member[];
  ownId: string;
  state: MembersState;
}

export function MembersPage({ view, members, ownId, state }: MembersProps) {
  const words = view.words.members;
  const { faults = {}, link } = state;
  return (
    <Page view={view} title={words.title}>
      <FaultSummary view={view} faults={faults} />
      {link === 'gone' && <ShownBefore view={view} />}
      {typeof link === 'object' && <LinkPanel view={view} link={link} />}
      <p class="quiet">{words.lead}</p>
      <div class="two-columns">
        <table class="cards">
          <Heads columns={[words.person, words.role, words.state]} actions={words.actions} />
          <tbody>
            {members.map((member) => (
              <MemberRow view={view} member={member} isSelf={member.id === ownId} faults={faults} />
            ))}
          </tbody>
        </table>
        <aside>
          <section class="panel">
            <h2>{words.inviteTitle}</h2>
            <Form view={view} action={MEMBERS} once>
              <Field
                name="email"
                type="email"
                label={words.email}
                value={state.email}
                faults={faults}
                autocomplete="off"
              />
              <Choice name="role" label={words.role} options={roleOptions(view)} value={state.role} faults={faults} />
              <button class="primary" type="submit">
                {words.invite}
              </button>
            </Form>
          </section>
        </aside>
      </div>
    </Page>
  );
}

function LinkPanel({ view, link }: { view: View; link: MadeLink }) {
  const words = link.isReset ? view.words.resets : view.words.members;
  return (
    <section class="panel wide">
      <ShownOnce view={view} id="made-link" label={words.linkTitle(link.email)} value={link.url} />
      <p class="hint">{words.linkHint}</p>
    </section>
  );
}

interface RowProps {
  view: View;
  member: Member;
  isSelf: boolean;
  faults: Faults;
}

function MemberRow({ view, member, isSelf, faults }: RowProps) {
  const { members: words, resets } = view.words;
  const isInvited = member.acceptedAt === null;
  const person = member.name ?? member.email;
  const openReset = member.resetExpiresAt ?? 0;
  return (
    <tr>
      <td>
        <strong>
          <bdi>{person}</bdi>
        </strong>{' '}
        {isSelf && <Chip tone="quiet">{words.you}</Chip>}
        {member.name && <small>{member.email}</small>}
      </td>
      <td data-label={words.role}>
        <RoleForm view={view} member={member} person={person} fault={faults[`role-${member.id}`]} />
      </td>
      <td data-label={words.state}>
        <AccessChip view={view} member={member} />
        {member.hasSecondFactor && <small>{words.factorOn}</small>}
        {openReset > view.now && <small>{resets.openUntil(formatDate(view.language, openReset))}</small>}
      </td>
      <td class="actions">
        {isInvited && (
          <Form view={view} action={MEMBERS} once>
            <input type="hidden" name="email" value={member.email} />
            <input type="hidden" name="role" value={member.role} />
            <button class="plain" type="submit">
              {words.newLink}
            </button>
          </Form>
        )}
        {!isInvited && !isSelf && (
          <a href={`${MEMBERS}/${member.id}/reset`}>
            {resets.action}
            <span class="unseen">: {person}</span>
          </a>
        )}{' '}
        <a href={`${MEMBERS}/${member.id}/revoke`}>
          {isInvited ? words.withdraw : words.revoke}
          <span class="unseen">: {person}</span>
        </a>
      </td>
    </tr>
  );
}

function RoleForm({ view, member, person, fault }: { view: View; member: Member; person: string; fault?: string }) {
  const { members: words, roles } = view.words;
  const id = `role-${member.id}`;
  return (
    <Form view={view} action={`${MEMBERS}/${member.id}/role`} class="inline">
      <select
        id={id}
        name="role"
        aria-label={words.roleOf(person)}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={fault && `${id}-fault`}
      >
        {ROLES.map((role) => (
          <option value={role} selected={role === member.role}>
            {roles[role]}
          </option>
        ))}
      </select>
      <button type="submit">{words.changeRole}</button>
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </Form>
  );
}

function AccessChip({ view, member }: { view: View; member: Member }) {
  const words = view.words.members;
  if (member.acceptedAt !== null) return <Chip tone="good">{words.active}</Chip>;
  const expiresAt = member.invitationExpiresAt ?? 0;
  if (expiresAt <= view.now) return <Chip tone="bad">{words.expired}</Chip>;
  return <Chip tone="wait">{words.invitedUntil(formatDate(view.language, expiresAt))}</Chip>;
}

function roleOptions(view: View) {
  const { roles, roleHints } = view.words;
  return [...ROLES].reverse().map((role) => ({ value: role, label: roles[role], hint: roleHints[role] }));
}
