import type { Inbox, InboxEntry } from '../../order-requests/service';
import { type Markup, markup } from '../../platform/markup/markup';
import { HOUR_MS, MINUTE_MS } from '../../platform/time';
import { requestPath } from '../http/paths';
import { formatAge, formatTime, isoTime, moneyMarkup } from '../ui/format';
import type { MarkName, Tone } from '../ui/icons';
import { Chip } from '../ui/layout';
import { ItemNames } from '../ui/line-name';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { blockerText, itemsOf } from './findings';
import { messages } from './messages';

/** Ages from which a waiting request is marked as late and as very late. */
const LATE_MS = 30 * MINUTE_MS;
const OVERDUE_MS = 2 * HOUR_MS;

/** The rows of the inbox: most of what there is to do for the page that is asked for most often. */
export function entryRows(view: View, { entries, shops }: Pick<Inbox, 'entries' | 'shops'>): Markup {
  const parts = partsOf(view);
  const names = new Map(shops.map(({ id, name }) => [id, clipped(name)]));
  return markup`${entries.map((entry) => entryRow(view, parts, entry, names.get(entry.request.shopId) ?? clipped('')))}`;
}

/** What is the same in all rows. */
function partsOf(view: View) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const { states } = shared.prescriptions;
  // Headings of the columns, which narrow screens show in each row.
  const label = (text: string) => markup`data-label="${text}"`;
  return {
    age: label(shared.orders.age),
    shop: label(shared.orders.shop),
    items: label(t.items),
    total: label(shared.orders.total),
    shipping: label(t.shippingAndPayment),
    prescription: label(shared.prescriptions.title),
    warnings: label(t.warnings),
    late: chip('wait', t.late),
    overdue: chip('bad', t.overdue),
    prescriptions: {
      stored: chip('off', states.stored),
      fetching: chip('off', states.fetching, 'half'),
      fetch_failed: chip('bad', states.fetch_failed, 'failed'),
      approved: chip('good', states.approved),
      set_aside: chip('off', states.set_aside, 'aside'),
      erased: chip('off', states.erased, 'aside'),
      none: chip('off', states.none, 'aside'),
    },
  };
}

type Parts = ReturnType<typeof partsOf>;

function entryRow(view: View, parts: Parts, entry: InboxEntry, shop: Markup): Markup {
  const t = messages(view);
  const { request, prescription, lines } = entry;
  const customer = markup`${request.customerName ?? request.customerEmail ?? ''}`;
  const source = markup`${request.source}`;
  const names = lines.map((line) => line.productName ?? line.name);
  const total = request.totalCents === null ? '–' : moneyMarkup(view.language, request.totalCents);
  return markup`<tr data-row="${request.id}">
    <td ${parts.age}>${age(view, parts, request)}</td>
    <td><a class="go" href="${requestPath(request.id)}" dir="auto" title="${customer}">${customer}</a></td>
    <td class="extra" ${parts.shop}>${shop}
      <small class="clip" dir="auto" title="${source}">${source}</small></td>
    <td class="items" ${parts.items}>${names.length > 0 && ItemNames({ view, names })}</td>
    <td class="number" ${parts.total}>${total}</td>
    <td ${parts.shipping}>${request.shippingOption ?? t.noShipping}
      <small>${t.payments[request.paymentStatus]}</small></td>
    <td ${parts.prescription}>${parts.prescriptions[prescription]}</td>
    <td ${parts.warnings}>${findings(view, entry)}</td>
  </tr>`;
}

function age({ language, now }: View, parts: Parts, { status, createdAt }: InboxEntry['request']): Markup {
  const waited = status === 'pending' ? now - createdAt : 0;
  const mark = waited > LATE_MS && markup`<small>${waited > OVERDUE_MS ? parts.overdue : parts.late}</small>`;
  const [at, full] = [isoTime(createdAt), formatTime(language, createdAt)];
  return markup`<time datetime="${at}" title="${full}">${formatAge(language, createdAt, now)}</time>${mark}`;
}

/** The open question, obstacles and warnings, each once; a tooltip names the items. */
function findings(view: View, entry: InboxEntry): Markup | null {
  const { blockers, warnings, request } = entry;
  const t = messages(view);
  const question = request.needsInfoCode && chip('wait', t.questionCodes[request.needsInfoCode]);
  if (blockers.length === 0 && warnings.length === 0)
    return question ? markup`<span class="chips">${question}</span>` : null;
  const named = Map.groupBy(blockers, (blocker) => nameOf(view, blocker));
  const obstacles = [...named].map(([name, of]) =>
    explained(
      of.flatMap((blocker) => itemsOf(blocker, entry)),
      chip('bad', name),
    ),
  );
  const said = [...new Set(warnings.map(({ code }) => sharedMessages(view).requests.warningTexts[code]))];
  const hints = said.length > 0 && explained(said, chip('wait', t.warningCount(warnings.length)));
  return markup`<span class="chips">${question ?? ''}${obstacles}${hints}</span>`;
}

/** What an obstacle is called in a list. */
function nameOf(view: View, blocker: InboxEntry['blockers'][number]): string {
  if (blocker.code === 'difference') return messages(view).differences[blocker.difference.code];
  return blockerText(view, blocker.code, 'blockerShort');
}

function explained(lines: readonly string[], label: Markup): Markup {
  return markup`<span title="${lines.join('\n')}">${label}</span>`;
}

/** A text of which a narrow cell shows the beginning. */
function clipped(text: string): Markup {
  return markup`<span class="clip" title="${text}">${text}</span>`;
}

function chip(tone: Tone, children: string, mark?: MarkName): Markup {
  return Chip({ tone, mark, children });
}
