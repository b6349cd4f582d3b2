import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { OrderableProduct } from '../../inventory/browse';
import type { RequestItem } from '../../order-requests/envelope';
import type { InboxEntry, Review } from '../../order-requests/inbox/inbox';
import { chargesOf } from '../../order-requests/intake/charges';
import { feeWarnings } from '../../order-requests/intake/warnings';
import type { PaymentDifference } from '../../order-requests/review/assessment';
import type { LineDifference } from '../../order-requests/review/lines';
import { totalsWith } from '../../orders/rules';
import { PAYMENT_ACTIONS } from '../../orders/tables';
import type { Language } from '../http/language';
import { orderPath, requestPath } from '../http/paths';
import { Button, Choice, Group } from '../ui/fields';
import { formatDate, formatMoney } from '../ui/format';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { shippingWord } from '../ui/order-summary';
import { Notice, type Tone } from '../ui/parts';
import { textFor, useView, type View } from '../ui/view';
import { itemMessages } from './item-messages';
import { messages } from './messages';
import { mayCheck } from './prescription-pane';
import { EMPTY_LINE, linesOf, type ReviewProps, type ReviewState, type TypedLine, withSpare } from './review-state';

type Blocker = Review['blockers'][number];
type Warning = Review['warnings'][number];

/** The warnings about the request that no other part of the page shows. Warnings for programs are left out. */
export function Warnings({ review }: { review: Review }) {
  const texts = review.warnings.map((warning) => warningText(review, warning)).filter((text) => text !== null);
  return (
    <>
      {texts.map((text) => (
        <Notice tone="wait">{text}</Notice>
      ))}
    </>
  );
}

/**
 * The other requests whose prescription has the same file or signature. They are shown as an error if they prevent the
 * approval, otherwise as a note.
 */
export function SharedPrescription({ review: { blockers, warnings } }: { review: Review }) {
  const t = messages();
  const [stops] = blockers.flatMap((each) => (each.code === 'prescription_redeemed' ? [each] : []));
  const [told] = warnings.flatMap((each) => (each.code === 'prescription_redeemed' ? [each] : []));
  const { others = [] } = stops ?? told ?? {};
  if (others.length === 0) return null;
  return (
    <Notice tone={stops ? 'bad' : 'note'} class="redeemed">
      <p id="redeemed" tabindex={-1}>
        <b>{stops ? t.redeemed.stops : t.redeemed.told}</b>
      </p>
      <ul>
        {others.map(({ id, status, createdAt, customerName, orderId, orderNumber }) => (
          <li>
            {formatDate(createdAt)},{' '}
            {status === 'pending' || status === 'deleted' ? t.redeemed[status] : sharedMessages().requests.tabs[status]}
            :{' '}
            <a href={orderId === null ? requestPath(id) : orderPath(orderId)}>
              {orderNumber !== null && t.redeemed.order(orderNumber)}{' '}
              <bdi>{customerName ?? itemMessages().request}</bdi>
            </a>
          </li>
        ))}
      </ul>
      {stops && (
        <p class="acts">
          {t.redeemed.reasons.map((reason) => (
            <Button name="set" value={new URLSearchParams({ override_reason: reason }).toString()} label={reason} />
          ))}
          <Button name="set" value="reason_code=prescription_already_used" label={t.redeemed.reject} />
        </p>
      )}
    </Notice>
  );
}

function warningText({ request }: Review, warning: Warning): string | null {
  const { warningTexts: t } = sharedMessages().requests;
  switch (warning.code) {
    case 'rule_warns':
      return `${warning.productName}: ${warning.message}`;
    case 'payment_method_conflict':
      return `${t.payment_method_conflict}: ${messages().payments[request.paymentStatus]}, ${request.shippingOption === null ? itemMessages().noShipping : shippingWord(useView(), request.shippingOption)}`;
    case 'product_id_conflict': {
      const place = indexOf(warning.pointer);
      const { p1Id, productId } = request.items[place] ?? {};
      return `${t.product_id_conflict}: ${itemMessages().line(place + 1)}, ${p1Id}, ${productId}`;
    }
    case 'email_unusable':
      return `${t.email_unusable}: ${request.platformDetails?.customer_email ?? ''}`;
    // Readers who may check prescriptions see this beside the checkbox.
    case 'prescription_unreadable':
      return mayCheck() ? null : t.prescription_unreadable;
    // The other warnings are shown by the lines, the person's data or `SharedPrescription`, or are meant for programs.
    default:
      return null;
  }
}

/**
 * The text of an obstacle for the reader's role. An obstacle without such a text gets the short text that the list of
 * open points shows.
 */
