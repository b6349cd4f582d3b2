import { recordAudit } from '../../src/audit/record';
import { deviceWith } from '../../src/auth/staff/device';
import { newLink } from '../../src/auth/staff/links';
import { hashPassword } from '../../src/auth/staff/password';
import { tokenOf } from '../../src/auth/staff/routing';
import { sessionCookieName } from '../../src/auth/staff/service';
import { acceptInvitationRow, insertInvitation, insertPassword } from '../../src/auth/staff/store-members';
import { insertStaffRow } from '../../src/auth/staff/store-staff';
import { emailKey, reserve } from '../../src/directory/service';
import type { Role } from '../../src/platform/access';
import { commit } from '../../src/platform/commit';
import { actingAs, type Context, withDatabase } from '../../src/platform/context';
import { hmac, importHmacKey, randomBase62, toBase64, utf8 } from '../../src/platform/crypto';
import { newId } from '../../src/platform/ids';
import { mac } from '../../src/platform/mac';
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
  const [memberId, now, sessionToken] = [newId(), ctx.now(), tokenOf(orgId, randomBase62(32))];
  const { hash } = await newLink(ctx, 'invitation', orgId);
  storedPassword ??= await hashPassword(PASSWORD, CHEAP_RECIPE);
  const operator = actingAs(ctx, { kind: 'operator' });
  const member = actingAs(ctx, { kind: 'staff', memberId, orgId, role });
  const about = { orgId, entityId: memberId };
  const session = {
    ...{ id: newId(), userId: memberId, token: await mac(ctx, 'staff session', sessionToken) },
    ...{ createdAt: now, updatedAt: now, expiresAt: now + DAY_MS / 2 },
  };
  await commit(ctx, {
    directory: await reserve(ctx, { kind: 'email', key: await emailKey(ctx, email), orgId }),
    invitation: insertInvitation({ id: memberId, orgId, email, role, hash, expiresAt: now + 7 * DAY_MS, now }),
    invited: recordAudit(operator, { ...about, action: 'member.invited', fields: ['role'] }),
    acceptance: acceptInvitationRow([hash], name, now),
    password: insertPassword({ id: newId(), memberId, password: storedPassword, now }),
    session: insertStaffRow('session', session),
    accepted: recordAudit(member, { ...about, action: 'member.accepted' }),
    signedIn: recordAudit(member, { ...about, action: 'member.signed_in', reasonCode: 'invitation' }),
  });
  return new Map([
    [sessionCookieName(ctx.config), await signed(ctx, sessionToken)],
    ['offizin.device', await deviceWith(ctx, undefined, email)],
  ]);
}

/** As better-auth signs a cookie's value. */
export async function signed({ config }: Pick<Context, 'config'>, value: string): Promise<string> {
  const signature = await hmac(await importHmacKey(config.authKey), value);
  return encodeURIComponent(`${value}.${toBase64(signature)}`);
}
