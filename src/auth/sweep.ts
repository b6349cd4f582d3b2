export { rewriteEmailEntries, sweepEmailEntries } from './staff/email-entries';
export { sweepPageData } from './staff/page-data';