export function blockerText(view: Pick<View, 'language' | 'session'>, code: Blocker['code']): string {
  const t = messages(view);
  const texts: Partial<Record<Blocker['code'], string>> = t.blockerTexts;
  const staffTexts: typeof texts = view.session?.role === 'staff' ? t.staffTexts : {};
  return staffTexts[code] ?? texts[code] ?? t.blockerShort[code];
}

/** The codes of obstacles that belong to the whole request, not to single items. */
const ABOUT_ALL: readonly Blocker['code'][] = [
  'signature_unconfirmed',
  'question_open',
  'prescription_redeemed',
  'payment_undecided',
  'fee_differs',
  'address_missing',
  'payment_missing',
];

/**
 * The names of the items that an obstacle is about. Empty if it is about the whole request. An obstacle without a
 * product or a pointer is about all items that need a prescription.
 */
export function itemsOf(blocker: Blocker, { lines }: Pick<Review, 'lines'>): string[] {
  const names = lines.map((line) => line.productName ?? line.name);
  if ('p1Id' in blocker) return [blocker.productName ?? blocker.p1Id];
  if (ABOUT_ALL.includes(blocker.code)) return [];
  if ('pointer' in blocker) return names.slice(indexOf(blocker.pointer), indexOf(blocker.pointer) + 1);
  return names.filter((_, index) => lines[index]?.prescriptionRequired);
}

/** The list index at the end of a JSON pointer. */
export function indexOf(pointer: string): number {
  return Number(pointer.split('/').at(-1));
}

/** A line on a request's page: its typed values, and the item, product and findings that belong to it. */
export interface LineView {
  /** The line's row in the form, from 0. */
  row: number;
  typed: TypedLine;
  /** The submitted item; undefined for a line that the pharmacy added. */
  asked: RequestItem | undefined;
  /** The line as it will be approved; undefined for an empty or removed row. */
  line: Review['lines'][number] | undefined;
  product: OrderableProduct | undefined;
  differences: LineDifference[];
  /** Obstacles to the line's approval. */
  hindrances: Blocker[];
}

/** The lines of a pending request, one for each row of the form. The last row is empty, for one more item. */
export function lineViews(review: Review, state: ReviewState, language: Language): LineView[] {
  const { request, products } = review;
  return withSpare(state.lines ?? linesOf(review, language)).map((typed, row) => {
    const place = state.rows ? state.rows.indexOf(row) : row;
    const line = review.lines[place];
    return {
      row,
      typed,
      asked: request.items[row],
      line,
      product: products.get(typed.productId) ?? products.get(line?.p1Id ?? ''),
      differences: review.differences.filter((each) => each.line === place),
      hindrances: line === undefined ? [] : review.blockers.filter((each) => isAbout(each, line, place)),
    };
  });
}

/** The lines of a decided request. */
export function decidedViews({ lines, products }: Review): LineView[] {
  return lines.map((line, row) => ({
    row,
    typed: EMPTY_LINE,
    asked: undefined,
    line,
    product: products.get(line.p1Id ?? ''),
    differences: [],
    hindrances: [],
  }));
}

/** The codes of obstacles that are shown at every line that needs a prescription. */
const OF_PRESCRIBED: readonly Blocker['code'][] = ['prescription_missing', 'prescription_expired'];

function isAbout(blocker: Blocker, line: Review['lines'][number], place: number): boolean {
  if ('difference' in blocker) return false;
  if (OF_PRESCRIBED.includes(blocker.code)) return line.prescriptionRequired;
  if ('p1Id' in blocker) return blocker.p1Id === line.p1Id;
  return 'pointer' in blocker && indexOf(blocker.pointer) === place;
}

/** The name under which the item was requested; empty for a product that the pharmacy added. */
export function askedName({ asked, typed, line }: LineView, { products }: Pick<Review, 'products'>): string {
  // The line of a decided request has the name.
  if (asked === undefined) return typed.productId === '' ? (line?.name ?? '') : '';
  const id = asked.p1Id ?? asked.productId ?? '';
  return asked.name ?? products.get(asked.p1Id ?? '')?.name ?? products.get(asked.productId ?? '')?.name ?? id;
}

type EntryBlocker = InboxEntry['blockers'][number];

