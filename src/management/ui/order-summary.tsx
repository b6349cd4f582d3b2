import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Review } from '../../order-requests/inbox/inbox';
import { WITHDRAWAL_HOLD } from '../../orders/news';
import { isNothingHere, isParcel, owedCount, suppliedCount } from '../../orders/rules';
import type { Order } from '../../orders/store';
import type { OrderStatus } from '../../orders/tables';
import { isPickup } from '../../tenants/rules';
import type { Reader } from '../http/language';
import { formatMoney, kept, onDay, perLanguage, remembering, shortIdOf } from './format';
import { Chip } from './layout';
import { sharedMessages } from './messages';
import { Icon, type IconName, type MarkName, type Tone } from './parts';
import { textFor, useView, type View } from './view';

export function customerOf(
  view: Pick<View, 'language'>,
  order: Pick<Order, 'customerName' | 'customerEmail'> & Partial<Pick<Order, 'erasedAt'>>,
): string {
  return order.customerName ?? order.customerEmail ?? sharedMessages(view).orders[order.erasedAt ? 'erased' : 'noName'];
}

/** `Bestellung 17 · Erika Mustermann`. The name is isolated, because it may be written from right to left. */
export function numberAndName(view: Pick<View, 'language'>, order: Order): string {
  return `${sharedMessages(view).orders.id} ${order.number} · \u2068${customerOf(view, order)}\u2069`;
}

/** Names of the supplied products of an order's lines. */
export function itemNamesOf({ items }: Order): string[] {
  return items.map((item) => item.productName ?? item.name);
}

/**
 * The number of characters up to which a text always fits into the narrowest column of names. Longer texts may be cut.
 */
const CUT_FROM = 16;
/** A number with the unit of a strength, for example `400 mg` or `10 mg/g`. */
const STRENGTH = /\d[\d.,]{0,12}\s?(?:mg|µg|mcg|ml|g|%|I\.E\.|IE|Mio)(?:\/[a-z]{1,3})?(?![a-z])/;

/** The attribute for a tooltip with the whole text; null if the text is too short to be cut. */
export function titleOf(text: string): JSX.Element | null {
  return text.length > CUT_FROM ? html` title="${text}"` : null;
}

/** The size of a pack at the end of a name after its comma, for example ` 20 St N2`. */
const SIZE = /(?<=,) \d.{0,18}$/;
/** Length from which a name without a strength continues on a second line, at its next word. */
const LINE_FROM = 14;

/** A list's cell with the first item and the number of the others. A strength and the size of a pack are never cut. */
export function itemsCell([first = '', ...others]: readonly string[]): JSX.Element {
  const more = others.length > 0 && html`<span class="quiet">+&nbsp;${others.length}</span>`;
  return html`<td class="what"${titleOf(first)}><span class="with">${medicine(first)}${more}</span></td>`;
}

const medicine = remembering((name: string) => {
  const { index: end, 0: size } = SIZE.exec(name) ?? { index: name.length, 0: '' };
  const all = name.slice(0, end);
  const { index, 0: strength } = STRENGTH.exec(all) ?? { index: all.indexOf(' ', LINE_FROM) + 1, 0: '' };
  if (strength + size === '') return html`<bdi class="clip">${name}</bdi>`;
  const form = all.slice(index + strength.length);
  return html`<bdi class="med"><span>${all.slice(0, index)}</span><span><b>${strength}</b><span>${form}</span><b>${size}</b></span></bdi>`;
});

/** Tone and shape of each status. Waiting for packing is normal, so it has no color. */
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

/** Whether the pharmacy's courier brings an order with this shipping option. */
export const isCarried = (option: string | null) => !isPickup(option) && !isParcel(option);

/** The name of an order's status, or of another status that the order can have. */
export function statusText(reader: Reader, order: Pick<Order, 'shippingOption'>, status: string): string {
  const { carried, statuses } = sharedMessages(reader).orders;
  return textFor(isCarried(order.shippingOption) ? { ...statuses, ...carried } : statuses, status);
}

/**
 * Returns the look of an order. `text` says what blocks the order. If nothing does, it says which packs are still owed,
 * or else the status. `all` has the status in every case.
 */
