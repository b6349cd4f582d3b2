export { sweepPageData } from './page-data';
