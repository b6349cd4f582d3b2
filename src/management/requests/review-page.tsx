import type { Review } from '../../order-requests/service';
import { WAITING_COUNTED_MAX } from '../../order-requests/service';
import { REQUESTS, requestPath } from '../http/paths';
import { Form } from '../ui/fields';
import { Icon } from '../ui/icons';
import { FullPage, Notices } from '../ui/layout';
import { Say } from '../ui/parts';
import type { View } from '../ui/view';
import { DecidedBar, DecidedText, WhyDecided } from './decided';
import { Answers, Decision } from './decision-forms';
import { Prepared } from './draft';
import { Warnings } from './findings';
import { Items } from './items';
import { linesOf } from './lines';
import { MessageToCustomer } from './message-to-customer';
import { messages } from './messages';
import { OpenPoints } from './open-points';
import { PersonStrip, personOf } from './person-strip';
import { needsPrescription, PrescriptionChecks } from './prescription-checks';
import { FoldedUpload, PrescriptionPane } from './prescription-pane';
import type { ReviewProps } from './review-state';
import { Timeline } from './timeline';

/** The form that the page is: each button sends all of it, so that no edit is lost. */
const FORM = 'lines-form';

/** The review of a request: its prescriptions, its items and the decision in view at once. */
export function ReviewPage({ view, review, state }: ReviewProps) {
  const t = messages(view);
  const { request } = review;
  const path = requestPath(request.id);
  const isOpen = request.status === 'pending';
  const rows = state.lines?.length ? state.lines : linesOf(review, view.language);
  const hasPane = needsPrescription(review);
  return (
    <FullPage view={view} title={t.reviewTitle(personOf(review))} class={state.isWide ? 'review wide-file' : 'review'}>
      {/* With a form of its own. */}
      <Notices view={view} />
      <Form
        view={view}
        id={FORM}
        autocomplete="off"
        action={isOpen ? `${path}/approve` : `${path}/note`}
        checkedBy={isOpen ? `${path}/check` : undefined}
        isGuarded={!isOpen}
        once
      >
        {/* Enter in a field presses the first button of the form: it decides nothing. */}
        {isOpen && <button type="submit" hidden formaction={`${path}/check`}></button>}
        <div class="person">
          <PersonStrip {...{ view, review, state }}>
            <Turn view={view} review={review} />
          </PersonStrip>
        </div>
        {hasPane && <PrescriptionPane {...{ view, review, state }} />}
        {isOpen && <PrescriptionChecks {...{ view, review, state }} />}
        <div class="work">
          <Refused {...{ view, review, state }} />
          {isOpen && <Prepared {...{ view, review, state }} />}
          {isOpen && <Warnings view={view} review={review} />}
          {isOpen ? <Answers {...{ view, review, state }} /> : <WhyDecided view={view} review={review} />}
          <Items {...{ view, review, state }} />
          <MessageToCustomer view={view} review={review} />
          {hasPane && <Timeline {...{ view, review, state }} />}
          <Rest view={view} review={review} />
        </div>
        {!hasPane && (
          <div class="past-pane">
            <FoldedUpload {...{ view, review, state }} />
            <Timeline {...{ view, review, state }} />
          </div>
        )}
        {isOpen && <OpenPoints {...{ view, review, state, rows }} />}
        {isOpen ? <Decision {...{ view, review, state, rows }} /> : <DecidedBar view={view} review={review} />}
      </Form>
    </FullPage>
  );
}

/** Fields of a line; the row tells which one, and they may be folded away. */
const LINE_FIELDS = ['product', 'quantity', 'price', 'acknowledged'];

/** Why the form was refused, each with a link to its place. */
function Refused({ view, review, state }: ReviewProps) {
  const t = messages(view);
  const faults = Object.entries(state.fieldErrors ?? {}).map(([field, text]) => {
    const [name = '', row] = field.split('-');
    const isOfLine = row !== undefined && LINE_FIELDS.includes(name);
    return isOfLine
      ? { href: `#line-${row}`, text: `${t.line(Number(row) + 1)}: ${text}` }
      : { href: `#${field}`, text };
  });
  if (faults.length === 0 && !state.conflict) return null;
  return (
    <Say tone="bad" role="alert" isFocused class="refused">
      {faults.length === 0 ? (
        <p>
          {state.conflict} {review.request.decidedAt !== null && <DecidedText view={view} review={review} />}
        </p>
      ) : (
        <ul>
          {faults.map(({ href, text }) => (
            <li>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </Say>
  );
}

/** Which of the waiting requests it is, with the way to those around it and back to the list. */
function Turn({ view, review }: { view: View; review: Review }) {
  const t = messages(view);
  const { request, previousId, nextId, place } = review;
  const isWaiting = request.status === 'pending' && request.needsInfoCode === null;
  const isCounted = isWaiting && place + 1 < WAITING_COUNTED_MAX;
  const of = view.waiting >= WAITING_COUNTED_MAX ? `${WAITING_COUNTED_MAX - 1}+` : String(view.waiting);
  return (
    <nav class="turn" aria-label={t.tabsLabel}>
      <a class="button icon" href={REQUESTS} title={t.backToInbox}>
        <Icon name="tray" />
        <span class="unseen">{t.backToInbox}</span>
      </a>
      {previousId && (
        <a class="button icon" href={requestPath(previousId)} title={t.previous}>
          <Icon name="left" />
          <span class="unseen">{t.previous}</span>
        </a>
      )}
      {isCounted && <span>{t.place(place + 1, of)}</span>}
      {nextId && (
        <a
          class="button icon"
          href={requestPath(nextId)}
          title={t.next}
          data-key="n"
          aria-keyshortcuts={view.hasShortcuts ? 'n' : undefined}
        >
          <Icon name="right" />
          <span class="unseen">{t.next}</span>
        </a>
      )}
    </nav>
  );
}

/** What is seldom done with a request. */
function Rest({ view, review: { request } }: { view: View; review: Review }) {
  const t = messages(view);
  const path = requestPath(request.id);
  return (
    <p class="rest">
      {request.status === 'approved' ? <span>{t.approvedStays}</span> : <a href={`${path}/delete`}>{t.delete}</a>}
      {view.session?.role === 'owner' && <a href={`${path}/hold`}>{request.legalHold ? t.releaseHold : t.setHold}</a>}
    </p>
  );
}