export function lookOf(view: View, order: Order): { tone: Tone; mark: MarkName; text: string; all: string } {
  const { fields } = sharedMessages(view).orders;
  const status = statusText(view, order, order.status);
  const isOver = order.status === 'cancelled' || order.status === 'returned';
  const stopped = (tone: Tone, mark: MarkName, text: string) => ({ tone, mark, text, all: `${status}, ${text}` });
  if (order.withdrawal === 'requested') return stopped('bad', 'held', fields.withdrawal);
  if (order.onHold) return stopped('wait', 'held', fields.on_hold);
  if (order.originalMissing && !isOver) return stopped('wait', 'look', fields.original_missing);
  const part = partTextOf(view, order);
  if (part) return { tone: 'off', mark: 'half', text: part, all: `${status}, ${part}` };
  return { ...LOOKS[order.status], text: status, all: order.archived ? `${status}, ${fields.archived}` : status };
}

/** Tone and text of an order's payment. Goods that have left without payment are conspicuous. */
export function paymentLookOf(reader: Reader, { paymentStatus, status }: Order): { tone: Tone; text: string } {
  const { payments } = sharedMessages(reader).orders;
  const isDue = paymentStatus === 'cash_on_pickup' || paymentStatus === 'pending';
  if (isDue && (status === 'picked_up' || status === 'delivered')) return { tone: 'wait', text: payments.pending };
  return { tone: paymentStatus === 'paid' ? 'good' : 'off', text: payments[paymentStatus] };
}

/** Returns the text that replaces the status of an order with packs still owed; null if the status is to be shown. */
function partTextOf(view: View, order: Order): string | null {
  const { partReady, restOn, allOn } = sharedMessages(view).orders;
  const { status, expectedOn } = order;
  if (owedCount(order) === 0 || expectedOn === null) return null;
  if (status.startsWith('ready_')) return partReady;
  if (status !== 'awaiting_packing' || !isNothingHere(order)) return null;
  return (suppliedCount(order) > 0 ? restOn : allOn)(onDay(expectedOn, view));
}

/**
 * The chips for an order's flags; null if there are none. Outside a heading, the chip of the order's status comes
 * first.
 */
export function OrderChips({ order, isHeading = false }: { order: Order; isHeading?: boolean }) {
  const { fields } = sharedMessages().orders;
  const chip = (isOn: boolean, tone: Tone, mark: MarkName | undefined, text: string) =>
    isOn && <Chip {...{ tone, mark, isFilled: isHeading }}>{text}</Chip>;
  const chips = [
    !isHeading && <Chip {...LOOKS[order.status]}>{statusText(useView(), order, order.status)}</Chip>,
    chip(order.withdrawal === 'requested', 'bad', 'held', fields.withdrawal),
    chip(order.onHold && order.holdReason !== WITHDRAWAL_HOLD, 'wait', 'held', fields.on_hold),
    chip(order.originalMissing, 'wait', 'look', fields.original_missing),
    chip(order.express, 'wait', undefined, fields.express),
    chip(order.archived, 'off', 'aside', fields.archived),
  ].filter(Boolean);
  return chips.length > 0 ? <span class="chips">{chips}</span> : null;
}

/**
 * Returns the text for a changed field in the audit log, such as `Abholfach`. For a field that names the new status,
 * the text is `Status: Abholbereit`.
 */
export function changedFieldText(reader: Reader, field: string, shippingOption: string | null): string {
  const { fields } = sharedMessages(reader).orders;
  const status = statusIn(field);
  return status === null
    ? textFor(fields, field)
    : `${fields.status}: ${statusText(reader, { shippingOption }, status)}`;
}

const STATUS_FIELD = 'status:';

/**
 * Returns the status that a changed field in the audit log names: `shipped` for `status:shipped`. Null for every other
 * field.
 */
export function statusIn(field: string): string | null {
  return field.startsWith(STATUS_FIELD) ? field.slice(STATUS_FIELD.length) : null;
}

/**
 * The names of items in one line of text: the first two names, and the number of the others. The tooltip has all names.
 */
