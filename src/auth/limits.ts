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
export const INVITATION_DAYS = 7;
export const RESET_HOURS = 24;
