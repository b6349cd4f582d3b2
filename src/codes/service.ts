export { code128 } from './code128';
export { labelText, shopMark } from './label';
export { isPzn, readPzn } from './numbers';
export { type Code, pznOf, readCode } from './read';
