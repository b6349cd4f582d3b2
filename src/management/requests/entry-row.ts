import { html } from 'hono/html';
import type { InboxEntry } from '../../order-requests/service';
import { HOUR_MS, MINUTE_MS } from '../../platform/time';
import { requestPath } from '../http/paths';
import { formatAge, formatMoney, formatTime } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { blockerShort, itemsOf } from './findings';
import { messages } from './messages';

/** Ages from which a waiting request is marked as late and as very late. */
const LATE_MS = 30 * MINUTE_MS;
const OVERDUE_MS = 2 * HOUR_MS;

const TONES = { stored: 'good', fetching: 'wait', fetch_failed: 'bad', erased: 'quiet', none: 'quiet' } as const;

/**
 * A row of the inbox. Templates escape as JSX does and take half of its time, and the rows are most of what there is to do for
 * the page that is asked for most often.
 */
export function entryRow(view: View, entry: InboxEntry, shopName = '') {
  const shared = sharedMessages(view);
  const t = messages(view);
  const { request, prescription, lines } = entry;
  const customer = request.customerName ?? request.customerEmail ?? '';
  const names = lines.map((line) => line.productName ?? line.name);
  const total = request.totalCents === null ? '–' : formatMoney(view.language, request.totalCents);
  return html`<tr data-row="${request.id}">
    <td data-label="${shared.requests.age}">${age(view, request)}</td>
    <td><a class="clip" href="${requestPath(request.id)}" dir="auto" title="${customer}">${customer}</a></td>
    <td class="extra" data-label="${t.shop}"><span class="clip" title="${shopName}">${shopName}</span>
      <small class="clip" dir="auto" title="${request.source}">${request.source}</small></td>
    <td class="items" data-label="${t.items}">${names.length > 0 && itemNames(view, names)}</td>
    <td class="number" data-label="${t.total}">${total}</td>
    <td data-label="${t.shippingAndPayment}">${request.shippingOption ?? t.noShipping}
      <small>${t.payments[request.paymentStatus]}</small></td>
    <td data-label="${shared.prescriptions.title}">${chip(TONES[prescription], shared.prescriptions.states[prescription])}</td>
    <td data-label="${t.warnings}">${findings(view, entry)}</td>
  </tr>`;
}

function age(view: View, { status, createdAt }: InboxEntry['request']) {
  const { language, now } = view;
  const [at, full] = [new Date(createdAt).toISOString(), formatTime(language, createdAt)];
  const time = html`<time datetime="${at}" title="${full}">${formatAge(language, createdAt, now)}</time>`;
  const waited = now - createdAt;
  if (status !== 'pending' || waited <= LATE_MS) return time;
  const t = messages(view);
  return html`${time}<small>${waited > OVERDUE_MS ? chip('bad', t.overdue) : chip('wait', t.late)}</small>`;
}

/** Names of items in one line: the first two, then how many more. */
function itemNames(view: View, names: readonly string[]) {
  const rest = names.length - 2;
  const more = rest > 0 && ` ${sharedMessages(view).requests.more(rest)}`;
  return html`<span class="clip" dir="auto" title="${names.join('\n')}">${names.slice(0, 2).join('; ')}${more}</span>`;
}

/** Obstacles and warnings, each once; a tooltip names the items. */
function findings(view: View, entry: InboxEntry) {
  const shared = sharedMessages(view);
  const { blockers, warnings } = entry;
  const codes = [...new Set(blockers.map(({ code }) => code))];
  const about = (code: (typeof codes)[number]) =>
    blockers.filter((blocker) => blocker.code === code).flatMap((blocker) => itemsOf(blocker, entry));
  const said = [...new Set(warnings.map(({ code }) => shared.requests.warningTexts[code]))];
  if (codes.length === 0 && said.length === 0) return null;
  return html`<span class="chips">${[
    ...codes.map((code) => explained(about(code), chip('bad', blockerShort(view, code)))),
    said.length > 0 && explained(said, chip('wait', messages(view).warningCount(warnings.length))),
  ]}</span>`;
}

function explained(lines: readonly string[], label: ReturnType<typeof chip>) {
  return html`<span title="${lines.join('\n')}">${label}</span>`;
}

/** As `Chip` (ui/layout.tsx). */
function chip(tone: 'good' | 'wait' | 'bad' | 'quiet', text: string) {
  return html`<span class="chip ${tone}">${text}</span>`;
}
