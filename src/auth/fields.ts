import { business, type FieldsOf } from '../platform/fields';
import type {
  apiKeys,
  members,
  staffAccounts,
  staffPageData,
  staffResets,
  staffSecondFactors,
  staffSessions,
  staffVerifications,
} from './tables';

export const apiKeysFields = {
  ...business('id', 'orgId', 'familyId', 'name', 'scopes', 'prescriptionShopIds', 'createdAt', 'expiresAt'),
  ...business('revokedAt', 'lastUsedAt'),
  createdBy: { class: 'person', kept: 'as long as the key: the id of a member, whose name is not here' },
  hash: { class: 'secret', kept: 'as long as the key: a MAC' },
  sendsSubmittedEvents: { class: 'business', wire: 'sends_submitted_events', changedBy: ['settings'] },
  reserves: { class: 'business', wire: 'reserves', changedBy: ['stock'] },
  reserveShare: { class: 'business', wire: 'reserve_share', changedBy: ['stock'] },
  stockShown: { class: 'business', wire: 'stock_shown', changedBy: ['stock'] },
} as const satisfies FieldsOf<typeof apiKeys>;

const identity = {
  class: 'person',
  kept: 'as long as the member, an address for 90 days more, a name for three years more: the audit log shows it',
} as const;

export const membersFields = {
  ...business('id', 'orgId', 'invitationExpiresAt', 'invitedAt', 'acceptedAt', 'revokedAt', 'updatedAt'),
  email: identity,
  name: identity,
  role: { class: 'business', wire: 'role', changedBy: ['role'] },
  twoFactorEnabled: { class: 'business', wire: 'second_factor', changedBy: ['reset'] },
  invitationHash: { class: 'secret', kept: 'until the invitation is accepted or revoked: a MAC' },
} as const satisfies FieldsOf<typeof members>;

export const staffSessionsFields = {
  ...business('id', 'memberId', 'expiresAt', 'createdAt'),
  tokenHash: { class: 'secret', kept: 'until the session ends, or the member signs in after it has expired: a MAC' },
} as const satisfies FieldsOf<typeof staffSessions>;

export const staffAccountsFields = {
  ...business('id', 'memberId', 'createdAt', 'updatedAt'),
  password: {
    class: 'secret',
    wire: 'password',
    changedBy: ['reset'],
    kept: 'until it is changed or the member is revoked: a salted hash',
  },
} as const satisfies FieldsOf<typeof staffAccounts>;

export const staffResetsFields = {
  ...business('memberId', 'expiresAt', 'endsSecondFactor'),
  hash: { class: 'secret', kept: 'until the link is used or replaced, or the member is revoked: a MAC' },
} as const satisfies FieldsOf<typeof staffResets>;

const untilExpiry = 'until it is used, or after it has expired somebody signs in';

export const staffVerificationsFields = {
  ...business('id', 'tries', 'expiresAt', 'createdAt'),
  identifier: { class: 'secret', kept: untilExpiry },
  value: { class: 'person', kept: untilExpiry },
} as const satisfies FieldsOf<typeof staffVerifications>;

export const staffSecondFactorsFields = {
  ...business('id', 'memberId', 'verified', 'failures', 'lockedUntil', 'lastStep'),
  secret: { class: 'secret', kept: 'until the second factor is turned off or the member is revoked; encrypted' },
  backupCodes: { class: 'secret', kept: 'as the secret; encrypted' },
} as const satisfies FieldsOf<typeof staffSecondFactors>;

export const staffPageDataFields = {
  ...business('id', 'memberId', 'expiresAt'),
  sealed: { class: 'health', erased: 'nothing: it is deleted some minutes after it was made; encrypted' },
} as const satisfies FieldsOf<typeof staffPageData>;
