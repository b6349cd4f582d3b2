import type { Review } from '../../order-requests/service';
import { QUESTION_CODES } from '../../orders/service';
import { orderPath, requestPath } from '../http/paths';
import { Field, Labeled, Options } from '../ui/fields';
import { Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';
import type { ReviewProps } from './review-state';

interface PanelProps {
  view: View;
  review: Review;
}

/** Who somebody is to the pharmacy: earlier orders and requests, how they were found, and a possible duplicate. */
export function PersonStrip({ view, review: { person } }: PanelProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <>
      <p class="quiet">{person.foundBy === null ? t.firstOrder : t.foundBy[person.foundBy]}</p>
      {person.orders.length + person.requests.length > 0 && (
        <ul class="findings">
          {person.orders.map((order) => (
            <li>
              <a href={orderPath(order.id)}>{`${shared.orders.id} ${order.number}`}</a>{' '}
              <small>
                {shared.orders.statuses[order.status]}, <Time view={view} at={order.createdAt} />
              </small>
            </li>
          ))}
          {person.requests.map((request) => (
            <li>
              <a href={requestPath(request.id)}>{shared.requests.tabs.rejected}</a>{' '}
              <small>
                <Time view={view} at={request.createdAt} />
              </small>
            </li>
          ))}
          {person.isMore && <li>…</li>}
        </ul>
      )}
      {person.possibleDuplicateId && (
        <p>
          <a href={requestPath(person.possibleDuplicateId)}>{shared.requests.warningTexts.possible_duplicate}</a>
        </p>
      )}
    </>
  );
}

/** The platform's other words, as it sent them. */
export function PlatformDetails({ view, review: { request } }: PanelProps) {
  const entries = Object.entries(request.platformDetails ?? {});
  if (entries.length === 0) return null;
  return (
    <Panel title={messages(view).platformDetails}>
      <Facts entries={entries.map(([name, text]) => [name, <bdi>{text}</bdi>])} />
    </Panel>
  );
}

/** What staff asked, with the answers, and what they wrote. */
export function Timeline({ view, review, state }: ReviewProps) {
  const { common } = sharedMessages(view);
  const t = messages(view);
  const path = requestPath(review.request.id);
  return (
    <Panel title={t.timeline}>
      <ul class="findings">
        {review.questions.map((question) => (
          <li>
            <strong>{t.questionCodes[question.code]}</strong>: <bdi>{question.text}</bdi>{' '}
            <small>
              {question.askedBy ?? t.byProgram}, <Time view={view} at={question.askedAt} />
            </small>
            {question.answeredAt === null ? (
              <>
                <Field
                  name={`answer-${question.id}`}
                  label={t.answer}
                  value={state.answers?.[question.id] ?? ''}
                  fieldErrors={state.fieldErrors}
                />
                <button type="submit" name="question" value={question.id} formaction={`${path}/answer`}>
                  {t.saveAnswer}
                </button>
              </>
            ) : (
              <p>
                {`${t.answer}: `}
                <bdi>{question.answer}</bdi>{' '}
                <small>
                  {question.answeredBy ?? t.byProgram}, <Time view={view} at={question.answeredAt} />
                </small>
              </p>
            )}
          </li>
        ))}
        {review.notes.map((note) => (
          <li>
            <bdi>{note.text}</bdi>{' '}
            <small>
              {note.by ?? t.byProgram}, <Time view={view} at={note.at} />
            </small>
          </li>
        ))}
      </ul>
      <Field name="note" label={common.optional(t.note)} form={state} />
      <button type="submit" formaction={`${path}/note`}>
        {t.saveNote}
      </button>
    </Panel>
  );
}

/** What a question is about, and its text. */
export function QuestionFields({ view, state }: Omit<ReviewProps, 'review'>) {
  const t = messages(view);
  return (
    <>
      <Labeled
        name="info_code"
        label={t.questionAbout}
        control={(attributes) => (
          <select {...attributes}>
            <Options
              options={QUESTION_CODES.map((value) => ({ value, label: t.questionCodes[value] }))}
              value={state.info_code ?? 'other'}
            />
          </select>
        )}
      />
      <Field name="info_note" label={t.infoNote} form={state} data-key="i" />
    </>
  );
}
