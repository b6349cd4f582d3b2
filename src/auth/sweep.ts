export { sweepPageData } from './staff/account/page-data';
export { rewriteEmailEntries, sweepEmailEntries } from './staff/members/email-entries';
export { rewriteSecondFactors } from './staff/rotation/second-factors';
