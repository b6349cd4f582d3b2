/** What stands at each line of an order, as the columns of its row keep it. */

/** One line of an order. */
export interface OrderLine {
  /** As requested; the product's name if none was sent. */
  name: string;
  quantity: number;
  priceCents: number;
  /** Null for a line without a product: it moves no stock. */
  p1Id: string | null;
  prescriptionRequired: boolean;
  /** The name of the product when the line was approved or written. */
  productName: string | null;
  /** The price is the customer's co-payment (Zuzahlung) for what an insurance pays. */
  isCoPayment?: true;
}

/** How far one line is packed, at the line's place. */
export interface PackedLine {
  scanned: number;
  byHand: number;
  /** Hashes of the serials that were scanned: each pack counts once. None from the hand-over on. */
  serials: string[];
  /** Who packed last, and when; null for a line of which nothing is packed. */
  by: string | null;
  at: number | null;
}

/** What came back of one line, at the line's place. */
export interface ReturnedLine {
  quantity: number;
  /** So many of them went back into stock. */
  restocked: number;
}

/** How one line is supplied in parts, at the line's place. What is neither owed nor supplied is in the house. */
export interface SupplyLine {
  /** Packs that are still to come. They are promised from stock only once they are there. */
  owed: number;
  /** The day on which they are expected, `2026-11-20`; null where none is owed. */
  expectedOn: string | null;
  /** Packs that left while others were owed. */
  supplied: number;
  /** Hashes of their serials (`PackedLine`): none of them is scanned again. None once all has left. */
  serials?: string[];
  /** Who said last that some come later, and when; null for a line of which none did. */
  by: string | null;
  at: number | null;
}

/** What was refunded of one line, at the line's place. */
export interface RefundedLine {
  quantity: number;
  cents: number;
}
