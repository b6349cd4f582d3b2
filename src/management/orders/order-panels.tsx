import type { Child } from 'hono/jsx';
import { mailtoLink, messageLanguageOf } from '../../messages/texts';
import type { OrderDetail } from '../../orders/detail';
import { ordersFields, PATCHED_FIELDS, type PatchedField } from '../../orders/fields';
import { NOTE_MAX } from '../../orders/limits';
import { restExpectedOn, suppliedCount } from '../../orders/rules';
import { telOf } from '../../platform/markup/phone';
import { orderPath, requestPath } from '../http/paths';
import { actMessages } from '../ui/audit-messages';
import { controlOf, Fault, Field, Form, type FormState } from '../ui/fields';
import { birthDateOf, formatDate } from '../ui/format';
import { Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { actorText, Shipping, statusIn, statusText } from '../ui/order-summary';
import { MessagePanel, messageKinds, OpenQuestions, PersonWords, PlatformFacts, shownDetails } from '../ui/panels';
import { breakableAddress, Facts, Notice, Panel } from '../ui/parts';
import { textFor, useView, type View } from '../ui/view';
import { messages, otherProductMessages } from './messages';
import { type DetailProps, mayGoOtherwise } from './order-parts';
import { packingMessages } from './packing/messages';

/** The customer's data and note, open questions, and the platform's details. */
export function CustomerPanel({ detail }: DetailProps) {
  const { order, questions } = detail;
  const t = messages();
  return (
    <Panel title={t.customerData}>
      <PersonWords note={order.note} details={order.platformDetails} />
      <OpenQuestions questions={questions} />
      <Facts
        entries={[
          ...personFacts(detail),
          [t.request, order.orderRequestId && <a href={requestPath(order.orderRequestId)}>{t.toRequest}</a>],
        ]}
      />
      <PlatformDetails details={shownDetails(order)} />
    </Panel>
  );
}

interface DetailsProps {
  details: readonly [name: string, text: string][];
  isOpen?: boolean;
}

/** The platform's details, folded unless `isOpen`. */
export function PlatformDetails({ details, isOpen = false }: DetailsProps) {
  if (details.length === 0) return null;
  return (
    <details class="fold" open={isOpen}>
      <summary>{messages().platformDetails(details.length)}</summary>
      <PlatformFacts details={details} />
    </details>
  );
}

/** Fields that the page shows in their own places. The page lists the other texts that the API can change by label. */
const PLACED = [
  ...['shippingOption', 'customerName', 'customerEmail', 'addressPhone', 'holdReason', 'note'],
  ...['trackingNumber', 'trackingUrl', 'withdrawal', 'feeCents', 'discountCents'],
];
type Text = Exclude<PatchedField, 'feeCents' | 'discountCents'>;
const OTHER_TEXTS = PATCHED_FIELDS.filter((key) => !PLACED.includes(key) && !key.startsWith('address')) as Text[];

/** Customer, address, and shipping. */
function personFacts({ order, shopName }: OrderDetail): [string, Child][] {
  const { orders, messages: shared } = sharedMessages();
  const { fields: labels } = orders;
  const t = messages();
  const town = [order.addressPostalCode, order.addressCity].filter(Boolean).join(' ');
  const { addressPhone: phone, customerEmail: email, trackingNumber, trackingUrl } = order;
  const whenErased = order.erasedAt && formatDate(order.erasedAt);
  const text = (value: string | null) => (value ? <bdi>{value}</bdi> : null);
  return [
    [orders.erased, order.restrictedUntil ? t.erasedKept(formatDate(order.restrictedUntil)) : whenErased],
    [
      labels.shipping_option,
      <>
        <Shipping option={order.shippingOption} />{' '}
        {mayGoOtherwise(order) && <a href={`${orderPath(order.id)}/shipping`}>{t.changeShipping}</a>}
      </>,
    ],
    [t.bornOn, text(birthDateOf(useView(), order)?.text ?? null)],
    [t.prescriber, text(order.prescriberName)],
    [orders.address, text([order.addressStreet, town].filter(Boolean).join('\n') || (whenErased ? null : t.noAddress))],
    [labels.address_phone, phone ? <a href={telOf(phone)}>{phone}</a> : null],
    [shared.email, email ? <a href={mailtoLink(email)}>{breakableAddress(email)}</a> : null],
    [orders.shop, text(shopName)],
    [t.externalId, text(order.externalId)],
    [
      labels.tracking_number,
      trackingUrl ? <a href={trackingUrl}>{trackingNumber ?? trackingUrl}</a> : text(trackingNumber),
    ],
    ...OTHER_TEXTS.map((key): [string, Child] => [labels[ordersFields[key].wire], text(order[key])]),
  ];
}

type Act = OrderDetail['history'][number];
type ValueOf = (field: string) => string | number | null;

/** A history entry: an act, a question, an answer, a note, or an email. */
interface Entry {
  at: number;
  what: Child;
  who: string;
  kind?: 'words' | 'good';
}

/** The history of the order and its request, newest first, with a field for a note. */
export function OrderHistory({ detail, state }: DetailProps & { state: FormState<'note'> }) {
  const view = useView();
  const t = messages();
  const entries = [...actsOf(view, detail), ...questionsOf(detail), ...notesOf(detail), ...emailsOf(view, detail)];
  const fault = state.fieldErrors?.note;
  return (
    <Panel title={t.historyAndNotes}>
      <Form action={`${orderPath(detail.order.id)}/note`} class="note-form" isGuarded once>
        <Fault name="note" text={fault} />
        <label class="unseen" for="note">
          {t.noteForTeam}
        </label>
        <input
          {...controlOf('note', fault)}
          value={state.note ?? ''}
          placeholder={t.noteForTeam}
          maxlength={NOTE_MAX}
          autocomplete="off"
          data-note
        />
        <button type="submit">{sharedMessages().common.save}</button>
      </Form>
      {entries.length === 0 && <p class="quiet">{t.historyEmpty}</p>}
      <ol class="line-of" data-swap="history">
        {entries
          .toSorted((one, other) => other.at - one.at)
          .map(({ at, what, who, kind }) => (
            <li class={kind}>
              {what}
              <small>
                <Time at={at} /> · {who}
              </small>
            </li>
          ))}
      </ol>
    </Panel>
  );
}

/** Acts that are left out of the history, because their note or question is an entry of its own. */
const SAID = new Set(['order.noted', 'order_request.noted', 'order_request.needs_info', 'order_request.info_settled']);
const GOOD = new Set(['order_request.approved', 'order.packed', 'order.marked_paid']);

function actsOf(view: View, { order, history, names }: OrderDetail): Entry[] {
  // The log has no values. The newest change of a field set the value that the order has.
  const values: Partial<Record<string, string | number | null>> = {
    shelf: order.shelf,
    bags: order.bags,
    tracking_number: order.trackingNumber,
  };
  return history.flatMap((act, index) => {
    if (SAID.has(act.action)) return [];
    const isOld = (field: string) => history.slice(0, index).some(({ fields }) => fields?.includes(field));
    const earlier = history.slice(index + 1).map(newStatusOf);
    const before = earlier.find((status) => status !== null) ?? null;
    return {
      at: act.at,
      what: whatOf(view, order, act, before, (field) => (isOld(field) ? null : (values[field] ?? null))),
      who: actorText(view, act, names),
      ...(GOOD.has(act.action) && { kind: 'good' as const }),
    };
  });
}

function questionsOf({ order, questions }: OrderDetail): Entry[] {
  const t = messages();
  const { questionCodes, sentFile } = sharedMessages().orders;
  const asked = questions.map(({ code, text, askedAt, askedBy }) =>
    said(askedAt, askedBy ?? t.byProgram, t.asked(questionCodes[code]), text),
  );
  // Only staff and the platform answer.
  const answered = questions.flatMap(({ answer, answeredAt, answeredBy }) =>
    answeredAt === null ? [] : [said(answeredAt, answeredBy ?? order.source, t.answered, answer || sentFile)],
  );
  return [...asked, ...answered];
}

function notesOf({ order, notes }: OrderDetail): Entry[] {
  return notes.map(({ at, by, text }) => said(at, by ?? order.source, null, text));
}

function emailsOf(view: View, { emails }: OrderDetail): Entry[] {
  const { actors, messages } = sharedMessages(view);
  const { states, kinds } = messages;
  return emails.map(({ kind, state, at }) => ({
    at,
    who: actors.system,
    what: `${states[state]}: ${textFor(kinds, kind)}`,
  }));
}

function said(at: number, who: string, title: string | null, text: string): Entry {
  const what = (
    <>
      {title && <b>{title}: </b>}
      <q>{text}</q>
    </>
  );
  return { at, who, what, kind: 'words' };
}

/**
 * The text of an act in the history.
 * @param before the status before this act; null if unknown
 * @param setTo returns the value that the act gave a field; null if unknown
 */
function whatOf(view: View, order: OrderDetail['order'], act: Act, before: string | null, setTo: ValueOf): Child {
  const { reasons, unpaidReasons, fields } = sharedMessages(view).orders;
  const status = newStatusOf(act);
  const isChange = act.action === 'order.updated';
  // Acts with a name of their own say which items they change.
  const others = (act.fields ?? []).filter((field) => statusIn(field) === null && (isChange || field !== 'items'));
  const texts = others.map((field) => [textFor(fields, field), setTo(field)].filter(Boolean).join('\u00a0')).join(', ');
  const reasonTexts: Record<string, string> = { ...reasons, ...unpaidReasons, ...otherProductMessages(view).reasons };
  const why = act.reasonCode && textFor(reasonTexts, act.reasonCode);
  const isStep = isChange && status !== null;
  return (
    <>
      {isStep ? fields.status : textFor(actMessages(view), act.action)}
      {isStep && ': '}
      {isStep && before && (
        <>
          <del>{statusText(view, order, before)}</del>
          {' → '}
        </>
      )}
      {isStep && <ins>{statusText(view, order, status)}</ins>}
      {texts && `${isStep ? ', ' : ': '}${texts}`}
      {why && ` (${why})`}
    </>
  );
}

/** The status that an act set; null if it set none. */
function newStatusOf({ action, fields }: Act): string | null {
  if (action === 'order.returned' && fields?.includes('status')) return 'returned';
  return fields?.map(statusIn).find((status) => status !== null) ?? null;
}

const SHOWN_IN = new Set(['awaiting_packing', 'ready_pickup', 'ready_shipping']);

/** The form for the shelf and the number of bags. */
export function ShelfPanel({ detail: { order }, state }: DetailProps & { state: FormState<'shelf' | 'bags'> }) {
  const t = packingMessages();
  if (!SHOWN_IN.has(order.status)) return null;
  const { fieldErrors } = state;
  return (
    <Panel title={t.shelfAndBags}>
      <Form action={`${orderPath(order.id)}/shelf`} class="shelf-form" isGuarded>
        <Field name="shelf" label={t.shelf} value={state.shelf ?? order.shelf ?? ''} fieldErrors={fieldErrors} />
        <Field
          name="bags"
          label={t.bags}
          value={state.bags ?? String(order.bags ?? 1)}
          fieldErrors={fieldErrors}
          inputmode="numeric"
        />
        <button type="submit">{sharedMessages().common.save}</button>
      </Form>
    </Panel>
  );
}

/** The messages to the customer that fit the order's current state. */
export function MessageToCustomer({ detail }: DetailProps) {
  const { order, shop, questions, emails, hasOptedOut } = detail;
  const { messages: t } = sharedMessages();
  if (!shop || order.erasedAt !== null) return null;
  const day = restExpectedOn(order);
  const kinds = messageKinds({
    ready: order.status === 'ready_pickup' && day === null,
    later: order.status === 'ready_pickup' && day !== null,
    shipped: order.status === 'shipped',
    question: questions.some(({ answeredAt }) => answeredAt === null),
    rejected: order.status === 'cancelled' && suppliedCount(order) === 0,
  });
  return (
    <MessagePanel
      kinds={kinds}
      language={messageLanguageOf(order.platformDetails)}
      facts={{ number: String(order.number), orderedAt: order.createdAt, shop, day, trackingUrl: order.trackingUrl }}
      email={order.customerEmail}
      phone={order.addressPhone}
    >
      {hasOptedOut && <p class="hint">{t.optedOut}</p>}
      {emails
        .filter(({ state }) => state === 'bounced' || state === 'failed')
        .map(() => (
          <Notice tone="bad">
            <p>{t.tellByPhone}</p>
          </Notice>
        ))}
    </MessagePanel>
  );
}
