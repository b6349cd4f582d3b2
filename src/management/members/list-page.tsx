import type { Member } from '../../auth/staff/service';
import { ROLES, type Role } from '../../platform/access';
import { MEMBERS } from '../http/paths';
import { ErrorSummary, Field, Form, RadioGroup, ShownBefore, ShownOnce } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { formatDate } from '../ui/format';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { TableHead } from '../ui/table';
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
  ownId: string;
  state: MembersState;
}

export function MembersPage({ view, members, ownId, state }: MembersProps) {
  const t = messages(view);
  const { fieldErrors = {}, link } = state;
  return (
    <Page view={view} title={t.title}>
      <ErrorSummary view={view} fieldErrors={fieldErrors} />
      {link === 'gone' && <ShownBefore view={view} />}
      {typeof link === 'object' && <LinkPanel view={view} link={link} />}
      <p class="quiet">{t.lead}</p>
      <div class="two-columns">
        <table class="cards">
          <TableHead columns={[t.person, t.role, t.state]} actions={t.actions} />
          <tbody>
            {members.map((member) => (
              <MemberRow view={view} member={member} isSelf={member.id === ownId} fieldErrors={fieldErrors} />
            ))}
          </tbody>
        </table>
        <aside>
          <section class="panel">
            <h2>{t.inviteTitle}</h2>
            <Form view={view} action={MEMBERS} once>
              <Field
                name="email"
                type="email"
                label={t.email}
                value={state.email}
                fieldErrors={fieldErrors}
                autocomplete="off"
              />
              <RadioGroup
                name="role"
                label={t.role}
                options={roleOptions(view)}
                value={state.role}
                fieldErrors={fieldErrors}
              />
              <button class="primary" type="submit">
                {t.invite}
              </button>
            </Form>
          </section>
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

interface RowProps {
  view: View;
  member: Member;
  isSelf: boolean;
  fieldErrors: FieldErrors;
}

function MemberRow({ view, member, isSelf, fieldErrors }: RowProps) {
  const t = messages(view);
  const isInvited = member.acceptedAt === null;
  const person = member.name ?? member.email;
  const openReset = member.resetExpiresAt ?? 0;
  return (
    <tr>
      <td>
        <strong>
          <bdi>{person}</bdi>
        </strong>{' '}
        {isSelf && <Chip tone="quiet">{t.you}</Chip>}
        {member.name && <small>{member.email}</small>}
      </td>
      <td data-label={t.role}>
        <RoleForm view={view} member={member} person={person} fault={fieldErrors[`role-${member.id}`]} />
      </td>
      <td data-label={t.state}>
        <AccessChip view={view} member={member} />
        {member.hasSecondFactor && <small>{t.factorOn}</small>}
        {openReset > view.now && <small>{t.resets.openUntil(formatDate(view.language, openReset))}</small>}
      </td>
      <td class="actions">
        {isInvited && (
          <Form view={view} action={MEMBERS} once>
            <input type="hidden" name="email" value={member.email} />
            <input type="hidden" name="role" value={member.role} />
            <button class="plain" type="submit">
              {t.newLink}
            </button>
          </Form>
        )}
        {!isInvited && !isSelf && (
          <a href={`${MEMBERS}/${member.id}/reset`}>
            {t.resets.action}
            <span class="unseen">: {person}</span>
          </a>
        )}{' '}
        <a href={`${MEMBERS}/${member.id}/revoke`}>
          {isInvited ? t.withdraw : t.revoke}
          <span class="unseen">: {person}</span>
        </a>
      </td>
    </tr>
  );
}

function RoleForm({ view, member, person, fault }: { view: View; member: Member; person: string; fault?: string }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const id = `role-${member.id}`;
  return (
    <Form view={view} action={`${MEMBERS}/${member.id}/role`} class="inline">
      <select
        id={id}
        name="role"
        aria-label={t.roleOf(person)}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={fault && `${id}-fault`}
      >
        {ROLES.map((role) => (
          <option value={role} selected={role === member.role}>
            {shared.roles[role]}
          </option>
        ))}
      </select>
      <button type="submit">{t.changeRole}</button>
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </Form>
  );
}

function AccessChip({ view, member }: { view: View; member: Member }) {
  const t = messages(view);
  if (member.acceptedAt !== null) return <Chip tone="good">{t.active}</Chip>;
  const expiresAt = member.invitationExpiresAt ?? 0;
  if (expiresAt <= view.now) return <Chip tone="bad">{t.expired}</Chip>;
  return <Chip tone="wait">{t.invitedUntil(formatDate(view.language, expiresAt))}</Chip>;
}

function roleOptions(view: View) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return [...ROLES].reverse().map((role) => ({ value: role, label: shared.roles[role], hint: t.roleHints[role] }));
}
