import type { Day } from '../platform/pharmacy-time';
import type { FlagField, PatchedField } from './fields';
import type { ReasonCode } from './rules';
import type { OrderRow } from './store';
import type { OrderStatus, UnpaidReason } from './tables';

/** What a change of an order says. */
export type OrderPatch = Partial<Pick<OrderRow, PatchedField | FlagField>> & {
  status?: OrderStatus;
  reasonCode?: ReasonCode;
  /** With the step to `picked_up`: whether the customer paid at the counter. True marks an unpaid order as paid; from staff, also what was to be collected as received. */
  cashReceived?: boolean;
  /** What staff answered with a step by which the goods leave: why nothing was paid, who took them, that they know where to. */
  unpaidReason?: UnpaidReason;
  collectedBy?: string | null;
  isAddressKnown?: boolean;
  isExpiryAccepted?: boolean;
  /** With such a step: what is in the house leaves, and the order stays open for what is still to come. */
  isPart?: boolean;
  /** With the confirmation of originals: the days that they bear, by prescription. */
  issued?: ReadonlyMap<string, Day>;
  /** Why a withdrawal is refused; it becomes a note about the order. */
  refusalReason?: string;
  /** `updatedAt` of the order as staff saw it. */
  seenAt?: number;
  /** The versions of the order that are meant; without it, any. */
  versions?: readonly number[];
};
