export {
  changePassword,
  confirmSecondFactor,
  disableSecondFactor,
  type SecondFactorStart,
  signOutEverywhere,
  startSecondFactor,
} from './account';
export type { Caller } from './attempts';
export { sessionCookieName } from './better-auth';
export { acceptInvitation, getInvitation, type OpenInvitation } from './invitations';
export { changeRole, inviteMember, listMembers, type Member, revokeMember } from './members';
export { countOldStaffHashes } from './old-hashes';
export { leavePageData, readPageData, takePageDataOnce } from './page-data';
export { getReset, issueReset, issueResetByEmail, type OpenReset, useReset } from './resets';
export { findSession, readSessionCookie, type StaffSession, signOut } from './session';
export {
  type Choice,
  choicesOf,
  choosePharmacy,
  type SignedIn,
  type SignIn,
  signIn,
  verifySecondFactor,
} from './sign-in';
