import type { Child } from 'hono/jsx';
import { mailtoLink } from '../../messages/texts';
import type { Review } from '../../order-requests/inbox/inbox';
import { expiresAt } from '../../order-requests/sweep';
import { telOf } from '../../platform/markup/phone';
import { requestPath } from '../http/paths';
import { controlOf, Fault } from '../ui/fields';
import { birthDateOf, formatDate, formatMoney } from '../ui/format';
import { Chip, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Shipping } from '../ui/order-summary';
import { PersonWords, PlatformFacts, shownDetails } from '../ui/panels';
import { Icon, Notice } from '../ui/parts';
import { useView } from '../ui/view';
import { itemMessages } from './item-messages';
import { messages } from './messages';
import type { ReviewProps } from './review-state';

/** The customer, address, shipping, payment, notes, and open questions. @param children shown beside the name */
export function PersonStrip({ review, state, children }: ReviewProps & { children: Child }) {
  const { request } = review;
  const t = itemMessages();
  const expires = expiresAt(request);
  const city = [request.addressPostalCode, request.addressCity].filter(Boolean).join(' ');
  const address = [request.addressStreet, city].filter(Boolean).join(', ');
  const born = birthDateOf(useView(), request)?.text;
  return (
    <>
      <header class="who">
        {children}
        <h1>
          <bdi>{personOf(review)}</bdi> {born && <small>{named(t.born, born)}</small>}
        </h1>
        <div class="facts known">
          {address && (
            <span class="with">
              <Icon name="pin" />
              <bdi>{address}</bdi>
            </span>
          )}
          {request.addressPhone && (
            <a href={telOf(request.addressPhone)}>
              <bdi>{request.addressPhone}</bdi>
            </a>
          )}
          {request.customerEmail && (
            <a
              class="with mail"
              href={mailtoLink(request.customerEmail)}
              title={request.customerEmail}
              data-short={sharedMessages().messages.email}
            >
              <Icon name="mail" />
              <bdi>{request.customerEmail}</bdi>
            </a>
          )}
          {named(t.prescriber, request.prescriberName)}
          {named(t.customerId, request.customerId)}
          <b>{request.shippingOption === null ? t.noShipping : <Shipping option={request.shippingOption} />}</b>
          <span class="with">
            <Icon name={request.paymentStatus === 'cash_on_pickup' ? 'cash' : 'card'} />
            <b>{paymentText(request)}</b>
          </span>
          {request.paymentReference && <bdi>{request.paymentReference}</bdi>}
          <Time at={request.createdAt} />
          {expires !== null && <span>{messages().expires(formatDate(expires))}</span>}
          <span>{review.shopName}</span>
          <Known review={review} />
        </div>
      </header>
      <PersonWords details={request.platformDetails} />
      <OpenQuestions review={review} state={state} />
    </>
  );
}

function named(name: string, text: string | null): Child {
  return (
    text && (
      <span>
        {name} <bdi>{text}</bdi>
      </span>
    )
  );
}

/** The name of a request: customer's name, email address, or the end of its id. */
export function personOf({ request }: Pick<Review, 'request'>): string {
  return request.customerName ?? request.customerEmail ?? request.id.slice(-12);
}

function paymentText({ paymentStatus, totalCents }: Review['request']): string {
  if (paymentStatus === 'paid' && totalCents !== null) return itemMessages().paidAmount(formatMoney(totalCents));
  return messages().payments[paymentStatus];
}

/**
 * The known facts about the request's person: earlier orders and rejected requests, and the data by which they were
 * found. Also a possible duplicate, the legal hold, and the details that the platform sent.
 */
function Known({ review: { person, request } }: Omit<ReviewProps, 'state'>) {
  const t = itemMessages();
  const details = shownDetails(request);
  const more = person.isMore ? '+' : '';
  const found = [
    person.orders.length > 0 && t.orders(`${person.orders.length}${more}`),
    person.requests.length > 0 && t.rejected(`${person.requests.length}${more}`),
  ].filter(Boolean);
  return (
    <>
      <span>
        {person.foundBy === null ? (
          t.firstOrder
        ) : (
          <>
            <a href="#past">{found.join(', ')}</a> <small>({t.foundBy[person.foundBy]})</small>
          </>
        )}
      </span>
      {person.possibleDuplicateId && (
        <Chip tone="wait">
          {t.duplicate} <a href={requestPath(person.possibleDuplicateId)}>{t.otherRequest}</a>
        </Chip>
      )}
      {request.legalHold && <Chip tone="wait">{t.held}</Chip>}
      {details.length > 0 && (
        <details class="platform">
          <summary>
            {t.details} <span class="of">{t.ofPlatform}</span> <span class="count">{details.length}</span>
          </summary>
          <PlatformFacts details={details} />
        </details>
      )}
    </>
  );
}

/** The checkbox that must be checked to decide without the answer to an open question. */
function Unanswered({ state, id }: Pick<ReviewProps, 'state'> & { id: string }) {
  const name = `question-${id}`;
  const fault = state.fieldErrors?.[name];
  return (
    <div class="ack">
      <Fault name={name} text={fault} />
      <label>
        <input
          type="checkbox"
          id={name}
          name="acknowledged"
          value={id}
          checked={state.acknowledged?.includes(id)}
          required
          data-tick=""
          aria-describedby={fault && `${name}-fault`}
        />
        <span>{itemMessages().withoutAnswer}</span>
      </label>
    </div>
  );
}

/** Unanswered questions, each with a field for the answer. */
function OpenQuestions({ review, state }: ReviewProps) {
  const t = itemMessages();
  const isOpen = review.request.status === 'pending';
  const open = review.questions.filter(({ answeredAt }) => answeredAt === null);
  return (
    <>
      {open.map((question) => {
        const name = `answer-${question.id}`;
        const fault = state.fieldErrors?.[name];
        const typed = state.answers?.[question.id] ?? '';
        return (
          <Notice tone="note" class="question">
            <p>
              <b>{t.openQuestion}</b> <Time at={question.askedAt} />, {messages().questionCodes[question.code]}:{' '}
              <q>
                <bdi>{question.text}</bdi>
              </q>
            </p>
            {isOpen && <Unanswered state={state} id={question.id} />}
            <details class="fold" open={fault !== undefined || typed !== ''} data-unchecked>
              <summary>{t.writeAnswer}</summary>
              <Fault name={name} text={fault} />
              <div class="inline">
                <input
                  {...controlOf(name, fault)}
                  value={typed}
                  aria-label={messages().answer}
                  autocomplete="off"
                  data-note
                />
                <button
                  type="submit"
                  name="question"
                  value={question.id}
                  formaction={`${requestPath(review.request.id)}/answer`}
                >
                  {t.saveAnswer}
                </button>
              </div>
            </details>
          </Notice>
        );
      })}
    </>
  );
}
