import type { productsDe } from './products-de';

export const productsEn: typeof productsDe = {};
