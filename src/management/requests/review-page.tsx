import type { Review } from '../../order-requests/service';
import { REQUESTS, requestPath } from '../http/paths';
import { hasFieldErrors } from '../ui/form-errors';
import { formatMoney, formatTime } from '../ui/format';
import { Chip, Page, Time } from '../ui/layout';
import { LineName } from '../ui/line-name';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import { Panel, Say } from '../ui/parts';
import { PrescriptionPanel } from '../ui/prescription-panel';
import { RequestChip } from '../ui/request-chip';
import { ApproveForm, LINES_FORM, OtherDecisions } from './decision-forms';
import { Findings } from './findings';
import { messages } from './messages';
import { PlatformDetails, Timeline } from './person-panels';
import type { ReviewProps } from './review-state';
import { CustomerPanel, SubmittedItems } from './submitted';

export function ReviewPage({ view, review, state }: ReviewProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const { request } = review;
  const isOpen = request.status === 'pending';
  const { blockers } = review;
  return (
    <Page
      view={view}
      title={t.reviewTitle(personOf(review))}
      fieldErrors={state.fieldErrors}
      back={{ path: REQUESTS, label: t.backToInbox }}
    >
      {state.conflict && !hasFieldErrors(state.fieldErrors ?? {}) && (
        <Say tone="bad" role="alert" isFocused>
          {state.conflict} {request.decidedAt !== null && <Decided view={view} review={review} />}
        </Say>
      )}
      <p class="quiet facts">
        <RequestChip view={view} request={request} />
        <span>
          {t.received} <Time view={view} at={request.createdAt} />
        </span>
        <span>{review.shopName}</span>
        <span>
          {t.source}: <bdi>{request.source}</bdi>
        </span>
        {request.legalHold && <Chip tone="wait">{t.held}</Chip>}
        {request.externalReference && (
          <span>
            {shared.requests.reference}: <bdi>{request.externalReference}</bdi>
          </span>
        )}
        {review.nextId && (
          <a href={requestPath(review.nextId)} data-key="n" aria-keyshortcuts={view.hasShortcuts ? 'n' : undefined}>
            {t.next}
          </a>
        )}
      </p>
      <div class="two-columns decide-first review">
        <div>
          {/* Enter in a field presses the first button of the lines' form, which stands outside of it, before those that decide. */}
          {isOpen && (
            <button type="submit" form={LINES_FORM} hidden formaction={`${requestPath(request.id)}/check`}></button>
          )}
          <PrescriptionPanel
            view={view}
            path={requestPath(request.id)}
            prescriptions={review.prescriptions}
            names={new Map([...review.products].map(([p1Id, { name }]) => [p1Id, name]))}
            linesForm={isOpen ? LINES_FORM : undefined}
            isOpen={isOpen}
            isShown
            fieldErrors={state.fieldErrors}
          />
          <SubmittedItems view={view} review={review} />
        </div>
        <aside>
          {isOpen && (
            <div id="findings" data-checked={t.unchecked}>
              <Findings view={view} review={review} blockers={blockers} />
            </div>
          )}
          {isOpen && <ApproveForm view={view} review={review} state={state} blockers={blockers} />}
          {!isOpen && <DecisionPanel view={view} review={review} />}
          <CustomerPanel view={view} review={review} />
          <PlatformDetails view={view} review={review} />
          <Timeline view={view} review={review} state={state} />
          <OtherDecisions view={view} review={review} state={state} />
        </aside>
      </div>
    </Page>
  );
}

export function personOf({ request }: Pick<Review, 'request'>): string {
  return request.customerName ?? request.customerEmail ?? request.id.slice(-12);
}

function Decided({ view, review }: Omit<ReviewProps, 'state'>) {
  const { tabs } = sharedMessages(view).requests;
  const t = messages(view);
  const { request, decidedByName } = review;
  const what = request.status === 'approved' ? tabs.approved : tabs.rejected;
  const when = formatTime(view.language, request.decidedAt ?? 0);
  return <>{t.decided(what, decidedByName ?? t.byProgram, when)}</>;
}

/** The decision and who made it, with links back and to the next request. */
function DecisionPanel({ view, review }: Omit<ReviewProps, 'state'>) {
  const { reasons } = sharedMessages(view).orders;
  const t = messages(view);
  const { request, lines } = review;
  const reason = textFor(reasons, request.reasonCode ?? 'other', reasons.other);
  return (
    <Panel title={t.decision}>
      <p>
        <Decided view={view} review={review} />
      </p>
      {request.status === 'rejected' && (
        <p>
          {reason}
          {request.reasonNote && <small>{request.reasonNote}</small>}
        </p>
      )}
      {request.overrideReason && (
        <p>
          {t.override}
          <small>{request.overrideReason}</small>
        </p>
      )}
      {request.status === 'approved' && (
        <ul class="findings">
          {lines.map((line) => (
            <li>
              {line.quantity} × <LineName view={view} name={line.name} productName={line.productName} />{' '}
              <small>{formatMoney(view.language, line.priceCents)}</small>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
