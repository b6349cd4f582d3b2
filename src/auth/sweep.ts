export { sweepPageData } from './staff/page-data';
