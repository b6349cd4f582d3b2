export { leavePageData, readPageData, takePageDataOnce } from './account/page-data';
export { changePassword, signOutEverywhere } from './account/password';
export {
  confirmSecondFactor,
  disableSecondFactor,
  type SecondFactorStart,
  startSecondFactor,
} from './account/second-factor';
export { changeRoleBack, changeSecondFactorBack, endPasswordAgain, revokeMemberAgain } from './members/again';
export { acceptInvitation, getInvitation, type OpenInvitation } from './members/invitations';
export { changeRole, inviteMember, listMembers, type Member, revokeMember } from './members/members';
export { getReset, issueReset, issueResetByEmail, type OpenReset, useReset } from './members/resets';
export { countOldStaffHashes } from './rotation/old-hashes';
export { countOldSecondFactors } from './rotation/second-factors';
export type { Caller } from './sign-in/attempts';
export { verifySecondFactor } from './sign-in/second-step';
export {
  findSession,
  readSessionCookie,
  type SignedIn,
  type StaffSession,
  signOut,
  unsigned,
} from './sign-in/session';
export { choicesOf, choosePharmacy, type SignIn, signIn } from './sign-in/sign-in';
export { signInToTest } from './sign-in/test-session';
