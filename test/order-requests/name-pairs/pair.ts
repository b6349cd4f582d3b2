/** What differs or why it does not, what was asked, what the catalog calls the product, and the two quantities (1). */
export type Pair = readonly [
  says: string,
  asked: string,
  product: string,
  askedQuantity?: number,
  suppliedQuantity?: number,
];
