import { recordAudit } from '../../src/audit/record';
import { hashPassword } from '../../src/auth/staff/passwords/hash';
import { deviceWith } from '../../src/auth/staff/sign-in/attempts';
import { newLink } from '../../src/auth/staff/sign-in/links';
import { newSession } from '../../src/auth/staff/sign-in/session';
import { insertPassword } from '../../src/auth/staff/sign-in/store-memberships';
import { acceptInvitationRow, insertInvitation } from '../../src/auth/staff/store';
import { emailKey } from '../../src/directory/emails';
import { reserve } from '../../src/directory/reserve';
import type { Role } from '../../src/platform/access';
import { commit } from '../../src/platform/commit';
import { actingAs, withDatabase } from '../../src/platform/context';
import { toBase64, utf8 } from '../../src/platform/crypto/crypto';
import { newId } from '../../src/platform/ids';
import { systemContext } from '../support/world';

export const PASSWORD = 'drei Löwen am Markt';
const DAY_MS = 24 * 60 * 60 * 1000;
/** The lowest cost that scrypt accepts: the real one is most of a sign-in's time. A hash holds its cost. */
const CHEAP_RECIPE = `scrypt$2$8$1$${toBase64(utf8('salt of the tests'))}`;

let storedPassword: string | undefined;

/**
 * Writes a member and a session as an accepted invitation does, in one D1 batch (test/support/seeds.test.ts compares
 * them). The password is `PASSWORD`.
 * @returns the cookies that the person's browser keeps, by name
 */
export async function seedMember(person: {
  orgId: string;
  role: Role;
  name: string;
  email: string;
  /** The number of the organization's database. */
  shard?: number;
}): Promise<Map<string, string>> {
  const { orgId, role, name, email, shard = 0 } = person;
  const { ctx: anywhere } = systemContext();
  const ctx = withDatabase(anywhere, anywhere.databases.at(shard));
  const [memberId, now] = [newId(), ctx.now()];
  const { hash } = await newLink(ctx, 'invitation', orgId);
  storedPassword ??= await hashPassword(PASSWORD, CHEAP_RECIPE);
  const operator = actingAs(ctx, { kind: 'operator', name: 'test' });
  const member = actingAs(ctx, { kind: 'staff', memberId, orgId, role });
  const about = { orgId, entityId: memberId };
  const session = await newSession(ctx, { orgId, memberId }, undefined);
  await commit(ctx, {
    directory: await reserve(ctx, { kind: 'email', key: await emailKey(ctx, email), orgId }),
    invitation: insertInvitation({
      id: memberId,
      orgId,
      email,
      role,
      invitationHash: hash,
      invitationExpiresAt: now + 7 * DAY_MS,
      invitedAt: now,
    }),
    invited: recordAudit(operator, { ...about, action: 'member.invited', fields: ['role'] }),
    acceptance: acceptInvitationRow([hash], name, now),
    password: insertPassword({ id: newId(), memberId, password: storedPassword, now }),
    session: session.writes,
    accepted: recordAudit(member, { ...about, action: 'member.accepted' }),
    signedIn: recordAudit(member, { ...about, action: 'member.signed_in', reasonCode: 'invitation' }),
  });
  return new Map([
    ['offizin.session_token', session.cookie],
    ['offizin.device', await deviceWith(ctx, undefined, email)],
  ]);
}
