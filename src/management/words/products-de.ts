export const productsDe = {};
