import { orderPath, requestPath } from '../http/paths';
import { formatTime } from '../ui/format';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import { Say } from '../ui/parts';
import { RequestChip } from '../ui/request-chip';
import { messages } from './messages';
import type { ReviewProps } from './review-state';

type Props = Omit<ReviewProps, 'state'>;

/** Who decided it, how and when. */
export function DecidedText({ view, review }: Props) {
  const { tabs } = sharedMessages(view).requests;
  const t = messages(view);
  const { request, decidedByName } = review;
  const what = request.status === 'approved' ? tabs.approved : tabs.rejected;
  return <>{t.decided(what, decidedByName ?? t.byProgram, formatTime(view.language, request.decidedAt ?? 0))}</>;
}

/** Who decided it and when, with the reason that was given. */
export function WhyDecided({ view, review }: Props) {
  const { reasons } = sharedMessages(view).orders;
  const t = messages(view);
  const { request } = review;
  return (
    <Say tone={request.status === 'approved' ? 'good' : 'off'}>
      <p>
        <DecidedText view={view} review={review} />
      </p>
      {request.status === 'rejected' && (
        <p>
          {textFor(reasons, request.reasonCode ?? 'other', reasons.other)}{' '}
          {request.reasonNote && <bdi>{request.reasonNote}</bdi>}
        </p>
      )}
      {request.overrideReason && (
        <p>
          {t.override}: <bdi>{request.overrideReason}</bdi>
        </p>
      )}
    </Say>
  );
}

/** In place of the decision: what became of it, with the order that it is now. */
export function DecidedBar({ view, review }: Props) {
  const t = messages(view);
  const { request } = review;
  return (
    <section class="decision" aria-label={t.decisionLabel}>
      <div class="acts">
        <RequestChip view={view} request={request} />
        {request.orderId !== null && (
          <a class="button primary" href={orderPath(request.orderId)} data-decide>
            {t.toOrder}
          </a>
        )}
        {request.status === 'rejected' && (
          <button type="submit" formaction={`${requestPath(request.id)}/reopen`}>
            {sharedMessages(view).decided.reopen}
          </button>
        )}
      </div>
    </section>
  );
}
