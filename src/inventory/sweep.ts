export { sweepImports } from './imports/imports';
