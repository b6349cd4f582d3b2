import { type BulkStep, bulkRefusal, isNothingHere, type Order, progressOf } from '../../orders/service';
import { type Markup, markup } from '../../platform/markup/markup';
import { orderPath } from '../http/paths';
import { formatTime, formatWait, moneyMarkup } from '../ui/format';
import { Icon } from '../ui/icons';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, itemNamesOf, lookOf } from '../ui/order-summary';
import { Shipping } from '../ui/shipping';
import type { View } from '../ui/view';
import { refusalText } from './bulk-result';
import { deskMessages } from './desk-messages';

/** Characters from which the narrowest column of names may cut a text. */
const CUT_FROM = 16;

/**
 * The rows of the list, each of one line and as a whole a link, with the box that picks it.
 * @param step what the buttons below the list tell first: a box says why its order will be refused
 */
export function orderRows(
  view: View,
  orders: readonly Order[],
  shops: ReadonlyMap<string, string>,
  step: BulkStep | null,
): Markup {
  return markup`${orders.map((order) => orderRow(view, order, shops.get(order.shopId), step))}`;
}

function orderRow(view: View, order: Order, shop: string | undefined, step: BulkStep | null): Markup {
  const { orders } = sharedMessages(view);
  const t = deskMessages(view);
  const { number } = order;
  const customer = customerOf(view, order);
  const refusal = step && bulkRefusal(order, step);
  const why = refusal && markup` data-why="${`${number} ${customer} (${refusalText(view, refusal, order)})`}"`;
  const link = markup`<a class="go" href="${orderPath(order.id)}"${titleOf(customer)}><bdi>${customer}</bdi></a>`;
  const { express } = orders.fields;
  const name = order.express
    ? markup`<span class="with">${link}<span class="flag" title="${express}">${Icon({ name: 'bolt' })}<span class="unseen">${express}</span></span></span>`
    : link;
  const received = [formatTime(view.language, order.createdAt), shop].filter(Boolean).join(', ');
  return markup`<tr><td class="pick"><input type="checkbox" name="order" value="${number}" aria-label="${t.pick(number)}"${why}></td><td class="no">${number}</td><td class="name">${name}</td>${items(order)}<td class="settle">${status(view, order)}</td><td class="payment">${payment(view, order)}</td><td class="shipping"${trackedBy(order)}>${Shipping({ view, option: order.shippingOption })}</td><td class="total number">${moneyMarkup(view.language, order.totalCents)}</td><td class="age number" title="${received}">${formatWait(view.language, view.now - order.createdAt)}</td></tr>\n`;
}

/** With whom a parcel goes and under which number, where the pointer rests on how it goes. */
function trackedBy({ carrier, trackingNumber }: Order): Markup | null {
  const text = [carrier, trackingNumber].filter(Boolean).join(' ');
  return text === '' ? null : markup` title="${text}"`;
}

/** What stands in the way, else the status, with how far it is packed. */
function status(view: View, order: Order): Markup {
  const { text, all, ...look } = lookOf(view, order);
  const { packed, packs } = progressOf(order);
  const t = deskMessages(view);
  const far =
    order.status === 'awaiting_packing' && !isNothingHere(order)
      ? markup` <span class="quiet" title="${t.progress(packed, packs)}">${packed}/${packs}</span>`
      : null;
  return markup`<span class="with" title="${all}">${Chip({ ...look, children: text })}${far}</span>`;
}

function payment(view: View, { paymentStatus }: Order): Markup {
  const text = sharedMessages(view).orders.payments[paymentStatus];
  return paymentStatus === 'paid' ? Chip({ tone: 'good', children: text }) : markup`<span class="quiet">${text}</span>`;
}

/** The first item, and how many more there are. */
function items(order: Order): Markup {
  const [first = '', ...others] = itemNamesOf(order);
  const cell = markup`<td class="what"${titleOf(first)}>`;
  if (others.length === 0) return markup`${cell}<bdi>${first}</bdi></td>`;
  return markup`${cell}<span class="with"><bdi class="clip">${first}</bdi><span class="quiet">+&nbsp;${others.length}</span></span></td>`;
}

/** The whole text, where its cell may cut it. */
function titleOf(text: string): Markup | null {
  return text.length > CUT_FROM ? markup` title="${text}"` : null;
}