export function ItemNames({ names }: { names: readonly string[] }): JSX.Element {
  const rest = names.length - 2;
  const more = rest > 0 && ` ${sharedMessages().requests.more(rest)}`;
  return html`<span class="clip" dir="auto" title="${names.join('\n')}">${kept(names.slice(0, 2).join('; '))}${more}</span>`;
}

const ICONS: Partial<Record<string, IconName>> = { Abholung: 'bag', Versand: 'truck', Express: 'truck' };

/**
 * The shipping option in the reader's language. An option without a translation, such as a delivery service's name, is
 * returned unchanged.
 */
export function shippingWord(view: Pick<View, 'language'>, option: string | null): string {
  const words: Partial<Record<string, string>> = sharedMessages(view).orders.shippingOptions;
  // Without a shipping option, the customer picks up the order.
  return words[option ?? 'Abholung'] ?? option ?? '';
}

/** The shipping option with its icon. */
export function Shipping({ option }: { option: string | null }): JSX.Element {
  return shippings(useView().language)(option ?? 'Abholung');
}

const shippings = perLanguage((_, language) =>
  remembering((option: string) => {
    const icon = Icon({ name: ICONS[option] ?? 'bike' });
    return html`<span class="with">${icon}<bdi>${shippingWord({ language }, option)}</bdi></span>`;
  }),
);

const REQUEST_LOOKS = {
  approved: { tone: 'good' },
  rejected: { tone: 'off', mark: 'failed' },
  needs_info: { tone: 'note' },
  open: { tone: 'off' },
} as const;

/** The status of a request. */
export function RequestChip({ request }: { request: Pick<Review['request'], 'status' | 'needsInfo'> }) {
  const { status, needsInfo } = request;
  const tab = status === 'approved' || status === 'rejected' ? status : needsInfo ? 'needs_info' : 'open';
  return <Chip {...REQUEST_LOOKS[tab]}>{sharedMessages().requests.tabs[tab]}</Chip>;
}

/** The actor of an audit log entry or a stock movement. */
interface Actor {
  /** The kind of the actor; null if it was not recorded. */
  actorKind: string | null;
  actorId: string | null;
}

/**
 * Returns the text for an actor: the name of a member, or the name and kind of a key or operator. If the name is not
 * known, the text has the kind and the end of the id. Without an id, the text has only the kind.
 * @param names names of members and keys by id
 */
export function actorText(reader: Reader, { actorKind, actorId }: Actor, names: ReadonlyMap<string, string>): string {
  const kind = textFor(sharedMessages(reader).actors, actorKind ?? 'anonymous');
  if (actorId === null) return kind;
  // An operator's id is the name of its token.
  const name = actorKind === 'operator' ? actorId : names.get(actorId);
  if (name === undefined) return `${kind} ${shortIdOf(actorId)}`;
  return actorKind === 'staff' ? name : `${name} (${kind})`;
}

type Charged = Pick<Order, 'feeCents' | 'discountCents' | 'discountKind'>;

/** The labels and amounts of the fee and the discount, if the order has them. */
export function chargeRows({ feeCents, discountCents, discountKind }: Charged): [string, string][] {
  const { orders } = sharedMessages();
  const discount = discountKind ? orders.discounts[discountKind] : orders.fields.discount_amount;
  const rows: [string, number][] = [
    [orders.fields.fee_amount, feeCents],
    [discount, 0 - discountCents],
  ];
  return rows.filter(([, cents]) => cents !== 0).map(([label, cents]) => [label, formatMoney(cents)]);
}

/** The active contents of a product: “THC 22 %”, “CBD 1 %”; empty if the product states none. */
export function contentsOf(product: { thcPercent: number | null; cbdPercent: number | null } | undefined): string[] {
  const { language } = useView();
  const said = (name: string, percent: number | null | undefined) =>
    typeof percent === 'number'
      ? [`${name} ${String(percent).replace('.', language === 'de' ? ',' : '.')}\u00a0%`]
      : [];
  return [...said('THC', product?.thcPercent), ...said('CBD', product?.cbdPercent)];
}
