import {
  isNothingHere,
  type Order,
  type OrderStatus,
  owedCount,
  suppliedCount,
  WITHDRAWAL_HOLD,
} from '../../orders/service';
import type { Reader } from '../http/language';
import { dayText } from './format';
import type { MarkName, Tone } from './icons';
import { Chip } from './layout';
import { textFor } from './lookup';
import { sharedMessages } from './messages';
import type { View } from './view';

export function customerOf(view: Pick<View, 'language'>, { customerName, customerEmail }: Order): string {
  return customerName ?? customerEmail ?? sharedMessages(view).orders.noName;
}

/** Names of the products that an order's lines hand out. */
export function itemNamesOf({ items }: Order): string[] {
  return items.map((item) => item.productName ?? item.name);
}

/** What waits for the pharmacy or the customer is normal: a shape, no color. */
const LOOKS: Record<OrderStatus, { tone: Tone; mark: MarkName }> = {
  awaiting_prescription: { tone: 'wait', mark: 'open' },
  awaiting_payment: { tone: 'wait', mark: 'open' },
  awaiting_packing: { tone: 'off', mark: 'todo' },
  ready_pickup: { tone: 'good', mark: 'done' },
  ready_shipping: { tone: 'good', mark: 'done' },
  shipped: { tone: 'good', mark: 'half' },
  delivered: { tone: 'off', mark: 'done' },
  picked_up: { tone: 'off', mark: 'done' },
  returned: { tone: 'off', mark: 'aside' },
  cancelled: { tone: 'off', mark: 'failed' },
};

/** What stands in an order's way, else its status; `all` says both. */
export function lookOf(view: View, order: Order): { tone: Tone; mark: MarkName; text: string; all: string } {
  const { fields, statuses } = sharedMessages(view).orders;
  const status = statuses[order.status];
  const isOver = order.status === 'cancelled' || order.status === 'returned';
  const stopped = (tone: Tone, mark: MarkName, text: string) => ({ tone, mark, text, all: `${status}, ${text}` });
  if (order.withdrawal === 'requested') return stopped('bad', 'held', fields.withdrawal);
  if (order.onHold) return stopped('wait', 'held', fields.on_hold);
  if (order.originalMissing && !isOver) return stopped('wait', 'look', fields.original_missing);
  const part = partTextOf(view, order);
  if (part) return { tone: 'off', mark: 'half', text: part, all: `${status}, ${part}` };
  return { ...LOOKS[order.status], text: status, all: order.archived ? `${status}, ${fields.archived}` : status };
}

/** What is said of an order of which something is still to come, instead of its status. */
function partTextOf(view: View, order: Order): string | null {
  const { parts, restOn, allOn } = sharedMessages(view).orders;
  const { status, expectedOn } = order;
  if (owedCount(order) === 0 || expectedOn === null) return null;
  if (status === 'ready_pickup' || status === 'ready_shipping') return parts[status];
  if (status !== 'awaiting_packing' || !isNothingHere(order)) return null;
  return (suppliedCount(order) > 0 ? restOn : allOn)(dayText(view.language, expectedOn));
}

/** The status, and what is unusual. */
export function OrderStatusChips({ view, order }: { view: View; order: Order }) {
  return (
    <span class="chips">
      <Chip {...LOOKS[order.status]}>{sharedMessages(view).orders.statuses[order.status]}</Chip>
      <FlagChips view={view} order={order} />
    </span>
  );
}

interface FlagProps {
  view: View;
  order: Order;
  /** In a heading. */
  isFilled?: boolean;
}

/** What is unusual about an order. */
export function OrderFlagChips(props: FlagProps) {
  const { onHold, originalMissing, express, archived, withdrawal } = props.order;
  if (!onHold && !originalMissing && !express && !archived && withdrawal !== 'requested') return null;
  return (
    <span class="chips">
      <FlagChips {...props} />
    </span>
  );
}

function FlagChips({ view, order, isFilled }: FlagProps) {
  const { fields } = sharedMessages(view).orders;
  const chip = (isOn: boolean, tone: Tone, mark: MarkName | undefined, text: string) =>
    isOn && <Chip {...{ tone, mark, isFilled }}>{text}</Chip>;
  return (
    <>
      {chip(order.withdrawal === 'requested', 'bad', 'held', fields.withdrawal)}
      {chip(order.onHold && order.holdReason !== WITHDRAWAL_HOLD, 'wait', 'held', fields.on_hold)}
      {chip(order.originalMissing, 'wait', 'look', fields.original_missing)}
      {chip(order.express, 'wait', undefined, fields.express)}
      {chip(order.archived, 'off', 'aside', fields.archived)}
    </>
  );
}

/** A changed field of an order as the audit log names it: `Abholfach`, `Status: Abholbereit`. */
export function changedFieldText(reader: Reader, field: string): string {
  const { fields, statuses } = sharedMessages(reader).orders;
  const status = statusIn(field);
  return status === null ? textFor(fields, field) : `${fields.status}: ${textFor(statuses, status)}`;
}

const STATUS_FIELD = 'status:';

/** The code of the status that an order got, of a changed field of the audit log. */
export function statusIn(field: string): string | null {
  return field.startsWith(STATUS_FIELD) ? field.slice(STATUS_FIELD.length) : null;
}
