import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';

/** The most active keys of one organization. */
export const API_KEYS_MAX = 25;
/** The most members of one organization. Invited people count, revoked ones do not. */
export const MEMBERS_MAX = 200;
/** Maximum length of the name of a person or a key. */
export const NAME_LENGTH_MAX = 100;
/**
 * The shortest password, in characters. NIST SP 800-63B requires a minimum length and a check against known passwords
 * (`staff/passwords/rules.ts`), and advises against other rules.
 */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;
/** For how long an invitation and a link for a new password work. */
export const INVITATION_DAYS = 7;
export const RESET_HOURS = 24;
/** Lifetime of an access token. It ends sooner when its key is revoked. */
export const TOKEN_SECONDS = 3600;
/** How long an isolate caches the row of a key. The tokens of a revoked key stop working within this time. */
export const KEY_CACHE_MS = 30_000;
/** The most keys that the list shows. The list needs a limit, because it includes revoked keys. */
export const KEYS_LISTED_MAX = 200;
/** How long a session lasts: one working day. Then the person has to sign in again. */
export const SESSION_MS = 12 * HOUR_MS;
/** The most characters of an e-mail address (RFC 5321 §4.5.3.1.3). */
export const EMAIL_LENGTH_MAX = 254;
/** How long a person may take to choose one of several pharmacies at sign-in. */
export const ORGANIZATION_CHOICE_MS = 5 * MINUTE_MS;
/** How long a sign-in waits for a code of the second factor. In this time, `CODE_TRIES_MAX` codes may be tried. */
export const SECOND_STEP_MS = 10 * MINUTE_MS;
export const CODE_TRIES_MAX = 5;
/**
 * How many wrong codes in a row lock a person's second factor (NIST SP 800-63B §5.2.2). The codes of all sign-ins of
 * the person count. After every `eachLocks` wrong codes, the second factor is locked for twice as long as the time
 * before. After `lastLocks` wrong codes, only a reset by an owner unlocks it.
 */
export const CODE_FAILURES = { eachLocks: 10, lastLocks: 100 };
export const CODE_LOCK_MS = 15 * MINUTE_MS;
/** How many recovery codes a person gets. */
export const RECOVERY_CODES = 10;
/**
 * The largest number of accounts in a device cookie. A cookie has several accounts if several people sign in on the
 * same device. A new account beyond this number replaces the account whose last sign-in on the device is the oldest.
 */
export const DEVICE_ACCOUNTS_MAX = 8;
/** How long the address and the name of a revoked member are kept. */
export const REVOKED_ADDRESS_KEPT_MS = 90 * DAY_MS;
export const REVOKED_NAME_KEPT_MS = 3 * 365 * DAY_MS;
