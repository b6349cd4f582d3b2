import { ORDERS } from '../http/paths';

/** The list of what is to come. */
export const EXPECTED = `${ORDERS}/expected`;
