import type { Child } from 'hono/jsx';
import type { QuestionCode } from '../../orders/tables';
import { isSetAside } from '../../prescriptions/coverage';
import { orderPath, requestPath } from '../http/paths';
import { Button, controlOf, Fault } from '../ui/fields';
import { formatDate } from '../ui/format';
import { Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { statusText } from '../ui/order-summary';
import { useView } from '../ui/view';
import { itemMessages } from './item-messages';
import { messages } from './messages';
import type { ReviewProps } from './review-state';

/** Below the items: the person's earlier orders, and the request's history. */
export function Timeline(props: ReviewProps) {
  return (
    <div class="below">
      <Past {...props} />
      <Course {...props} />
    </div>
  );
}

function Past({ review: { person } }: ReviewProps) {
  const t = itemMessages();
  const shared = sharedMessages();
  const entries = [
    ...person.orders.map((order) => {
      const { id, number, status, createdAt } = order;
      return { href: orderPath(id), name: String(number), status: statusText(useView(), order, status), createdAt };
    }),
    ...person.requests.map(({ id, createdAt }) => {
      return { href: requestPath(id), name: t.request, status: shared.requests.tabs.rejected, createdAt };
    }),
  ].sort((one, other) => other.createdAt - one.createdAt);
  return (
    <section id="past">
      <h2>{t.withUs}</h2>
      <p class="hint">{person.foundBy === null ? t.searchedBy : t.howFound[person.foundBy]}</p>
      <ul class="past">
        {entries.map(({ href, name, status, createdAt }) => (
          <li>
            <span>{formatDate(createdAt)}</span> <a href={href}>{name}</a> <span>{status}</span>
          </li>
        ))}
        {person.isMore && <li>…</li>}
      </ul>
    </section>
  );
}

/**
 * The history of the request, newest first: the decision, questions, answers, notes, and files sent later. The last entry is the
 * request's arrival.
 */
function Course({ review, state }: ReviewProps) {
  const t = itemMessages();
  const { questionCodes, byProgram, answer, supplemented } = messages();
  const { request, prescriptions } = review;
  const {
    orders: { sentFile },
    messages: { kinds },
    requests: { tabs },
  } = sharedMessages();
  const supplements = request.supplements ?? [];
  const firstLater = supplements[0]?.at ?? Number.POSITIVE_INFINITY;
  const sent = prescriptions.filter((row) => row.origin !== 'staff' && !isSetAside(row) && row.createdAt < firstLater);
  const missing = sent.filter(({ status }) => status === 'fetching' || status === 'fetch_failed').length;
  const received = sent.length - missing;
  const wording = (title: string, code: QuestionCode, text: string) => (
    <>
      <b>{title}:</b> {questionCodes[code]} <Wording text={text} />
    </>
  );
  const { status, decidedAt } = request;
  const isDecided = decidedAt !== null && (status === 'approved' || status === 'rejected');
  const decided = isDecided ? [{ at: decidedAt, text: tabs[status] }] : [];
  const files = supplements.filter(({ file }) => file !== null);
  const entries: { at: number; by: string | null; text: Child; isFile?: true }[] = [
    // Only staff and the platform write notes and answers.
    ...review.notes.map(({ text, at, by }) => ({ at, by: by ?? request.source, text: <Wording text={text} /> })),
    ...decided.map((each) => ({ ...each, by: review.decidedByName ?? byProgram, isFile: true as const })),
    ...files.map(({ at }) => ({ at, by: request.source, text: supplemented.file, isFile: true as const })),
    ...review.questions.flatMap(({ code, answer: text, answeredAt: at, answeredBy }) =>
      at === null ? [] : [{ at, by: answeredBy ?? request.source, text: wording(answer, code, text || sentFile) }],
    ),
    ...review.questions.map(({ code, text, askedAt: at, askedBy }) => {
      return { at, by: askedBy ?? byProgram, text: wording(kinds.question, code, text) };
    }),
  ].sort((one, other) => other.at - one.at);
  return (
    <section id="course">
      <h2>{t.timeline}</h2>
      <NoteField requestId={request.id} state={state} />
      <ol class="course">
        {entries.map(({ at, by, text, isFile }) => (
          <li class={isFile ? undefined : 'words'}>
            {text}
            <small>
              <Time at={at} /> · <bdi>{by}</bdi>
            </small>
          </li>
        ))}
        <li>
          {t.received}
          {received > 0 && `, ${t.prescriptionsReceived(received)}`}
          {missing > 0 && `, ${t.prescriptionsLinked(missing)}`}
          <small>
            <Time at={request.createdAt} /> · <bdi>{request.source}</bdi>
            {request.externalReference && (
              <>
                , <bdi>{request.externalReference}</bdi>
              </>
            )}
          </small>
        </li>
      </ol>
    </section>
  );
}

function Wording({ text }: { text: string }) {
  return <blockquote dir="auto">{text}</blockquote>;
}

/** The field for a note. It is part of the request's form, so sending it keeps all other typed values. */
function NoteField({ requestId, state }: { requestId: string; state: ReviewProps['state'] }) {
  const t = itemMessages();
  const fault = state.fieldErrors?.note;
  return (
    <div data-unchecked>
      <Fault name="note" text={fault} />
      <div class="inline">
        <input
          {...controlOf('note', fault)}
          value={state.note ?? ''}
          aria-label={t.noteField}
          placeholder={t.noteField}
          autocomplete="off"
          data-note
        />
        <Button formaction={`${requestPath(requestId)}/note`} label={sharedMessages().common.save} />
      </div>
    </div>
  );
}
