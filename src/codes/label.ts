import { checkCharacter } from './check-digits';

/** Our label, on a bag: which shop's order it belongs to. */
export interface LabelCode {
  /** Four hexadecimal digits of the shop's id, so that the label of another pharmacy opens nothing here. */
  shop: string;
  number: number;
}

const SHOP_LENGTH = 4;

/** What the labels of a shop say of it. */
export function shopMark(shopId: string): string {
  return shopId.slice(-SHOP_LENGTH).toUpperCase();
}

/** `OFZ3F9A-4711-K`: shop, number of the order, check character. */
export function labelText({ shop, number }: LabelCode): string {
  return `OFZ${shop}-${number}-${checkCharacter(`OFZ${shop}${number}`)}`;
}

/** Null unless the check character is right. */
export function readLabel(text: string): LabelCode | null {
  const [, shop, digits] = /^OFZ([0-9A-F]{4})-([1-9]\d{0,8})-[0-9A-Z]$/.exec(text) ?? [];
  if (shop === undefined) return null;
  const label = { shop, number: Number(digits) };
  return labelText(label) === text ? label : null;
}
