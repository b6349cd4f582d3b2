import type { InboxEntry } from '../../order-requests/service';
import { type Markup, markup } from '../../platform/markup/markup';
import type { Tone } from '../ui/icons';
import { Chip } from '../ui/layout';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { blockerText, itemsOf } from './findings';
import { messages } from './messages';

type Blocker = InboxEntry['blockers'][number];

/** What the column of the prescription says already. */
const SAID_THERE: ReadonlySet<Blocker['code']> = new Set([
  'prescription_not_reviewed',
  'prescription_missing',
  'prescription_fetching',
  'prescription_fetch_failed',
]);
/** What asks for a look; all else is red. */
const TO_LOOK_AT: ReadonlySet<string> = new Set([
  'total_amount',
  'quantity',
  'price',
  'payment_undecided',
  'prescription_price',
]);
/** Warnings that no obstacle says, but these. */
const HINTS = {
  total_mismatch: 'payment_undecided',
  payment_method_conflict: 'payment_missing',
  product_id_conflict: null,
} as const satisfies Partial<Record<InboxEntry['warnings'][number]['code'], Blocker['code'] | null>>;
const HINT_CODES = Object.keys(HINTS) as (keyof typeof HINTS)[];

/** Items that a tooltip names of each finding. */
const NAMED_MAX = 1;

interface Finding {
  tone: Tone;
  name: string;
  items: readonly string[];
}

/**
 * What has to be settled, by name: the first, and how many more. A tooltip names all of them, with their items. Of a decided request,
 * how it was decided.
 */
export function toSettle(view: View, entry: InboxEntry): Markup | null {
  const { status, reasonCode } = entry.request;
  const { orders, requests } = sharedMessages(view);
  if (status === 'approved') return Chip({ tone: 'good', children: requests.tabs.approved });
  if (status === 'rejected') {
    return Chip({
      tone: 'off',
      mark: 'failed',
      children: reasonCode ? textFor(orders.reasons, reasonCode) : requests.tabs.rejected,
    });
  }
  const found = findingsOf(view, entry);
  const [first, ...others] = found;
  if (!first) return null;
  const title = found.map(({ name, items }) => [name, items.slice(0, NAMED_MAX).join(', ')].filter(Boolean).join(': '));
  const more =
    others.length > 0 &&
    markup`<span class="quiet">+${others.length}<span class="unseen"> ${messages(view).further}</span></span>`;
  return markup`<span class="with" title="${title.join('\n')}">${Chip({ tone: first.tone, children: first.name })}${more}</span>`;
}

/** The open question, what the platform sent since, what blocks, what asks for a look: each name once. */
function findingsOf(view: View, entry: InboxEntry): Finding[] {
  const { blockers, warnings, request } = entry;
  const t = messages(view);
  const named = Map.groupBy(
    blockers.filter(({ code }) => !SAID_THERE.has(code)),
    (blocker) => nameOf(view, blocker),
  );
  const obstacles = [...named].map(([name, of]): Finding => {
    const tone = of.every((blocker) => TO_LOOK_AT.has(kindOf(blocker))) ? 'wait' : 'bad';
    return { tone, name, items: [...new Set(of.flatMap((blocker) => itemsOf(blocker, entry)))] };
  });
  const hints = HINT_CODES.filter((hint) => {
    return warnings.some(({ code }) => code === hint) && !blockers.some(({ code }) => code === HINTS[hint]);
  }).map((hint): Finding => ({ tone: 'wait', name: t.warningShort[hint], items: [] }));
  const question = request.needsInfoCode;
  const asked: Finding[] = question ? [{ tone: 'note', name: t.questionCodes[question], items: [] }] : [];
  const last = request.supplements?.at(-1);
  const came: Finding[] = last
    ? [{ tone: 'note', name: t.supplemented[last.file === null ? 'note' : 'file'], items: [request.source] }]
    : [];
  const blocking = obstacles.filter(({ tone }) => tone === 'bad');
  return [...asked, ...came, ...blocking, ...obstacles.filter(({ tone }) => tone !== 'bad'), ...hints];
}

function kindOf(blocker: Blocker): string {
  return blocker.code === 'difference' ? blocker.difference.code : blocker.code;
}

/** What an obstacle is called in a list. */
function nameOf(view: View, blocker: Blocker): string {
  if (blocker.code === 'difference') return messages(view).differences[blocker.difference.code];
  return blockerText(view, blocker.code, 'blockerShort');
}
