import type { Inbox, InboxEntry } from '../../order-requests/service';
import { totalOf } from '../../orders/service';
import { type Markup, markup } from '../../platform/markup/markup';
import { HOUR_MS, MINUTE_MS } from '../../platform/time';
import { requestPath } from '../http/paths';
import { formatTime, formatWait, moneyMarkup } from '../ui/format';
import { Icon, type MarkName, type Tone } from '../ui/icons';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Shipping } from '../ui/shipping';
import type { View } from '../ui/view';
import { messages } from './messages';
import { toSettle } from './to-settle';

/** Ages from which a waiting request is marked as late and as very late. */
const LATE_MS = 30 * MINUTE_MS;
const OVERDUE_MS = 2 * HOUR_MS;
/** Characters from which the narrowest column of names may cut a text. */
const CUT_FROM = 16;

/** The rows of the inbox: most of what there is to do for the page that is asked for most often. */
export function entryRows(view: View, { entries, shops }: Pick<Inbox, 'entries' | 'shops'>): Markup {
  const parts = partsOf(view);
  // Whoever has one shop need not be told which.
  const names = shops.length > 1 ? new Map(shops.map(({ id, name }) => [id, name])) : undefined;
  return markup`${entries.map((entry) => entryRow(view, parts, entry, names?.get(entry.request.shopId)))}`;
}

/** What is the same in all rows. */
function partsOf(view: View) {
  const { orders, prescriptions } = sharedMessages(view);
  const t = messages(view);
  const { states } = prescriptions;
  const prescription = (tone: Tone, text: string, mark?: MarkName) => ({
    beside: chip(tone, text, mark),
    // A phone shows it where nothing else is to be settled, without a heading that says what is checked.
    alone: Chip({ tone, mark, children: markup`<span class="phone">${prescriptions.title} </span>${text}` }),
  });
  const noneNeeded = markup`<span class="quiet table">&ndash;<span class="unseen"> ${states.none}</span></span>`;
  const quiet = (text: string) => markup`<span class="quiet">${text}</span>`;
  const { express } = orders.fields;
  return {
    late: (text: string) => markup`<b class="late">${text}<span class="unseen"> (${t.late})</span></b>`,
    overdue: (text: string) => markup`<b class="overdue">${text}<span class="unseen"> (${t.overdue})</span></b>`,
    express: markup`<span class="flag" title="${express}">${Icon({ name: 'bolt' })}<span class="unseen">${express}</span></span>`,
    byPrescription: quiet(t.byPrescription),
    none: markup`<span class="quiet">&ndash;</span>`,
    payments: {
      cash_on_pickup: quiet(t.paymentsShort.cash_on_pickup),
      paid: chip('good', t.paymentsShort.paid),
      pending: quiet(t.paymentsShort.pending),
    },
    prescriptions: {
      stored: prescription('off', states.stored),
      fetching: prescription('off', states.fetching, 'half'),
      fetch_failed: prescription('bad', states.fetch_failed, 'failed'),
      approved: prescription('good', states.approved),
      set_aside: prescription('off', states.set_aside, 'aside'),
      erased: prescription('off', states.erased, 'aside'),
      missing: prescription('bad', states.missing),
      none: { beside: noneNeeded, alone: noneNeeded },
    },
  };
}

type Parts = ReturnType<typeof partsOf>;

/**
 * As few characters as it can be: forty rows are fetched every few seconds.
 * @param shop its name, where there are several
 */
function entryRow(view: View, parts: Parts, entry: InboxEntry, shop: string | undefined): Markup {
  const { request, lines, blockers } = entry;
  const isMissing = blockers.some(({ code }) => code === 'prescription_missing');
  const prescription = parts.prescriptions[isMissing ? 'missing' : entry.prescription];
  const settle = toSettle(view, entry);
  const isSecond = settle !== null && !isMissing;
  const total = lines.length > 0 ? totalOf(lines) : request.totalCents;
  const sum = total === null ? parts.none : moneyMarkup(view.language, total);
  return markup`<tr>${age(view, parts, request, shop)}<td class="name">${name(parts, request)}</td>${items(parts, lines)}<td class="total number">${sum}</td><td class="shipping">${Shipping({ view, option: request.shippingOption })}</td><td class="payment">${parts.payments[request.paymentStatus]}</td><td class="prescription${isSecond ? ' second' : ''}">${prescription[isSecond ? 'beside' : 'alone']}</td><td class="settle${isMissing ? ' second' : ''}">${settle}</td></tr>\n`;
}

function name(parts: Parts, { id, customerName, customerEmail, shippingOption }: InboxEntry['request']): Markup {
  const customer = customerName ?? customerEmail ?? '';
  const link = markup`<a class="go" href="${requestPath(id)}"${titleOf(customer)}><bdi>${customer}</bdi></a>`;
  return shippingOption === 'Express' ? markup`<span class="with">${link}${parts.express}</span>` : link;
}

function age(
  { language, now }: View,
  parts: Parts,
  { status, createdAt }: InboxEntry['request'],
  shop?: string,
): Markup {
  const waited = status === 'pending' ? now - createdAt : 0;
  const title = [formatTime(language, createdAt), shop].filter(Boolean).join(', ');
  const mark = waited > OVERDUE_MS ? parts.overdue : waited > LATE_MS ? parts.late : null;
  const text = formatWait(language, now - createdAt);
  return markup`<td class="age" title="${title}">${mark ? mark(text) : text}</td>`;
}

/** The first item, and how many more there are. */
function items(parts: Parts, lines: InboxEntry['lines']): Markup {
  const [first, ...others] = lines;
  if (!first) return markup`<td class="what">${parts.byPrescription}</td>`;
  const text = first.productName ?? first.name;
  const cell = markup`<td class="what"${titleOf(text)}>`;
  if (others.length === 0) return markup`${cell}<bdi>${text}</bdi></td>`;
  return markup`${cell}<span class="with"><bdi class="clip">${text}</bdi><span class="quiet">+&nbsp;${others.length}</span></span></td>`;
}

/** The whole text, where its cell may cut it. */
function titleOf(text: string): Markup | null {
  return text.length > CUT_FROM ? markup` title="${text}"` : null;
}

function chip(tone: Tone, children: string, mark?: MarkName): Markup {
  return Chip({ tone, mark, children });
}
