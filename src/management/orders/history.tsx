import type { OrderFieldName } from '../../orders/fields';
import { NOTE_MAX } from '../../orders/limits';
import type { OrderDetail } from '../../orders/service';
import type { Child } from '../../platform/markup/markup';
import { orderPath } from '../http/paths';
import { Fault, Form, type FormState } from '../ui/fields';
import { shortIdOf } from '../ui/format';
import { Time } from '../ui/layout';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';
import type { DetailProps } from './order-page';

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
  const entries = [...actsOf(view, detail), ...questionsOf(view, detail), ...notesOf(view, detail)];
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

function actsOf(view: View, detail: OrderDetail): Entry[] {
  return detail.history.flatMap((act) => {
    if (SAID.has(act.action)) return [];
    return {
      at: act.at,
      what: whatOf(view, act),
      who: whoOf(view, detail, act),
      ...(GOOD.has(act.action) && { kind: 'good' as const }),
    };
  });
}

function questionsOf(view: View, { questions }: OrderDetail): Entry[] {
  const t = messages(view);
  const { questionCodes } = sharedMessages(view).orders;
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
            who: answeredBy ?? t.byProgram,
            kind: 'words' as const,
            what: said(t.answered, answer ?? ''),
          },
        ]),
  ]);
}

function notesOf(view: View, { notes }: OrderDetail): Entry[] {
  const t = messages(view);
  return notes.map(({ at, by, text }) => ({ at, who: by ?? t.byProgram, kind: 'words', what: said(null, text) }));
}

function said(title: string | null, text: string): Child {
  return (
    <>
      {title && <b>{title}: </b>}
      <q>{text}</q>
    </>
  );
}

function whatOf(view: View, { action, fields, reasonCode }: Act): string {
  const shared = sharedMessages(view);
  const labels: Record<OrderFieldName, string> = shared.orders.fields;
  const what = textFor(messages(view).acts, action.replace('.', '_'), action);
  const which = (fields ?? []).map((field) => textFor(labels, field)).join(', ');
  const why =
    reasonCode === null
      ? ''
      : ` (${textFor(shared.orders.reasons, reasonCode, textFor(shared.orders.unpaidReasons, reasonCode))})`;
  return `${which ? `${what}: ${which}` : what}${why}`;
}

function whoOf(view: View, { names }: OrderDetail, { actorKind, actorId }: Act): string {
  const name = actorId === null ? undefined : names.get(actorId);
  if (name !== undefined) return name;
  const kind = textFor(messages(view).actors, actorKind);
  return actorId === null ? kind : `${kind} ${shortIdOf(actorId)}`;
}
