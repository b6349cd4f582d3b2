import { NOTE_MAX } from '../../orders/limits';
import type { OrderDetail } from '../../orders/service';
import type { Child } from '../../platform/markup/markup';
import { orderPath } from '../http/paths';
import { actMessages } from '../ui/act-messages';
import { actorText } from '../ui/actor';
import { Fault, Form, type FormState } from '../ui/fields';
import { Time } from '../ui/layout';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import { changedFieldText, statusIn } from '../ui/order-summary';
import { Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';
import type { DetailProps } from './order-props';
import { otherProductMessages } from './other-product-messages';

type Act = OrderDetail['history'][number];

/** Something that was done or said. */
interface Entry {
  at: number;
  what: Child;
  who: string;
  kind?: 'words' | 'good';
}

/** What was done, asked and written about the order and its request, newest first, and a field for a note. */
export function OrderHistory({ view, detail, state }: DetailProps & { state: FormState<'note'> }) {
  const t = messages(view);
  const entries = [
    ...actsOf(view, detail),
    ...questionsOf(view, detail),
    ...notesOf(detail),
    ...emailsOf(view, detail),
  ];
  const fault = state.fieldErrors?.note;
  return (
    <Panel title={t.historyAndNotes}>
      <Form view={view} action={`${orderPath(detail.order.id)}/note`} class="note-form" isGuarded once>
        <Fault name="note" text={fault} />
        <label class="unseen" for="note">
          {t.noteForTeam}
        </label>
        <input
          id="note"
          name="note"
          value={state.note ?? ''}
          placeholder={t.noteForTeam}
          maxlength={NOTE_MAX}
          autocomplete="off"
          data-note
          aria-describedby={fault && 'note-fault'}
          aria-invalid={fault && 'true'}
        />
        <button type="submit">{sharedMessages(view).common.save}</button>
      </Form>
      {entries.length === 0 && <p class="quiet">{t.historyEmpty}</p>}
      <ol class="line-of">
        {entries
          .toSorted((one, other) => other.at - one.at)
          .map(({ at, what, who, kind }) => (
            <li class={kind}>
              {what}
              <small>
                <Time view={view} at={at} /> · {who}
              </small>
            </li>
          ))}
      </ol>
    </Panel>
  );
}

/** What was said stands here itself. */
const SAID = new Set(['order.noted', 'order_request.noted', 'order_request.needs_info', 'order_request.info_settled']);
const GOOD = new Set(['order_request.approved', 'order.packed', 'order.marked_paid']);

function actsOf(view: View, { history, names }: OrderDetail): Entry[] {
  return history.flatMap((act, index) => {
    if (SAID.has(act.action)) return [];
    const before =
      history
        .slice(index + 1)
        .map(newStatusOf)
        .find((status) => status !== null) ?? null;
    return {
      at: act.at,
      what: whatOf(view, act, before),
      who: actorText(view, act, names),
      ...(GOOD.has(act.action) && { kind: 'good' as const }),
    };
  });
}

function questionsOf(view: View, { order, questions }: OrderDetail): Entry[] {
  const t = messages(view);
  const { questionCodes, sentFile } = sharedMessages(view).orders;
  return questions.flatMap(({ code, text, askedAt, askedBy, answer, answeredAt, answeredBy }) => [
    {
      at: askedAt,
      who: askedBy ?? t.byProgram,
      kind: 'words' as const,
      what: said(t.asked(questionCodes[code]), text),
    },
    ...(answeredAt === null
      ? []
      : [
          {
            at: answeredAt,
            // Only staff and the platform answer.
            who: answeredBy ?? order.source,
            kind: 'words' as const,
            what: said(t.answered, answer || sentFile),
          },
        ]),
  ]);
}

function notesOf({ order, notes }: OrderDetail): Entry[] {
  return notes.map(({ at, by, text }) => ({ at, who: by ?? order.source, kind: 'words', what: said(null, text) }));
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

function said(title: string | null, text: string): Child {
  return (
    <>
      {title && <b>{title}: </b>}
      <q>{text}</q>
    </>
  );
}

/** @param before the status until then, if it is known */
function whatOf(view: View, act: Act, before: string | null): Child {
  const { reasons, unpaidReasons, statuses, fields } = sharedMessages(view).orders;
  const status = newStatusOf(act);
  const others = (act.fields ?? []).filter((field) => statusIn(field) === null);
  const texts = others.map((field) => changedFieldText(view, field)).join(', ');
  const reasonTexts: Record<string, string> = { ...reasons, ...unpaidReasons, ...otherProductMessages(view).reasons };
  const why = act.reasonCode && textFor(reasonTexts, act.reasonCode);
  const isStep = act.action === 'order.updated' && status !== null;
  return (
    <>
      {isStep ? fields.status : textFor(actMessages(view), act.action)}
      {isStep && ': '}
      {isStep && before && (
        <>
          <del>{textFor(statuses, before)}</del>
          {' → '}
        </>
      )}
      {isStep && <ins>{textFor(statuses, status)}</ins>}
      {texts && `${isStep ? ', ' : ': '}${texts}`}
      {why && ` (${why})`}
    </>
  );
}

/** The status that an act led to. */
function newStatusOf({ action, fields }: Act): string | null {
  if (action === 'order.returned' && fields?.includes('status')) return 'returned';
  return fields?.map(statusIn).find((status) => status !== null) ?? null;
}
