export { pznCheckDigit } from './check-digits';
export { code128 } from './code128';
export type { PackCode } from './data-matrix';
export { labelText, shopMark } from './label';
export { isPzn } from './numbers';
export { type Code, pznOf, readCode } from './read';
