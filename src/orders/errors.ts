import { AppError } from '../platform/errors';
import type { Progress } from './packed';
import type { OrderLine, OrderStatus } from './tables';

export class InvalidTransition extends AppError {
  constructor(
    readonly from: OrderStatus,
    to: OrderStatus,
    /** The steps that the order may take. */
    readonly allowed: readonly OrderStatus[],
  ) {
    super('invalid_transition', `An order that is ${from} cannot become ${to}.`);
  }
}

/** Staff tick every pack before an order is ready or sent. */
export class NotPacked extends AppError {
  constructor(readonly progress: Progress) {
    super('not_packed', `${progress.packed} of ${progress.packs} packs are ticked. Tick the others first.`);
  }
}

/** A scanned pack that no line of the order lacks. */
export class WrongPack extends AppError {
  constructor(
    /** What was scanned: the name of the product if the organization holds it, else its number. */
    readonly scanned: string,
    /** The order has this product, and all packs of it are ticked already. */
    readonly isTooMany: boolean,
    readonly orderNumber: number,
    readonly progress: Progress,
  ) {
    super('wrong_pack', 'The scanned pack is none that the order still lacks.');
  }
}

/** A scanned pack whose last day of use has passed. */
export class PackExpired extends AppError {
  constructor(
    /** `yyyy-mm-dd`. */
    readonly expires: string,
  ) {
    super('pack_expired', `The last day of use of the pack was ${expires}.`);
  }
}

/** Differences between what was accepted and what is to be handed out that nobody has acknowledged. */
export class DifferencesOpen extends AppError {
  constructor(
    /** All that must be acknowledged, with the keys that do so. */
    readonly differences: readonly { key: string; code: string; values: readonly unknown[] }[],
    /** The line as it would be. */
    readonly now: OrderLine,
  ) {
    super('differences_open', 'The products differ. Acknowledge each difference.');
  }
}

/** What is still to come stands in the way. */
export function restOwed(why: string): AppError {
  return new AppError('rest_owed', why);
}
