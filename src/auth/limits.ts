/** Of an organization, active ones alone. */
export const API_KEYS_MAX = 25;
/** Of an organization, those who are not revoked. */
export const MEMBERS_MAX = 200;
/** What a person's or a key's name may hold. */
export const NAME_LENGTH_MAX = 100;
/** NIST SP 800-63B asks for length and against known passwords (`staff/password-rules.ts`), and for nothing else. */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;
export const INVITATION_DAYS = 7;
export const RESET_HOURS = 24;