/** The codes of obstacles that `findingsOf` leaves out, because the column of prescriptions already shows them. */
const SAID_THERE: ReadonlySet<EntryBlocker['code']> = new Set([
  'prescription_not_reviewed',
  'prescription_missing',
  'prescription_fetching',
  'prescription_fetch_failed',
]);
/** The codes of obstacles and differences that are shown in amber. All others are red. */
const TO_LOOK_AT: ReadonlySet<string> = new Set([
  'total_amount',
  'quantity',
  'unclear_unit',
  'unit_step',
  'price',
  'payment_undecided',
  'fee_differs',
  'prescription_price',
  'signature_unconfirmed',
]);
/**
 * The codes of the warnings that are shown as hints. The value is the code of an obstacle: if the request has this
 * obstacle, the hint is left out. Null: the hint is always shown.
 */
const HINTS = {
  fee_differs: 'fee_differs',
  payment_method_conflict: 'payment_missing',
  product_id_conflict: null,
} as const satisfies Partial<Record<InboxEntry['warnings'][number]['code'], EntryBlocker['code'] | null>>;
const HINT_CODES = Object.keys(HINTS) as (keyof typeof HINTS)[];

/** Maximum number of items that the tooltip names for each finding. */
const NAMED_MAX = 1;

interface Finding {
  tone: Tone;
  name: string;
  items: readonly string[];
}

/**
 * Shows the first finding of a pending request and the number of further ones. The tooltip names all findings. Returns
 * null if there is no finding. For a decided request, shows the decision.
 */
export function toSettle(view: View, entry: InboxEntry): JSX.Element | null {
  const { status, reasonCode, orderNumber } = entry.request;
  const { orders, requests } = sharedMessages(view);
  if (status === 'approved') {
    const number = orderNumber && messages(view).redeemed.order(orderNumber);
    return Chip({ tone: 'good', children: number || requests.tabs.approved });
  }
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
    html`<span class="quiet">+ ${others.length}<span class="unseen"> ${messages(view).further}</span></span>`;
  return html`<span class="with" title="${title.join('\n')}">${Chip({ tone: first.tone, children: first.name })}${more}</span>`;
}

/**
 * The findings of a pending request, in this order: the open question, what the platform sent later, red obstacles,
 * amber obstacles, hints.
 */
function findingsOf(view: View, entry: InboxEntry): Finding[] {
  const { blockers, warnings, request } = entry;
  const t = messages(view);
  const named = Map.groupBy(
    blockers.filter(({ code }) => !SAID_THERE.has(code)),
    (blocker) => ('difference' in blocker ? t.differences[blocker.difference.code] : t.blockerShort[blocker.code]),
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

function kindOf(blocker: EntryBlocker): string {
  return 'difference' in blocker ? blocker.difference.code : blocker.code;
}

/**
 * Asks what else the platform's total contains, if it differs from the sum of items and fee. No answer is preselected.
 */
export function RemainderQuestion({ review: { request, lines }, state }: ReviewProps) {
  const t = messages();
  const [differs] = feeWarnings(request);
  if (!differs) return null;
  const checked = totalsWith(lines, chargesOf(request, 'check_price')).totalCents;
  const rest = formatMoney(differs.sentCents - differs.computedCents);
  const label = t.remainder(formatMoney(differs.sentCents), formatMoney(differs.computedCents));
  const texts = chargesOf(request).choices.map((choice): [string, string] => {
    return [
      choice,
      `${t.remainders[choice]}: ${choice === 'check_price' ? t.checkedTotal(formatMoney(checked)) : rest}`,
    ];
  });
  return <Radios name="remainder" {...{ label, texts, state }} />;
}

/** Asks how to treat the difference between the paid amount and the total. No answer is preselected. */
export function PaymentChoice({ state, difference }: Omit<ReviewProps, 'review'> & { difference: PaymentDifference }) {
  const t = messages();
  // Nobody collects what the customer has paid too much, or refunds what is still owed.
  const wrong = difference.paidCents < difference.totalCents ? 'refund' : 'collect';
  const [paid, total] = [difference.paidCents, difference.totalCents].map((cents) => formatMoney(cents));
  const texts = PAYMENT_ACTIONS.filter((action) => action !== wrong).map((action): [string, string] => {
    return [action, t.paymentActions[action]];
  });
  return <Radios name="payment" label={t.payment(paid ?? '', total ?? '')} {...{ texts, state }} />;
}

interface RadiosProps extends Omit<ReviewProps, 'review'> {
  name: 'remainder' | 'payment';
  label: string;
  texts: [value: string, text: string][];
}

function Radios({ name, label, texts, state }: RadiosProps) {
  return (
    <Notice tone="wait">
      <Group {...{ name, label }} id={name} fault={state.fieldErrors?.[name]}>
        {texts.map(([value, text]) => (
          <Choice type="radio" {...{ name, value }} checked={state[name] === value} label={text} />
        ))}
      </Group>
    </Notice>
  );
}
