import type { Inbox, InboxEntry } from '../../order-requests/service';
import { totalOf } from '../../orders/service';
import { type Markup, markup } from '../../platform/markup/markup';
import { HOUR_MS, MINUTE_MS } from '../../platform/time';
import { requestPath } from '../http/paths';
import { formatTime, formatWait, isoTime, moneyMarkup } from '../ui/format';
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
  // A phone has no heading that says what is to be checked.
  const prescription = (tone: Tone, text: string, mark?: MarkName) =>
    Chip({ tone, mark, children: markup`<span class="phone">${prescriptions.title} </span>${text}` });
  const quiet = (text: string) => markup`<span class="quiet">${text}</span>`;
  const { express } = orders.fields;
  return {
    late: markup`<span class="unseen"> (${t.late})</span>`,
    overdue: markup`<span class="unseen"> (${t.overdue})</span>`,
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
      none: markup`<span class="quiet table">&ndash;<span class="unseen"> ${states.none}</span></span>`,
    },
  };
}

type Parts = ReturnType<typeof partsOf>;

/** @param shop its name, where there are several */
function entryRow(view: View, parts: Parts, entry: InboxEntry, shop: string | undefined): Markup {
  const { request, lines, blockers } = entry;
  const customer = request.customerName ?? request.customerEmail ?? '';
  const isMissing = blockers.some(({ code }) => code === 'prescription_missing');
  const prescription = parts.prescriptions[isMissing ? 'missing' : entry.prescription];
  const settle = toSettle(view, entry);
  const total = lines.length > 0 ? totalOf(lines) : request.totalCents;
  return markup`<tr data-row="${request.id}">
    <td class="age">${age(view, parts, request)}</td>
    <td class="name"><span class="with"><a class="go" href="${requestPath(request.id)}" title="${titleOf(customer, shop)}"><bdi>${customer}</bdi></a>${request.shippingOption === 'Express' && parts.express}</span></td>
    <td class="items">${items(view, parts, lines)}</td>
    <td class="sum number">${total === null ? parts.none : moneyMarkup(view.language, total)}</td>
    <td class="shipping">${Shipping({ view, option: request.shippingOption })}</td>
    <td class="payment">${parts.payments[request.paymentStatus]}</td>
    <td class="prescription${settle && !isMissing ? ' second' : ''}">${prescription}</td>
    <td class="settle${isMissing ? ' second' : ''}">${settle}</td>
  </tr>`;
}

function titleOf(customer: string, shop: string | undefined): string {
  return shop === undefined ? customer : `${customer}, ${shop}`;
}

function age({ language, now }: View, parts: Parts, { status, createdAt }: InboxEntry['request']): Markup {
  const waited = status === 'pending' ? now - createdAt : 0;
  const [name, words] =
    waited > OVERDUE_MS
      ? (['overdue', parts.overdue] as const)
      : waited > LATE_MS
        ? (['late', parts.late] as const)
        : [];
  const [at, full] = [isoTime(createdAt), formatTime(language, createdAt)];
  return markup`<time class="${name ?? ''}" datetime="${at}" title="${full}">${formatWait(language, now - createdAt)}${words ?? ''}</time>`;
}

/** The first item, and how many more there are. */
function items(view: View, parts: Parts, lines: InboxEntry['lines']): Markup {
  const [first, ...others] = lines;
  if (!first) return parts.byPrescription;
  const name = first.productName ?? first.name;
  const more =
    others.length > 0 &&
    markup`<span class="quiet">+&nbsp;${others.length}<span class="unseen"> ${messages(view).further}</span></span>`;
  return markup`<span class="with"><span class="clip" dir="auto" title="${name}">${name}</span>${more}</span>`;
}

function chip(tone: Tone, children: string, mark?: MarkName): Markup {
  return Chip({ tone, mark, children });
}
